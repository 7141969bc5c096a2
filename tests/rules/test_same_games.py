"""Random games stay what they were: positions as text, notations, the order of what is legal."""

import json

import pytest

from games.rules.registry import all_rules
from tests.rules.same_games import FILE, digests


@pytest.mark.parametrize("rules", [pytest.param(one, id=one.slug) for one in all_rules()])
def test_random_games_write_what_they_always_wrote(rules):
    assert digests(rules) == json.loads(FILE.read_text())[rules.slug]
