"""Seasons of a league for the tests: one that has just begun, any turn, a simulation of teams."""

import random
from collections import Counter
from contextlib import suppress
from datetime import timedelta

from accounts.models import User
from games import errors
from games.clock.time_control import per_turn
from games.models import Game, LeagueGame, Season, Terms, Turn
from games.moderation.people import suspend_user
from games.services.deadlines import time_out_due
from games.services.leagues.entries import join_season, leave_season, open_league, skip_season
from games.services.leagues.seasons import run_leagues
from games.services.leagues.teams import accept_partner, invite_partner, play_without_partner
from games.services.turns import play_turn
from tests.factories import ModeratorFactory, PersonFactory

STEP = timedelta(days=1)


def open_morpion(now, **changed):
    """Open a league of Morpion, three days a turn."""
    terms = {
        "terms": Terms(per_turn(timedelta(days=3))),
        "months": 1,
        "division_size": 6,
        "legs": 1,
        "options": {},
    } | changed
    return open_league(rules_slug="morpion", now=now, **terms)


def open_superpion(now, **changed):
    """Open a league of Superpion in teams, three days a turn."""
    terms = {
        "terms": Terms(per_turn(timedelta(days=3))),
        "months": 1,
        "division_size": 6,
        "legs": 1,
        "options": {"variant": "teams"},
    } | changed
    return open_league(rules_slug="superpion", now=now, **terms)


def join_all(people, now, slug="morpion"):
    for person in people:
        join_season(rules_slug=slug, user=person, now=now)


def make_team(one, two, now):
    """Let two people agree to play the next season of Superpion as a team."""
    asked = invite_partner(rules_slug="superpion", user=one, partner=two, now=now)
    accept_partner(invitation_id=asked.pk, user=two, now=now)


def started(people, now, **changed):
    """Return a season of these people that has just begun, and when."""
    league = open_morpion(now, **changed)
    join_all(people, now)
    season = league.seasons.get()
    run_leagues(now=season.starts_at)
    return league.seasons.get(pk=season.pk), season.starts_at


def play_one(game, chance, now):
    """Play any legal turn."""
    rules = game.rules
    before = position = rules.load(game.position)
    seat = game.seats.select_related("user").get(number=game.seat_to_move)
    actions = []
    while rules.to_move(position) == seat.number and rules.turn(position) == rules.turn(before):
        actions.append(chance.choice(list(rules.legal_actions(position))))
        position = rules.play(position, actions[-1])
    play_turn(
        game_id=game.pk,
        user=seat.user,
        text=rules.format_turn(before, actions),
        expected_turn=game.turn_number,
        via=Turn.Via.WEB,
        now=now,
    )


class Simulation:
    """People of one league; `habits` is how likely each plays a game that waits, in a day."""

    def __init__(self, people, seasons, seed, now, opens=open_morpion):
        self.chance = random.Random(seed)
        self.people = [PersonFactory(username=f"sim{number}") for number in range(people)]
        self.habits = {one.pk: self.chance.choice([0.1, 0.3, 0.8, 1.0]) for one in self.people}
        self.seasons, self.now = seasons, now
        self.league = opens(now, terms=Terms(per_turn(timedelta(days=7))))
        self.slug = self.league.rules_slug
        self.most = Counter()
        self.moderator = ModeratorFactory()

    def run(self):
        join_all(self.people, self.now, self.slug)
        end = self.league.seasons.get().final_at
        while self.league.seasons.filter(ended_at__isnull=False).count() < self.seasons:
            self.now += STEP
            run_leagues(now=self.now)
            self.misbehave()
            self.play()
            time_out_due(now=self.now)
            run_leagues(now=self.now)
            self.check()
            assert self.now < end + timedelta(days=40 * self.seasons)

    def play(self):
        running = Game.objects.running().prefetch_related("seats")
        for game in running:
            mover = next(one for one in game.seats.all() if one.number == game.seat_to_move)
            if self.chance.random() < self.habits[mover.user_id]:
                with suppress(errors.Barred, errors.AccountClosed, errors.TooLate):
                    play_one(game, self.chance, self.now)

    def misbehave(self):
        """Once in a while somebody leaves, skips, is suspended, or deletes their account."""
        person = User.objects.get(pk=self.chance.choice(self.people).pk)
        drawn = self.chance.random()
        try:
            if drawn < 0.02:
                leave_season(rules_slug=self.slug, user=person, now=self.now)
            elif drawn < 0.06:
                skip_season(rules_slug=self.slug, user=person, now=self.now)
            elif drawn < 0.08:
                until = self.now + timedelta(days=self.chance.choice([2, 90]))
                suspend_user(
                    person_id=person.pk, by=self.moderator, why="so", until=until, now=self.now
                )
            elif drawn < 0.09:
                User.objects.filter(pk=person.pk).update(is_active=False)
            elif drawn < 0.3:
                join_season(rules_slug=self.slug, user=person, now=self.now)
            elif drawn < 0.6 and self.league.has_teams:
                self.team_up(person)
        except errors.Refusal:
            pass

    def team_up(self, person):
        """Ask somebody to be a partner, who mostly accepts, or end the team."""
        other = User.objects.get(pk=self.chance.choice(self.people).pk)
        if self.chance.random() < 0.2:
            play_without_partner(rules_slug=self.slug, user=person, now=self.now)
        elif self.chance.random() < 0.8:
            make_team(person, other, self.now)
        else:
            invite_partner(rules_slug=self.slug, user=person, partner=other, now=self.now)

    def check(self):
        """What must hold at any time."""
        active = LeagueGame.objects.filter(game__status="active")
        assert not active.filter(division__season__final_at__lte=self.now).exists()
        late = Season.objects.filter(ended_at=None, final_at__lte=self.now)
        assert not late.exists()
        count = Counter()
        for game in active:
            count.update([game.first_id, game.second_id])
        assert max(count.values(), default=0) <= self.league.games_at_once
        self.most |= count
        pairs = Counter(
            (frozenset((row.first_id, row.second_id)), row.leg) for row in LeagueGame.objects.all()
        )
        assert max(pairs.values(), default=1) == 1


def points_by_hand(season):
    """Return the points of each entry of a season, counted from the rows of the games alone."""
    points = Counter()
    rows = LeagueGame.objects.filter(division__season=season, annulled_at=None).select_related(
        "game"
    )
    entries = {one.pk: one for one in season.entries.exclude(order=None)}
    own = {
        pk: [
            row
            for row in LeagueGame.objects.filter(division__season=season)
            if pk in (row.first_id, row.second_id)
        ]
        for pk in entries
    }
    void = {
        pk
        for pk, entry in entries.items()
        if entry.gone_at
        and 2
        * sum(
            bool(row.game and row.game.ended_at and row.game.ended_at < entry.gone_at)
            for row in own[pk]
        )
        < len(own[pk])
    }
    for row in rows:
        if (
            row.game is None
            or row.game.status != "finished"
            or {row.first_id, row.second_id} & void
        ):
            continue
        seats = {seat.user_id: seat.place for seat in row.game.seats.all()}
        mine = {pk: seats[entries[pk].user_id] for pk in (row.first_id, row.second_id)}
        if len(set(mine.values())) == 1:
            points.update(dict.fromkeys(mine, 1))
        else:
            points[min(mine, key=mine.get)] += 2
    return {pk: points[pk] for pk in entries}
