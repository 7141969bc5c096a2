"""Connect Four, built by docs/adding-a-game.md and kept outside Pli's tree, works in all of Pli."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.var_folder import environment

GAME = Path(__file__).parent / "connect_four"
MOST_LINES = 120

PUBLISHED = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
"""Perft of the empty board of seven columns and six rows."""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a function that runs Python where PLI_GAMES names the game."""
    folder = tmp_path_factory.mktemp("outside")
    shutil.copytree(GAME, folder / "connect_four")
    template = folder / "connect_four" / "templates" / "connect_four" / "note.txt"
    template.parent.mkdir(parents=True)
    template.write_text("Four in a row.")
    inherited = {name: os.environ[name] for name in ("PLI_TEST_MIGRATED",) if name in os.environ}
    outside = environment(folder / "var") | inherited | {
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "PLI_GAMES": "connect_four",
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip

    def run(*command):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=settings.BASE_DIR,
            env=outside,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=280,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    return run


def test_the_rules_are_short():
    rules = (GAME / "rules.py").read_text(encoding="utf-8")
    assert len(rules.splitlines()) < MOST_LINES


def test_it_is_listed_after_plis_own_games(run):
    assert run("manage.py", "rules", "list").splitlines()[-1] == (
        "connect-four  Connect Four, 2 seats"
    )


def test_it_keeps_the_contract(run):
    assert run("manage.py", "rules", "check", "connect-four").startswith(
        "connect-four keeps the contract"
    )


def test_the_counts_are_the_published_ones(run):
    lines = [f"{depth} {count}" for depth, count in enumerate(PUBLISHED, start=1)]
    assert run("manage.py", "rules", "perft", "connect-four", "8").splitlines() == lines


def test_its_sentences_are_translated_beside_it(run):
    run("manage.py", "messages", "check", "--game", "connect-four")


def test_it_is_played_in_the_whole_service(run):
    """Its own tests need a database with Pli's tables: whole_game.py runs in that process."""
    run("manage.py", "messages", "compile", "--game", "connect-four")
    tests = str(Path(__file__).with_name("whole_game.py"))
    said = run("-m", "pytest", tests, "-q", "-n", "0", "--timeout", "240")
    assert " passed" in said
