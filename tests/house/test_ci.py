"""With CI=true a test that did not run has failed; temporary files lie in memory."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings

from tests import run as running
from tests.run import NOTHING_COLLECTED, outcome

SOME_TESTS = """
import pytest

def test_good():
    pass

@pytest.mark.skip(reason="no time")
def test_skipped():
    raise AssertionError

def test_skips_itself():
    pytest.skip("no luck")

@pytest.mark.xfail
def test_expected_to_fail():
    raise AssertionError

@pytest.mark.xfail
def test_passes_against_expectation():
    pass
"""
SKIPPED_MODULE = "import pytest\npytest.importorskip('no_such_module')\n"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run pytest over some tests where skips count; return exit code and output."""

    def run_with(source, ci):
        (tmp_path / "test_some.py").write_text(source)
        monkeypatch.setenv("CI", ci)
        # Of our settings and plugins none is asked for: they take longer to load than all this.
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        (tmp_path / "pytest.ini").touch()
        command = [sys.executable, "-m", "pytest", "-p", "tests.no_skips", "-q", "-rA"]
        command += ["-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
        result = subprocess.run(
            [*command, str(tmp_path)],
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            check=False,
        )
        return result.returncode, result.stdout

    return run_with


def test_elsewhere_a_skip_is_no_failure(run):
    code, output = run(SOME_TESTS, ci="")
    assert code == 0, output
    assert "1 passed, 2 skipped, 1 xfailed, 1 xpassed" in output


def test_with_ci_skips_and_expected_failures_fail(run):
    code, output = run(SOME_TESTS, ci="true")
    assert code == 1
    assert "3 failed, 1 passed, 1 error" in output
    assert "nothing may be skipped" in output
    assert "no time" in output


def test_with_ci_a_whole_file_that_skips_itself_fails_too(run):
    assert run(SKIPPED_MODULE, ci="")[0] == 5
    code, output = run(SKIPPED_MODULE, ci="true")
    assert code not in (0, 5), output
    assert "no_such_module" in output


@pytest.mark.parametrize("codes", [[-9, 0], [0, -9], [1, 0], [0, NOTHING_COLLECTED]])
def test_a_run_on_one_database_that_failed_or_was_killed_is_a_failure(codes):
    assert outcome(codes, chosen=False) != 0


def test_where_tests_were_chosen_one_database_may_have_none_of_them():
    assert outcome([0, NOTHING_COLLECTED], chosen=True) == 0
    assert outcome([NOTHING_COLLECTED, 0], chosen=True) == 0
    assert outcome([NOTHING_COLLECTED, NOTHING_COLLECTED], chosen=True) != 0
    assert outcome([NOTHING_COLLECTED, -9], chosen=True) != 0


# Where temporary files lie -----------------------------------------------------------------------


@pytest.fixture
def temporary_place(monkeypatch):
    """Return a function that tells in which folder a run of the tests makes its files."""
    monkeypatch.setenv("TMPDIR", tempfile.gettempdir())
    monkeypatch.setattr(tempfile, "tempdir", tempfile.gettempdir())

    def place(memory):
        with running.temporary_folder(str(memory)) as folder:
            assert tempfile.mkdtemp().startswith(folder)
            assert os.environ["TMPDIR"] == folder
        return Path(folder).parent

    return place


def test_temporary_files_lie_in_memory_where_there_is_room(temporary_place, tmp_path, monkeypatch):
    monkeypatch.setattr(running, "ROOM", 1)
    assert temporary_place(tmp_path) == tmp_path
    monkeypatch.setattr(running, "ROOM", 1 << 60)
    assert temporary_place(tmp_path) == Path(tempfile.gettempdir())


def test_temporary_files_lie_on_the_disk_where_memory_holds_no_files(temporary_place, tmp_path):
    assert temporary_place(tmp_path / "missing") == Path(tempfile.gettempdir())


def test_temporary_files_do_not_lie_where_no_program_may_run(
    temporary_place, tmp_path, monkeypatch
):
    """Such as in a container, where memory that holds files is mounted with noexec."""
    monkeypatch.setattr(running, "ROOM", 1)
    of = os.statvfs(tmp_path)
    told = SimpleNamespace(
        f_bavail=of.f_bavail, f_frsize=of.f_frsize, f_flag=of.f_flag | os.ST_NOEXEC
    )
    monkeypatch.setattr(os, "statvfs", lambda folder: told)
    assert temporary_place(tmp_path) == Path(tempfile.gettempdir())
