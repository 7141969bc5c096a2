"""The previous release still works on this version's tables: an upgrade can be done in steps.

Tables are migrated first, and processes of the previous release go on until each is restarted.
So a migration may only add (expand); what nobody uses any more goes one release later (contract).
"""

import os
import subprocess
import sys

import psycopg
import pytest
from django.conf import settings
from django.db import connection

pytestmark = [pytest.mark.postgresql, pytest.mark.timeout(900)]

PREVIOUS = "4036491f3e3a5c2bfaf3188ae99533e0498b985c"
"""The commit of the newest release: to be moved on with each release."""

PROMISES = (
    *("tests/games/test_turns.py", "tests/games/test_tables.py", "tests/games/test_offers.py"),
    *("tests/games/time/test_pauses.py", "tests/notifications/outbox/test_delivery.py"),
    *("tests/notifications/incoming/test_processing.py", "tests/accounts/test_sign_up.py"),
)
"""The previous release's own tests of what players do, and of mail out and in."""


@pytest.fixture
def previous_release(tmp_path):
    """The tree of the previous release, with its translations compiled."""
    done = subprocess.run(
        ["git", "archive", PREVIOUS], cwd=settings.BASE_DIR, capture_output=True, check=False
    )
    assert done.returncode == 0, f"this needs the repository's history: {done.stderr.decode()}"
    subprocess.run(["tar", "--extract", "--directory", tmp_path], input=done.stdout, check=True)
    manage(tmp_path, "messages", "compile")
    return tmp_path


@pytest.fixture
def migrated_database():
    """The address of a database; the tests' own, beside it, has this version's tables."""
    server = connection.settings_dict
    address = os.environ["DATABASE_URL"].rsplit("/", 1)[0]
    given = {"host": server["HOST"], "port": server["PORT"], "user": server["USER"]}
    with psycopg.connect(dbname="postgres", autocommit=True, **given) as database:
        database.execute("CREATE DATABASE test_previous_release")
    try:
        url = f"{address}/test_previous_release"
        manage(settings.BASE_DIR, "migrate", "--verbosity", "0", DATABASE_URL=url)
        yield f"{address}/previous_release"
    finally:
        with psycopg.connect(dbname="postgres", autocommit=True, **given) as database:
            database.execute("DROP DATABASE test_previous_release WITH (FORCE)")


def manage(folder, *words, **env):
    command = [sys.executable, "manage.py", *words]
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings.test"} | env
    subprocess.run(command, cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)


def test_the_previous_release_keeps_its_promises_on_the_new_tables(
    previous_release, migrated_database
):
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    env |= {"DATABASE_URL": migrated_database, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", *PROMISES],
        cwd=previous_release,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
