"""Cards: how wide letters are, how words break, and that everything stays on the card."""

import re
import struct
from operator import itemgetter

import pytest

from games.render.card import Card, CardPlayer, Postmark, card_png, card_size, card_svg
from games.render.font_metrics import cut_text, has_letters, text_width, wrap_text
from games.rules.registry import all_rules
from tests.render.boards import men_on_three_rows, nine_boards, noughts_and_crosses

LONG = "Alexandra Konstantinopolitana W"
WIDE = "W" * 30


def a_card(**changes):
    said = {
        "label": "Morpion #12",
        "title": "Ann won.",
        "site": "Pli",
        "players": tuple(CardPlayer(n + 1, n, LONG, n == 0, "12") for n in range(4)),
        "lines": ("Three in a row.", "9 turns from 3 March 2026 to 12 April 2026"),
        "postmark": Postmark("games.pli.example", "12 Nov", "2026"),
    }
    return Card(**(said | changes))


def test_letters_are_as_wide_as_in_the_font():
    assert text_width("i", 100) < text_width("m", 100) / 2
    assert text_width("ab", 40) == pytest.approx(text_width("a", 40) + text_width("b", 40))
    assert text_width("a", 80) == pytest.approx(2 * text_width("a", 40))
    assert text_width("", 40) == 0
    assert text_width(" ", 100) > 10


@pytest.mark.parametrize(
    ("text", "all_there"),
    [("Zoë", True), ("Ann & Bob", True), ("“a” – b…", True), ("日本", False), ("a🙂", False)],
)
def test_what_the_font_cannot_write_is_known(text, all_there):
    assert has_letters(text) is all_there


def test_a_text_breaks_between_words_and_only_a_word_too_long_is_cut():
    text = "one two three four five six seven"
    lines = wrap_text(text, 30, 200)
    assert " ".join(lines) == text
    assert len(lines) > 1
    assert all(text_width(line, 30) <= 200 for line in lines)
    (cut,) = wrap_text(WIDE, 30, 200)
    assert cut.endswith("…")
    assert text_width(cut, 30) <= 200
    assert cut_text("Ann", 30, 200) == "Ann"


def widths(svg):
    """Return the right end of every text of a card that begins at its place."""
    texts = re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)"[^>]*'
        r'text-anchor="start"[^>]*>([^<]*)<',
        svg,
    )
    return [(float(x) + text_width(text, float(size)), float(y)) for x, y, size, text in texts]


@pytest.mark.parametrize("shape", ["wide", "tall"])
@pytest.mark.parametrize(
    "card",
    [
        a_card(),
        a_card(title=f"{LONG} and {LONG} won."),
        a_card(players=tuple(CardPlayer(n + 1, n, WIDE, True) for n in range(4))),
        a_card(lines=("A sentence that is rather long, as sentences are. " * 4,)),
        a_card(title=WIDE, site="The correspondence club of a town with a long name"),
        a_card(players=(), lines=(), postmark=None),
    ],
    ids=["usual", "two win", "wide names", "many words", "long site", "nothing"],
)
def test_no_word_leaves_its_place(card, shape):
    svg = card_svg(card, nine_boards(), shape=shape)
    width, height = card_size(shape)
    placed = widths(svg)
    assert placed
    assert max(right for right, _ in placed) <= width - 40
    baselines = sorted(y for _, y in placed)
    assert baselines[-1] <= height - 40
    *others, site = sorted(placed, key=itemgetter(1))
    assert all(y <= site[1] - 40 for _, y in others)
    if card.postmark:
        left, top = postmark_corner(svg)
        assert not [(right, y) for right, y in placed if right > left and y > top]


def postmark_corner(svg):
    """Return the upper left corner of the box around the postmark's ring."""
    x, y = re.search(r"translate\(([\d.]+) ([\d.]+)\) rotate", svg).groups()
    radius = re.search(r'<circle r="(\d+)" stroke-width="4"', svg)[1]
    return float(x) - int(radius), float(y) - int(radius)


@pytest.mark.parametrize("board", [noughts_and_crosses, nine_boards, men_on_three_rows])
def test_a_card_is_a_png_of_its_size(board):
    png = card_png(a_card(), board(), shape="wide")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">2L", png[16:24]) == (1200, 630)


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.slug)
def test_the_start_of_every_game_is_on_its_card(rules):
    options = rules.check_options({})
    board = rules.board(rules.initial(options), None, ())
    words_alone = card_png(a_card(), noughts_and_crosses(), shape="wide")
    assert card_png(a_card(), board, shape="wide") != words_alone


def test_strange_names_are_escaped():
    card = a_card(players=(CardPlayer(1, 0, "<b>&\x00"),))
    svg = card_svg(card, noughts_and_crosses(), shape="wide")
    assert "&lt;b&gt;&amp;" in svg
    assert "\x00" not in svg
    card_png(card, noughts_and_crosses(), shape="wide")
