"""What the games' services count for Prometheus."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from prometheus_client import Counter, Histogram

from games import errors

TURNS = Counter("pli_turns", "Turns sent to the server, by way and result.", ["way", "result"])
LOCK_WAIT = Histogram("pli_lock_wait_seconds", "Waiting for the lock of a game's row.")

Arguments = ParamSpec("Arguments")
Played = TypeVar("Played")


def count_turns(play: Callable[Arguments, Played]) -> Callable[Arguments, Played]:
    """Count each call of `play_turn` by its `via`: played, already, or the refusal's code."""

    @wraps(play)
    def counted(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Played:
        way = str(kwargs["via"])
        try:
            played: Any = play(*args, **kwargs)
        except errors.Refusal as refusal:
            TURNS.labels(way, refusal.code).inc()
            raise
        TURNS.labels(way, "already" if played.already else "played").inc()
        return played

    return counted
