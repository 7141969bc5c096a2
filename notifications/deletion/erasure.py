"""Deletes everything personal of a user whose account is deleted (`coverage.py` is the list).

Long tables are gone through in batches, each in a transaction of its own. All of it can be done
again: what is deleted already is not found.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext, override

from accounts.models import (
    ApiAnswer,
    ApiToken,
    Block,
    Follow,
    Program,
    Sanction,
    SearchWord,
    SecurityEvent,
    TakenName,
    User,
    Vacation,
)
from accounts.names import FORMER_USERNAME
from games.models import (
    AnalysisNode,
    ClubAnnouncement,
    ClubMember,
    ClubNews,
    ClubRequest,
    Entrant,
    GamePresence,
    Invitation,
    LadderPlace,
    Message,
    Mute,
    PlannedTurn,
    PuzzleAttempt,
    Rating,
    Report,
    SeasonEntry,
    Seat,
    SharedAnalysis,
    TableLink,
    TeamInvitation,
    ThinkingTime,
    Tournament,
    Wish,
)
from games.models.report import WAITING
from games.moderation.log import delete_words_about, without_names
from games.services.departures import decline_for
from notifications.models import (
    AccountMailCount,
    AddressState,
    CalendarFeed,
    DataExport,
    DataExportPart,
    DigestSchedule,
    ErrorReply,
    IncomingMail,
    MailedMessages,
    MailPreference,
    Notice,
    PuzzleSubscription,
    ReplyAddress,
    Webhook,
    WebhookMessage,
)

BATCH = 500
"""How many rows a transaction changes."""

Rows = QuerySet[Any, Any]

DELETED_ADDRESS = "deleted@invalid"
"""What invitations have for an address that the user gave: one of them must be there."""


def end_sessions(person: User) -> None:
    """Sign the user out everywhere."""
    theirs = UserSession.objects.filter(user=person)
    Session.objects.filter(session_key__in=theirs.values("session_key")).delete()
    theirs.delete()


def addresses_of(person: User) -> set[str]:
    """Return the user's addresses, also those that they removed or that mails went to before."""
    if person.is_former:
        return set()
    found = set(EmailAddress.objects.filter(user=person).values_list("email", flat=True))
    for rows in (Notice.objects.filter(user=person), ReplyAddress.objects.filter(user=person)):
        found.update(rows.order_by().values_list("address", flat=True).distinct())
    for details in SecurityEvent.objects.filter(user=person).values_list("details", flat=True):
        found.update(str(details[key]) for key in ("email", "former") if key in details)
    return {address for address in (*found, person.email) if "@" in address}


def erase(person: User, *, now: datetime) -> None:
    """Delete the user's words and everything of theirs but the names and addresses themselves."""
    addresses = addresses_of(person)
    names = set() if person.is_former else {person.username, person.display_name} - {""}
    end_sessions(person)
    answer_invitations_to(person, addresses, now)
    close_reports_of(person, names | addresses, now)
    for model in (AddressState, AccountMailCount, ErrorReply):
        model._default_manager.filter(address__in=addresses).delete()
    delete_mails_from(person, addresses)
    for rows in rows_owned_by(person):
        _in_batches(rows, lambda some: some.delete())
    _in_batches(Message.objects.filter(author=person).exclude(text=""), _empty("text"))
    seasons = SeasonEntry.objects.filter(user=person).exclude(removed_because="")
    _in_batches(seasons, _empty("removed_because"))
    entrants = Entrant.objects.filter(user=person).exclude(removed_because="")
    _in_batches(entrants, _empty("removed_because"))
    opened = Tournament.objects.filter(opened_by=person).exclude(name="")
    _in_batches(opened, _empty("name"))
    opened = Tournament.objects.filter(opened_by=person).exclude(cancelled_because="")
    _in_batches(opened, _empty("cancelled_because"))
    announced = ClubAnnouncement.objects.filter(by=person).exclude(text="")
    _in_batches(announced, _empty("text"))
    _in_batches(Sanction.objects.filter(user=person).exclude(reason=""), _empty("reason"))
    delete_words_about(person, names | addresses, now=now)
    clean_admin_log(person, names | addresses)
    # What `addresses_of` reads comes last: a process that is killed before must find it again.
    to_them = Q(user=person) | Q(user=None, address__in=addresses)
    for rows in (
        ReplyAddress.objects.filter(to_them),
        Notice.objects.filter(to_them),
        SecurityEvent.objects.filter(user=person),
    ):
        _in_batches(rows, lambda some: some.delete())


def erase_names(person: User) -> None:
    """Free the names and addresses of a locked user; only an unused row of an account is left."""
    EmailAddress.objects.filter(user=person).delete()
    TakenName.objects.filter(user=person).delete()
    SearchWord.objects.filter(user=person).delete()
    person.groups.clear()
    person.user_permissions.clear()
    blank = User()
    blank.set_unusable_password()
    kept = ("id", "date_joined", "barred_until", "muted_until", "is_bot", "owner", "guest_until")
    fields = {
        field.name: getattr(blank, field.name)
        for field in User._meta.concrete_fields
        if field.name not in kept
    }
    fields |= {
        "username": f"{FORMER_USERNAME}{person.pk}",
        "is_active": False,
        "is_findable": False,
        "takes_strangers": False,
    }
    # Not `save`: it would take the keys of the new name.
    User.objects.filter(pk=person.pk).update(**fields)


