"""The numbers and rules of ladders that need no database (docs/ladders.md)."""

from datetime import timedelta

REACH = 5
"""How many places above their own a player can challenge."""

MOST_AT_ONCE = 2
"""How many challenges a player has made, and how many they have been sent, at the same time."""

ANSWER_TIME = timedelta(days=5)
"""How long a challenge waits for an answer; vacations of the challenged and outages not counted."""

AGAIN_AFTER = timedelta(days=14)
"""How long after the end of a challenge the same player can be challenged again."""

IDLE_TIME = timedelta(days=28)
"""After how long without a challenge or a game a player sinks; vacations not counted."""

SINK_TIME = timedelta(days=7)
"""After how much longer an idle player sinks again."""

MOST_SUNK = 20
"""The number of times of sinking at which an idle player leaves the ladder."""

MOVE_TIME = timedelta(days=3)
"""How long the players have for each turn of a ladder's game."""


def place_of_return(left: int, away: timedelta, size: int) -> int:
    """Return the place at which a player comes back to a ladder that has `size` players.

    It is the place that they left, and lower by one for each time that an idle player would have
    sunk meanwhile.
    """
    sunk = 0 if away < IDLE_TIME else (away - IDLE_TIME) // SINK_TIME + 1
    return min(left + sunk, size + 1)
