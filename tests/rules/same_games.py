"""Digests of what random games write, kept in `same_games.json`.

Records and saved positions outlive every change of a game's representation. The file was made by
the rules as they were before such a change.
`DJANGO_SETTINGS_MODULE=config.settings.test python -m tests.rules.same_games` adds a new game.
"""

import hashlib
import json
from pathlib import Path

import django

from games.rules.random_games import random_game
from games.rules.registry import all_rules

SEEDS = range(8)
FILE = Path(__file__).with_name("same_games.json")


def digests(rules):
    """Return a digest for each seed of all that a random game writes, in its order."""
    return [_digest(rules, seed) for seed in SEEDS]


def _digest(rules, seed):
    game, text = random_game(rules, seed), hashlib.sha256()
    for position in game.positions:
        legal = [rules.format(position, action) for action in rules.legal_actions(position)]
        outcome = rules.outcome(position)
        end = outcome and [outcome.places, outcome.points, outcome.reason]
        written = [rules.dump(position), legal, rules.turn(position), end, rules.points(position)]
        text.update(json.dumps(written).encode())
    return text.hexdigest()


if __name__ == "__main__":
    django.setup()
    known = json.loads(FILE.read_text()) if FILE.exists() else {}
    for one in all_rules():
        if one.slug not in known:
            known[one.slug] = digests(one)
    FILE.write_text(json.dumps(known, indent=1) + "\n")
