"""Every test has its lane, and `make test` leaves out none but the long ones."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import call_command

from accounts.models import User
from tests.factories import PersonFactory
from tests.lanes import LANES
from tests.run import pytest_command

RECORDER = """
import json, os

LEFT_OUT = []

def pytest_deselected(items):
    LEFT_OUT.extend(items)

def pytest_collection_finish(session):
    tests = {
        item.nodeid: [chosen, [mark.name for mark in item.iter_markers()], item.fixturenames]
        for chosen, items in ((True, session.items), (False, LEFT_OUT))
        for item in items
    }
    with open(os.environ["TESTS"], "w") as file:
        json.dump(tests, file)
"""


class Test:
    """A test that was collected: whether it would run, its markers, its fixtures."""

    __test__ = False

    def __init__(self, chosen, markers, fixtures):
        self.chosen, self.markers, self.fixtures = chosen, set(markers), set(fixtures)
        self.lanes = self.markers & set(LANES)


@pytest.fixture(scope="module")
def collect(tmp_path_factory):
    """Return what collects all tests with a command, without running one."""
    folder = tmp_path_factory.mktemp("collected")
    (folder / "recorder.py").write_text(RECORDER)
    known = {}

    def collect_with(command, database):
        if database not in known:
            env = {key: value for key, value in os.environ.items() if key[:6] != "PYTEST"}
            env |= {"DATABASE_URL": database, "TESTS": str(folder / "tests.json")}
            env |= {"PYTHONPATH": str(folder)}
            command = [*command, "-p", "recorder", "--collect-only", "-q", "-n", "0"]
            subprocess.run(
                command, cwd=settings.BASE_DIR, env=env, check=True, stdout=subprocess.DEVNULL
            )
            found = json.loads((folder / "tests.json").read_text())
            known[database] = {name: Test(*test) for name, test in found.items()}
        return known[database]

    return collect_with


@pytest.fixture
def on_postgresql(collect):
    return collect(pytest_command("PostgreSQL", 0, []), "postgres://nobody@127.0.0.1:1/none")


@pytest.fixture
def on_sqlite(collect, on_postgresql):
    """The tests of the files that have tests for SQLite alone."""
    files = {name.split("::")[0] for name, t in on_postgresql.items() if "sqlite" in t.markers}
    return collect(pytest_command("SQLite", 0, sorted(files)), "sqlite:////nowhere/one.sqlite3")


@pytest.fixture
def long(collect, on_postgresql):
    """The tests of the files that have long tests, as `make test-long` chooses them."""
    files = {name.split("::")[0] for name, test in on_postgresql.items() if "long" in test.markers}
    command = pytest_command("PostgreSQL", 0, ["-m", "long", *sorted(files)])
    return collect(command, "postgres://nobody@127.0.0.1:1/long")


@pytest.fixture
def fast(collect):
    return collect([sys.executable, "-m", "pytest"], "sqlite:////nowhere/fast.sqlite3")


def test_make_test_runs_every_test_but_the_long_ones(on_postgresql, on_sqlite):
    left_out = {name for name, test in on_postgresql.items() if not test.chosen}
    long = {name for name, test in on_postgresql.items() if "long" in test.markers}
    assert left_out - long == {name for name, test in on_sqlite.items() if "sqlite" in test.markers}
    assert [name for name in left_out - long if not on_sqlite[name].chosen] == []
    assert long <= left_out


def test_make_test_long_runs_the_long_ones(on_postgresql, long):
    marked = {name for name, test in on_postgresql.items() if "long" in test.markers}
    assert marked
    assert {name for name, test in long.items() if test.chosen} == marked


def test_a_long_test_repeats_one_that_make_test_runs(on_postgresql):
    """No function is left out with all of its parameters."""
    functions = {name.split("[")[0] for name, t in on_postgresql.items() if "long" in t.markers}
    run = {name.split("[")[0] for name, test in on_postgresql.items() if test.chosen}
    assert functions - run == set()


def test_plain_pytest_leaves_out_races_browsers_slow_tests_and_nothing_else(fast):
    for name, test in fast.items():
        assert test.chosen is not bool(test.lanes or "postgresql" in test.markers), name
    assert sum(test.chosen for test in fast.values()) > len(fast) / 2


@pytest.mark.parametrize(
    ("beginning", "lane"),
    [
        ("tests/games/test_races.py::", "race"),  # by its file's name
        ("tests/notifications/outbox/test_digests.py::test_racing_writers", "race"),
        ("tests/house/test_timeouts.py::test_twenty_clicks", "race"),
        ("tests/render/test_board_page.py::", "browser"),
        ("tests/accounts/test_browser_pages.py::", "browser"),
        ("tests/journeys/", "slow"),
        ("tests/house/test_serve.py::", "slow"),  # its module starts processes
        ("tests/notifications/incoming/test_killed.py::", "slow"),  # and its helpers'
        ("tests/house/test_lanes.py::test_make_test", "slow"),  # and its fixtures'
    ],
)
def test_a_test_is_in_the_lane_of_what_it_uses(on_postgresql, beginning, lane):
    tests = {name: test for name, test in on_postgresql.items() if name.startswith(beginning)}
    assert tests
    assert [name for name, test in tests.items() if lane not in test.lanes] == []


def test_a_fast_test_beside_a_race_stays_fast(on_postgresql):
    file = "tests/notifications/outbox/test_digests.py::"
    lanes = [test.lanes for name, test in on_postgresql.items() if name.startswith(file)]
    assert lanes.count(set()) > lanes.count({"race"}) > 0


def test_no_fast_test_uses_a_browser(fast):
    assert [name for name, t in fast.items() if t.chosen and "playwright" in t.fixtures] == []


@pytest.mark.django_db(transaction=True)
def test_after_a_test_that_commits_the_rows_of_the_migrations_are_there_again():
    migrated = set(User.objects.values_list("username", flat=True))
    assert migrated
    PersonFactory(username="zoe")
    User.objects.filter(username__in=migrated).delete()
    call_command("flush", interactive=False, verbosity=0)
    assert set(User.objects.values_list("username", flat=True)) == migrated
