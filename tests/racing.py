"""Several threads that do the same thing at the same moment, each on its own connection."""

import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connection


def at_once(work, *, times):
    """Do `work` in so many threads at once; return what each returned."""
    start = threading.Barrier(times)

    def one(_):
        start.wait(30)
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(one, range(times)))
