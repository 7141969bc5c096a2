"""Work on many due rows: a row that fails or is locked must not keep the others waiting."""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from django.db import connection
from django.db.models import QuerySet

log = logging.getLogger(__name__)

BATCH = 200
"""How many rows are read at once."""


def process_due_rows(due: QuerySet[Any], by: str, do: Callable[[int], bool]) -> int:
    """Call `do` with the key of each due row, in the order of the time `by`.

    Returns how many calls returned True; the other rows are left for the next run, as is the rest
    once a batch's number of rows is done.
    """
    done, after = 0, due
    while True:
        batch = list(after.order_by(by, "pk").values_list(by, "pk")[:BATCH])
        done += process_rows([pk for _, pk in batch], do)
        if done >= BATCH or len(batch) < BATCH:
            return done
        moment, pk = batch[-1]
        # The bound of the time is a condition by itself, for the index.
        after = due.filter(**{f"{by}__gte": moment}).exclude(**{by: moment, "pk__lte": pk})


def process_rows(keys: Iterable[int], do: Callable[[int], bool]) -> int:
    """Call `do` with each key; return how many calls returned True. Errors are logged."""
    done = 0
    for key in list(keys):
        try:
            done += do(key)
        except Exception:
            log.exception("row %s is left out: it failed", key)
    return done


def drop_broken_connection() -> None:
    """Close the database connection if it no longer works, so that the next query opens one.

    Does nothing within a transaction, which must end first.
    """
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
