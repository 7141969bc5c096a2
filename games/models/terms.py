"""What a table agrees about time, and whether it is rated."""

from dataclasses import dataclass

from games.clock.time_control import TimeControl


@dataclass(frozen=True)
class Terms:
    """What a table agrees about time and ratings: `on_timeout` is one of `Game.OnTimeout`.

    `substitute_level` is the level of the programs that take seats over. `is_rated` None
    leaves it to the host (`RATED_TABLES`).
    """

    pace: TimeControl
    allows_vacations: bool = True
    allows_days_off: bool = True
    on_timeout: str = "withdraw"
    substitute_level: int | None = None
    is_rated: bool | None = None
