"""Rounds over what is due: one broken game must not keep the others waiting."""

import logging
from collections.abc import Callable, Iterable

log = logging.getLogger(__name__)


def sweep(game_ids: Iterable[int], do: Callable[[int], bool]) -> int:
    """Call `do` for each game, log what fails, and return how many times it did something."""
    return sum(_attempt(game_id, do) for game_id in list(game_ids))


def _attempt(game_id: int, do: Callable[[int], bool]) -> bool:
    try:
        return do(game_id)
    except Exception:
        log.exception("the round passes over game %s", game_id)
        return False
