"""The rulebooks: both languages say as much, and every example is a position of the game."""

import re

import pytest

from games.rulebook import Example, parse_examples, rulebook_faults, rulebook_html
from games.rules.base import BadRecord
from games.rules.board import Board
from games.rules.registry import UnknownGame, all_rules, app_for, rules_for

GAMES = pytest.mark.parametrize("slug", [rules.slug for rules in all_rules()])
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


def headings(markdown):
    return [len(level) for level in re.findall(r"^(#+) ", markdown, flags=re.MULTILINE)]


def drawing(board: Board) -> str:
    return f'<svg data-pieces="{len(board.pieces)}"></svg>'


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
    html = rulebook_html(slug, language, drawing)
    count = len(parse_examples(app_for(slug).rulebook(language)))
    assert html.count('<figure class="board-figure"><svg data-pieces=') == count
    assert html.count("</figcaption></figure>") == count
    assert "moves:" not in html
    assert "<h1>" in html


def test_the_drawing_is_of_the_position_after_the_last_turn():
    html = rulebook_html("taquet", "en", drawing)
    drawn = [int(count) for count in re.findall(r'data-pieces="(\d+)"', html)]
    assert drawn == [1, 3, 3, 2, 5, 5, 7]


def test_tables_are_rendered():
    assert "<td><code>Tb3</code></td>" in rulebook_html("taquet", "fr", drawing)


def test_html_in_a_rulebook_is_shown_as_text(monkeypatch):
    text = "# A\n\n<script>x</script>\n\n```board\nmoves: 5\ncaption: <b>bold</b> *it*\n```\n"
    monkeypatch.setattr(app_for("morpion"), "rulebook", lambda language: text)
    html = rulebook_html("morpion", "en", drawing)
    assert "<script>" not in html
    assert "<b>" not in html
    assert "&lt;b&gt;bold&lt;/b&gt; <em>it</em>" in html


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
    assert "<pre><code" in rulebook_html("morpion", "en", drawing)


def test_the_rulebook_of_an_unknown_game_is_not_found():
    with pytest.raises(UnknownGame):
        rulebook_html("chess", "en", drawing)


@pytest.mark.parametrize(
    "text", ["moves: 5", "caption: no moves", "moves: 5\ncaption: x\ncolour: red", "moves 5"]
)
def test_a_badly_written_example_is_refused(text):
    with pytest.raises(ValueError, match="example"):
        Example.read(text)


def test_an_example_with_an_illegal_turn_is_refused():
    with pytest.raises(BadRecord):
        Example.read("moves: 5 5 1\ncaption: x").board(rules_for("morpion"))
