"""The rules agree with the vectors: counts, legal actions on the way, and results."""

import pytest

from games.rules.random_games import perft
from games.rules.registry import all_rules, rules_for
from tests.rules.vectors import VECTORS

INSTALLED = {rules.slug for rules in all_rules()}


def name(vector):
    return " ".join([vector["game"], *(f"{k}={v}" for k, v in vector["options"].items())])


DEPTHS = [
    pytest.param(v, depth, count, id=f"{name(v)} to depth {depth}")
    for v in VECTORS
    if v["game"] in INSTALLED
    for depth, count in enumerate(v["perft"], start=1)
]
GAMES = [
    pytest.param(v, game, id=f"{name(v)} game {number}")
    for v in VECTORS
    if v["game"] in INSTALLED
    for number, game in enumerate(v["games"], start=1)
]


@pytest.mark.parametrize(("vector", "depth", "count"), DEPTHS)
def test_perft_is_the_published_number(vector, depth, count):
    rules = rules_for(vector["game"])
    assert perft(rules, rules.initial(rules.check_options(vector["options"])), depth) == count


@pytest.mark.parametrize(("vector", "game"), GAMES)
def test_a_whole_game_goes_as_recorded(vector, game):
    rules = rules_for(vector["game"])
    position = rules.initial(rules.check_options(vector["options"]))
    for ply, text in enumerate(game["actions"]):
        assert rules.to_move(position) == game["seats"][ply]
        if str(ply) in game["legal_before"]:
            legal = sorted(
                rules.format(position, action) for action in rules.legal_actions(position)
            )
            assert legal == sorted(game["legal_before"][str(ply)])
        position = rules.play(position, rules.parse(position, text))
    outcome = rules.outcome(position)
    assert list(outcome.winners) == game["outcome"]["winners"]
    points = None if outcome.points is None else list(outcome.points)
    assert points == game["outcome"].get("scores")
