"""What import-linter cannot say: the rules need the standard library alone, nobody names a game."""

import re
import sys

import grimp
from django.conf import settings

from games.rules.registry import all_rules

DJANGO_KNOWERS = {"games.rules.registry"}


def test_no_rules_import_anything_but_the_standard_library_and_each_other():
    graph = grimp.build_graph("games", include_external_packages=True, cache_dir=None)
    checked = 0
    for module in graph.find_descendants("games.rules") - DJANGO_KNOWERS:
        for imported in graph.find_modules_directly_imported_by(module):
            checked += 1
            own = imported.startswith("games.rules")
            assert own or imported.split(".")[0] in sys.stdlib_module_names, (module, imported)
    assert checked > 20


PAGES = ("games/views", "games/templatetags", "games/render", "games/services", "notifications")
PAGES += ("accounts", "static", "templates", "games/forms", "games/queries")
WRITTEN = {".py", ".html", ".txt", ".css", ".mjs", ".js"}


def test_no_code_of_pages_or_mails_knows_a_game_by_name():
    names = "|".join({rules.slug for rules in all_rules()} | {"supermorpion"})
    checked = 0
    for place in PAGES:
        folder = settings.BASE_DIR / place
        for file in folder.rglob("*"):
            if file.suffix in WRITTEN:
                checked += 1
                found = re.findall(names, file.read_text(encoding="utf-8"), re.IGNORECASE)
                assert not found, file
    assert checked > 100
