"""Whether a page that is open still shows a game as it stands."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256

from games.models import Game, Offer


def page_fingerprint(game: Game, offers: Sequence[Offer], away: Mapping[int, datetime]) -> str:
    """Return a mark of what the page of a game shows, apart from what is said there.

    It changes with a turn, the end, the deadline or why the clock stands, with who sits on or
    plays a seat, with the `offers` that its reader sees, and with who is `away` until when.
    """
    clock = (game.deadline, game.stop_reason, game.stopped_until)
    seats = [(seat.user_id, seat.stand_in_id, seat.left_at) for seat in game.seats.all()]
    shown = (
        game.status,
        game.turn_number,
        clock,
        seats,
        [(offer.pk, len(offer.answers.all())) for offer in offers],
        sorted(away.items()),
    )
    return sha256(repr(shown).encode()).hexdigest()[:16]
