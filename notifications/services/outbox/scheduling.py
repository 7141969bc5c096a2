"""When a notice is due: at once (after a moment's hold), later, or with the digest."""

from datetime import datetime, timedelta

from django.conf import settings

from accounts.models import User
from games.models import Event, Game
from games.queries import player_at, seen_at
from notifications.kinds.base import MailKind
from notifications.kinds.lookup import kind_of
from notifications.models import Cadence, Notice
from notifications.services.preferences import cadence_of, plan_of

DIGEST_GRACE = timedelta(minutes=30)
"""What was kept for a digest that does not come goes out by itself after this."""

TURN_IS_NEAR = timedelta(minutes=10)
"""How long a message of the player to move waits for the mail about their turn."""

LONGEST_LOOK = timedelta(hours=1)
"""A page that stays open longer than this may have nobody before it."""


def due_at(kind: MailKind, reader: User | None, event: Event, *, now: datetime) -> datetime:
    """Return when the notice of an event is to be sent to its reader (None: to an address)."""
    if reader is None or not kind.can_wait:
        return now
    plan = plan_of(reader)
    cadence = cadence_of(reader, kind.kind)
    if cadence == Cadence.LATER:
        return now + _at_most_half(event.game, timedelta(hours=plan.later_hours), now)
    if cadence == Cadence.DIGEST and plan.digest_due_at is not None:
        return plan.digest_due_at + DIGEST_GRACE
    return now + _hold(kind, event, now)


def _hold(kind: MailKind, event: Event, now: datetime) -> timedelta:
    game = event.game
    if kind.waits_for_turn and _is_to_move(game, event.actor):
        return max(settings.MAIL_HOLD, _at_most_half(game, TURN_IS_NEAR, now))
    return _at_most_half(game, settings.MAIL_HOLD, now)


def _is_to_move(game: Game, user: User | None) -> bool:
    return game.seat_to_move is not None and player_at(game, game.seat_to_move) == user


def _at_most_half(game: Game, wait: timedelta, now: datetime) -> timedelta:
    """Return a wait that leaves at least half of the time that the player to move has left."""
    if game.deadline is None:
        return wait
    return max(timedelta(0), min(wait, (game.deadline - now) / 2))


def wait_until(notice: Notice, *, now: datetime) -> datetime | None:
    """Return until when a notice that is due should wait all the same; None: it goes now.

    Who looks at the game learns the news there, and gets the mail once they have gone (or have
    stared at it for LONGEST_LOOK). What the digest brings waits for the next one.
    """
    if notice.user is None or notice.game is None or not kind_of(notice.kind).can_wait:
        return None
    waits = [_for_digest(notice), _for_looking(notice, now)]
    return max((wait for wait in waits if wait is not None and wait > now), default=None)


def _for_digest(notice: Notice) -> datetime | None:
    assert notice.user is not None  # noqa: S101  (wait_until has asked)
    due = plan_of(notice.user).digest_due_at
    if due is None or cadence_of(notice.user, notice.kind) != Cadence.DIGEST:
        return None
    return due + DIGEST_GRACE


def _for_looking(notice: Notice, now: datetime) -> datetime | None:
    assert notice.user is not None and notice.game is not None  # noqa: S101, PT018
    seen = seen_at(notice.user, notice.game)
    if seen is None:
        return None
    longest = _at_most_half(notice.game, LONGEST_LOOK, notice.created_at)
    return min(seen + settings.MAIL_LOOKING, notice.created_at + longest)


def reschedule(user: User, *, now: datetime) -> None:
    """Let what already waits for a person follow what they have chosen just now."""
    waiting = Notice.objects.filter(user=user, state=Notice.State.WAITING, attempts=0)
    for notice in waiting.exclude(event=None).select_related("event__game", "event__actor"):
        if notice.event is None:
            continue
        due = due_at(kind_of(notice.kind), user, notice.event, now=notice.created_at)
        still = Notice.objects.filter(pk=notice.pk, state=Notice.State.WAITING)
        still.update(due_at=max(due, now))
