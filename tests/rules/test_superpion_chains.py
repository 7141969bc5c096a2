"""Superpion: the search for the chains that gain the most, and how little it visits."""

import random

import pytest

from games.rules.base import Outcome
from games.rules.superpion import captures, moves, pruning, serialization
from games.rules.superpion.geometry import CROSS, NAMES, is_white
from games.rules.superpion.serialization import load
from tests.rules.superpion_boards import RULES, initial, setup


def brute_force(position, start):
    """Return gain and least way by (end, taken), by following every way there is."""
    found = {}

    def follow(path, taken):
        key = (path[-1], taken)
        if taken and (key not in found or path < found[key]):
            found[key] = path
        for end, over in captures.next_jumps(position, start, path[-1], taken).items():
            follow((*path, end), taken | over)

    follow((start,), 0)
    return found


def worth(position, taken):
    return taken.bit_count() + (taken & position.superpions).bit_count()


def scattered(dice, own, prey):
    white = [NAMES[square] for square in CROSS if is_white(square)]
    squares = dice.sample(white, own + prey)
    mine = [f"{dice.choice('bB')}:{square}" for square in squares[:own]]
    theirs = [f"{dice.choice('rRykK')}:{square}" for square in squares[own:]]
    return setup(also=" ".join(mine + theirs))


@pytest.mark.parametrize("states", [0, captures.MAX_STATES])
@pytest.mark.parametrize("seed", range(60))
def test_the_search_finds_what_following_every_way_finds(monkeypatch, seed, states):
    monkeypatch.setattr(captures, "MAX_STATES", states)
    monkeypatch.setattr(captures, "MIN_STATES", states)
    monkeypatch.setattr(captures, "STATES_BETWEEN_ENDS", seed % 3)
    monkeypatch.setattr(captures, "MAX_SETS", 400 if seed % 2 else 1)
    monkeypatch.setattr(pruning, "QUESTIONS_FORWARD", seed % 5)
    position = scattered(random.Random(seed), own=4, prey=9)
    ways = {}
    for start in range(256):
        if position.pieces[0] >> start & 1:
            ways |= {(start, *key): way for key, way in brute_force(position, start).items()}
    best = max((worth(position, key[2]) for key in ways), default=0)
    expected = {way for key, way in ways.items() if worth(position, key[2]) == best}
    found = {action.path for action in captures.best_captures(position, position.pieces[0])}
    assert found == expected


# Twenty superpions on each side ------------------------------------------------------------------


@pytest.fixture
def visited(monkeypatch):
    """Return a function that tells how many states a position's searches visit, and the gain."""

    class Watched(captures.Chains):
        def __init__(self, *arguments):
            searches.append(self)
            super().__init__(*arguments)

    searches = []
    monkeypatch.setattr(captures, "Chains", Watched)

    def count(position):
        searches.clear()
        best = captures.best_captures(position, position.pieces[0])
        gains = {worth(position, action.taken) for action in best}
        return sum(search.visited for search in searches), max(gains, default=0)

    return count


