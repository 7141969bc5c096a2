"""What the page of a game reads besides the game and its players: each thing once."""

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q

from accounts.sql import columns_of, select_rows
from games.models import Event, Game, Offer, Turn
from games.queries.seats import Viewer, seat_of
from games.services.clock.interruptions import Interruptions, read_interruptions


@dataclass(frozen=True)
class PageReads:
    """Rows of a game that `game_for` has found.

    `offers` are open or were made in this position; `events` are those since the newest turn that
    counts, and all that moderators did. Both are empty for whoever does not play; of a game that
    has not begun only `interruptions` are read.
    """

    interruptions: Interruptions
    turns: list[Turn] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def open_offers(self) -> list[Offer]:
        """Return the offers that wait for an answer, at most one of a kind."""
        return [offer for offer in self.offers if offer.state == Offer.State.OPEN]

    def grants(self, game: Game) -> list[Event]:
        """Return the gifts of time for the turn that is being played."""
        return [
            event
            for event in self.events
            if event.kind == Event.Kind.TIME_GRANTED and event.details["seat"] == game.seat_to_move
        ]

    def away(self, game: Game, now: datetime) -> dict[int, datetime]:
        """Return until when the players who are away now stay away, by their keys."""
        found = {
            seat.user_id: self.interruptions.away_until(seat.user_id, now)
            for seat in game.all_seats
            if seat.user_id is not None
        }
        return {user_id: until for user_id, until in found.items() if until is not None}


_TURNS = f"""
SELECT {columns_of(Turn)} FROM games_turn WHERE game_id = %s AND number <= %s ORDER BY number
"""  # noqa: S608
"""Turns that were played since the game was read do not belong to its position."""


def read_page(game: Game, viewer: Viewer, *, is_staff: bool, now: datetime) -> PageReads:
    """Return what the page of a game shows `viewer`; staff see what moderators did."""
    since = min(filter(None, (game.clock_started_at, game.stopped_at, now)))
    keys = ((seat.user_id, seat.played_by_partner_id) for seat in game.all_seats)
    people = {key for pair in keys for key in pair if key is not None}
    interruptions = read_interruptions(people, since=since, now=now)
    if game.started_at is None:
        return PageReads(interruptions)
    turns = select_rows(Turn, _TURNS, [game.pk, game.turn_number]) if game.turn_number else []
    known = {person.pk: person for seat in game.all_seats if (person := seat.player)}
    for turn in turns:
        if turn.player_id in known:
            turn.player = known[turn.player_id]
    seat = seat_of(game, viewer)
    offers: list[Offer] = []
    if seat is not None and game.has_offers:
        made_here = Q(turn_number=game.turn_number) | Q(state=Offer.State.OPEN)
        offers = list(game.offers.filter(made_here).with_answers(seat.pk).order_by("pk"))
        seats = {one.pk: one for one in game.all_seats}
        for offer in offers:
            offer.seat = seats[offer.seat_id]  # with its player
    events: list[Event] = []
    if game.has_special_events and (seat is not None or is_staff):
        newest = max((turn.number for turn in turns if turn.via != Turn.Via.LEFT), default=0)
        happened = Q(turn_number__gte=newest) | Q(kind=Event.Kind.MODERATED)
        events = list(game.events.filter(happened).select_related("actor").order_by("pk"))
    return PageReads(interruptions, turns, offers, events)
