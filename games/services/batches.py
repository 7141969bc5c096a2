"""Work on many due rows: a row that fails or is locked must not keep the others waiting."""

import logging
from collections.abc import Callable, Collection, Iterable
from typing import Any

from django.db import connection
from django.db.models import QuerySet

log = logging.getLogger(__name__)

BATCH = 200
"""How many rows are read at once."""


def process_due_rows(
    due: QuerySet[Any],
    by: str,
    do: Callable[[int], bool],
    do_many: Callable[[Iterable[int]], Collection[int]] | None = None,
) -> int:
    """Call `do` with the key of each due row, in the order of the time `by`.

    Before that `do_many` is called with the keys of a batch; it returns those that it did.
    Returns how many rows were done: `do` returned True for them. The other rows are left for the
    next run, as is the rest once a batch's number of rows is done.
    """
    done, after = 0, due
    while True:
        batch = list(after.order_by(by, "pk").values_list(by, "pk")[:BATCH])
        keys = [pk for _, pk in batch]
        if do_many is not None:
            together = process_together(keys, do_many)
            done += len(together)
            keys = [key for key in keys if key not in together]
        done += process_rows(keys, do)
        if done >= BATCH or len(batch) < BATCH:
            return done
        moment, pk = batch[-1]
        # The bound of the time is a condition by itself, for the index.
        after = due.filter(**{f"{by}__gte": moment}).exclude(**{by: moment, "pk__lte": pk})


def process_together(
    keys: Iterable[int], do_many: Callable[[Iterable[int]], Collection[int]]
) -> Collection[int]:
    """Return the keys that `do_many` did; none if it failed, so that each row is tried alone."""
    try:
        return do_many(keys)
    except Exception:
        log.exception("rows that could not be processed together are processed one by one")
        drop_broken_connection()
        return ()


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
