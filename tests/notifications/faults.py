"""Real faults of the database, at a chosen moment: PostgreSQL ends the connection of whoever works,
SQLite's only writer is somebody else."""

import sqlite3
from contextlib import ExitStack, contextmanager

import psycopg
from django.db import OperationalError, connection
from django.db.backends.signals import connection_created

from tests.notifications.outgoing_mail import environment

WORDS = ("terminating connection due to administrator command", "database is locked")
"""What the databases say then."""


class PassingFault:
    """Strikes when told to, and is over once something has failed by it."""

    def __init__(self, *, passes=True):
        self.passes = passes
        self.failures = 0
        self._end = None

    def strike(self):
        """May be called in any thread."""
        if connection.vendor == "postgresql":
            self._terminate()
        else:
            self._end = _locked_file()

    def _terminate(self):
        with psycopg.connect(environment()["DATABASE_URL"], autocommit=True) as other:
            others = "datname = current_database() AND pid <> pg_backend_pid()"
            other.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # noqa: S608

    def __call__(self, execute, sql, params, many, context):
        """Watch a statement of ours."""
        if self.failures and not self.passes and connection.vendor == "postgresql":
            self._terminate()
        try:
            return execute(sql, params, many, context)
        except OperationalError as error:
            assert any(words in str(error) for words in WORDS), error
            self.failures += 1
            if self.passes:
                self.end()
            raise

    def end(self):
        if self._end is not None:
            self._end()
            self._end = None


def _locked_file():
    """Be the only writer of the SQLite file; return what ends that."""
    writer = sqlite3.connect(connection.settings_dict["NAME"], check_same_thread=False)
    writer.isolation_level = None
    writer.execute("BEGIN IMMEDIATE")

    def end():
        writer.rollback()
        writer.close()

    return end


@contextmanager
def watching(fault, *, when=None):
    """Watch our statements; before the first for which `when` holds, the fault strikes."""
    struck = []

    def watch(execute, sql, params, many, context):
        if when and not struck and when(sql):
            struck.append(sql)
            fault.strike()
        return fault(execute, sql, params, many, context)

    with ExitStack() as stack:
        stack.callback(fault.end)
        stack.enter_context(_impatient())
        stack.enter_context(connection.execute_wrapper(watch))
        yield fault
    assert fault.failures, "nothing failed"


@contextmanager
def _impatient():
    """Let SQLite wait a moment for the writer, not as long as a command does."""
    if connection.vendor == "postgresql":
        yield
        return
    connection_created.connect(_wait_a_moment)  # after the service's own receiver
    connection.close()
    try:
        yield
    finally:
        connection_created.disconnect(_wait_a_moment)
        connection.close()


def _wait_a_moment(connection, **signal):
    connection.connection.execute("PRAGMA busy_timeout = 200")


class AfterClaim:
    """Holds for the first statement after a row was claimed; the next one where that loads it."""

    def __init__(self, *, loads=False):
        self.since = None
        self.awaited = 2 if loads else 1

    def __call__(self, sql):
        if self.since is not None:
            self.since += 1
        elif sql.startswith("UPDATE") and "claimed_at = " in sql.replace('"', ""):
            self.since = 0
        return self.since == self.awaited
