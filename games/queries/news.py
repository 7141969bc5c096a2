"""Whether a page that is open still shows a game as it stands."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256

from games.models import Game
from games.queries.seats import Viewer, seat_of
from games.queries.talk import standing_offers


def state_of(game: Game, viewer: Viewer, away: Mapping[int, datetime]) -> str:
    """Return a mark of what the page of a game shows, apart from what is said there.

    It changes with a turn, the end, the deadline or why the clock stands, with who sits on or
    plays a seat, with an offer that its reader may answer, and with who is `away` until when.
    """
    clock = (game.deadline, game.stopped_for, game.stopped_until)
    seats = [(seat.user_id, seat.stand_in_id, seat.left_at) for seat in game.seats.all()]
    shown = (
        game.status,
        game.turn_number,
        clock,
        seats,
        _offers(game, viewer),
        sorted(away.items()),
    )
    return sha256(repr(shown).encode()).hexdigest()[:16]


def _offers(game: Game, viewer: Viewer) -> list[tuple[int, int]]:
    """Return the standing offers that the reader sees, with how many have accepted each."""
    if seat_of(game, viewer) is None:
        return []
    return [(offer.pk, len(offer.answers.all())) for offer in standing_offers(game)]
