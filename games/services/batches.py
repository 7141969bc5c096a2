"""Rounds over what is due: what is broken or cannot be done now must not keep others waiting."""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

log = logging.getLogger(__name__)

BATCH = 200
"""How much of what is due a round asks for at once."""


def process_due_rows(due: QuerySet[Any], by: str, do: Callable[[int], bool]) -> int:
    """Call `do` for what is due, in the order of the moment `by`; return how often it did a thing.

    What cannot be done now is passed over. The round ends with the batch in which it has done as
    much as a batch holds: the next one does the rest.
    """
    done, batch = 0, _first(due, by)
    while batch:
        done += process_rows([pk for _, pk in batch], do)
        ends = done >= BATCH or len(batch) < BATCH
        batch = [] if ends else _first(_after(due, by, *batch[-1]), by)
    return done


def _first(due: QuerySet[Any], by: str) -> list[tuple[datetime, int]]:
    return list(due.order_by(by, "pk").values_list(by, "pk")[:BATCH])


def _after(due: QuerySet[Any], by: str, moment: datetime, pk: int) -> QuerySet[Any]:
    """Return what comes after one row; the moment is a bound by itself, for the index."""
    return due.filter(**{f"{by}__gte": moment}).exclude(**{by: moment, "pk__lte": pk})


def process_rows(keys: Iterable[int], do: Callable[[int], bool]) -> int:
    """Call `do` for each row, log what fails, and return how many times it did something."""
    return sum(_attempt(key, do) for key in list(keys))


def _attempt(key: int, do: Callable[[int], bool]) -> bool:
    try:
        return do(key)
    except Exception:
        log.exception("the round passes over %s", key)
        return False
