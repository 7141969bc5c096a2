"""What a moderator can do about a person: sanctions and names. The person reads the reason."""

from contextlib import suppress
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from accounts.models import Sanction, User
from accounts.models.user import FOR_GOOD
from accounts.users import lock_user
from games import errors
from games.models import Game
from games.moderation import log
from games.moderation.action_names import Running, UserAction
from games.moderation.base import check_not_stale
from games.moderation.game_actions import withdraw_seat
from games.moderation.permissions import check_is_moderator, check_may_act_on, has_part_in
from games.rules.base import MoveError
from games.rules.registry import UnknownGame
from games.services import tables
from games.services.locking import locked_game

Kind = Sanction.Kind


def _lock_person(person_id: int, by: User, why: str, seen: int | None) -> User:
    """Return a person with their row locked, for a moderator who gives a reason.

    `seen` is the newest log entry about them that the moderator saw (see `check_not_stale`).
    Raises MayNotModerate, NoReason, NotThemselves, StaffIsSafe, SuperuserIsSafe, ActedMeanwhile.
    """
    check_is_moderator(by)
    if not why.strip():
        raise errors.NoReason
    person = lock_user(person_id)
    check_may_act_on(person, by)
    check_not_stale(person.log_entries.all(), seen)
    return person


@transaction.atomic
def warn_user(
    *, person_id: int, by: User, why: str, now: datetime, seen: int | None = None
) -> Sanction:
    """Warn a person: pages show it until they say that they read it. Raises as `_lock_person`."""
    person = _lock_person(person_id, by, why, seen)
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

    Raises as `_lock_person`, and BadEnd, SanctionStands.
    """
    person = _lock_person(person_id, by, why, seen)
    return _impose(person, Kind.MUTE, UserAction.MUTE, by, why, until=until, now=now)


@transaction.atomic
def suspend_user(
    *, person_id: int, by: User, why: str, until: datetime, now: datetime, seen: int | None = None
) -> Sanction:
    """Sign a person out and keep them out until a moment. Their clocks run.

    Raises as `_lock_person`, and BadEnd, SanctionStands.
    """
    person = _lock_person(person_id, by, why, seen)
    made = _impose(person, Kind.SUSPENSION, UserAction.SUSPEND, by, why, until=until, now=now)
    _end_sessions(person)
    return made


def ban_user(
    *, person_id: int, by: User, why: str, running: Running, now: datetime, seen: int | None = None
) -> Sanction:
    """Keep a person out for good. Their tables close; `running` says what running games become.

    They are withdrawn from their games after the ban, in one transaction each: an action of its
    own on each game. Games against the moderator are left to the clock: nobody moderates their own
    games. Raises as `_lock_person`, and SanctionStands.
    """
    with transaction.atomic():
        person = _lock_person(person_id, by, why, seen)
        made = _impose(
            person, Kind.BAN, UserAction.BAN, by, why, until=None, now=now, running=running.value
        )
        _end_sessions(person)
    waiting = Game.objects.open().filter(seats__user=person)
    for game_id in list(waiting.values_list("pk", flat=True)):
        tables.take_away(game_id=game_id, user=person, now=now)
    if running == Running.CLOCK:
        return made
    playing = Game.objects.running().filter(seats__user=person)
    for game_id in list(playing.values_list("pk", flat=True)):
        with suppress(MoveError, UnknownGame), transaction.atomic():
            game = locked_game(game_id)
            seats = game.seats.select_related("user", "played_by_partner").filter(left_at=None)
            seat = seats.filter(user=person).first()
            if game.status == Game.Status.ACTIVE and seat is not None and not has_part_in(game, by):
                withdraw_seat(game, seat, by=by, why=gettext("The player was banned."), now=now)
    return made


@transaction.atomic
def lift_sanction(
    *, sanction_id: int, by: User, why: str, now: datetime, seen: int | None = None
) -> Sanction:
    """End a sanction before its time. Raises as `_lock_person`, and NothingToChange."""
    user_id = Sanction.objects.values_list("user", flat=True).get(pk=sanction_id)
    person = _lock_person(user_id, by, why, seen)
    sanction = person.sanctions.get(pk=sanction_id)
    if not sanction.is_in_force(now):
        raise errors.NothingToChange
    sanction.lifted_at = now
    sanction.save(update_fields=["lifted_at"])
    _summarize_sanctions(person, now)
    details: dict[str, object] = {"kind": sanction.kind, "sanction": sanction.pk}
    log.write_entry(
        by=by, what=UserAction.LIFT.value, why=why, now=now, person=person, details=details
    )
    return sanction


@transaction.atomic
def rename_user(
    *, person_id: int, by: User, username: str, why: str, now: datetime, seen: int | None = None
) -> User:
    """Change a person's user name and clear their display name.

    Raises as `_lock_person`, and BadNewName.
    """
    person = _lock_person(person_id, by, why, seen)
    former = person.username
    person.username, person.display_name = username.strip(), ""
    try:
        person.full_clean(exclude=["password"])
        person.save(update_fields=["username", "display_name"])
    except ValidationError as error:
        raise errors.BadNewName(why=" ".join(error.messages)) from None
    details: dict[str, object] = {"former": former, "name": person.username}
    log.write_entry(
        by=by, what=UserAction.RENAME.value, why=why, now=now, person=person, details=details
    )
    return person


@transaction.atomic
def read_warnings(*, user: User, now: datetime) -> int:
    """Record that a person has read their warnings; return how many."""
    unread = user.sanctions.filter(kind=Kind.WARNING, seen_at=None)
    count = unread.update(seen_at=now)
    User.objects.filter(pk=user.pk).update(is_warned=False)
    return count


def _impose(
    person: User,
    kind: Sanction.Kind,
    action: UserAction,
    by: User,
    why: str,
    *,
    until: datetime | None,
    now: datetime,
    **details: object,
) -> Sanction:
    """Write a sanction of a locked person, and its log entry. Raises BadEnd, SanctionStands."""
    if until is not None and until <= now:
        raise errors.BadEnd
    # A sanction whose time is over makes room for another of its kind.
    for over in person.sanctions.filter(kind=kind, lifted_at=None, until__lte=now):
        over.lifted_at = over.until
        over.save(update_fields=["lifted_at"])
    if kind != Kind.WARNING and person.sanctions.filter(kind=kind, lifted_at=None).exists():
        raise errors.SanctionStands
    made = Sanction.objects.create(
        user=person, kind=kind, reason=why.strip(), by=by, at=now, until=until
    )
    _summarize_sanctions(person, now)
    details = {"sanction": made.pk, "until": until.isoformat() if until else None} | details
    log.write_entry(by=by, what=action.value, why=why, now=now, person=person, details=details)
    return made


def _summarize_sanctions(person: User, now: datetime) -> None:
    """Write what all sanctions add up to on the person's row, which every request reads anyway."""
    valid = [sanction for sanction in person.sanctions.all() if sanction.is_in_force(now)]

    def latest_end(*kinds: str) -> datetime | None:
        ends = [sanction.until or FOR_GOOD for sanction in valid if sanction.kind in kinds]
        return max(ends, default=None)

    person.barred_until = latest_end(*Sanction.KEEPS_OUT)
    person.muted_until = latest_end(Kind.MUTE)
    person.is_warned = any(
        sanction.kind == Kind.WARNING and sanction.seen_at is None for sanction in valid
    )
    person.save(update_fields=["barred_until", "muted_until", "is_warned"])


def _end_sessions(person: User) -> None:
    """Sign a person out everywhere."""
    theirs = UserSession.objects.filter(user=person)
    keys = list(theirs.values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    theirs.delete()
