"""`manage.py messages`: the translations."""

from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import messages
from games.rules.registry import RulesApp, UnknownGame, app_for


class Command(BaseCommand):
    help = "Collect the sentences to translate, check the translations, or compile them."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["extract", "check", "compile"])
        parser.add_argument("--game", help="the slug of a game from outside: its own sentences")

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        game = _app(options["game"]) if options["game"] else None
        if what == "check" and game is None:
            self._check_forms()
        languages = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
        work = {"extract": self._extract, "check": self._check, "compile": self._compile}[what]
        for language in languages:
            work(game, language)

    def _extract(self, game: RulesApp | None, language: str) -> None:
        po = _file(game, language)
        template, known = _template(game, language), messages.read_catalog(po, language)
        project = game.rules.name if game else "Pli"
        messages.write_catalog(po, messages.merged(template, known, project))

    def _check(self, game: RulesApp | None, language: str) -> None:
        known = messages.read_catalog(_file(game, language), language)
        found = list(messages.problems(_template(game, language), known))
        for problem in found:
            self.stderr.write(f"{language}: {problem}")
        if found:
            raise CommandError(f"{len(found)} sentences are not ready in “{language}”.")

    def _check_forms(self) -> None:
        found = list(messages.mixed_forms(settings.BASE_DIR))
        for problem in found:
            self.stderr.write(problem)
        if found:
            raise CommandError(
                f"Marked in more than one form: {len(found)}. Use the same plural everywhere, "
                "or pgettext() with a context."
            )

    def _compile(self, game: RulesApp | None, language: str) -> None:
        po = _file(game, language)
        if po.exists():
            messages.compile_mo(po, language)


def _app(slug: str) -> RulesApp:
    try:
        return app_for(slug)
    except UnknownGame:
        raise CommandError(f"There is no game “{slug}”: see manage.py rules list.") from None


def _file(game: RulesApp | None, language: str) -> Path:
    """Return where the translation of Pli, or of one game from outside, is kept."""
    folder = Path(game.path) / "locale" if game else Path(settings.LOCALE_PATHS[0])
    return folder / language / "LC_MESSAGES" / "django.po"


def _template(game: RulesApp | None, language: str) -> Catalog:
    """Return the sentences to translate: of a game, those that Pli does not translate itself."""
    if game is None:
        return messages.extracted(settings.BASE_DIR)
    own = messages.read_catalog(_file(None, language), language)
    return messages.missing_in(own, messages.extracted(Path(game.path), [""]))
