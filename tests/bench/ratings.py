"""How well ratings predict results, against Elo and Glicko-2; and how fast they are rebuilt.

`make bench-ratings` predicts each game of simulated populations, and of a public set of results,
before it is rated: duels, three and four players, teams of two, with strengths that drift, people
who join later and people who leave. Then it rebuilds 100,000 and 1,000,000 games in PostgreSQL.
`--results FILE` adds results of one's own: lines `first,second,score` in the order of playing, the
score 1, 0.5 or 0 for the first.
"""

import csv
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Protocol

from games.services.rating_formula import (
    START_MU,
    START_SIGMA,
    Player,
    rate_game,
    win_probability,
)

Sides = Sequence[Sequence[str]]
PEOPLE, GAMES = 300, 20_000
ELO = 400 / math.log(10)


@dataclass(frozen=True)
class Result:
    """Who played on each side, and each side's place."""

    sides: Sides
    places: Sequence[int]


class System(Protocol):
    """A way to rate."""

    def predict(self, one: Sequence[str], other: Sequence[str]) -> float:
        """Return how likely the first side is before the other."""

    def learn(self, result: Result) -> None:
        """Take a result into account."""

    def strength(self, name: str) -> float:
        """Return a player's rating."""


class Ours:
    """What Pli computes."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[float, float]] = defaultdict(lambda: (START_MU, START_SIGMA))

    def predict(self, one: Sequence[str], other: Sequence[str]) -> float:
        return win_probability(self._side(one), self._side(other))

    def _side(self, names: Sequence[str]) -> tuple[float, float]:
        known = [self.known[name] for name in names]
        return sum(mu for mu, _ in known), math.sqrt(sum(sigma**2 for _, sigma in known))

    def learn(self, result: Result) -> None:
        sides = [[Player(*self.known[name]) for name in side] for side in result.sides]
        after = rate_game(sides, result.places, 1.0)
        for names, strengths in zip(result.sides, after, strict=True):
            self.known.update(zip(names, strengths, strict=True))

    def strength(self, name: str) -> float:
        return self.known[name][0]


class Elo:
    """Elo with one K; several sides are so many duels, each with its part of K; teams add up."""

    def __init__(self, k: float) -> None:
        self.k = k
        self.known: dict[str, float] = defaultdict(lambda: 1500.0)

    def predict(self, one: Sequence[str], other: Sequence[str]) -> float:
        ahead = sum(self.known[name] for name in one) - sum(self.known[name] for name in other)
        return 1 / (1 + 10 ** (-ahead / 400))

    def learn(self, result: Result) -> None:
        gained: dict[str, float] = defaultdict(float)
        for one, other, score in duels(result):
            change = self.k * (score - self.predict(one, other)) / (len(result.sides) - 1)
            for name in one:
                gained[name] += change
            for name in other:
                gained[name] -= change
        for name, change in gained.items():
            self.known[name] += change

    def strength(self, name: str) -> float:
        return self.known[name]


class Glicko2:
    """Glicko-2 after Glickman's paper of 2022, each game a period of its own.

    A side of several has the mean of its players' ratings; several sides are so many duels.
    """

    TAU, SCALE = 0.5, 173.7178

    def __init__(self) -> None:
        self.known: dict[str, tuple[float, float, float]] = defaultdict(
            lambda: (0.0, 350 / 173.7178, 0.06)
        )

    def predict(self, one: Sequence[str], other: Sequence[str]) -> float:
        (mu, phi), (mu_other, phi_other) = self._side(one), self._side(other)
        return 1 / (1 + math.exp(-_g(math.hypot(phi, phi_other)) * (mu - mu_other)))

    def _side(self, names: Sequence[str]) -> tuple[float, float]:
        known = [self.known[name] for name in names]
        mean = sum(mu for mu, _, _ in known) / len(known)
        return mean, math.sqrt(sum(phi**2 for _, phi, _ in known)) / len(known)

    def learn(self, result: Result) -> None:
        games: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
        for one, other, score in duels(result):
            for name in one:
                games[name].append((*self._side(other), score))
            for name in other:
                games[name].append((*self._side(one), 1 - score))
        after = {name: glicko2(*self.known[name], seen, self.TAU) for name, seen in games.items()}
        self.known.update(after)

    def strength(self, name: str) -> float:
        return self.known[name][0]


def _g(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def glicko2(
    mu: float,
    phi: float,
    volatility: float,
    games: Iterable[tuple[float, float, float]],
    tau: float,
) -> tuple[float, float, float]:
    """Return mu, phi and volatility after a period, steps 3 to 8 of the paper.

    Each game is the opponent's mu and phi, and the score.
    """
    inverse, gained = 0.0, 0.0
    for mu_other, phi_other, score in games:
        weight = _g(phi_other)
        expected = 1 / (1 + math.exp(-weight * (mu - mu_other)))
        inverse += weight**2 * expected * (1 - expected)
        gained += weight * (score - expected)
    variance = 1 / inverse
    delta = variance * gained
    start = math.log(volatility**2)

    def f(x: float) -> float:
        grown = math.exp(x)
        spread = phi**2 + variance + grown
        return grown * (delta**2 - spread) / (2 * spread**2) - (x - start) / tau**2

    low, high = start, start - tau
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        while f(high) < 0:
            high -= tau
    at_low, at_high = f(low), f(high)
    while abs(high - low) > 1e-6:
        middle = low + (low - high) * at_low / (at_high - at_low)
        value = f(middle)
        if value * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, value
    volatility = math.exp(low / 2)
    phi = 1 / math.sqrt(1 / (phi**2 + volatility**2) + 1 / variance)
    return mu + phi**2 * gained, phi, volatility


def duels(result: Result) -> Iterator[tuple[Sequence[str], Sequence[str], float]]:
    """Yield each two sides of a result, and the first one's score."""
    for one, other in combinations(range(len(result.sides)), 2):
        ahead = result.places[other] - result.places[one]
        score = 0.5 if ahead == 0 else float(ahead > 0)
        yield result.sides[one], result.sides[other], score


