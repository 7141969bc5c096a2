"""The people of the simulated world: how strong they are, how they play, and what they wish."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from tests.factories import PersonFactory

SPREAD = 300
"""How much strengths differ: the standard deviation, on the scale of ratings."""

DRAWS = 0.06
"""The share of the games that are drawn."""


@dataclass(eq=False)
class Person:
    """A player. `user` is read again whenever something of the account has changed.

    A turn takes them the share `slowness` of the time that they have, or less; with the likelihood
    `forgets` they never come back to a game. `at_once` is how many games their wish may have, 0
    for none. `likes` are the other competitions that they play.
    """

    user: User
    strength: float
    slowness: float
    forgets: float
    at_once: int
    likes: list[str]
    away_until: datetime | None = None

    def is_away(self, now: datetime) -> bool:
        """Return whether the person is on a vacation, and so does nothing."""
        return self.away_until is not None and now < self.away_until


def make_people(count, chance):
    """Return so many people; a tenth joins nothing at the start and comes later."""
    people = []
    for number in range(count):
        likes = [
            name
            for name, share in (("league", 0.8), ("ladder", 0.4), ("swiss", 0.4))
            if chance.random() < share
        ]
        people.append(
            Person(
                user=PersonFactory(username=f"player{number}"),
                strength=chance.gauss(1500, SPREAD),
                slowness=chance.choice([0.2, 0.5, 0.8, 1.0]),
                forgets=chance.choice([0, 0, 0, 0, 0, 0, 0.01, 0.01, 0.03, 0.1]),
                at_once=chance.choice([1, 1, 2, 3]) if chance.random() < 0.3 else 0,
                likes=likes or ["league"],
            )
        )
    return people


def draw_winner(first, second, chance):
    """Draw who wins a game, as the logistic model of their strengths says; None: it is drawn."""
    if chance.random() < DRAWS:
        return None
    ahead = (first.strength - second.strength) / 400
    return first if chance.random() < 1 / (1 + 10**-ahead) else second
