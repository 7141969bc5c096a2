"""PLI_GAMES: a game from outside is taken, and a wrong one is named in a sentence at the start."""

import os
import sys

import pytest

from config.settings.outside_games import outside_games
from tests.house.prod import run
from tests.var_folder import environment

OURS = ["games.rules.morpion", "games.rules.taquet", "allauth.account", "django.contrib.auth"]

RULES = """
from games.rules.morpion.rules import Morpion

class Other(Morpion):
    slug = "other"
"""

APPS = """
from games.rules.registry import RulesApp

class OtherApp(RulesApp):
    name = "other_game"
    rules_class = "Other"
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes the package of a game, which Python then finds."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(name="other_game", *, apps=APPS, rules=RULES):
        folder = tmp_path / name.replace(".", "/")
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        for module, text in (("apps", apps), ("rules", rules)):
            if text is not None:
                (folder / f"{module}.py").write_text(text)
        return folder

    yield write
    for name in [name for name in sys.modules if name.split(".")[0] in ("other_game", "mine")]:
        del sys.modules[name]


def problem(text):
    """Return the one sentence against these games."""
    found, problems = outside_games(text, OURS)
    assert found == []
    (only,) = problems
    return only


def test_without_the_setting_there_are_none():
    assert outside_games("", OURS) == ([], [])
    assert outside_games(" , ", OURS) == ([], [])


def test_games_are_taken_in_their_order(write):
    write()
    write(
        "mine.another",
        apps=APPS.replace("other_game", "mine.another"),
        rules=RULES.replace('"other"', '"another"'),
    )
    names = ["mine.another", "other_game"]
    assert outside_games(" mine.another, other_game ,", OURS) == (names, [])


@pytest.mark.parametrize("name", ["connect-four", "connect four", "4", "a..b", ".a", "a/b", "é"])
def test_what_is_no_name_of_a_package_is_named(name):
    assert problem(name) == (
        f"PLI_GAMES names “{name}”, which is no name of a Python package, such as connect_four "
        "or mygames.connect_four."
    )


@pytest.mark.parametrize("name", ["no_such_game", "no_such.game", "tests.no_such_game"])
def test_a_package_that_is_not_there_is_named(name):
    assert problem(name) == (
        f"PLI_GAMES names “{name}”, which Python does not find: install it, or add the folder "
        "that it is in to PYTHONPATH."
    )


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"apps": None}, "has no apps.py"),
        ({"rules": None}, "has no rules.py"),
        ({"apps": ""}, "has 0 subclasses of RulesApp in its apps.py and not one"),
        ({"apps": "1/0"}, "cannot be imported: ZeroDivisionError: division by zero"),
        ({"apps": "import other_gam"}, "cannot be imported: ModuleNotFoundError: No module named"),
        ({"rules": "class Rules("}, "cannot be imported: SyntaxError: "),
        ({"apps": APPS.replace("other_game", "rules")}, "calls itself by another name in its"),
        ({"apps": APPS.replace("rules_class", "rule_class")}, "does not name its rules_class in"),
        ({"apps": APPS.replace('"Other"', '"Others"')}, "has rules that cannot be made: Attribute"),
        ({"rules": "class Other: pass"}, "has rules that are no games.rules.base.Rules: Other"),
        (
            {"rules": "from games.rules.base import Rules\nclass Other(Rules): slug = 'other'"},
            "has rules that cannot be made: TypeError: Can't instantiate abstract class Other",
        ),
        (
            {"rules": RULES.replace('"other"', '"morpion"')},
            "has the slug “morpion” of games.rules.morpion: choose another",
        ),
        ({"rules": RULES.replace('slug = "other"', "slug = None")}, "has rules without a slug"),
        (
            {"apps": APPS + '    label = "other-game"'},
            "has the label “other-game”: use letters, digits and underscores",
        ),
        (
            {"apps": APPS + '    label = "rules_morpion"'},
            "has the label “rules_morpion” of another app: choose another",
        ),
        (
            {"apps": APPS + '    label = "account"'},
            "has the label “account” of another app: choose another",
        ),
    ],
)
def test_a_wrong_game_is_named_with_what_is_wrong(write, changed, said):
    write(**changed)
    assert problem("other_game").startswith(f"PLI_GAMES names “other_game”, which {said}")


def test_a_game_named_twice_or_one_of_plis_own_is_named(write):
    write()
    found, problems = outside_games("other_game,other_game,games.rules.taquet", OURS)
    assert found == ["other_game"]
    assert problems == [
        f"PLI_GAMES names “{name}”, which is there already: leave it out."
        for name in ("other_game", "games.rules.taquet")
    ]


@pytest.mark.parametrize("way", ["dev", "prod"])
def test_no_process_starts_while_a_game_is_wrong_and_each_is_named(tmp_path, way):
    named = {"PLI_GAMES": "no_such_game,connect-four", "PLI_VACATION_DAYS": "many"}
    chosen = {"DJANGO_SETTINGS_MODULE": f"config.settings.{way}"}
    done = run(["manage.py", "check"], environment(tmp_path) | chosen | named)
    assert done.returncode == os.EX_CONFIG
    for word in ("“no_such_game”", "“connect-four”", "PLI_VACATION_DAYS"):
        assert word in done.stdout
    assert "Traceback" not in done.stdout
