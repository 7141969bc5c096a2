"""What keeps the repository fit for contributors: commits, the CI workflow, the version."""

import os
import re
import subprocess
import sys

import pytest
import yaml
from django.conf import settings

from config import VERSION

RULE_BEGINS = "4036491f3e3a5c2bfaf3188ae99533e0498b985c"
"""The last commit before subjects had to be short."""
LONGEST_SUBJECT = 72
JOB = yaml.safe_load((settings.BASE_DIR / ".github/workflows/ci.yml").read_text())["jobs"]["test"]


def git(*words):
    command = ["git", "-c", f"safe.directory={settings.BASE_DIR}", *words]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"this needs the repository's history: {done.stderr}"
    return done.stdout.splitlines()


def test_subjects_of_commits_are_short():
    subjects = git("log", "--format=%s", f"{RULE_BEGINS}..HEAD")
    assert [subject for subject in subjects if len(subject) > LONGEST_SUBJECT] == []


def test_no_database_is_committed():
    beginnings = {
        name: (settings.BASE_DIR / name).read_bytes()[:15]
        for name in git("ls-files")
        if (settings.BASE_DIR / name).is_file()
    }
    assert "manage.py" in beginnings
    assert [name for name, begins in beginnings.items() if begins == b"SQLite format 3"] == []


def test_tests_use_their_own_settings_whatever_the_shell_names():
    """In memory, a database has a name that processes take for a file's: `memorydb_default`."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-n", "0", __file__]
    done = subprocess.run(
        command,
        cwd=settings.BASE_DIR,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings.dev"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "settings: config.settings.test " in done.stdout


def test_the_workflow_runs_everything_with_the_whole_history():
    steps = JOB["steps"]
    (checkout,) = (step for step in steps if step.get("uses", "").startswith("actions/checkout@"))
    assert checkout["with"]["fetch-depth"] == 0
    assert steps[-1]["run"] == ".ci/run"
    assert JOB["env"]["CI"] == "true"  # a test that is skipped fails there (tests/no_skips.py)


@pytest.fixture
def headings():
    changelog = (settings.BASE_DIR / "CHANGELOG.md").read_text(encoding="utf-8")
    return re.findall(r"^## (.+)$", changelog, re.MULTILINE)


def test_the_newest_version_of_the_changelog_is_the_codes(headings):
    assert headings[0] == "[Unreleased]"
    assert re.fullmatch(rf"\[{re.escape(VERSION)}\] - \d{{4}}-\d\d-\d\d", headings[1])
