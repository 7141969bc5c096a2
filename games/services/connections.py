"""The connection to the database, for work that goes on after an error of it."""

from django.db import connection


def drop_broken_connection() -> None:
    """Close the connection if it works no more, so that the next query opens a new one.

    Does nothing within a transaction, which must end first.
    """
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
