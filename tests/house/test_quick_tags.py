"""The tags that take the place of Django's give what Django's give."""

import re
from collections import defaultdict
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum

import pytest
from django.template import Context, Engine, Template
from django.template.backends.django import get_installed_libraries
from django.urls import (
    NoReverseMatch,
    clear_script_prefix,
    get_resolver,
    reverse,
    set_script_prefix,
)
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy, override

from accounts.paths import page_path
from config.quick_templates import QuickTemplate

LOADERS = [
    (
        "django.template.loaders.locmem.Loader",
        {
            "part.html": "{% load i18n %}{% translate 'Players' as word %}[{{ word }}{{ more }}]",
            "field.html": "{% csrf_token %}",
        },
    )
]
LIBRARIES = get_installed_libraries()
QUICK = {"builtins": ["config.quick_tags"], "libraries": LIBRARIES | {"i18n": "config.quick_tags"}}


def both(text, invalid="", **values):
    """Return what a template gives with Django's tags and with ours, each rendered twice."""
    found = []
    for kind, options in ((Template, {"libraries": LIBRARIES}), (QuickTemplate, QUICK)):
        engine = Engine(loaders=LOADERS, string_if_invalid=invalid, **options)
        template = kind("{% load i18n %}" + text, engine=engine)
        pages = [template.render(Context(dict(values))) for _ in range(2)]
        found.append(pages)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "{% translate 'Players' %}",
        '{% trans "Players" %}',
        "{% translate 'Light' context 'the lamp, not the weight' %}",
        "{% translate 'Light' context where %}",
        "{% translate 'Light' %}",
        "{% translate 'Players' as word %}<{{ word }}>",
        "{% translate 'Players'|upper %}",
        "{% translate 'Players' noop %}",
        "{% translate word %}",
        "{% translate 'Nobody wrote “100 %” & <b>this</b>' %}",
        "{% autoescape off %}{% translate '<i>' as word %}{{ word }}{% endautoescape %}",
        "{% url 'game' 7 %}{% url 'game_turn' 7 12 %}{% url 'lobby' %}",
        "{% url 'game' game %}",
        "{% url name game %}",
        "{% url 'admin:index' %}{% url 'admin:games_game_change' game %}",
        "{% url 'game' pk=7 %}",
        "{% url 'game' 7 as path %}<{{ path }}>",
        "{% url 'nothing' as path %}<{{ path }}>",
        "{% url 'profile' odd as path %}<{{ path }}>{{ path|safe }}",
        "{% blocktranslate with name=odd %}{{ name }} plays for them{% endblocktranslate %}",
        "{% blocktranslate %}{{ odd }} % {{ nothing }} {{ game }}{% endblocktranslate %}",
        "{% blocktranslate with odd=game trimmed %} {{ odd }}  x {% endblocktranslate %}{{ odd }}",
        "{% blocktranslate count n=game %}1{% plural %}{{ n }} {{ odd }}{% endblocktranslate %}",
        "{% blocktranslate asvar said %}{{ odd }}{% endblocktranslate %}<{{ said }}>",
        "{% autoescape off %}{% blocktrans %}{{ odd }}{% endblocktrans %}{% endautoescape %}",
        "{% url 'report' 'game' game %}{% url 'report' 'message' game %}",
        "{% url 'download_position' game 3 'png' %}",
        "{% url 'profile' odd %}{% autoescape off %}{% url 'profile' odd %}{% endautoescape %}",
        "{% include 'part.html' %}{{ word }}",
        "{% include 'part.html' with more=game %}{{ more }}",
        "{% include 'part.html' with more=game only %}",
        "{% include part %}",
        "{% for one in 'abc' %}{% include 'part.html' with more=one %}{% endfor %}",
        "{% csrf_token %}{% csrf_token %}",
        "{% include 'field.html' only %}{% csrf_token %}{% include 'field.html' %}",
        "{% autoescape off %}{% csrf_token %}{% endautoescape %}",
    ],
)
def test_tags_give_what_djangos_give(text):
    values = {
        "where": "the lamp, not the weight",
        "word": "Rules",
        "game": 123456,
        "name": "game",
        "odd": "o&'<{0}>é",
        "part": "part.html",
        "csrf_token": "x<y",
    }
    for language in ("en", "fr"):
        with override(language):
            djangos, ours = both(text, **values)
        assert ours == djangos


class Thing:
    """What a template may meet."""

    word, number, fraction, amount = "<a> & 'b'", 1234567, 1234.5, Decimal("1.50")
    safe, lazy, nobody, moment = (
        *(SafeString("<b>"), gettext_lazy("Players"), None),
        datetime(2026, 11, 25, 8, 0, tzinfo=UTC),
    )
    table = {"word": "key", "items": "not the method", 0: "zero"}
    counts = defaultdict(int, a=2)
    row = ("first", "second")

    class Side(Enum):
        LEFT = "l"
        do_not_call_in_templates = True

    def method(self):
        return "called"

    def needs(self, more):
        return more

    def delete(self):
        raise AssertionError

    delete.alters_data = True

    def quiet(self):
        error = ValueError()
        error.silent_variable_failure = True
        raise error

    @property
    def quiet_property(self):
        return self.quiet()

    @property
    def broken(self):
        raise KeyError("broken")

    @property
    def without(self):
        return self.nothing_there


