"""A connection that is kept between requests is used while the database server keeps it too."""

import psycopg
import pytest
from django.db import connection

CHANNEL = "kept_connections"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


@pytest.fixture
def observer():
    """Another connection to the same database."""
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as other:
        yield other


@pytest.fixture
def kept(observer):
    """Return the key of the process of a connection that a request has left open."""
    connection.close()
    yield process_of_connection()
    connection.close()


def begin_request():
    """Do what Django does between requests."""
    connection.health_check_enabled = True
    connection.health_check_done = False


def process_of_connection():
    """Return the key of the database server's process for our connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


def newest_statement(observer, process):
    """Return the newest statement that a process of the database server was asked."""
    found = "SELECT query FROM pg_stat_activity WHERE pid = %s"
    return observer.execute(found, [process]).fetchone()[0]


def test_a_connection_that_works_is_kept_without_a_statement(kept, observer):
    begin_request()
    connection.close_if_health_check_failed()

    assert newest_statement(observer, kept) == "SELECT pg_backend_pid()"
    assert process_of_connection() == kept


def test_a_connection_that_the_server_ended_is_opened_again(kept, observer):
    ended = "SELECT pg_terminate_backend(%s, 10000)"
    assert observer.execute(ended, [kept]).fetchone() == (True,)
    begin_request()

    assert process_of_connection() != kept


def test_a_connection_with_something_to_read_is_asked(kept, observer):
    with connection.cursor() as cursor:
        cursor.execute(f"LISTEN {CHANNEL}")
    observer.execute(f"NOTIFY {CHANNEL}")
    begin_request()

    assert connection.is_usable()
    assert process_of_connection() == kept


def test_a_connection_that_has_failed_is_asked(kept, observer):
    connection.errors_occurred = True
    assert connection.is_usable()
    assert newest_statement(observer, kept) == "SELECT 1"

    observer.execute("SELECT pg_terminate_backend(%s, 10000)", [kept])
    assert not connection.is_usable()


def test_without_a_connection_nothing_is_usable():
    connection.close()
    assert not connection.is_usable()
