"""A world of players in simulated time: a league, a ladder, Swiss tournaments and standing wishes.

Everything goes through the services. A day begins at midnight (UTC) with the periodic tasks, each
called until nothing is left to do; at noon people play, in the evening the rest of life happens.
"""

import random
from collections import Counter

from accounts.models import User, Vacation
from games.clock.time_control import per_turn
from games.models import (
    Game,
    LadderChallenge,
    LadderPlace,
    LeagueGame,
    Season,
    Terms,
    Tournament,
    TournamentGame,
    WishGame,
)
from games.services.clock.recalculation import recount_due
from games.services.deadlines import time_out_due
from games.services.ladders.places import join_ladder
from games.services.ladders.upkeep import run_ladders
from games.services.leagues.entries import join_season, open_league
from games.services.leagues.seasons import run_leagues
from games.services.ratings import rate_due
from games.services.tournaments.entries import Plan, open_tournament
from games.services.tournaments.rounds import run_tournaments
from games.services.wishes import pair_wishes
from notifications.deletion.deleting import delete_due_accounts
from tests.competition.life import SLUG, Life, join_next_tournament, wish_for_opponents
from tests.competition.people import make_people
from tests.competition.playing import DAY, Players

ROUNDS, GAME_DAYS = 4, 7
"""How many rounds a Swiss tournament has, and how long a game of it lasts at most."""

PLACES = 32
"""How many players a tournament has at most."""


def rate_all(*, now):
    """Rate what is due, as the periodic task does in many runs."""
    return rate_due(seconds=float("inf"))


# Who is paired last has no game yet that begins at the same moment.
TASKS = [
    recount_due,
    time_out_due,
    delete_due_accounts,
    run_leagues,
    run_tournaments,
    run_ladders,
    rate_all,
    pair_wishes,
]

MOST_RUNS = 60
"""In so many runs each task must have done all that is due on a day."""


class World:
    """People who play until so many seasons of the league are over, from a midnight on."""

    def __init__(self, people, seasons, seed, now):
        self.chance = random.Random(seed)
        self.seasons, self.now, self.day = seasons, now, 0
        self.people = make_people(people, self.chance)
        self.life = Life(self.people, self.chance)
        self.players = Players(self.life.by_user, self.chance)
        self.promised = {}
        self.most = Counter()
        self.league = open_league(
            rules_slug=SLUG,
            options={},
            terms=Terms(per_turn(8 * DAY), is_rated=True),
            months=1,
            division_size=6,
            legs=1,
            now=now,
        )
        for person in self.people[: -people // 10]:
            if "league" in person.likes:
                join_season(rules_slug=SLUG, user=person.user, now=now)
            if "ladder" in person.likes:
                join_ladder(rules_slug=SLUG, user=person.user, now=now)
            wish_for_opponents(self.life, person, now)

    def is_over(self):
        """Return whether the last season is over, and all tournaments."""
        ended = self.league.seasons.filter(ended_at__isnull=False, started_at__isnull=False)
        if ended.count() < self.seasons:
            return False
        return not Tournament.objects.filter(ended_at=None).exists()

    def live_a_day(self):
        """Let a day pass, from midnight to midnight."""
        assert self.day < 32 * (self.seasons + 3), "the world does not come to its end"
        self.run_tasks()
        self.check()
        noon = self.now + DAY / 2
        self.open_tournaments()
        self.life.climb(self.day, noon)
        self.players.take_up_new_games(self.day)
        self.players.play(self.day, noon)
        self.life.live(self.day, noon + DAY / 4)
        self.day += 1
        self.now += DAY

    def run_tasks(self):
        """Call each periodic task until it has done all that is due."""
        leaving = [one for one in self.people if one.user.deletion_due_at and one.user.is_active]
        for task in TASKS:
            for _ in range(MOST_RUNS):
                if not task(now=self.now):
                    break
            else:
                raise AssertionError(f"{task.__name__} comes to no end")
        accounts = User.objects.in_bulk([one.user.pk for one in leaving])
        for person in leaving:
            person.user = accounts[person.user.pk]
        away = Vacation.objects.filter(begins_at__lte=self.now, ends_at__gt=self.now)
        for user, ends_at in away.values_list("user", "ends_at"):
            self.life.by_user[user].away_until = ends_at

    def open_tournaments(self):
        """Open tournaments on the first of each month, as long as they end before the world."""
        coming = self.league.seasons.order_by("-number").first()
        for season in Season.objects.filter(ended_at=None):
            self.promised.setdefault(season, season.last_possible_day)
        if self.now.day != 1 or coming is None or coming.number > self.seasons:
            return
        fans = [one for one in self.people if "swiss" in one.likes and one.user.is_active]
        self.chance.shuffle(fans)
        for _ in range(-(-len(fans) // PLACES)):
            plan = Plan(
                form=Tournament.Form.SWISS,
                most_players=PLACES,
                starts_at=self.now + 2 * DAY,
                game_days=GAME_DAYS,
                swiss_rounds=ROUNDS,
            )
            made = open_tournament(
                user=self.life.moderator,
                rules_slug=SLUG,
                options={},
                terms=Terms(per_turn(3 * DAY), is_rated=True),
                plan=plan,
                now=self.now,
            )
            self.promised[made] = made.last_possible_day
        for person in fans:
            self.life.attempt("join", join_next_tournament, self.life, person, self.now)

    # What holds on each day ---------------------------------------------------------------------

    def check(self):
        """Check what must hold whenever the periodic tasks have done what is due."""
        running = LeagueGame.objects.filter(game__status="active")
        assert not running.filter(division__season__final_at__lte=self.now).exists()
        matches = TournamentGame.objects.filter(game__status="active")
        assert not matches.filter(round__final_at__lte=self.now).exists()
        league = list(running.values_list("game", "first", "second"))
        swiss = list(matches.values_list("game", "first", "second"))
        going = LadderChallenge.objects.exclude(state="over")
        ladder = list(going.values_list("game", "challenger", "challenged"))
        wishes = WishGame.objects.filter(game__status="active")
        wished = list(wishes.values_list("game", "wish", "wish__at_once"))
        self.check_bound("league", both(league), self.league.games_at_once)
        self.check_bound("swiss", both(swiss), 1)
        self.check_bound("made", Counter(one for _, one, _ in ladder), 2)
        self.check_bound("received", Counter(other for _, _, other in ladder), 2)
        bounds = {wish: most for _, wish, most in wished}
        for wish, count in Counter(wish for _, wish, _ in wished).items():
            assert count <= bounds[wish]
            self.most["wish"] = max(self.most["wish"], count)
        # Every game is of one competition, and of no other. Those of who has left a ladder go on.
        climbing = Game.objects.running().filter(ladder_challenge__isnull=False)
        of = [game for row in (league, swiss) for game, _, _ in row] + [
            *climbing.values_list("pk", flat=True),
            *{game for game, _, _ in wished},
        ]
        assert Counter(of) == Counter(Game.objects.running().values_list("pk", flat=True))
        places = LadderPlace.objects.exclude(place=None).order_by("place")
        assert list(places.values_list("place", flat=True)) == [*range(1, len(places) + 1)]

    def check_bound(self, name, counts, most):
        """Check that nobody has more games at once than was promised; keep the most of it."""
        assert max(counts.values(), default=0) <= most, name
        self.most[name] = max(self.most[name], *counts.values(), 0)


def both(rows):
    """Count how often each player is in these games."""
    return Counter(player for _, *players in rows for player in players)