# Populations -------------------------------------------------------------------------------------


def population(
    sides: int, size: int, draws: float, seed: int
) -> tuple[list[Result], dict[str, float]]:
    """Return results of people whose strengths drift, and the strengths at the end.

    Half of the people join later and a tenth has left at the end. Who plays likes opponents of
    their own strength. A side's performance is Gumbel noise around its strength, so that odds are
    Elo's; two performances closer than `draws` points tie.
    """
    chance = random.Random(seed)
    strengths = {f"p{number}": chance.gauss(1500, 250) for number in range(PEOPLE)}
    names, found = list(strengths), []
    for number in range(GAMES):
        here = names[PEOPLE // 10 * (number > GAMES * 0.7) : PEOPLE // 2 + PEOPLE * number // GAMES]
        first = chance.choice(here)
        near = sorted(
            chance.sample(here, min(60, len(here))),
            key=lambda one: abs(strengths[one] - strengths[first]),
        )
        chosen = [
            first,
            *chance.sample([one for one in near if one != first][:40], sides * size - 1),
        ]
        chance.shuffle(chosen)
        teams = [chosen[at * size : (at + 1) * size] for at in range(sides)]
        shown = [
            sum(strengths[name] for name in team) - ELO * math.log(-math.log(chance.random()))
            for team in teams
        ]
        order = sorted(shown, reverse=True)
        for at in range(1, sides):
            if order[at - 1] - order[at] < draws:
                shown[shown.index(order[at])] = order[at] = order[at - 1]
        found.append(Result(teams, [sorted(shown, reverse=True).index(one) + 1 for one in shown]))
        for name in chosen:
            strengths[name] += chance.gauss(0, 4)
    return found, strengths


def measure(results: Sequence[Result], make: Callable[[], System]) -> tuple[float, System]:
    """Return the mean log loss over each two sides of the last four fifths, and the system."""
    system, loss, count = make(), 0.0, 0
    for number, result in enumerate(results):
        for one, other, score in duels(result) if number >= len(results) // 5 else ():
            likely = min(max(system.predict(one, other), 1e-9), 1 - 1e-9)
            loss -= score * math.log(likely) + (1 - score) * math.log(1 - likely)
            count += 1
        system.learn(result)
    return loss / count, system


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's rank correlation of two lists without ties."""
    ranks = [{value: rank for rank, value in enumerate(sorted(row))} for row in (one, other)]
    apart = sum((ranks[0][a] - ranks[1][b]) ** 2 for a, b in zip(one, other, strict=True))
    return 1 - 6 * apart / (len(one) * (len(one) ** 2 - 1))


SYSTEMS: dict[str, Callable[[], System]] = {
    "Pli": Ours,
    "Elo, K 16": lambda: Elo(16),
    "Elo, K 32": lambda: Elo(32),
    "Glicko-2": Glicko2,
}


def compare(title: str, results: Sequence[Result], strengths: dict[str, float] | None) -> None:
    """Print a line of each system for a set of results."""
    for name, make in SYSTEMS.items():
        loss, system = measure(results, make)
        order = ""
        if strengths is not None:
            shown = [system.strength(one) for one in strengths]
            order = f"{rank_correlation(list(strengths.values()), shown):.3f}"
        print(f"| {title} | {name} | {loss:.4f} | {order} |", flush=True)


KINDS = {
    "duels": (2, 1, 0.0),
    "duels, a third drawn": (2, 1, 120.0),
    "three players": (3, 1, 20.0),
    "four players": (4, 1, 20.0),
    "two teams of two": (2, 2, 20.0),
}


def read(path: Path) -> list[Result]:
    """Return the results of a file with lines `first,second,score`."""
    with path.open() as lines:
        return [
            Result([[one], [other]], {"1": [1, 2], "0": [2, 1]}.get(score, [1, 1]))
            for one, other, score in csv.reader(lines)
        ]


if __name__ == "__main__":
    for title, (sides, size, draws) in KINDS.items():
        compare(title, *population(sides, size, draws, seed=1))
