"""Whether and when a notice is sent: at once (after a short hold), later, or with the digest."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings

from accounts.models import User
from games.models import Event, Game, Message
from games.queries import conversations
from games.queries.seats import player_at
from notifications.emails.game_context import make_end_final
from notifications.kinds.base import MailKind, all_kinds, kind_of
from notifications.models import Cadence, Notice, SkipReason
from notifications.services import shared_reads
from notifications.services.addresses import is_address_suspended
from notifications.services.preferences import cadence_of, digest_schedule_of
from notifications.services.shared_reads import Wishes

DIGEST_GRACE = timedelta(minutes=30)
"""News kept for a digest that does not come are sent by themselves after this."""

TURN_IS_NEAR = timedelta(minutes=10)
"""How long a message of the player to move waits for the mail about their turn."""

DAY = timedelta(days=1)

LONGEST_LOOK = timedelta(hours=1)
"""A page that stays open longer than this may be unattended."""


def last_seen_at(reader: User, game: Game) -> datetime | None:
    """Return when the reader last had the game's page open."""
    reads = shared_reads.of_game(game)
    if reads is not None and reader.pk in reads.readers:
        return reads.seen.get((reader.pk, game.pk))
    return conversations.seen_at(reader, game)


def due_at(
    kind: MailKind,
    reader: User | None,
    event: Event,
    *,
    now: datetime,
    wishes: Wishes | None = None,
) -> datetime:
    """Return when an event's notice is to be sent. `reader` is None for a bare address.

    `wishes` are the reader's, if they were read already.
    """
    if reader is None or not kind.can_wait:
        return now
    wishes = wishes or Wishes.of([reader])
    schedule, cadence = wishes.schedule_of(reader), wishes.cadence_of(reader, kind.kind)
    if cadence == Cadence.LATER:
        return now + at_most_half(event.game, timedelta(hours=schedule.later_hours), now)
    if cadence == Cadence.DIGEST and schedule.digest_due_at is not None:
        return schedule.digest_due_at + DIGEST_GRACE
    game = event.game
    mover = game.seat_to_move
    if kind.waits_for_turn and mover is not None and player_at(game, mover) == event.actor:
        # The mail about the actor's turn will bring this too.
        return now + max(settings.MAIL_HOLD, at_most_half(game, TURN_IS_NEAR, now))
    return now + at_most_half(game, settings.MAIL_HOLD, now)


def at_most_half(game: Game, wait: timedelta, now: datetime) -> timedelta:
    """Return a wait that leaves at least half of the time that the player to move has left."""
    if game.deadline is None:
        return wait
    return max(timedelta(0), min(wait, (game.deadline - now) / 2))


def wait_until(notice: Notice, *, now: datetime) -> datetime | None:
    """Return until when a notice that is due should still wait; None: it is sent now.

    A reader who looks at the game learns the news there: the mail waits until they have left, but
    at most LONGEST_LOOK. What belongs into the digest waits for the next one. What one player
    causes too often waits until it is less.
    """
    user, game = notice.user, notice.game
    if user is None or game is None or not kind_of(notice.kind).can_wait:
        return None
    waits = []
    digest = digest_schedule_of(user).digest_due_at
    if digest is not None and cadence_of(user, notice.kind) == Cadence.DIGEST:
        waits.append(digest + DIGEST_GRACE)
    seen = last_seen_at(user, game)
    if seen is not None:
        longest = at_most_half(game, LONGEST_LOOK, notice.created_at)
        waits.append(min(seen + settings.MAIL_LOOKING, notice.created_at + longest))
    waits.extend(_sent_enough_until(notice, user, now))
    return max((wait for wait in waits if wait > now), default=None)


def _sent_enough_until(notice: Notice, user: User, now: datetime) -> Iterator[datetime]:
    """Yield when the next mail may go to a reader because of the same other player, if not now.

    Only what this player causes alone counts: mails from before the reader answered them at a game
    do not.
    """
    if notice.event is None or not kind_of(notice.kind).is_caused_by_players:
        return
    alone = [kind.kind for kind in all_kinds() if kind.is_caused_by_players]
    since = now - DAY
    answered = Message.objects.filter(
        author=user, said_at__gt=since, game__seats__user=notice.event.actor_id
    )
    since = answered.order_by("-pk").values_list("said_at", flat=True).first() or since
    # What is older than this is not looked through: nothing waits for so long.
    old = Notice.objects.filter(user=user, created_at__lte=now - 3 * DAY).order_by("-pk")
    mails = Notice.objects.filter(
        user=user,
        pk__gt=old.values_list("pk", flat=True).first() or 0,
        kind__in=alone,
        event__actor=notice.event.actor_id,
        state=Notice.State.SENT,
        sent_at__gt=since,
    ).order_by("-sent_at")
    for sent_at in mails.values_list("sent_at", flat=True)[settings.MAILS_FROM_A_PLAYER - 1 :][:1]:
        if sent_at is not None:
            yield sent_at + DAY


def skip_reason(notice: Notice) -> SkipReason | None:
    """Return why a notice should not be sent any more; None if it should.

    Asked just before it is sent; the end of its game can no longer be undone then. Raises
    TurnUndone if it was undone since the game was read.
    """
    kind, user = kind_of(notice.kind), notice.user
    if notice.game is not None:
        make_end_final(notice.game, user)
    cadence = cadence_of(user, notice.kind) if user is not None else ""
    if kind.can_be_switched_off and cadence == Cadence.OFF:
        return SkipReason.SWITCHED_OFF
    address = kind.address(notice)
    if not address:
        return SkipReason.NO_ADDRESS
    if not kind.has_fixed_address and is_address_suspended(address):
        return SkipReason.ADDRESS_SUSPENDED
    if user and notice.game and notice.event and cadence == Cadence.LATER:
        seen = last_seen_at(user, notice.game)
        if seen is not None and seen >= notice.event.at:
            return SkipReason.SEEN
    return kind.skip_reason(notice)


def reschedule(user: User, *, now: datetime) -> None:
    """Apply a user's new choices to their waiting notices."""
    waiting = Notice.objects.waiting().filter(user=user, attempts=0, event__isnull=False)
    for notice in waiting.select_related("event__game", "event__actor"):
        if notice.event is not None:
            due = due_at(kind_of(notice.kind), user, notice.event, now=notice.created_at)
            Notice.objects.waiting().filter(pk=notice.pk).update(due_at=max(due, now))
