"""The rulebooks: both languages say as much, and every example is a position of the game."""

import re

import pytest

from games.rulebook import Example, parse_examples, read_rulebook, rulebook_faults
from games.rules.base import BadRecord
from games.rules.registry import UnknownGame, all_rules, app_for, rules_for

GAMES = pytest.mark.parametrize("slug", [rules.slug for rules in all_rules()])
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


def headings(markdown):
    return [len(level) for level in re.findall(r"^(#+) ", markdown, flags=re.MULTILINE)]


def read(slug, language):
    """Return all of a rulebook's HTML, each example as the number of its pieces and its caption."""
    rules = rules_for(slug)

    def figure(example, caption):
        pieces = len(example.board(rules).pieces)
        return f'<figure data-pieces="{pieces}">{caption}</figure>'

    book = read_rulebook(slug, language, figure)
    return book.opening + book.body


@GAMES
@LANGUAGES
def test_every_example_is_legal_and_has_a_caption(slug, language):
    found = parse_examples(app_for(slug).rulebook(language))
    assert found
    for example in found:
        board = example.board(rules_for(slug))
        assert bool(board.last) == bool(example.turns)
        assert len(example.caption) > 20


@GAMES
def test_both_languages_show_the_same_examples_under_the_same_headings(slug):
    english, french = (app_for(slug).rulebook(language) for language in ("en", "fr"))
    assert headings(english) == headings(french)
    assert headings(english)[0] == 1
    pairs = zip(parse_examples(english), parse_examples(french), strict=True)
    for one, other in pairs:
        assert (one.options, one.turns) == (other.options, other.turns)
        assert one.caption != other.caption


@GAMES
@LANGUAGES
def test_every_example_is_drawn_on_the_page(slug, language):
    html = read(slug, language)
    count = len(parse_examples(app_for(slug).rulebook(language)))
    assert html.count("<figure data-pieces=") == count
    assert "moves:" not in html
    assert "<h1>" in html


def test_the_drawing_is_of_the_position_after_the_last_turn():
    html = read("taquet", "en")
    drawn = [int(count) for count in re.findall(r'data-pieces="(\d+)"', html)]
    assert drawn == [1, 3, 3, 2, 5, 5, 7]


def test_tables_are_rendered():
    assert "<td><code>Tb3</code></td>" in read("taquet", "fr")


def test_html_in_a_rulebook_is_shown_as_text(monkeypatch):
    text = "# A\n\n<script>x</script>\n\n```board\nmoves: 5\ncaption: <b>bold</b> *it*\n```\n"
    monkeypatch.setattr(app_for("morpion"), "rulebook", lambda language: text)
    html = read("morpion", "en")
    assert "<script>" not in html
    assert "<b>" not in html
    assert "&lt;b&gt;bold&lt;/b&gt; <em>it</em>" in html


def headed(monkeypatch, text):
    monkeypatch.setattr(app_for("morpion"), "rulebook", lambda language: text)
    return read_rulebook("morpion", "en", lambda example, caption: "<figure></figure>")


def test_headings_below_the_title_have_places_of_their_own(monkeypatch):
    text = "# A\n\n## The *end*\n\n### Été `x`\n\n## The end\n\n## Main\n\n## 終\n\n#### Deep\n"
    book = headed(monkeypatch, text)
    assert [(one.level, one.title, one.anchor) for one in book.headings] == [
        (2, "The end", "the-end"),
        (3, "Été x", "ete-x"),
        (2, "The end", "the-end-2"),
        (2, "Main", "main-2"),
        (2, "終", "part"),
    ]
    assert [book.body.count(f' id="{one.anchor}"') for one in book.headings] == [1] * 5


def test_a_board_is_one_part_with_the_words_before_it(monkeypatch):
    board = "```board\nmoves: 5\ncaption: x\n```\n\n"
    text = f"# A\n\nFirst.\n\n## B\n\nOne.\n\nTwo.\n\n{board}Three.\n\n### C\n\n{board}{board}"
    book = headed(monkeypatch, text)
    assert book.opening == "<h1>A</h1>\n<p>First.</p>\n"
    found = re.sub(r"\n|<figure></figure>", lambda one: "" if one[0] == "\n" else "F", book.body)
    assert found == (
        '<h2 id="b">B</h2>'
        '<div class="rules-part"><div class="rules-words"><p>One.</p><p>Two.</p></div>F</div>'
        "<p>Three.</p>"
        '<div class="rules-part"><div class="rules-words"><h3 id="c">C</h3></div>FF</div>'
    )


EXAMPLE = "```board\nmoves: 5\ncaption: x\n```\n"


@pytest.mark.parametrize(
    ("english", "fault"),
    [
        (None, "rulebook.en.md is missing."),
        (EXAMPLE, "rulebook.en.md does not begin with a title"),
        ("# Morpion\n", "rulebook.en.md has no example"),
        ("# M\n\n" + EXAMPLE.replace("5", "5 5 1"), "An example of rulebook.en.md cannot be drawn"),
        ("# M\n\n" + EXAMPLE.replace("moves", "move"), "An example of rulebook.en.md cannot be"),
        ("# M\n\n" + EXAMPLE.replace("5", "1"), "The rulebooks do not show the same examples."),
    ],
)
def test_a_fault_of_a_rulebook_is_named(monkeypatch, english, fault):
    texts = {"en": english, "fr": "# Morpion\n\n" + EXAMPLE}

    def rulebook(language):
        if texts[language] is None:
            raise FileNotFoundError
        return texts[language]

    monkeypatch.setattr(app_for("morpion"), "rulebook", rulebook)
    assert next(rulebook_faults("morpion")).startswith(fault)


def test_other_blocks_stay_as_they_are(monkeypatch):
    text = "```text\nmoves: 5\n```\n"
    monkeypatch.setattr(app_for("morpion"), "rulebook", lambda language: text)
    assert "<pre><code" in read("morpion", "en")


def test_the_rulebook_of_an_unknown_game_is_not_found():
    with pytest.raises(UnknownGame):
        read("chess", "en")


@pytest.mark.parametrize(
    "text", ["moves: 5", "caption: no moves", "moves: 5\ncaption: x\ncolour: red", "moves 5"]
)
def test_a_badly_written_example_is_refused(text):
    with pytest.raises(ValueError, match="example"):
        Example.read(text)


def test_an_example_with_an_illegal_turn_is_refused():
    with pytest.raises(BadRecord):
        Example.read("moves: 5 5 1\ncaption: x").board(rules_for("morpion"))
