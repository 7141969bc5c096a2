"""Finds the rules among INSTALLED_APPS: the only file here that knows Django.

A rules app's AppConfig subclasses `RulesApp` and names its `Rules` class; there is nothing else
to register.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from django.apps import AppConfig, apps

from games.rules.base import AnyRules

if TYPE_CHECKING:
    from games.rules.programs import Program


class UnknownGame(LookupError):
    """No installed rules app has this slug."""


class RulesApp(AppConfig):
    """A Django app that is one game. `rules_class` is the name of its class in `rules.py`."""

    rules_class: ClassVar[str]
    demo_turns: ClassVar[int] = 2
    """How many turns are played in the running games of a demonstration."""
    example_game: ClassVar[tuple[str, ...]] = ()
    """A short whole game for two with the usual options, turn by turn. The first game that has one
    shows it to strangers, in pictures of about ten positions."""
    program_class: ClassVar[str] = ""
    """The name of the game's `Program` in `program.py`, for a game that has its own."""
    default = False

    def __init_subclass__(cls) -> None:
        # Django takes an app's config by itself only if one class in apps.py is the default;
        # without this, the RulesApp imported there would be a second candidate.
        cls.default = True
        super().__init_subclass__()

    def ready(self) -> None:
        """Build the rules once: a missing method fails here, at start-up."""
        self.rules: AnyRules = getattr(import_module(f"{self.name}.rules"), self.rules_class)()

    def rulebook(self, language: str) -> str:
        """Return the rulebook's Markdown in `language` ("en" or "fr")."""
        return (Path(self.path) / f"rulebook.{language}.md").read_text(encoding="utf-8")


@cache
def _apps() -> dict[str, RulesApp]:
    found = [config for config in apps.get_app_configs() if isinstance(config, RulesApp)]
    return {config.rules.slug: config for config in found}


def all_rules() -> tuple[AnyRules, ...]:
    """Return every installed game's rules, in the order of INSTALLED_APPS."""
    return tuple(config.rules for config in _apps().values())


def rules_for(slug: str) -> AnyRules:
    """Return the rules of one game. Raises UnknownGame."""
    return app_for(slug).rules


def app_with_example() -> RulesApp | None:
    """Return the first installed game that has an example game."""
    return next((config for config in _apps().values() if config.example_game), None)


def app_for(slug: str) -> RulesApp:
    """Return the Django app of one game. Raises UnknownGame."""
    try:
        return _apps()[slug]
    except KeyError:
        raise UnknownGame(slug) from None


@cache
def program_for(slug: str) -> Program[Any, Any]:
    """Return the program of one game, loaded when it is first asked for. Raises UnknownGame.

    A game without one of its own is played by the program that needs only the rules.
    """
    app = app_for(slug)
    module = f"{app.name}.program" if app.program_class else "games.rules.search"
    kind = getattr(import_module(module), app.program_class or "SearchProgram")
    program: Program[Any, Any] = kind(app.rules)
    return program


def english_name(slug: str) -> str:
    """Return a game's name in English; its slug if no installed app has it."""
    try:
        return rules_for(slug).name
    except UnknownGame:
        return slug
