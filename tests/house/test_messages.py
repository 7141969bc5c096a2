"""The sentences to translate are found, kept, checked and compiled."""

import gettext

import pytest
from babel.messages.catalog import Catalog
from django.core.management import CommandError, call_command
from django.utils import translation

from config import translations

PYTHON = """
from django.utils.translation import gettext as _, ngettext, pgettext

def N_(text): return text

def words(count, name):
    return (
        _("Hello %(name)s") % {"name": name}
        + ngettext("one game", "%(count)s games", count)
        + pgettext("a month", "May")
        + N_("in two "
             "parts")
        + "not marked"
    )
"""
TEMPLATE = """
{% load i18n %}
  <p title="{% translate 'A title' %}">{% translate "Next" context "page" %}</p>
    {% blocktranslate trimmed count number=games with who=name %}
       {{ who }} has
       one game
    {% plural %}
       {{ who }} has {{ number }} games, 100%
    {% endblocktranslate %}
  {% if x %}it's{% endif %} {{ y|default:_("nothing") }}
"""


@pytest.fixture
def root(tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "words.py").write_text(PYTHON)
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "page.html").write_text(TEMPLATE)
    return tmp_path


def found(root):
    return {(message.id, message.context) for message in translations.collect(root) if message.id}


def test_every_marked_sentence_of_python_and_templates_is_found(root):
    assert found(root) == {
        ("Hello %(name)s", None),
        (("one game", "%(count)s games"), None),
        ("May", "a month"),
        ("in two parts", None),
        ("A title", None),
        ("Next", "page"),
        (("%(who)s has one game", "%(who)s has %(number)s games, 100%%"), None),
        ("nothing", None),
    }


def test_migrations_and_other_folders_are_not_read(root):
    for folder in ("games/migrations", "docs"):
        (root / folder).mkdir(parents=True)
        (root / folder / "more.py").write_text('_("somewhere else")')
    assert ("somewhere else", None) not in found(root)


def french(root, **changes):
    """Return a complete translation of `root` with some sentences changed by their id."""
    catalog = translations.merge(translations.collect(root), Catalog(locale="fr"))
    for message in catalog:
        if message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            message.string = changes.get(key, message.id)
    return catalog


def problems(root, catalog):
    return list(translations.problems(translations.collect(root), catalog))


def test_a_complete_translation_has_no_problems(root):
    assert problems(root, french(root)) == []


def test_a_missing_sentence_is_a_problem(root):
    (problem,) = problems(root, french(root, May=""))
    assert problem == "not translated: 'May' (games/words.py)"


def test_a_missing_plural_is_a_problem(root):
    (problem,) = problems(root, french(root, **{"one game": ("une partie", "")}))
    assert problem.startswith("not translated: 'one game'")


def test_a_fuzzy_sentence_is_a_problem(root):
    catalog = french(root)
    catalog.get("A title").flags.add("fuzzy")
    assert problems(root, catalog) == ["fuzzy: 'A title' (templates/page.html)"]


def test_a_lost_placeholder_is_a_problem(root):
    catalog = french(root, **{"Hello %(name)s": "Bonjour %(nom)s"})
    (problem,) = problems(root, catalog)
    assert problem.startswith("other placeholders: 'Hello %(name)s'")


def test_a_singular_may_leave_out_the_number(root):
    changes = {"one game": ("une partie", "%(count)s parties")}
    assert problems(root, french(root, **changes)) == []


def test_a_sentence_nobody_uses_any_more_is_a_problem(root):
    catalog = french(root)
    catalog.add("gone", "parti")
    assert problems(root, catalog) == ["no longer used: 'gone'"]


def mark(root, text, path="games/more.py"):
    (root / path).write_text(text)


def test_sentences_that_are_marked_in_one_form_are_no_problem(root):
    mark(root, '_("Hello %(name)s"); pgettext("chess", "one game")')
    assert list(translations.mixed_forms(root)) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("games/more.py", '_("one game")'),
        ("games/more.py", 'N_("one game")'),
        ("templates/more.html", '{% translate "one game" %}'),
    ],
)
def test_a_sentence_that_is_marked_with_and_without_a_plural_is_a_problem(root, path, text):
    mark(root, text, path)
    (problem,) = translations.mixed_forms(root)
    assert problem.startswith("marked with and without a plural: 'one game' (")
    assert f"{path}:1" in problem
    assert "games/words.py:9" in problem


def test_a_context_is_no_way_around_it(root):
    mark(root, 'npgettext("a month", "May", "Mays", count)')
    (problem,) = translations.mixed_forms(root)
    assert problem.startswith("marked with and without a plural: 'May'")


def test_a_sentence_with_two_plurals_is_a_problem(root):
    mark(root, 'ngettext("one game", "many games", count)')
    (problem,) = translations.mixed_forms(root)
    assert problem.startswith("marked with different plurals: 'one game'")


def test_the_check_refuses_a_sentence_in_two_forms(root, settings, capsys):
    settings.BASE_DIR, settings.LOCALE_PATHS = root, [root / "locale"]
    translations.write_catalog(root / "locale/fr/LC_MESSAGES/django.po", french(root))
    call_command("messages", "check")
    mark(root, '_("one game")')
    with pytest.raises(CommandError, match="more than one form: 1"):
        call_command("messages", "check")
    assert "'one game' (games/more.py:1, games/words.py:9)" in capsys.readouterr().err


def test_gettext_may_not_be_asked_for_a_sentence_that_has_a_plural():
    with translation.override("fr"):
        assert translation.ngettext("%(names)s won.", "%(names)s won.", 1) != "%(names)s won."
        with pytest.raises(AssertionError, match="has a plural"):
            translation.gettext("%(names)s won.")


def test_extracting_again_keeps_translations_drops_the_unused_and_changes_nothing_else(root):
    po = root / "locale" / "fr" / "django.po"
    catalog = french(root, May="mai")
    catalog.add("gone", "parti")
    translations.write_catalog(po, translations.merge(translations.collect(root), catalog))
    first = po.read_bytes()
    again = translations.merge(translations.collect(root), translations.read_catalog(po, "fr"))
    translations.write_catalog(po, again)
    assert po.read_bytes() == first
    assert b'msgstr "mai"' in first
    assert b"parti" not in first
    assert b"Date" not in first
    assert b"#: games/words.py\n" in first


def test_the_compiled_file_speaks_french(root):
    po = root / "locale" / "fr" / "django.po"
    words = ("%(who)s a une partie", "%(who)s a %(number)s parties, 100%%")
    catalog = french(root, May="mai", **{"%(who)s has one game": words})
    translations.write_catalog(po, translations.merge(translations.collect(root), catalog))
    with translations.compile_mo(po, "fr").open("rb") as file:
        spoken = gettext.GNUTranslations(file)
    assert spoken.pgettext("a month", "May") == "mai"
    template = translations.collect(root)
    singular, plural = template.get("%(who)s has one game").id
    assert spoken.ngettext(singular, plural, 0) == words[0]
    assert spoken.ngettext(singular, plural, 2) == words[1]