@pytest.mark.parametrize("invalid", ["", "[no %s]", "?"])
@pytest.mark.parametrize(
    "name",
    [
        *("word", "number", "fraction", "amount", "safe", "lazy", "nobody", "moment"),
        *("table.word", "table.items", "table.0", "table.none", "table.keys", "counts.a"),
        *("counts.b", "row", "row.1", "row.7", "row.count", "word.upper", "word.0", "number.real"),
        *("Side.LEFT.value", "Side.NONE", "method", "method.upper", "needs", "delete", "quiet"),
        *("quiet_property", "nothing", "nothing.more", "word.nothing", "nobody.x", "lazy.upper"),
        *("word|upper", "nothing|default:thing.word", "number|add:thing.number", "safe|upper"),
    ],
)
def test_variables_are_what_django_finds(name, invalid, settings):
    text = (
        "{{ thing.NAME }}{% autoescape off %}{{ thing.NAME }}{% endautoescape %}"
        "{% if thing.NAME %}yes{% endif %}{% if not thing.NAME or nothing %}no{% endif %}"
        "{% for one in thing.row %}{{ forloop.counter }}{{ one }}{{ forloop.x.y }}{% endfor %}"
        "{% with kept=thing.NAME %}{{ kept }}{% endwith %}{{ kept }}{{ template }}{{ update }}"
    ).replace("NAME", name)
    for separates in (False, True):
        settings.USE_THOUSAND_SEPARATOR = separates
        for language in ("en", "fr"):
            with override(language):
                djangos, ours = both(text, invalid, thing=Thing())
            assert ours == djangos
    if name == "word":
        assert "&lt;a&gt; &amp; &#x27;b&#x27;" in ours[0]


@pytest.mark.parametrize(("name", "error"), [("broken", KeyError), ("without", AttributeError)])
@pytest.mark.parametrize("kind", [Template, QuickTemplate])
def test_errors_of_a_value_are_raised(kind, name, error):
    template = kind(f"{{{{ thing.{name} }}}}", engine=Engine(**QUICK))
    with pytest.raises(error):
        template.render(Context({"thing": Thing()}))


def test_names_are_those_of_the_innermost_scope():
    text = "{% with a=b %}{{ a }}{% with a=7 %}{{ a }}{% endwith %}{{ a }}{% endwith %}{{ a }}"
    djangos, ours = both(text, a=1, b="two")
    assert ours == djangos == ["two7two1"] * 2


def test_a_sentence_is_in_the_language_of_each_page():
    phrase = "{% blocktranslate with name=7 %}{{ name }} plays for them{% endblocktranslate %}"
    for text in ("{% load i18n %}{% translate 'Players' %}", phrase):
        template = Engine(**QUICK).from_string(text)
        found, one_context = [], Context()
        for language in ("en", "fr", "en", "fr"):
            with override(language):
                found.append(template.render(one_context))
        assert found[:2] == found[2:]
        assert found[0] != found[1]


def test_each_page_has_its_own_token():
    template = Engine(**QUICK).from_string("{% csrf_token %}{% csrf_token %}")
    for token in ("first", "second"):
        assert template.render(Context({"csrf_token": token})).count(f'"{token}"') == 2


def test_a_page_without_a_token_has_no_field():
    assert both("{% csrf_token %}") == [["", ""]] * 2


@pytest.mark.parametrize(
    "text", ["{% url 'nothing' %}", "{% url 'game' 'x' %}", "{% url 'game' %}"]
)
def test_a_path_that_does_not_exist_is_an_error(text):
    with pytest.raises(NoReverseMatch):
        Engine(**QUICK).from_string(text).render(Context())


def numbered_pages():
    """Return the names of all pages whose paths have numbers alone, and how many."""
    found = []
    for name, (possibilities, _, _, converters) in get_resolver().reverse_dict.items():
        (_, parts), *_others = possibilities
        if isinstance(name, str) and all(
            type(converters.get(part)).__name__ == "IntConverter" for part in parts
        ):
            found.append((name, len(parts)))
    return found


def test_paths_are_those_of_reverse():
    pages = numbered_pages()
    assert ("game_turn", 2) in pages
    assert len(pages) > 50
    for name, count in pages:
        for numbers in ([0, 1, 70_000_001], [70_000_002, 70_000_001, 5], [10**17, 3, 3]):
            args = numbers[:count]
            assert page_path(name, *args) == reverse(name, args=args)


@pytest.mark.parametrize("part", [-1, True, None, 1.5, [], "1/2", ""])
def test_a_part_that_reverse_refuses_is_refused(part):
    page_path("game", 1)
    with pytest.raises(NoReverseMatch):
        reverse("game", args=[part])
    with pytest.raises(NoReverseMatch):
        page_path("game", part)


def test_paths_begin_with_the_prefix_of_the_site():
    assert page_path("game", 7) == "/games/7/"
    set_script_prefix("/pli/{0}/")
    try:
        assert page_path("game", 7) == reverse("game", args=[7])
    finally:
        clear_script_prefix()


def test_the_settings_use_them(client, db):
    template = Engine.get_default().from_string("{% load i18n %}{% translate 'Players' %}")
    assert "FixedSentenceNode" in {type(node).__name__ for node in template.nodelist}
    page = Engine.get_default().get_template("games/game.html")
    assert type(page) is QuickTemplate
    assert Engine.get_default().get_template("games/game.html") is page
    assert re.search(r'name="csrfmiddlewaretoken" value="\w{64}"', client.get("/rules/").text)
