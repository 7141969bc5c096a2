"""Tournaments in simulated time, through the services: people play, stay away, resign and leave."""

import random
from collections import Counter
from contextlib import suppress
from datetime import timedelta

from games import errors
from games.clock.time_control import per_turn
from games.models import Game, Terms, Tournament, TournamentGame
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.tournaments.entries import (
    Plan,
    join_tournament,
    leave_tournament,
    open_tournament,
)
from games.services.tournaments.rounds import run_tournaments
from tests.factories import PersonFactory
from tests.games.leagues.simulation import play_one

DAY = timedelta(days=1)
STEP = DAY


def open_one(opener, now, form="swiss", by_link=False, terms=None, **changed):
    """Open a tournament of Morpion, three days a turn, that starts in two days."""
    plan = {"form": form, "most_players": 12, "starts_at": now + 2 * DAY} | changed
    return open_tournament(
        user=opener,
        rules_slug="morpion",
        options={},
        terms=terms or Terms(per_turn(3 * DAY)),
        plan=Plan(**plan),
        by_link=by_link,
        now=now,
    )


def join_all(tournament, people, now):
    for person in people:
        join_tournament(tournament_id=tournament.pk, user=person, key=tournament.key, now=now)


def started(people, now, form="swiss", **changed):
    """Return a tournament of these people that has just started, and when."""
    tournament = open_one(people[0], now, form, **changed)
    join_all(tournament, people, now)
    run_tournaments(now=tournament.starts_at)
    tournament.refresh_from_db()
    return tournament, tournament.starts_at


class Simulation:
    """A tournament of people; `habits` is how likely each plays a game that waits, in a day."""

    def __init__(self, form, people, seed, now, **changed):
        self.chance = random.Random(seed)
        self.people = [PersonFactory(username=f"sim{number}") for number in range(people)]
        habits = [0, 0.1, 0.3, 0.8, 1.0]
        self.habits = {one.pk: self.chance.choice(habits) for one in self.people}
        self.now = now
        self.tournament = open_one(
            self.people[0], now, form, game_days=12, most_players=people, **changed
        )
        self.promised = self.tournament.last_possible_day
        join_all(self.tournament, self.people, now)

    def run(self):
        while Tournament.objects.filter(ended_at=None).exists():
            self.now += STEP
            run_tournaments(now=self.now)
            self.play()
            time_out_due(now=self.now)
            self.check()
            assert self.now <= self.promised + STEP
        self.tournament.refresh_from_db()

    def play(self):
        for game in Game.objects.running().prefetch_related("seats__user"):
            mover = next(one for one in game.seats.all() if one.number == game.seat_to_move)
            drawn = self.chance.random()
            with suppress(errors.Refusal):
                if drawn < 0.01:
                    resign(game_id=game.pk, user=mover.user, now=self.now)
                elif drawn < 0.013:
                    leave_tournament(
                        tournament_id=self.tournament.pk, user=mover.user, now=self.now
                    )
                elif drawn < self.habits[mover.user_id]:
                    play_one(game, self.chance, self.now)

    def check(self):
        """What must hold at any time."""
        active = TournamentGame.objects.filter(game__status="active")
        assert not active.filter(round__final_at__lte=self.now - STEP).exists()
        count = Counter()
        for game in active:
            count.update([game.first_id, game.second_id])
        assert max(count.values(), default=0) <= self.tournament.games_at_once
        rows = TournamentGame.objects.exclude(second=None)
        pairs = Counter(
            (row.round_id, frozenset((row.first_id, row.second_id)), row.leg) for row in rows
        )
        assert max(pairs.values(), default=1) == 1
