"""`manage.py messages`: the translations."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import messages


class Command(BaseCommand):
    help = "Collect the sentences to translate, check the translations, or compile them."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["extract", "check", "compile"])

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        languages = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
        work = {"extract": self._extract, "check": self._check, "compile": self._compile}[what]
        for language in languages:
            work(Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po", language)

    def _extract(self, po: Path, language: str) -> None:
        known = messages.read(po, language)
        messages.write(po, messages.merged(messages.extracted(settings.BASE_DIR), known))

    def _check(self, po: Path, language: str) -> None:
        template = messages.extracted(settings.BASE_DIR)
        found = list(messages.problems(template, messages.read(po, language)))
        for problem in found:
            self.stderr.write(f"{language}: {problem}")
        if found:
            raise CommandError(f"{len(found)} sentences are not ready in “{language}”.")

    def _compile(self, po: Path, language: str) -> None:
        if po.exists():
            messages.compile_mo(po, language)
