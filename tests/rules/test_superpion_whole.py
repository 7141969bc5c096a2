"""Superpion: the number of pawns never changes."""

import random

import pytest

from tests.rules.superpion_boards import RULES

ALL_PAWNS = 60

LANDS_ON_ITS_CAPTURE = (
    "three-K 10 - 42 B - 2 e1f2=Bg3h4i3i7j2k3l2l4m3m5/a9c5c9d6m15/f14g11g13h12h14k13l10l14m11/"
    "n4n6n8n10n12o5o7o9o11o13p4p6p8p10p12 0.4.0.0.0/1.0.6.0.0/1.6.0.0.0/0.0.0.0.0"
)
"""Met in random play: Blue's superpion takes c5 and later, in the same chain, ends there."""


def count(position):
    """Return all pawns on the board, under crowns, and in reserves, the box's crowns aside."""
    on_board = sum(own.bit_count() for own in position.pieces)
    crowns = sum(own.bit_count() for own in position.crowns[:4])
    return on_board + crowns + sum(sum(held[:4]) for held in position.reserves)


def test_a_chain_can_end_where_it_captured_a_piece():
    before = RULES.load(LANDS_ON_ITS_CAPTURE)
    (action,) = RULES.parse_actions(before, "f2xa7xf12xh10xc5")[0]
    after = RULES.play(before, action)
    assert "c5=B" in RULES.dump(after).split(" ")[7].split("/")[0]
    assert count(before) == count(after) == ALL_PAWNS
    assert RULES.load(RULES.dump(after)) == after


@pytest.mark.parametrize("variant", ["four", "teams", "three", "two", "superduel"])
def test_whole_games_keep_every_pawn_and_can_be_dumped_at_every_action(variant):
    for seed in range(12):
        chance = random.Random(seed)
        position = RULES.initial(RULES.check_options({"variant": variant}))
        while RULES.outcome(position) is None:
            position = RULES.play(position, chance.choice(RULES.legal_actions(position)))
            assert count(position) == ALL_PAWNS
            assert RULES.load(RULES.dump(position)) == position
