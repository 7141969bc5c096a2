"""What import-linter cannot say: the rules need nothing but the standard library."""

import sys

import grimp

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
