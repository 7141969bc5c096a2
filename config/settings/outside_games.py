"""Games from outside this tree, named by PLI_GAMES: tried before Django loads its apps.

Rules know only the standard library, so they can be made while settings are read. Django itself
would end the process with a traceback for the first wrong one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from games.rules.base import Rules
from games.rules.registry import RulesApp


@dataclass(frozen=True)
class _Game:
    """What must differ from one game to the next."""

    name: str
    label: str
    slug: str


class _InvalidGame(Exception):
    """An app cannot be used; the message follows its name in a sentence."""


def outside_games(text: str, installed: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the apps of PLI_GAMES that can be used, and a sentence for each that cannot.

    `text` holds dotted names of apps separated by commas; `installed` are Pli's own apps.
    """
    installed = list(installed)
    names = [name.strip() for name in text.split(",") if name.strip()]
    games = [_game(name) for name in installed if name.startswith("games.rules.")] if names else []
    labels = {name.rpartition(".")[2] for name in installed} | {game.label for game in games}
    found: list[str] = []
    problems: list[str] = []
    for name in names:
        try:
            if name in (*installed, *found):
                raise _InvalidGame("is there already: leave it out")
            game = _game(name)
            same = next((other.name for other in games if other.slug == game.slug), None)
            if same is not None:
                raise _InvalidGame(f"has the slug “{game.slug}” of {same}: choose another")
            if game.label in labels:
                raise _InvalidGame(f"has the label “{game.label}” of another app: choose another")
        except _InvalidGame as error:
            problems.append(f"PLI_GAMES names “{name}”, which {error}.")
        else:
            found.append(name)
            games.append(game)
            labels.add(game.label)
    return found, problems


def _game(name: str) -> _Game:
    """Return the game that an app is. Raises _InvalidGame."""
    if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", name, re.ASCII):
        raise _InvalidGame(
            "is no name of a Python package, such as connect_four or mygames.connect_four"
        )
    configs = [
        one
        for one in vars(_import(f"{name}.apps")).values()
        if isinstance(one, type) and issubclass(one, RulesApp) and one is not RulesApp
    ]
    if len(configs) != 1:
        raise _InvalidGame(f"has {len(configs)} subclasses of RulesApp in its apps.py and not one")
    (app,) = configs
    if getattr(app, "name", None) != name:
        raise _InvalidGame(f'calls itself by another name in its apps.py: write name = "{name}"')
    if not isinstance(getattr(app, "rules_class", None), str):
        raise _InvalidGame("does not name its rules_class in its apps.py")
    rules_module = _import(f"{name}.rules")
    try:
        rules = getattr(rules_module, app.rules_class)()
    except Exception as error:
        raise _InvalidGame(f"has rules that cannot be made: {_describe(error)}") from error
    if not isinstance(rules, Rules):
        raise _InvalidGame(f"has rules that are no games.rules.base.Rules: {app.rules_class}")
    if not isinstance(getattr(rules, "slug", None), str):
        raise _InvalidGame("has rules without a slug")
    label = getattr(app, "label", name.rpartition(".")[2])  # Django's own default
    if not label.isidentifier():
        raise _InvalidGame(f"has the label “{label}”: use letters, digits and underscores")
    return _Game(name, label, rules.slug)


def _import(name: str) -> ModuleType:
    package = name.rpartition(".")[0]
    try:
        if find_spec(package) is None:
            raise _not_found()
        if find_spec(name) is None:
            raise _InvalidGame(f"has no {name.rpartition('.')[2]}.py")
        return import_module(name)
    except _InvalidGame:
        raise
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{package}.".startswith(f"{error.name}."):
            raise _not_found() from error
        raise _InvalidGame(f"cannot be imported: {_describe(error)}") from error


def _not_found() -> _InvalidGame:
    return _InvalidGame(
        "Python does not find: install it, or add the folder that it is in to PYTHONPATH"
    )


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".rstrip(".")
