"""Names are standard terms: words that were replaced stay away, and one name means one thing."""

import ast
import re
from collections import defaultdict

from tests.figures import ROOT, module_name, read_source

REPLACED = {
    *("bell", "blotted", "crew", "deed", "deeds", "doctor", "fallen", "freezes", "furniture"),
    *("gift", "gifts", "house", "inked", "mend", "mending", "patience", "ruling", "sayings"),
    *("silence", "stationery", "tidying", "weeks", "whoever", "wholeness"),
    *("bells", "courtesy", "crowd", "filling", "grown", "letterhead", "mailroom", "sated"),
}
"""Words of the names that the project had before (docs/glossary.md has those that it has now)."""

SAME_WORD = re.compile(r"(^|\.)(tasks|views|api|templatetags|commands|backend|smtp)(\.|$)")
"""Modules whose functions and classes may be called as what they call, or as Django calls them."""

OF_EACH_GAME = re.compile(r"^games\.rules\.\w+\.")
"""Each game has its own Position, Action and start()."""


def top_level_names(text):
    return [
        node.name
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]


def words_of(name):
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def replaced_words(source):
    """Return every module, function and class whose name has a word that was replaced."""
    found = set()
    for path, text in source.items():
        module = module_name(path)
        names = [module.rsplit(".", 1)[-1], *top_level_names(text)]
        found |= {f"{module}: {name}" for name in names if words_of(name) & REPLACED}
    return found


def homonyms(source):
    """Return the public top-level names that two modules define, with the modules."""
    modules = defaultdict(set)
    for path, text in source.items():
        module = module_name(path)
        if SAME_WORD.search(module) or OF_EACH_GAME.match(module):
            continue
        for name in top_level_names(text):
            if not name.startswith("_"):
                modules[name].add(module)
    return {name: where for name, where in modules.items() if len(where) > 1}


def test_no_name_has_a_word_that_was_replaced():
    assert replaced_words(read_source(ROOT)) == set()


def test_no_file_of_tests_has_a_word_that_was_replaced():
    names = {path.stem for path in (ROOT / "tests").rglob("*.py")}
    assert {name for name in names if words_of(name) & REPLACED} == set()


def test_one_name_means_one_thing():
    assert homonyms(read_source(ROOT)) == {}


def test_both_find_what_they_look_for():
    source = {"games/bell.py": "class Deed: ...", "games/other.py": "class Deed: ..."}
    assert replaced_words(source) == {"games.bell: bell", "games.bell: Deed", "games.other: Deed"}
    assert homonyms(source) == {"Deed": {"games.bell", "games.other"}}
