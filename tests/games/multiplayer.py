"""Games of three and four for the tests: Superpion, begun and played through the services."""

import random

from games.services.tables import join_table
from tests.games.play import fresh, play, table

LONGEST = 5000
"""More turns than any game with few quiet rounds has."""


def gather(people, *, now, variant="four", options=None, **choices):
    """Begin a game of Superpion in which the people sit in this order."""
    creator, *others = people
    chosen = {"variant": variant, "quiet_rounds": 5} | (options or {})
    game = table(creator, now=now, slug="superpion", options=chosen, **choices)
    for person in others:
        game = join_table(game_id=game.pk, user=person, now=now)
    return fresh(game)


def some_turn(game):
    """Return one legal turn of whoever is to move: any, but the same each time."""
    chance, rules = random.Random(game.turn_number), game.rules
    position = rules.load(game.position)
    begun, actions = position, []
    while rules.turn(position) == rules.turn(begun) and rules.to_move(position) is not None:
        actions.append(chance.choice(rules.legal_actions(position)))
        position = rules.play(position, actions[-1])
    return rules.format_turn(begun, actions)


def mover(game):
    """Return who is to move."""
    return game.seats.get(number=game.seat_to_move).user


def play_on(game, turns, *, now):
    """Play so many turns, any legal ones, each by whoever is to move."""
    for _ in range(turns):
        game = fresh(game)
        play(game, mover(game), some_turn(game), now=now)
    return fresh(game)


def play_out(game, *, now):
    """Play to the end; return the game that is over."""
    for _ in range(LONGEST):
        if game.is_over:
            return game
        game = play_on(game, 1, now=now)
    raise AssertionError("the game does not end")


def places(game):
    """Return each seat's place, in the order of the seats."""
    return list(game.seats.order_by("number").values_list("place", flat=True))


def points(game):
    """Return each seat's points, in the order of the seats."""
    return list(game.seats.order_by("number").values_list("points", flat=True))


def names(game):
    """Return who sits on each seat, None where nobody does."""
    return list(game.seats.order_by("number").values_list("user__username", flat=True))
