"""Ladders for the tests: players on them, and games that end."""

from datetime import timedelta

from games.models import Ladder, LadderChallenge, LadderPlace
from games.services.endings import resign
from games.services.ladders.challenges import accept_challenge, challenge_player
from games.services.ladders.places import join_ladder
from games.services.ladders.upkeep import run_ladders
from tests.factories import PersonFactory

DAY = timedelta(days=1)
SLUG = "morpion"


def climbers(count, now, slug=SLUG):
    """Return so many players, who join the ladder of a game in their order."""
    people = [PersonFactory(username=f"climber{number}") for number in range(1, count + 1)]
    for person in people:
        join_ladder(rules_slug=slug, user=person, now=now)
    return people


def order(slug=SLUG, club=None):
    """Return the names on a ladder by place, and check that the places are 1 to their number.

    It is the ladder of the site, or of a club.
    """
    of_ladder = LadderPlace.objects.filter(ladder__rules_slug=slug, ladder__club=club)
    rows = list(of_ladder.exclude(place=None))
    rows.sort(key=lambda one: one.place)
    assert [one.place for one in rows] == list(range(1, len(rows) + 1))
    return [one.user.username.removeprefix("climber") for one in rows]


def call(challenger, challenged, *, now, slug=SLUG):
    """Let one player challenge another."""
    return challenge_player(rules_slug=slug, user=challenger, opponent=challenged, now=now)


def begin(challenger, challenged, *, now, slug=SLUG):
    """Let one challenge another, who accepts; return the challenge."""
    challenge = call(challenger, challenged, now=now, slug=slug)
    return accept_challenge(challenge_id=challenge.pk, user=challenged, now=now)


def play(challenger, challenged, *, now, loser, slug=SLUG):
    """Play a challenge to its end, which one of both loses, and let the ladder move."""
    challenge = begin(challenger, challenged, now=now, slug=slug)
    resign(game_id=challenge.game_id, user=loser, now=now)
    run_ladders(now=now + DAY / 24)
    return renewed(challenge)


def renewed(challenge):
    """Return a challenge as it is stored now."""
    challenge.refresh_from_db()
    return challenge


def mover_of(challenge):
    """Return who is to move in the game of a challenge."""
    challenge.game.refresh_from_db()
    return challenge.game.seats.get(number=challenge.game.seat_to_move).user


def own_place(user, slug=SLUG):
    """Return the row of a player on a ladder."""
    return LadderPlace.objects.get(ladder__rules_slug=slug, user=user)


def ladder_of(slug=SLUG):
    """Return the ladder of a game."""
    return Ladder.objects.get(rules_slug=slug)


def states():
    """Return the state and the outcome of every challenge, the oldest first."""
    return list(LadderChallenge.objects.order_by("pk").values_list("state", "outcome"))
