"""What is offered, said and decided at a game, and who has looked at it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from accounts.staff import has_staff_powers
from games.clock.clock import StopReason
from games.models import Event, Game, Message, Offer, Seat
from games.queries.seats import Viewer, seat_of
from games.queries.visible_messages import visible_messages

QUIET_ACTIONS = ("make-private", "make-public", "verify", "hide-message", "show-message")
"""What moderators do that players need not be told of."""

MESSAGES_SHOWN = 200
"""How many messages a page shows at once."""


def offers_before(game: Game, viewer: Viewer) -> list[Offer]:
    """Return the offers that wait for an answer, at most one of a kind: for its players only."""
    if seat_of(game, viewer) is None:
        return []
    standing = game.offers.filter(state=Offer.State.OPEN).select_related("seat__user")
    return list(standing.prefetch_related("answers").order_by("pk"))


def said_at(game: Game, viewer: Viewer) -> QuerySet[Message]:
    """Return what was said at the game, first things first: for its players and for staff.

    A player does not read whom they blocked or muted.
    Those that a moderator has hidden are among them; their text is not for showing.
    """
    said = game.messages.select_related("author").order_by("pk")
    if not isinstance(viewer, User):
        return said.none()
    if seat_of(game, viewer) is not None:
        return visible_messages(viewer, said)
    return said if has_staff_powers(viewer) else said.none()


@dataclass(frozen=True)
class Conversation:
    """A stretch of what was said at a game, first things first; `is_whole`: nothing came before."""

    said: Sequence[Message]
    is_whole: bool


def conversation(game: Game, viewer: Viewer, before: int | None = None) -> Conversation:
    """Return what `viewer` may read of what was said last at a game, or before message `before`."""
    said = said_at(game, viewer)
    if before is not None:
        said = said.filter(pk__lt=before)
    newest = list(said.order_by("-pk")[: MESSAGES_SHOWN + 1])
    return Conversation(newest[:MESSAGES_SHOWN][::-1], len(newest) <= MESSAGES_SHOWN)


def other_participants(game: Game, viewer: Viewer) -> list[tuple[Seat, str]]:
    """Return the others' seats, each with why `viewer` does not read it: blocked, muted or not."""
    seats = [s for s in game.seats.all() if s.user_id not in (None, viewer.pk)]
    if not isinstance(viewer, User) or all(s.user and s.user.is_program for s in seats):
        return []
    blocked = set(viewer.blocks.values_list("of", flat=True))
    muted = set(viewer.mutes.filter(seat__game=game).values_list("seat", flat=True))
    why = {s.pk: "blocked" if s.user_id in blocked else "muted" * (s.pk in muted) for s in seats}
    return [(s, why[s.pk]) for s in seats]


def messages_to(reader: User, game: Game, after: int) -> list[Message]:
    """Return what the others said at the game after message `after`, as far as one reads them."""
    said = game.messages.filter(pk__gt=after, hidden_at=None).exclude(author=reader)
    return list(visible_messages(reader, said).select_related("author").order_by("pk"))


def seen_at(reader: User, game: Game) -> datetime | None:
    """Return when the reader last had the game's page open."""
    noted = game.presences.filter(user=reader)
    return noted.values_list("seen_at", flat=True).first()


def latest_moderation(game: Game, viewer: Viewer) -> Event | None:
    """Return what a moderator did to the game last, while it matters and `viewer` may read why.

    It matters until somebody has played, or while the game stands for it. Players and staff read.
    """
    is_staff = isinstance(viewer, User) and has_staff_powers(viewer)
    if seat_of(game, viewer) is None and not is_staff:
        return None
    acts = game.events.filter(kind=Event.Kind.MODERATED).exclude(details__what__in=QUIET_ACTIONS)
    newest = acts.order_by("-pk").first()
    if newest is None or game.stop_reason == StopReason.MODERATOR:
        return newest
    return newest if newest.turn_number == game.turn_number else None