EDGE = [n for n in CROSS if is_white(n) and min(*divmod(n, 16), 15 - n // 16, 15 - n % 16) == 0]


def twenty_each(prey, own=tuple(NAMES[n] for n in EDGE[:20])):
    """Return fifteen blue and five yellow superpions, at the edges, against these twenty.

    The squares of pawns among the twenty have a star.
    """
    mine = [f"B:{square}" for square in own[:15]] + [f"Y:{square}" for square in own[15:]]
    theirs = [
        f"{'rk'[n % 2]}:{square[:-1]}" if square.endswith("*") else f"{'RK'[n % 2]}:{square}"
        for n, square in enumerate(prey)
    ]
    return setup(also=" ".join(mine + theirs), variant="teams")


BLOCK = [column + row for column in "egik" for row in ("5", "7", "9", "11", "13")]
"""Every one can be taken in very many orders: plain memory visits twenty million states here."""

ROWS = [c + r for c in "eimgk" for r in ("5", "9", "13")] + ["c7", "c11", "o7", "o11", "h2"]

CORNER = [square for square in BLOCK if square not in ("e13", "g13")] + ["k15", "n12"]
"""The piece in the corner can only be taken first, and only by two of the twenty."""


# Found by climbing from positions like those above to ones that take ever longer: prey, then own.

UNTOUCHABLE = (
    "k13 g7 g13 e13 m15 k9 g9 e11 k11 k5 e7 i5 e5 k7 i9 i11 i7 e9 i13 g5 ",
    "d16 a9 p8 m1 l16 p6 k1 e1 a13 a11 f16 h16 p10 g1 i1 p12 p4 a5 j16 a7 ",
)
"""One of the twenty can never be taken, and no chain can end on its square."""

LONELY = (
    "g13* h2 c11* o5 i13 e5* m5* k9 k13 m13* o11 i5 k5 g5 g9* e9* m9* e13* i11 i9 ",
    "g1 a7 l16 p12 p4 d16 h16 i1 b6 o13 p6 f16 m1 p10 a9 p8 a11 e1 a13 k1 ",
)
"""Nine of these are pawns. Chains that end on i9 fail only at their very last captures."""

STRAYS = (
    "k13 c9 b10 e13 m11 k9 g9 n6 k11 k5 g7 i5 h14 k7 i9 i11 h10 e9 d6 g5 ",
    "d16 m1 p8 i15 l16 p6 k1 e1 a13 m3 k15 h16 p10 g1 i1 p12 p4 o13 j16 a7 ",
)
"""Pieces of either class, most of them hard to come back to: the hardest that was found."""

EDGED = (
    "g5 c7 i13 b10 e13 k5 e5 k7 i9 i5 g13 o7 e9 m9 m13 g9 o11 m5 k9 k13 ",
    "d16 m1 p12 a9 a7 p6 i1 a13 a5 g1 k1 p10 e1 j16 p4 h16 f16 p8 a11 l16 ",
)
"""Only few pieces can begin the best chains, and some ends are out of reach for each of them."""


@pytest.mark.parametrize(
    ("prey", "most", "gain"),
    [(BLOCK, 250_000, 40), (ROWS, 200_000, 36), (CORNER, 120_000, 40)],
    ids=["block", "rows", "corner"],
)
def test_twenty_superpions_on_each_side_take_few_states(visited, prey, most, gain):
    states, best = visited(twenty_each(prey))
    assert best == gain
    assert states < most


@pytest.mark.parametrize(
    ("squares", "most", "gain"),
    [
        (UNTOUCHABLE, 300_000, 38),
        (LONELY, 360_000, 27),
        (STRAYS, 1_430_000, 40),
        (EDGED, 450_000, 36),
    ],
    ids=["untouchable", "lonely", "strays", "edged"],
)
@pytest.mark.slow
def test_the_hardest_positions_that_were_found_take_a_bounded_number_of_states(
    visited, squares, most, gain
):
    prey, own = squares
    states, best = visited(twenty_each(prey.split(), own.split()))
    assert best == gain
    assert states < most


def test_scattered_superpions_take_few_states(visited):
    for seed in range(30):
        dice = random.Random(seed)
        white = [NAMES[square] for square in CROSS if is_white(square)]
        squares = dice.sample(white, 40)
        also = " ".join(f"{'BR'[n % 2]}:{square}" for n, square in enumerate(squares))
        assert visited(setup(also=also))[0] < 20_000


ONE_SUPERPION = (
    "four 10 - 39 K - 1 "
    "e1e5g3g5i1i3j2k3l2l6m1/"
    "a9a11b4b6b10c7c9c13d12e3e13g7/"
    "d16e11f14g15h12h14j12j14k15/"
    "h10j16=Rl4n6n8n10o5o7p6p8p10 "
    "0.0.0.2.0/1.0.3.0.0/0.1.0.2.0/3.1.3.0.0"
)
"""From a random game: one superpion among many pawns, which pruning made slow by its questions."""


WIDE_OPEN = (
    "four 10 - 67 K - 3 "
    "e1e3e5g1g3g5i3i5i7m3/"
    "a7a9c5c7c9c11c13d10d12d14e7g7/"
    "d16f14h10h14h16j10j12j14l12l14/"
    "k1=Kk3l10m5n6n8n10n12o7p6p8p10 "
    "0.1.1.0.0/0.0.4.0.0/3.2.0.2.0/2.0.0.0.0"
)
"""From a game of two programs: 22 of 24 pawns are taken. A pruned search asks 3,500,000 times."""


@pytest.mark.parametrize(
    ("text", "chains", "gain"), [(ONE_SUPERPION, 1, 22), (WIDE_OPEN, 7, 22)], ids=["one", "wide"]
)
def test_a_lone_superpion_is_not_pruned_early(monkeypatch, text, chains, gain):
    searches, position = [], load(text)
    monkeypatch.setattr(captures.Chains, "search_for", lambda self, gain: searches.append(gain))
    best = captures.best_captures(position, position.pieces[position.colour])
    assert len(best) == chains
    assert {worth(position, action.taken) for action in best} == {gain}
    assert not searches


# A quick look ------------------------------------------------------------------------------------


def test_a_quick_look_finds_what_is_legal_where_few_captures_are_possible():
    dice, position = random.Random(0), initial(variant="four")
    for _ in range(150):
        found = moves.likely_actions(position)
        assert position.actions is found
        assert list(found) == list(moves.legal_actions(load(serialization.dump(position))))
        position = RULES.play(position, dice.choice(found))


def test_a_quick_look_at_a_long_capture_is_not_kept():
    position = load(WIDE_OPEN)
    own = position.pieces[position.colour]
    chains, certain = captures.quick_captures(position, own)
    assert chains
    assert not certain
    for action in chains:
        assert captures.captured_along(position, action.path) == action.taken
    assert len({worth(position, action.taken) for action in chains}) == 1
    assert moves.likely_actions(position) == chains
    assert position.actions is None
    assert max(worth(position, a.taken) for a in moves.legal_actions(position)) == 22


def test_a_quick_look_at_twenty_superpions_takes_few_states(visited, monkeypatch):
    quick_captures = captures.quick_captures
    monkeypatch.setattr(captures, "best_captures", lambda *asked: quick_captures(*asked)[0])
    for prey, own in (UNTOUCHABLE, LONELY, STRAYS, EDGED):
        assert visited(twenty_each(prey.split(), own.split()))[0] < 13_000


def test_nothing_is_likely_after_the_end():
    position = load(WIDE_OPEN)
    position.result = Outcome((1, 1, 1, 1), (0, 0, 0, 0), "agreed")
    assert list(moves.likely_actions(position)) == []
    assert list(moves.legal_actions(position)) == []
