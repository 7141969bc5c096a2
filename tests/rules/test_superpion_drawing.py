"""Superpion: how a position is drawn."""

import pytest

from tests.rules.superpion_boards import RULES, board, initial, setup


@pytest.mark.parametrize(
    ("variant", "seat", "camp"),
    [
        ("four", 0, "e1"),
        ("four", 1, "a5"),
        ("four", 2, "d16"),
        ("four", 3, "p4"),
        ("four", None, "e1"),
        ("two", 0, "e1"),
        ("two", 1, "d16"),
        ("superduel", 0, "e1"),
        ("superduel", 1, "a5"),
    ],
)
def test_a_players_own_camp_is_at_the_bottom(variant, seat, camp):
    cells = {cell.square: cell for cell in board(initial(variant=variant), seat).cells}
    assert cells[camp].y == 15


@pytest.mark.parametrize("seat", range(4))
def test_the_edge_labels_name_every_square_from_every_side(seat):
    drawn = board(initial(), seat)
    across = {x: label for label, x in drawn.columns}
    down = {y: label for label, y in drawn.rows}
    for cell in drawn.cells:
        assert cell.square in (across[cell.x] + down[cell.y], down[cell.y] + across[cell.x])


@pytest.mark.parametrize("seat", range(4))
def test_the_board_is_turned_not_mirrored(seat):
    cells = {cell.square: (cell.x, cell.y) for cell in board(initial(), seat).cells}
    (x0, y0), (x1, y1), (x2, y2) = cells["h8"], cells["i8"], cells["h9"]
    assert (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0) == -1


def test_cells_are_in_reading_order_from_every_side():
    for seat in range(4):
        places = [(cell.y, cell.x) for cell in board(initial(), seat).cells]
        assert places == sorted(places)


def test_a_superpion_is_drawn_as_a_stack():
    drawn = board(setup(also="B:h8 R:d8 b:e3", crowns={"h8": "Y"}))
    shown = {piece.square: (piece.symbol, piece.side, piece.crown) for piece in drawn.pieces}
    assert shown == {"h8": ("B", 0, 2), "d8": ("R", 1, -1), "e3": ("b", 0, None)}
    assert {p.square: p.name for p in drawn.pieces}["h8"] == "blue superpion, crown yellow"


def test_the_shape_of_a_crown_tells_its_colour_even_when_only_crowns_have_it():
    squares = ("d8", "f6", "h8", "j6", "l8")
    drawn = board(
        setup(
            also=" ".join(f"B:{square}" for square in squares),
            crowns=dict(zip(squares, "BRYK0", strict=True)),
        )
    )
    shapes = {piece.crown: piece.crown_shape for piece in drawn.pieces}
    assert shapes == {0: "disc", 1: "square", 2: "diamond", 3: "triangle", -1: "hexagon"}


def test_reserves_are_shown_by_colour_beside_the_board():
    position = setup(also="b:e3 r:c5", reserves={"R": "BB0", "Y": "K"}, variant="three")
    trays = {tray.label: (tray.seat, tray.heaps) for tray in board(position).trays}
    assert set(trays) == {"Reserve of Blue", "Reserve of Red", "Reserve of Yellow"}
    seat, heaps = trays["Reserve of Red"]
    assert (seat, [(heap.symbol, heap.count) for heap in heaps]) == (1, [("b", 2), ("0", 1)])


def test_the_last_actions_are_marked_and_a_chain_shows_its_way():
    before = setup(also="b:e3 r:f4 r:h6 b:m3 k:p12")
    action = RULES.parse(before, "e3xg5xi7")
    drawn = RULES.board(RULES.play(before, action), None, (action,))
    assert drawn.last == ("e3", "g5", "i7")
    assert [(line.start, line.end, line.side) for line in drawn.lines] == [
        ("e3", "g5", 0),
        ("g5", "i7", 0),
    ]


def test_the_squares_to_click_are_the_landing_squares_from_the_origin():
    position = setup(also="b:e3 r:f4 r:h6 k:p12")
    assert RULES.squares(position, RULES.parse(position, "e3xg5xi7")) == ("e3", "g5", "i7")
