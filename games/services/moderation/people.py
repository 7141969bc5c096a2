"""What a moderator can do about a person; everything is logged, and the person reads why."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from accounts.models.user import FOR_GOOD
from accounts.users import lock_user
from games import errors
from games.models import Act, Game
from games.rules.base import MoveError
from games.rules.registry import UnknownGame
from games.services import log, tables
from games.services.locking import locked_game
from games.services.moderation.action_names import UserAction
from games.services.moderation.permissions import check_is_moderator, has_part_in, is_administrator
from games.services.moderation.seats import take_out
from games.services.moderation.staleness import check_not_stale

Kind = Sanction.Kind


class Running(TextChoices):
    """What becomes of the running games of somebody who is banned."""

    WITHDRAW = "withdraw", _("lost at once")
    CLOCK = "clock", _("left to the clock")


def _in_hand(person_id: int, by: User, why: str, seen: int | None) -> User:
    """Return a person, locked, for a moderator who has a reason.

    `seen` is the newest act about this person that the moderator knew of (see `check_not_stale`).
    Raises MayNotModerate, NoReason, NotThemselves, StaffIsSafe, ActedMeanwhile.
    """
    check_is_moderator(by)
    if not why.strip():
        raise errors.NoReason
    person = lock_user(person_id)
    if person.pk == by.pk:
        raise errors.NotThemselves
    _check_is_not_safe(person, by)
    check_not_stale(person.acts.all(), seen)
    return person


def _check_is_not_safe(person: User, by: User) -> None:
    """Raise StaffIsSafe: hosts judge moderators; who may do everything is judged by their like."""
    if person.is_superuser and not by.is_superuser:
        raise errors.StaffIsSafe
    if person.is_staff and not is_administrator(by):
        raise errors.StaffIsSafe


def can_judge(person: User, by: User) -> bool:
    """Tell whether somebody who moderates may act on a person."""
    try:
        _check_is_not_safe(person, by)
    except errors.StaffIsSafe:
        return False
    return person.pk != by.pk


@transaction.atomic
def warn_user(
    *,
    person_id: int,
    by: User,
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Sanction:
    """Write a warning that the person must have read. Raises as `_in_hand`."""
    person = _in_hand(person_id, by, why, seen)
    return _impose(person, Kind.WARNING, UserAction.WARN, by, why, until=None, now=now)


@transaction.atomic
def mute_user(
    *,
    person_id: int,
    by: User,
    why: str,
    until: datetime | None,
    now: datetime,
    seen: int | None = None,
) -> Sanction:
    """Keep a person from writing messages, for good if `until` is None.

    Raises as `_in_hand`, and BadEnd, SanctionStands.
    """
    person = _in_hand(person_id, by, why, seen)
    return _impose(person, Kind.MUTE, UserAction.MUTE, by, why, until=until, now=now)


@transaction.atomic
def suspend_user(
    *, person_id: int, by: User, why: str, until: datetime, now: datetime, seen: int | None = None
) -> Sanction:
    """Keep a person out until a moment; their clocks run.

    Raises as `_in_hand`, and BadEnd, SanctionStands.
    """
    person = _in_hand(person_id, by, why, seen)
    made = _impose(person, Kind.SUSPENSION, UserAction.SUSPEND, by, why, until=until, now=now)
    _end_sessions(person)
    return made


def ban_user(
    *, person_id: int, by: User, why: str, running: Running, now: datetime, seen: int | None = None
) -> Sanction:
    """Keep a person out for good; their tables close, their running games as `running` says.

    They are taken out of their games after the ban stands, one transaction each: an act of its own
    that each game knows. Games against the moderator are left to the clock: nobody judges their
    own. Raises as `_in_hand`, and SanctionStands.
    """
    with transaction.atomic():
        person = _in_hand(person_id, by, why, seen)
        made = _impose(
            person, Kind.BAN, UserAction.BAN, by, why, until=None, now=now, running=running.value
        )
        _end_sessions(person)
    _close_tables(person, now)
    if running == Running.WITHDRAW:
        _take_out(person, by, now)
    return made


@transaction.atomic
def lift_sanction(
    *, sanction_id: int, by: User, why: str, now: datetime, seen: int | None = None
) -> Sanction:
    """End a sanction before its time. Raises as `_in_hand`, and NothingToChange."""
    user_id = Sanction.objects.values_list("user", flat=True).get(pk=sanction_id)
    person = _in_hand(user_id, by, why, seen)
    sanction = person.sanctions.get(pk=sanction_id)
    if not sanction.is_in_force(now):
        raise errors.NothingToChange
    sanction.lifted_at = now
    sanction.save(update_fields=["lifted_at"])
    _count(person, now)
    _log(UserAction.LIFT, person, by, why, now, kind=sanction.kind, sanction=sanction.pk)
    return sanction


@transaction.atomic
def rename_user(
    *, person_id: int, by: User, username: str, why: str, now: datetime, seen: int | None = None
) -> User:
    """Give a person another user name; the display name goes. Raises as `_in_hand`, BadNewName."""
    person = _in_hand(person_id, by, why, seen)
    former = person.username
    person.username, person.display_name = username.strip(), ""
    try:
        person.full_clean(exclude=["password"])
        person.save(update_fields=["username", "display_name"])
    except ValidationError as error:
        raise errors.BadNewName(why=" ".join(error.messages)) from None
    _log(UserAction.RENAME, person, by, why, now, former=former, name=person.username)
    return person


@transaction.atomic
def read_warnings(*, user: User, now: datetime) -> int:
    """Note that a person has read their warnings; return how many."""
    unread = user.sanctions.filter(kind=Kind.WARNING, seen_at=None)
    count = unread.update(seen_at=now)
    User.objects.filter(pk=user.pk).update(is_warned=False)
    return count


def _impose(
    person: User,
    kind: Sanction.Kind,
    measure: UserAction,
    by: User,
    why: str,
    *,
    until: datetime | None,
    now: datetime,
    **details: object,
) -> Sanction:
    if until is not None and until <= now:
        raise errors.BadEnd
    _end_what_is_over(person, kind, now)
    if kind != Kind.WARNING and person.sanctions.filter(kind=kind, lifted_at=None).exists():
        raise errors.SanctionStands
    made = Sanction.objects.create(
        user=person, kind=kind, reason=why.strip(), by=by, at=now, until=until
    )
    _count(person, now)
    said = {"sanction": made.pk, "until": until.isoformat() if until else None}
    _log(measure, person, by, why, now, **said, **details)
    return made


def _end_what_is_over(person: User, kind: Sanction.Kind, now: datetime) -> None:
    """Let a sanction whose time is over make room for another of its kind."""
    over = person.sanctions.filter(kind=kind, lifted_at=None, until__lte=now)
    for sanction in over:
        sanction.lifted_at = sanction.until
        sanction.save(update_fields=["lifted_at"])


def _count(person: User, now: datetime) -> None:
    """Write down at the person what all their sanctions come to."""
    standing = [sanction for sanction in person.sanctions.all() if sanction.is_in_force(now)]
    person.barred_until = _latest(standing, Sanction.KEEPS_OUT)
    person.muted_until = _latest(standing, (Kind.MUTE,))
    person.is_warned = any(
        sanction.kind == Kind.WARNING and sanction.seen_at is None for sanction in standing
    )
    person.save(update_fields=["barred_until", "muted_until", "is_warned"])


def _latest(standing: Iterable[Sanction], kinds: tuple[Sanction.Kind, ...]) -> datetime | None:
    ends = [sanction.until or FOR_GOOD for sanction in standing if sanction.kind in kinds]
    return max(ends, default=None)


def _log(
    measure: UserAction, person: User, by: User, why: str, now: datetime, **details: object
) -> Act:
    return log.write_entry(
        by=by, what=measure.value, why=why, now=now, person=person, details=details
    )


def _end_sessions(person: User) -> None:
    """Sign a person out everywhere."""
    theirs = UserSession.objects.filter(user=person)
    keys = list(theirs.values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    theirs.delete()


def _close_tables(person: User, now: datetime) -> None:
    """Take a person away from every table that has not begun."""
    waiting = Game.objects.open().filter(seats__user=person)
    for game_id in list(waiting.values_list("pk", flat=True)):
        tables.take_away(game_id=game_id, user=person, now=now)


def _take_out(person: User, by: User, now: datetime) -> None:
    """Take a person out of every running game but those in which the moderator plays, too."""
    running = Game.objects.running().filter(seats__user=person)
    for game_id in list(running.values_list("pk", flat=True)):
        with suppress(MoveError, UnknownGame), transaction.atomic():
            game = locked_game(game_id)
            theirs = game.seats.select_related("user", "played_by_partner").filter(left_at=None)
            seat = theirs.filter(user=person).first()
            if game.status == Game.Status.ACTIVE and seat is not None and not has_part_in(game, by):
                take_out(game, seat, by=by, why=gettext("The player was banned."), now=now)
