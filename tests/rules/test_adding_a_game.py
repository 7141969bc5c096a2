"""docs/adding-a-game.md, followed word by word: the game it adds is there, and is sound."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")

CONTRACT = """
import django
django.setup()
from games.rulebook import examples
from games.rules.registry import app_for, rules_for
from tests.rules import contract
rules = rules_for("matches")
for seed in range(30):
    play = contract.random_play(rules, seed)
    for clause in contract.CLAUSES:
        clause(rules, play)
    contract.any_text_is_refused_or_legal(rules, play, ["", "x", "57", "Tb3", "4", "02"])
for language in ("en", "fr"):
    for example in examples(app_for("matches").rulebook(language)):
        assert len(example.board(rules).pieces) == 4
print("sound")
"""

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
    pattern = r"^`(games/rules/matches/\S+)`\n\n(`{3,})\w*\n(.*?)^\2$"
    return {
        path: text for path, _, text in re.findall(pattern, GUIDE, flags=re.DOTALL | re.MULTILINE)
    }


def line_for_settings() -> str:
    return re.search(r"INSTALLED_APPS`:\n\n```python\n(.*?)\n```", GUIDE)[1]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a function that runs Python with the guide's game installed."""
    folder = tmp_path_factory.mktemp("guide")
    for path, text in files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    (folder / "settings_of_the_guide.py").write_text(
        "import games.rules\n"
        f"games.rules.__path__.append({str(folder / 'games' / 'rules')!r})\n"
        "from config.settings.test import *\n"
        # Once: whoever has followed the guide has the game already.
        f"INSTALLED_APPS = list(dict.fromkeys([*INSTALLED_APPS,\n{line_for_settings()}\n]))\n",
        encoding="utf-8",
    )
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "settings_of_the_guide",
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


def test_the_guide_shows_a_whole_app():
    assert {path.rpartition("/")[2] for path in files()} == {
        "__init__.py", "apps.py", "rules.py", "rulebook.en.md", "rulebook.fr.md",
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


def test_the_game_keeps_the_contract_and_its_examples_are_legal(run):
    done = run("-c", CONTRACT)
    assert done.stdout == "sound\n", done.stderr


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
