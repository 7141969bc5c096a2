"""`manage.py messages`: the translations."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import translations
from games.rules.registry import RulesApp, UnknownGame, app_for


class Command(BaseCommand):
    help = "Collect the sentences to translate, check the translations, or compile them."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["extract", "check", "compile"])
        parser.add_argument("--game", help="the slug of a game from outside: its own sentences")

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        game = None
        if slug := options["game"]:
            try:
                game = app_for(slug)
            except UnknownGame:
                raise CommandError(
                    f"There is no game “{slug}”: see manage.py rules list."
                ) from None
        if what == "check" and game is None:
            self._fail(
                translations.mixed_forms(settings.BASE_DIR),
                "Marked in more than one form: {}. Use the same plural everywhere, or pgettext() "
                "with a context.",
            )
        for language, _ in settings.LANGUAGES:
            if language == settings.LANGUAGE_CODE:
                continue
            po = _file(game, language)
            if what == "compile":
                if po.exists():
                    translations.compile_mo(po, language)
                continue
            template, known = _template(game, language), translations.read_catalog(po, language)
            if what == "extract":
                project = game.rules.name if game else "Pli"
                translations.write_catalog(po, translations.merge(template, known, project))
            else:
                found = (f"{language}: {one}" for one in translations.problems(template, known))
                self._fail(found, f"{{}} sentences are not ready in “{language}”.")

    def _fail(self, problems: Iterable[str], sentence: str) -> None:
        """Write the problems; raise CommandError, with their number in the sentence, for any."""
        found = list(problems)
        for problem in found:
            self.stderr.write(problem)
        if found:
            raise CommandError(sentence.format(len(found)))


def _file(game: RulesApp | None, language: str) -> Path:
    """Return where the translation of Pli, or of one game from outside, is kept."""
    folder = Path(game.path) / "locale" if game else Path(settings.LOCALE_PATHS[0])
    return folder / language / "LC_MESSAGES" / "django.po"


def _template(game: RulesApp | None, language: str) -> Catalog:
    """Return the sentences to translate: of a game, those that Pli does not translate itself."""
    if game is None:
        return translations.collect(settings.BASE_DIR)
    own = translations.read_catalog(_file(None, language), language)
    return translations.missing_in(own, translations.collect(Path(game.path), [""]))