def rows_owned_by(person: User) -> list[Rows]:
    """Return what is deleted row by row."""
    own = Q(user=person)
    both = Q(by=person) | Q(of=person)
    webhooks = Webhook.objects.filter(Q(owner=person) | Q(user=person))
    return [
        Authenticator.objects.filter(own),
        ApiToken.objects.filter(own),
        ApiAnswer.objects.filter(own),
        Program.objects.filter(own),
        Vacation.objects.filter(own),
        Block.objects.filter(both),
        Follow.objects.filter(both),
        Mute.objects.filter(own),
        SharedAnalysis.objects.filter(own),
        AnalysisNode.objects.filter(own),
        PlannedTurn.objects.filter(own),
        PuzzleAttempt.objects.filter(own),
        ThinkingTime.objects.filter(own),
        TeamInvitation.objects.filter(own | Q(entry__user=person)),
        Wish.objects.filter(own),
        LadderPlace.objects.filter(own, place=None),
        ClubMember.objects.filter(own),
        ClubRequest.objects.filter(own),
        ClubNews.objects.filter(Q(reader=person) | Q(person=person)),
        Rating.objects.filter(player=person),
        GamePresence.objects.filter(own),
        MailPreference.objects.filter(own),
        DigestSchedule.objects.filter(own),
        CalendarFeed.objects.filter(own),
        PuzzleSubscription.objects.filter(own),
        WebhookMessage.objects.filter(webhook__in=webhooks),
        webhooks,
        MailedMessages.objects.filter(own),
        DataExportPart.objects.filter(export__user=person),
        DataExport.objects.filter(own),
        TableLink.objects.filter(game__creator=person),
    ]


def answer_invitations_to(person: User, addresses: Iterable[str], now: datetime) -> None:
    """Decline what is open, and forget the addresses."""
    to_address = Q(user=None, email__in=list(addresses))
    theirs = Invitation.objects.filter(Q(user=person) | to_address)
    for pk in list(theirs.open().values_list("pk", flat=True)):
        decline_for(person, pk, now=now)
    Invitation.objects.filter(to_address).update(user=person, email="")
    sent = Invitation.objects.filter(by=person).exclude(email="")
    _in_batches(sent.exclude(email=DELETED_ADDRESS), _set(email=DELETED_ADDRESS))


def close_reports_of(person: User, names: Iterable[str], now: datetime) -> None:
    """Close the reports by and about the user, and delete their text.

    Those who reported the user are told why.
    """
    own = Report.objects.filter(reporter=person)
    own.filter(state__in=WAITING).update(state=Report.State.DISMISSED, closed_at=now, told_at=now)
    _in_batches(own.exclude(text="", answer=""), _empty("text", "answer"))
    about = Report.objects.filter(person=person)
    for report in about.filter(state__in=WAITING).select_related("reporter"):
        with override(report.reporter.language):
            answer = gettext("This player has deleted their account.")
        about.filter(pk=report.pk, state__in=WAITING).update(
            state=Report.State.DISMISSED, closed_at=now, answer=answer
        )
    for report in about.exclude(text=""):
        answer = without_names(report.answer, list(names))
        about.filter(pk=report.pk).update(text="", answer=answer)


def delete_mails_from(person: User, addresses: Iterable[str]) -> None:
    """Delete the mails from the user; of others' mails, the text that may name them."""
    known = list(addresses)
    seats = Seat.objects.filter(user=person, game=OuterRef("reply__game"))
    played = IncomingMail.objects.processed().with_text().filter(Exists(seats))
    _in_batches(played, _set(raw=b""))
    sent = Q(user=person) | Q(reply__user=person) | Q(reply__address__in=known)
    sent |= Q(sender__in=known) | Q(envelope_from__in=known)
    _in_batches(IncomingMail.objects.filter(sent), lambda some: some.delete())


def clean_admin_log(person: User, names: Iterable[str]) -> None:
    """Replace the user's names in Django's log of what superusers did."""
    known = list(names)
    key, users = str(person.pk), ContentType.objects.get_for_model(User)
    about = Q(content_type=users, object_id=key)
    named = Q()
    for name in known:
        named |= Q(object_repr__icontains=name) | Q(change_message__icontains=name)
    for entry in LogEntry.objects.filter(about | named if known else about).order_by("pk"):
        if (entry.content_type_id, entry.object_id) == (users.pk, key):
            entry.object_repr, entry.change_message = f"#{key}", ""
        else:
            entry.object_repr = without_names(entry.object_repr, known)
            entry.change_message = without_names(entry.change_message, known)
        entry.save(update_fields=["object_repr", "change_message"])


def _in_batches(rows: Rows, change: Callable[[Rows], object]) -> None:
    """Change rows that are not found any more once they are changed."""
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            change(rows.model._default_manager.filter(pk__in=keys))


def _set(**fields: object) -> Callable[[Rows], object]:
    return lambda rows: rows.update(**fields)


def _empty(*names: str) -> Callable[[Rows], object]:
    return _set(**dict.fromkeys(names, ""))
