"""docs/adding-a-game.md, followed word by word: the game it adds is there, and is sound."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from config import translations

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")

SETTING = re.search(r"PLI_GAMES=(\S+) PYTHONPATH", GUIDE)[1]

VECTOR = """
import json, sys
import django
django.setup()
from tests.rules import test_vectors
vector = json.load(sys.stdin)
for depth, count in enumerate(vector["perft"], start=1):
    test_vectors.test_perft_is_the_published_number(vector, depth, count)
for game in vector["games"]:
    test_vectors.test_a_whole_game_goes_as_recorded(vector, game)
print(vector["game"])
"""


def files() -> dict[str, str]:
    """Return the guide's files: a path alone on its line, then a block."""
    pattern = r"^`(matches/\S+)`\n\n(`{3,})\w*\n(.*?)^\2$"
    return {
        path: text for path, _, text in re.findall(pattern, GUIDE, flags=re.DOTALL | re.MULTILINE)
    }


def installed(folder, **changed):
    """Return a function that runs Python with the guide's game, or another text of its rules."""
    for path, text in files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    if "rules" in changed:
        (folder / "matches" / "rules.py").write_text(changed["rules"], encoding="utf-8")
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "PLI_GAMES": SETTING,
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]),
        "PLI_VAR": str(folder / "var"),
    }

    def run(*arguments, typed=""):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT, env=environment, input=typed, capture_output=True, text=True, timeout=60,
            check=False,
        )  # fmt: skip

    return run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a function that runs Python with the guide's game installed."""
    return installed(tmp_path_factory.mktemp("guide"))


def test_the_guide_shows_a_whole_app():
    assert {path.rpartition("/")[2] for path in files()} == {
        "__init__.py", "apps.py", "rules.py", "program.py", "rulebook.en.md", "rulebook.fr.md",
    }  # fmt: skip


def test_the_game_is_listed_beside_the_others(run):
    done = run("manage.py", "rules", "list")
    assert done.returncode == 0, done.stderr
    assert "matches  Matches, 2 seats\n    matches=5..40  Matches\n" in done.stdout
    assert "taquet  Taquet" in done.stdout


def test_the_counts_are_those_made_by_hand(run):
    done = run("manage.py", "rules", "perft", "matches", "4", "-o", "matches=7")
    assert done.stdout == "1 3\n2 9\n3 23\n4 31\n", done.stderr


def test_a_game_is_traced_to_its_end(run):
    done = run("manage.py", "rules", "trace", "matches", "-o", "matches=7", typed="3\n3\n1\n")
    last = json.loads(done.stdout.splitlines()[-1])
    assert last["outcome"] == {
        "places": [1, 2], "winners": [0], "points": None, "reason": "last",
    }  # fmt: skip


def test_the_game_keeps_the_contract(run):
    done = run("manage.py", "rules", "check", "matches")
    assert done.stdout.startswith("matches keeps the contract"), done.stdout + done.stderr


def test_a_level_of_its_program_beats_the_one_below(run):
    for level in (3, 5):
        done = run(
            "manage.py", "programs", "match", str(level), str(level - 1), "--game", "matches",
            "--games", "20",
        )  # fmt: skip
        points = re.search(r": (\d+) % \[", done.stdout)
        assert points, done.stdout + done.stderr
        assert int(points[1]) > 50


def test_a_fault_is_written_as_the_guide_shows_it(tmp_path):
    rules = files()["matches/rules.py"]
    broken = rules.replace("% 2 if position.left else None", "% 2")
    assert broken != rules
    done = installed(tmp_path, rules=broken)("manage.py", "rules", "check", "matches")
    assert done.returncode == 1
    assert done.stdout == re.search(r"```text\n(The end is told.*?)```", GUIDE, re.DOTALL)[1]


def test_its_sentences_are_collected_checked_and_compiled_as_the_guide_says(tmp_path):
    run = installed(tmp_path)
    commands = re.findall(r"^python (manage.py messages .* --game matches)$", GUIDE, re.MULTILINE)
    extract, check, compiled = (command.split() for command in commands)
    assert run(*extract).returncode == 0
    assert "not ready in “fr”" in run(*check).stderr
    po = tmp_path / "matches" / "locale" / "fr" / "LC_MESSAGES" / "django.po"
    catalog = translations.read_catalog(po, "fr")
    assert catalog.get("This is not a position of the game.") is None, "Pli translates it itself"
    for message in catalog:
        message.string = message.id and (message.string or message.id)
    translations.write_catalog(po, catalog)
    assert (run(*check).returncode, run(*compiled).returncode) == (0, 0)
    assert po.with_suffix(".mo").exists()


def test_the_vector_in_the_guide_holds(run):
    vector = re.search(r"^```json\n(.*?)^```$", GUIDE, flags=re.DOTALL | re.MULTILINE)[1]
    done = run("-c", VECTOR, typed=vector)
    assert done.stdout == "matches\n", done.stderr


def test_the_rules_in_the_guide_are_clean_code(tmp_path):
    for path, text in files().items():
        if path.endswith(".py"):
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "--config",
         str(ROOT / "pyproject.toml"), "--extend-ignore", "D101,D102", str(tmp_path)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
