"""How well ratings predict results, against Elo and Glicko-2; and how fast they are rebuilt.

`make bench-ratings` predicts each game of simulated populations, and of a public set of results,
before it is rated: duels, three and four players, teams of two, with strengths that drift, people
who join later and people who leave. Then it rebuilds 100,000 and 1,000,000 games in PostgreSQL.
`--results FILE` names the public set, or one's own results: lines `day,first,second,score`, the
score 1, 0.5 or 0 for the first. `--quick` does a tenth of all.
"""

import argparse
import csv
import json
import math
import os
import random
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
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
from tests.servers import postgresql

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


PLACES = {"1": (1, 2), "0.5": (1, 1), "0": (2, 1)}
"""The places of both sides by the score of the first."""


def read(path: Path) -> list[Result]:
    """Return the results of a file by day: lines `day,first,second,score`, or matches as JSON.

    Matches are those of the npm package vega-datasets, `football.json`. Raises ValueError for a
    line that is no result.
    """
    text = path.read_text()
    if path.suffix == ".json":
        rows = [
            (one["date"], one["home_team"], one["away_team"], _score(one))
            for one in json.loads(text)
            if one["home_score"] is not None  # some were not played
        ]
    else:
        rows = []
        for number, row in enumerate(csv.reader(text.splitlines()), 1):
            try:
                day, one, other, score = row
                rows.append((date.fromisoformat(day).isoformat(), one, other, score))
            except ValueError as error:
                raise ValueError(f"line {number} of {path} is no result: {row}") from error
            if score not in PLACES:
                raise ValueError(f"line {number} of {path} is no result: {row}")
    rows.sort(key=lambda row: row[0])
    return [Result([[one], [other]], PLACES[score]) for _, one, other, score in rows]


def _score(match: dict[str, int]) -> str:
    ahead = match["home_score"] - match["away_score"]
    return "1" if ahead > 0 else "0" if ahead < 0 else "0.5"


# The rebuild -------------------------------------------------------------------------------------

PLAYERS = 100_000
FEW, MANY = 100_000, 1_000_000


def fill(count: int) -> None:
    """Add so many finished duels of Morpion, each with a turn of each side, in PostgreSQL."""
    from django.db import connection

    from games.models import Game
    from tests.factories import PersonFactory
    from tests.games.play import begin, play_all

    now = datetime(2020, 1, 1, tzinfo=UTC)
    ann, bob = PersonFactory(username="ann"), PersonFactory(username="bob")
    model = play_all(begin(ann, bob, now=now), ["5", "1"], now=now)
    Game.objects.filter(pk=model.pk).update(
        status="finished",
        ending="resigned",
        ended_at=now,
        seat_to_move=None,
        deadline=None,
        reminder_at=None,
        bot_due_at=None,
    )
    people = copied(
        "accounts_user",
        {
            "username": "'p' || n",
            "email": "'p' || n || '@example.org'",
            "display_name": "''",
        },
    )
    game = copied("games_game", {"ended_at": "ended_at + n * interval '1 minute'"})
    seat = copied(
        "games_seat",
        {
            "game_id": "games.id",
            "user_id": "first + mod(games.id * (7919 + 12 * number) + number, %(players)s)",
            "place": "1 + mod(games.id + number, 2)",
        },
    )
    turn = copied(
        "games_turn",
        {
            "game_id": "games.id",
            "player_id": "first + mod(games.id * (7919 + 12 * seat) + seat, %(players)s)",
        },
    )
    first = "SELECT min(id) FROM accounts_user WHERE username LIKE 'p%%'"
    games = f"(SELECT id, ({first}) AS first FROM games_game WHERE id > {model.pk}) AS games"  # noqa: S608
    statements = [  # of our own names and numbers alone
        f"INSERT INTO accounts_user {people}, generate_series(1, %(players)s) AS n "
        f"WHERE accounts_user.id = {ann.pk}",
        f"INSERT INTO games_game {game}, generate_series(1, %(count)s) AS n "
        f"WHERE games_game.id = {model.pk}",
        f"INSERT INTO games_seat {seat}, {games} WHERE game_id = {model.pk}",
        f"INSERT INTO games_turn {turn}, {games} WHERE game_id = {model.pk}",
        "ANALYZE",
    ]
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement, {"players": PLAYERS, "count": count})


def copied(table: str, changed: dict[str, str]) -> str:
    """Return columns and a SELECT that copies rows, with other values in some columns."""
    from django.apps import apps

    model = next(one for one in apps.get_models() if one._meta.db_table == table)
    names = [one.column for one in model._meta.concrete_fields if not one.primary_key]
    values = ", ".join(changed.get(name, f"{table}.{name}") for name in names)
    return f"({', '.join(names)}) SELECT {values} FROM {table}"  # noqa: S608


def rebuild_in_postgresql(counts: Sequence[int]) -> None:
    """Print how many games a second a rebuild rates, and the memory of the process."""
    import django

    with postgresql() as server:
        os.environ["DATABASE_URL"] = server
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from games.services.ratings import rebuild_ratings

        for count in counts:
            name = f"rated_{count}"
            with connection.cursor() as cursor:
                cursor.execute(f"CREATE DATABASE {name}")
            connection.close()
            connection.settings_dict["NAME"] = name
            call_command("migrate", verbosity=0)
            fill(count)
            began, done = time.perf_counter(), 0
            for batch in rebuild_ratings(["morpion"]):
                done += batch
                if done % (count // 10) < batch:
                    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
                    rate = done / (time.perf_counter() - began)
                    print(
                        f"| {done:,} of {count:,} | {rate:,.0f} games/s | {used} MB |", flush=True
                    )
            connection.close()
            connection.settings_dict["NAME"] = "postgres"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--results", type=Path, help="a file with lines day,first,second,score")
    parser.add_argument("--quick", action="store_true", help="a tenth of all")
    parser.add_argument("--only-results", action="store_true", help="compare, rebuild nothing")
    parser.add_argument("--rebuild", type=int, nargs="*", default=[FEW, MANY], metavar="GAMES")
    given = parser.parse_args()
    print("| results | system | log loss | rank correlation |\n| --- | --- | ---: | ---: |")
    for title, (sides, size, draws) in KINDS.items():
        if given.only_results:
            break
        compare(title, *population(sides, size, draws, seed=3))
    if given.results:
        compare(given.results.name, read(given.results), None)
    if not given.only_results:
        rebuild_in_postgresql([count // 10 if given.quick else count for count in given.rebuild])


if __name__ == "__main__":
    main()
