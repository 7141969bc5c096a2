"""Boards as SVG: well formed, safe, spoken, and legible without colour."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args
from xml.etree import ElementTree

import pytest

from games.render.layout import MAX_LENGTH, DrawingTooLarge, measure
from games.render.svg import board_svg
from games.render.text import board_text
from games.render.theme import ThemeName
from games.rules.base import Rules
from games.rules.board import Area, Board, Cell, Heap, Piece, Shape, Tray
from games.rules.random_games import random_game
from games.rules.registry import all_rules
from tests.render import boards

SVG = "{http://www.w3.org/2000/svg}"
THEMES = get_args(ThemeName)
HOSTILE = "<script>alert(1)</script>\"'&\x00\x08]]>"


def drawn(board: Board, *, theme: ThemeName = "page", **more: str) -> ElementTree.Element:
    texts = {"title": "A board", "description": "Ann to play", **more}
    source = board_svg(board, theme=theme, **texts)  # type: ignore[arg-type]
    return ElementTree.fromstring(source)  # noqa: S314  (our own drawing)


def cells(svg: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {g.get("data-square", ""): g for g in svg.iter(f"{SVG}g") if g.get("class") == "cell"}


def outlines(part: ElementTree.Element) -> tuple[str, ...]:
    return tuple(path.get("d", "") for path in part.iter(f"{SVG}path"))


def one(**looks: object) -> ElementTree.Element:
    piece = Piece("a1", **{"side": 0, "symbol": "x", "name": "it", **looks})  # type: ignore[arg-type]
    return cells(drawn(Board(1, 1, (Cell("a1", 0, 0),), (piece,))))["a1"]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", boards.ALL)
def test_every_board_is_well_formed_with_title_and_the_text_board(
    name: str, theme: ThemeName
) -> None:
    board = boards.ALL[name]
    svg = drawn(board, theme=theme)
    assert svg.findtext(f"{SVG}title") == "A board"
    assert svg.findtext(f"{SVG}desc") == f"Ann to play\n\n{board_text(board)}"
    assert list(cells(svg)) == [cell.square for cell in board.cells]


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.slug)
def test_every_games_first_board_has_a_cell_for_each_square_to_click(rules: Rules) -> None:
    position = rules.initial(rules.check_options({}))
    shown = cells(drawn(rules.board(position, None, ())))
    for action in rules.legal_actions(position):
        assert set(rules.squares(position, action)) <= set(shown)


NARROW, LEGIBLE = 360, 9
"""The width of a picture in a mail, and the smallest letters that people read there, in pixels."""


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.slug)
@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_coordinates_are_legible_in_a_narrow_picture(rules: Rules, seed: int | None) -> None:
    """They are at the start and at the end of games: some boards grow as they are played on."""
    start = rules.initial(rules.check_options({}))
    position = start if seed is None else random_game(rules, seed).positions[-1]
    board = rules.board(position, None, ())
    texts = drawn(board).iter(f"{SVG}text")
    labels = {label for label, _place in (*board.columns, *board.rows)}
    sizes = [float(text.get("font-size", 0)) for text in texts if text.text in labels]
    assert bool(sizes) == bool(labels)
    assert all(size * NARROW / measure(board).width >= LEGIBLE for size in sizes)


def test_a_cell_says_its_place_and_its_piece() -> None:
    shown = cells(drawn(boards.men_on_three_rows()))
    place = shown["b3"]
    assert (place.get("data-x"), place.get("data-y")) == ("1", "0")
    assert place.get("data-label") == "b3, taquet, just played"
    assert shown["a1"].get("data-label") == "a1, disc"
    assert shown["c1"].get("data-label") == "c1, empty"


def test_a_cell_speaks_the_readers_language() -> None:
    french = {"empty": "vide", "disc": "disque", "just played": "joué à l’instant", "taquet": "t"}
    source = board_svg(
        boards.men_on_three_rows(),
        title="",
        description="",
        translate=lambda text: french.get(text, text),
    )
    assert 'data-label="c1, vide"' in source
    assert 'data-label="a1, disque"' in source
    assert 'data-label="b3, t, joué à l’instant"' in source


@pytest.mark.parametrize("theme", THEMES)
def test_hostile_texts_stay_texts(theme: ThemeName) -> None:
    board = Board(
        1,
        1,
        (Cell(HOSTILE, 0, 0, label=HOSTILE),),
        areas=(Area(0, 0, 1, 1, label=HOSTILE, target=True),),
        trays=(Tray(0, HOSTILE, ()),),
        last=(HOSTILE,),
        columns=((HOSTILE, 0),),
        rows=((HOSTILE, 0),),
    )
    taken = replace(board, pieces=(Piece(HOSTILE, "disc", 0, HOSTILE, HOSTILE),))
    for each in (board, taken):
        svg = drawn(each, theme=theme, title=HOSTILE, description=HOSTILE, element_id=HOSTILE)
        assert svg.findtext(f"{SVG}title") == HOSTILE.replace("\x00", "\ufffd").replace(
            "\x08", "\ufffd"
        )
        assert not list(svg.iter(f"{SVG}script"))
        tags = {element.tag.removeprefix(SVG) for element in svg.iter()}
        assert tags <= {"svg", "title", "desc", "g", "rect", "path", "line", "text"}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", boards.ALL)
def test_nothing_refers_outside_and_nothing_is_styled_inline(name: str, theme: ThemeName) -> None:
    for element in drawn(boards.ALL[name], theme=theme).iter():
        assert not {"style", "href", "src", "filter", "mask", "clip-path"} & set(element.attrib)
        for key, value in element.attrib.items():
            assert not key.startswith(("on", "{"))
            assert not re.search(r"url\(|file:|//|\.\./|^/", value)


@pytest.mark.parametrize(
    "counts", [(6, 4, 6), (8, 8), (8, 4), (4, 4, 4), (2, 2, 2, 2, 2), (15, 15, 15, 15, 99)]
)
def test_what_a_seat_holds_stays_on_the_sheet(counts: tuple[int, ...]) -> None:
    heaps = tuple(Heap("disc", side % 4, "b", "pawn", n) for side, n in enumerate(counts))
    board = replace(boards.great_cross(), trays=(Tray(0, "Réserve de Turquoise", heaps),))
    svg = drawn(board)
    wide, row = measure(board).width, measure(board).tray_height
    groups = [g.get("transform", "") for g in svg if g.tag == f"{SVG}g" and not g.get("class")]
    pieces = [float(re.match(r"translate\(([\d.]+) ", place)[1]) for place in groups]  # type: ignore[index]
    texts = [float(text.get("x", "")) for text in svg if (text.text or "").startswith("×")]
    assert pieces
    assert max(pieces) + row <= wide
    assert max(texts, default=0) + 1.5 * row <= wide


def test_every_shape_differs_from_every_other_without_its_colour() -> None:
    looks = {kind: outlines(one(shape=kind)) for kind in get_args(Shape)}
    assert len(set(looks.values())) == len(looks) == 7
    assert all(looks.values())


def test_a_crown_shows_without_colour_and_tells_whose_it_is() -> None:
    men = [kind for kind in get_args(Shape) if kind not in ("cross", "ring")]
    stacks = {outlines(one(shape="disc", crown=1, crown_shape=kind)) for kind in men}
    assert len({outlines(one(shape="disc")), *stacks}) == len(men) + 1 == 6


def test_a_crown_has_the_colour_of_its_own_side_or_none() -> None:
    def classes(crown: int) -> list[str | None]:
        stack = one(shape="disc", crown=crown, crown_shape="square")
        return [path.get("class") for path in stack.iter(f"{SVG}path")]

    assert classes(2) == ["man side-0", "groove", "man side-2", "groove"]
    assert classes(-1) == ["man side-0", "groove", "man", "groove"]


def test_a_page_takes_its_colours_from_classes_alone() -> None:
    for board in boards.ALL.values():
        for element in drawn(board).iter():
            assert not {"fill", "stroke", "font-family"} & set(element.attrib)


def test_print_colours_every_part_itself() -> None:
    for board in boards.ALL.values():
        for element in drawn(board, theme="print").iter():
            if element.tag.removeprefix(SVG) in ("rect", "path", "text"):
                assert element.get("fill")
            assert set((element.get("class") or "").split()) <= {"board", "cell", "over"}


def test_the_turn_just_played_is_stamped() -> None:
    shown = cells(drawn(boards.men_on_three_rows()))
    stamped = {
        s for s, cell in shown.items() if cell.find(f"{SVG}rect[@class='stamp']") is not None
    }
    assert stamped == {"b3", "b2"}


def test_the_board_to_play_in_is_marked_on_its_frame_and_its_nine_cells() -> None:
    svg = drawn(boards.nine_boards())
    marked = {
        square
        for square, cell in cells(svg).items()
        if cell.find(f"{SVG}rect[@class='ground light target']") is not None
    }
    assert marked == {f"6{n}" for n in range(1, 10)}
    assert len(svg.findall(f"{SVG}rect[@class='frame target']")) == 1


def test_a_board_won_has_its_owner_large_over_faded_pieces() -> None:
    svg = drawn(boards.nine_boards())
    assert len(svg.findall(f"{SVG}g[@class='over']")) == 2
    faded = {
        square
        for square, cell in cells(svg).items()
        if any(g.get("opacity") for g in cell.iter(f"{SVG}g"))
    }
    assert faded == {"11", "12", "13", "31", "51", "55", "59"}


def ends(line: ElementTree.Element) -> tuple[float, ...]:
    return tuple(float(line.get(name, "")) for name in ("x1", "y1", "x2", "y2"))


def test_a_line_joins_the_centres_of_its_ends() -> None:
    svg = drawn(boards.squared_paper())
    (line,) = svg.findall(f"{SVG}line")
    places = [
        float(length) + 34 / 2
        for square in ("k12", "o12")
        for length in re.findall(r"[\d.]+", cells(svg)[square].get("transform", ""))
    ]
    assert ends(line) == pytest.approx(places, abs=0.02)


def test_a_winning_line_runs_a_little_past_both_ends_over_a_casing() -> None:
    svg = drawn(boards.noughts_and_crosses())
    casing, line = svg.findall(f"{SVG}line")
    assert [each.get("class") for each in (casing, line)] == ["stroke casing", "stroke win side-0"]
    assert ends(casing) == ends(line)
    x1, y1, x2, y2 = ends(line)
    corner, cell = 10, 88  # the sheet's margin, and a cell of a small board
    assert corner < x1 == y1 < corner + cell / 2
    assert corner + 2.5 * cell < x2 == y2 < corner + 3 * cell


def test_an_empty_hand_has_a_dash() -> None:
    texts = [text.text for text in drawn(boards.men_on_three_rows()).iter(f"{SVG}text")]
    assert texts[-3:] == ["In hand", "In hand", "–"]


def test_ids_are_given_only_when_asked_for() -> None:
    board = boards.noughts_and_crosses()
    assert not [e for e in drawn(board).iter() if e.get("id")]
    svg = drawn(board, element_id="game-7")
    assert svg.get("aria-labelledby") == svg.find(f"{SVG}title").get("id")  # type: ignore[union-attr]
    assert svg.get("aria-describedby") == svg.find(f"{SVG}desc").get("id")  # type: ignore[union-attr]


@pytest.mark.parametrize("size", [0, -1, MAX_LENGTH + 1, float("nan"), float("inf")])
def test_a_board_of_no_size_or_a_huge_one_is_not_drawn(size: float) -> None:
    with pytest.raises(DrawingTooLarge):
        board_svg(Board(size, 3, ()), title="", description="")
    with pytest.raises(DrawingTooLarge):
        board_svg(Board(3, size, ()), title="", description="")


def test_the_pieces_of_all_trays_begin_one_below_the_other() -> None:
    held = (Heap("ring", 1, "O", "ring", 2),)
    trays = (Tray(0, "Held", held), Tray(1, "Held by somebody else", held))
    svg = drawn(replace(boards.noughts_and_crosses(), trays=trays))
    places = [part.get("transform", "") for part in svg.iter(f"{SVG}g")]
    found = [re.match(r"translate\(([\d.]+) ([\d.]+)\) scale", place) for place in places]
    rows: dict[str, list[float]] = {}
    for place in found:
        if place:
            rows.setdefault(place[2], []).append(float(place[1]))
    first, second = list(rows.values())[-2:]
    assert first == second
    assert len(first) == 2
