"""What is offered, said and decided at a game, as its page shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Block, User
from accounts.staff import has_staff_powers
from games.clock.clock import StopReason
from games.models import Event, Game, Message, Mute, Offer, Seat
from games.queries.seats import Viewer, seat_of

QUIET_ACTIONS = ("make-private", "make-public", "verify", "hide-message", "show-message")
"""Moderators' actions that players need not be told of."""

MESSAGES_SHOWN = 200
"""How many messages a page shows at once."""


def said_at(game: Game, viewer: Viewer) -> QuerySet[Message]:
    """Return the messages of a game, oldest first: for its players and for staff.

    A player does not read users whom they blocked or muted.
    Messages that a moderator has hidden are among them; their text is not for showing.
    """
    said = game.messages.select_related("author").order_by("pk")
    if not isinstance(viewer, User):
        return said.none()
    if seat_of(game, viewer) is not None:
        return visible_messages(viewer, said)
    return said if has_staff_powers(viewer) else said.none()


def visible_messages(reader: User, said: QuerySet[Message]) -> QuerySet[Message]:
    """Leave out messages from users whom the reader blocked, or muted at that game.

    With a seat its former players are muted too. One's own messages are always visible.
    """
    blocked = Block.objects.filter(by=reader, of=OuterRef("author"))
    sits = Q(seat__user=OuterRef("author")) | Q(seat__substitutions__former=OuterRef("author"))
    muted = Mute.objects.filter(sits, user=reader, seat__game=OuterRef("game"))
    return said.filter(Q(author=reader) | ~(Exists(blocked) | Exists(muted)))


@dataclass(frozen=True)
class Conversation:
    """A part of a game's messages, oldest first; `is_whole` if none came before."""

    said: Sequence[Message]
    is_whole: bool


def conversation(game: Game, viewer: Viewer, before: int | None = None) -> Conversation:
    """Return the newest messages that `viewer` may read, or those before message `before`."""
    if not game.has_messages:
        return Conversation([], is_whole=True)
    said = said_at(game, viewer)
    if before is not None:
        said = said.filter(pk__lt=before)
    newest = list(said.order_by("-pk")[: MESSAGES_SHOWN + 1])
    return Conversation(newest[:MESSAGES_SHOWN][::-1], len(newest) <= MESSAGES_SHOWN)


def other_participants(game: Game, viewer: Viewer) -> list[tuple[Seat, str]]:
    """Return the others' seats, each with why `viewer` does not read it: blocked, muted or ""."""
    seats = [seat for seat in game.all_seats if seat.user_id not in (None, viewer.pk)]
    if not isinstance(viewer, User) or all(seat.user and seat.user.is_bot for seat in seats):
        return []
    if not game.has_silenced:
        return [(seat, "") for seat in seats]
    blocked = set(viewer.blocks.values_list("of", flat=True))
    muted = set(viewer.mutes.filter(seat__game=game).values_list("seat", flat=True))
    why = {
        seat.pk: "blocked" if seat.user_id in blocked else "muted" * (seat.pk in muted)
        for seat in seats
    }
    return [(seat, why[seat.pk]) for seat in seats]


def messages_to(reader: User, game: Game, after: int) -> list[Message]:
    """Return the others' messages after message `after` that the reader may read."""
    said = game.messages.filter(pk__gt=after, hidden_at=None).exclude(author=reader)
    said = said.exclude(text="")  # of deleted accounts
    return list(visible_messages(reader, said).select_related("author").order_by("pk"))


def seen_at(reader: User, game: Game) -> datetime | None:
    """Return when the reader last had the game's page open."""
    noted = game.presences.filter(user=reader)
    return noted.values_list("seen_at", flat=True).first()


def latest_moderation(game: Game, events: Sequence[Event]) -> Event | None:
    """Return the latest moderation among a game's newest events, while it matters.

    It matters until the next turn, or while a moderator has stopped the game.
    """
    acts = [event for event in events if event.kind == Event.Kind.MODERATED]
    told = [event for event in acts if event.details.get("what") not in QUIET_ACTIONS]
    if not told or game.stop_reason == StopReason.MODERATOR:
        return told[-1] if told else None
    return told[-1] if told[-1].turn_number == game.turn_number else None


def page_fingerprint(
    game: Game, offers: Sequence[Offer], away: Mapping[int, datetime], *, can_undo: bool
) -> str:
    """Return a mark of what a game's page shows, apart from the conversation.

    It changes with a turn, a judgement, the end, the deadline, a stop of the clock, the players and
    partners of the seats, the `offers` that the viewer sees, who is `away` until when, and whether
    the viewer can undo the newest turn.
    """
    clock = (game.deadline, game.stop_reason, game.stopped_until)
    seats = [(seat.user_id, seat.played_by_partner_id, seat.left_at) for seat in game.all_seats]
    shown = (
        game.status,
        game.turn_number,
        game.judged_turns,
        clock,
        seats,
        [(offer.pk, offer.answer_count) for offer in offers],
        sorted(away.items()),
        can_undo,
    )
    return sha256(repr(shown).encode()).hexdigest()[:16]
