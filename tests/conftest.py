"""What every test may ask for, and how the runner chooses among the tests."""

import gc
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from gettext import GNUTranslations
from pathlib import Path
from types import ModuleType

import pytest
from django.conf import settings
from django.core.cache import caches
from django.utils import timezone, translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis
from playwright.sync_api import expect

from accounts.server_time import forget_clock
from tests import lanes, table_snapshot
from tests.factories import ModeratorFactory, PersonFactory
from tests.no_skips import pytest_make_collect_report, pytest_runtest_makereport

__all__ = ["pytest_make_collect_report", "pytest_runtest_makereport"]

# Playwright's loop runs in the test's thread, where Django would refuse to ask the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")

DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "live_server"}


# Choosing ------------------------------------------------------------------------------------


def pytest_addoption(parser):
    parser.addoption(
        "--lane",
        choices=["fast", "all"],
        help="fast: without races, browsers and what is slow; all: every test. Without this "
        "option: fast, unless files, tests or markers are named",
    )
    parser.addoption(
        "--only-database",
        action="store_true",
        help="only the tests that ask a database what another might answer differently",
    )


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist decides how many processes there are
def pytest_cmdline_main(config):
    """Take the fast lane, on every core, where nothing else was asked for."""
    option = config.option
    lane = option.lane or ("all" if option.file_or_dir or option.markexpr else "fast")
    if lane == "fast":
        option.markexpr = lanes.FAST
        if option.numprocesses is None and not _is_worker():
            option.numprocesses, option.dist = lanes.CORES, "worksteal"


def _is_worker():
    return "PYTEST_XDIST_WORKER" in os.environ


def pytest_configure(config):
    """Compile the translations that changed, where `make` has not."""
    if not _is_worker() and any(map(_is_older, LOCALE.glob("*/*/*.po"))):
        subprocess.run([sys.executable, "manage.py", "messages", "compile"], cwd=ROOT, check=True)


ROOT = Path(__file__).parent.parent
LOCALE = ROOT / "locale"


