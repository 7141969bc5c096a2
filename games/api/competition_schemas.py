"""What the API answers about wishes for opponents, as types, as `games.api.schemas` says."""

from datetime import datetime
from typing import Literal

from games.api.schemas import OptionValue, Out, Pace


class Wish(Out):
    """A wish for opponents: in a game at a pace, rated from `lowest` to `highest` (null: any).

    `state` says what it does: waits for an opponent, has enough games (`at_once`), rests because
    its player let a game run out of time (wish again to go on), or its player is away.
    `usual_wait` is in seconds, null if too little is known.
    """

    id: int
    game: str
    game_name: str
    options: dict[str, OptionValue]
    pace: Pace
    lowest: int | None
    highest: int | None
    at_once: int
    running: int
    state: Literal["waits", "enough", "rests", "away"]
    waits_since: datetime | None
    others_waiting: int
    usual_wait: float | None


class Wishes(Out):
    """One's own wishes for opponents."""

    wishes: list[Wish]
