"""Switch a kind of mail, or a club's letters, off by the link in one, and tell that by mail."""

from datetime import datetime

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.users import lock_user
from games import wakeups
from games.models import ClubMember
from notifications.kinds.answer.kind import AnswerContent
from notifications.kinds.base import kind_of
from notifications.kinds.registry import Kind
from notifications.models import Cadence, Notice
from notifications.models.notice import new_message_id
from notifications.services.preferences import cadence_of, set_cadence
from notifications.services.unsubscribe import BadToken


@transaction.atomic
def unsubscribe_user(user: User, kind: Kind, *, now: datetime) -> None:
    """Switch one kind of mail off; the first time, a letter says so and how to undo it.

    A mail program unsubscribes with one click and shows nothing (RFC 8058): players who only have
    mail would never learn why it is silent. Raises BadToken if the account is gone by now.
    """
    try:
        lock_user(user.pk)  # two clicks write one letter
    except User.DoesNotExist:
        raise BadToken from None
    if cadence_of(user, kind) == Cadence.OFF:
        return
    set_cadence(user=user, kind=kind, cadence=Cadence.OFF)
    with translation.override(user.language):
        said = [
            _("You get no more mail of the kind “%(kind)s”, as you asked with one click.")
            % {"kind": kind.label}
        ]
        if kind_of(kind).is_needed_to_play:
            said.append(
                _("Your games go on and your time runs, so remember to look at them yourself.")
            )
        again = _("To get all mail again, reply “loud”.")
        if kind == Kind.PUZZLE:
            again = _("To get the puzzle again, reply “puzzle”.")
        said.append(again)
        write_switched_off(user, said, now=now)


@transaction.atomic
def stop_club_letters(member: ClubMember, *, now: datetime) -> None:
    """Switch the letters of one club off for a member; the first time, a letter says so."""
    on = ClubMember.objects.filter(pk=member.pk, gets_letters=True)
    if not on.update(gets_letters=False):
        return
    with translation.override(member.user.language):
        said = _("You get no more letters of the club “%(club)s”, as you asked with one click.")
        again = _("To get them again, open the club’s page.")
        write_switched_off(member.user, [said % {"club": member.club}, again], now=now)


def write_switched_off(user: User, said: list[str], *, now: datetime) -> None:
    """Write the letter that says what was switched off, in the active language."""
    content: AnswerContent = {
        "sections": [
            {
                "done": True,
                "paragraphs": said,
                "game": None,
                "listing": "",
                "title": _("Mail switched off"),
                "number": None,
                "person": None,
                "letter_follows": False,
                "question": None,
            }
        ]
    }
    Notice.objects.create(
        kind=Kind.ANSWER,
        user=user,
        language=user.language,
        content=content,
        message_id=new_message_id(),
        created_at=now,
        due_at=now,
    )
    wakeups.notify_workers("notices")