def _is_older(po):
    mo = po.with_suffix(".mo")
    return not mo.exists() or mo.stat().st_mtime < po.stat().st_mtime


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by markers
def pytest_collection_modifyitems(config, items):
    """Leave out what cannot be meant here. Nothing is ever skipped: it would look like a test."""
    conftests = [one for one in config.pluginmanager.get_plugins() if isinstance(one, ModuleType)]
    for item in items:
        lanes.mark(item, [one for one in conftests if one.__name__.startswith("tests.")])
    chosen = [item for item in items if _is_meant(config, item)]
    left_out = [item for item in items if not _is_meant(config, item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    # Files with journeys, which wait most of the time, come first, then those with slow tests: what
    # begins last is short, so that no process works alone at the end.
    ranks = {"journey": 0, "slow": 1, "browser": 1, "race": 1}
    first: dict[Path, int] = {}
    for item in chosen:
        rank = min((ranks[one.name] for one in item.iter_markers() if one.name in ranks), default=2)
        first[item.path] = min(rank, first.get(item.path, 2))
    items[:] = sorted(chosen, key=lambda item: first[item.path])


def pytest_collection_finish():
    """Let garbage collection pass over what is loaded: all modules and thousands of tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


ONE_DATABASE_IS_ENOUGH = (
    "emails",
    "mail_commands",
    "pages",
    "test_admin",
    "test_bad_anything",
    "test_demo",
    "test_example_program",
    "test_french",
    "test_hidden",
    "test_kinds",
    "test_letterbox",
    "test_mail_links",
    "test_names",
    "test_paces",
    "test_page",
    "test_permissions",
    "test_preferences",
    "test_private_pages",
    "test_profile",
    "test_programs",
    "test_refusals",
    "test_round_trip",
    "test_several_machine",
    "test_sign_up",
    "test_state_machine",
    "test_suspended_pages",
    "test_world",
)
"""How names of test files or of their folders begin that ask who sees what, in which words, what a
command in a mail means, or whether rules of our own hold in any order: what databases answer to
that is held by the files that ask the services. The example program plays on a service of its own,
which has SQLite in both runs. Where tests race, both databases are asked."""


def _is_meant(config, item):
    if item.get_closest_marker("postgresql") and not _on_postgresql():
        return False
    if item.get_closest_marker("sqlite") and _on_postgresql():
        return False
    if not config.getoption("only_database"):
        return True
    names = item.path.relative_to(ROOT).parts
    is_enough = any(name.startswith(ONE_DATABASE_IS_ENOUGH) for name in names)
    if is_enough and not item.get_closest_marker("race"):
        return False
    touches = DATABASE_FIXTURES & set(getattr(item, "fixturenames", ()))
    touches = touches or item.get_closest_marker("django_db") is not None
    return touches and not item.get_closest_marker("journey")


def _on_postgresql():
    return settings.DATABASES["default"]["ENGINE"].endswith("postgresql")


# Hypothesis ----------------------------------------------------------------------------------

# The same examples each time, as long as they take: nothing fails by chance or on a busy machine.
hypothesis.register_profile(
    "pli",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis.load_profile("pli")


# The database --------------------------------------------------------------------------------

MIGRATED = os.environ.get("PLI_TEST_MIGRATED", "")
"""A migrated SQLite database to copy, where tests.run has made one."""


@pytest.fixture(scope="session")
def django_db_keepdb():
    """Leave databases to who throws them away: PostgreSQL's to their server, copies to tests.run.

    Django would not take a copy for what it makes itself, either.
    """
    return _on_postgresql() or bool(MIGRATED)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings):
    """Begin on SQLite with a copy of the migrated database."""
    if MIGRATED and not _on_postgresql():
        shutil.copy(MIGRATED, settings.DATABASES["default"]["TEST"]["NAME"])


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Keep what the migrations put into the tables: after a test that commits, it comes back.

    Django calls `flush` then, which tests/management/commands/flush.py replaces.
    """
    with django_db_blocker.unblock():
        table_snapshot.keep()


@pytest.fixture(autouse=True)
def _nothing_of_other_tests():
    """Forget what pages said to everybody in another test, and its last reader's language."""
    caches["near"].clear()
    caches["template_fragments"].clear()
    translation.deactivate()
    timezone.deactivate()


@pytest.fixture(autouse=True)
def _everybody_is_told(request, monkeypatch):
    """Let time run out for players without mail, except in tests of `told`.

    Most tests of clocks send no mail: without this, nobody in them would lose on time.
    """
    if request.node.get_closest_marker("told") is None:
        # Models can be loaded only now.
        from games.services.clock import undelivered_turns

        monkeypatch.setattr(undelivered_turns, "CHECKS", [])


@pytest.fixture(autouse=True)
def _clock_of_this_machine():
    """Let tests that travel in time travel also after one that measured the database's clock."""
    yield
    forget_clock()


# People and time -----------------------------------------------------------------------------


@pytest.fixture
def now():
    """A moment like any other: services take the time as an argument."""
    return datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


@pytest.fixture
def ann(db):
    """The player to move; reads English in London."""
    return PersonFactory(username="ann", language="en", time_zone="Europe/London")


@pytest.fixture
def bob(db):
    """The opponent; reads French in Paris."""
    return PersonFactory(username="bob", language="fr", time_zone="Europe/Paris")


@pytest.fixture
def cat(db):
    """A stranger to their games."""
    return PersonFactory(username="cat", language="en", time_zone="UTC")


@pytest.fixture
def moderator(db):
    """Somebody who may do everything in the admin."""
    return ModeratorFactory(username="moderator")


# Translations --------------------------------------------------------------------------------


@pytest.fixture(scope="session", autouse=True)
def _no_gettext_of_a_plural():
    """Fail when gettext() is asked for a sentence that has a plural, as Python before 3.11.5 does.

    There the answer is English; later versions translate the singular.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GNUTranslations, "gettext", _strict_gettext)
        yield


def _strict_gettext(translation, message, gettext=GNUTranslations.gettext):
    known = translation._catalog
    has_plural = message not in known and (message, translation.plural(1)) in known
    assert not has_plural, f"{message!r} has a plural: ask ngettext() for it"
    return gettext(translation, message)


# The browser ---------------------------------------------------------------------------------

expect.set_options(timeout=60_000)  # milliseconds: a busy machine takes longer than five seconds


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Debian's Chromium, without the calls it makes by itself."""
    flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    flags += ["--disable-component-update", "--disable-sync"]
    path = shutil.which("chromium") or "/usr/bin/chromium"
    return {**browser_type_launch_args, "executable_path": path, "args": flags}
