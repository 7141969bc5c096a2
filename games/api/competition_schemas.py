"""What the API answers about wishes, ratings and leagues, as types: see `games.api.schemas`."""

from datetime import datetime
from typing import Literal

from games.api.schemas import OptionValue, Out, Pace, Player

# Wishes ------------------------------------------------------------------------------------------


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


# Ratings -----------------------------------------------------------------------------------------


class Rating(Out):
    """A rating: the strength is `number` ± `range` 19 times of 20; `level` is a program's, or 0.

    `table` is the kind of table: "2" to "9" players, or "4t", so many in teams.
    """

    game: str
    table: str
    level: int
    number: int
    range: int
    is_provisional: bool
    games: int


class RatedPlayer(Out):
    """A player in the list."""

    player: Player
    rating: Rating


class RatingList(Out):
    """A page of the list of a game. `tables` are its kinds of table."""

    game: str
    table: str
    tables: list[str]
    ratings: list[RatedPlayer]
    next: str | None


class PlayerRatings(Out):
    """All ratings of a player."""

    player: Player
    ratings: list[Rating]


class RatingChange(Out):
    """What a game made of a rating. `weight`, from 0 to 1, is how much of the change counted."""

    game: int
    ended_at: datetime
    before: int
    number: int
    range: int
    weight: float


class RatingHistory(Out):
    """The newest changes of a rating, the newest first."""

    player: Player
    game: str
    table: str
    changes: list[RatingChange]


# Leagues -----------------------------------------------------------------------------------------


class Season(Out):
    """A season. All of its games are over on `last_possible_day` at the latest."""

    number: int
    url: str
    starts_at: datetime
    started_at: datetime | None
    last_possible_day: datetime
    ended_at: datetime | None


class League(Out):
    """A league: the season that runs, the one to join, and the numbers of those that are over.

    `you_play` and `you_will` are one's own part in the first two; null: none.
    """

    game: str
    name: str
    options: dict[str, OptionValue]
    pace: Pace
    division_size: int
    legs: int
    closed_at: datetime | None
    running: Season | None
    coming: Season | None
    over: list[int]
    you_play: Literal["plays", "skips", "declined", "left"] | None
    you_will: Literal["plays", "skips", "declined", "left"] | None


class Leagues(Out):
    """All leagues."""

    leagues: list[League]


class StandingRow(Out):
    """A row of a table. The games of a player who is void count for nobody."""

    place: int
    player: Player
    points: int
    won: int
    drawn: int
    lost: int
    sonneborn_berger: float
    has_left: bool
    is_void: bool


class LeagueGame(Out):
    """A game of a division; `game` is null until it has begun, `first_points` until it is over.

    Players are user names.
    """

    game: int | None
    first: str
    second: str
    first_points: int | None
    counts: bool


class Division(Out):
    """The table of a division: the first `up` players move up, the last `down` players down."""

    number: int
    up: int
    down: int
    rows: list[StandingRow]
    games: list[LeagueGame]


class OwnPlace(Out):
    """Where one is in a season."""

    division: int
    place: int


class SeasonTables(Out):
    """A season with its tables; `your_place` is null for who does not play."""

    season: Season
    divisions: list[Division]
    your_place: OwnPlace | None
