"""Anything in any order: whatever people, bots and time do, the games stay whole."""

import random
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import pytest
from django.db import transaction
from django.utils.dateparse import parse_datetime
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    rule,
    run_state_machine_as_test,
)

from games import errors
from games.clock.time_control import per_turn
from games.models import Game, Invitation, Terms, Turn
from games.queries import seats
from games.queries.seats import game_for, seat_of
from games.rules.random_games import random_turn
from games.rules.registry import all_rules
from games.services import (
    ending_undo,
    endings,
    invitations,
    offers,
    tables,
    takebacks,
    thinking,
    turns,
)
from games.services.deadlines import time_out_due
from games.services.reminders import remind_due
from tests.factories import BotFactory, PersonFactory
from tests.games.histories import CHAOS, histories
from tests.games.invariants import GameInvariants
from tests.games.play import begin, database

MOST_GAMES = 6
CHANCE = random.Random()
SLUGS = [rules.slug for rules in all_rules()]

people = st.integers(0, 3)
some = st.integers(0, 10**6)


class GamesMachine(GameInvariants):
    """Three people and a bot around a handful of tables."""

    def __init__(self):
        super().__init__()
        CHANCE.seed(1)
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.people = [PersonFactory(username=name) for name in ("ann", "bob", "cat")]
        self.people.append(BotFactory(username="practice"))
        self.now = datetime(2026, 3, 10, 12, tzinfo=UTC)

    def teardown(self):
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    def attempt(self, do, **how):
        """Call a service; a refusal must be by name and change nothing."""
        before = database()
        try:
            return do(now=self.now, **how)
        except errors.Refusal as refusal:
            assert refusal.sentence
            assert database() == before
            return None

    def game(self, number):
        games = list(Game.objects.order_by("pk"))
        return games[number % len(games)]

    def room(self):
        return Game.objects.count() < MOST_GAMES

    # Tables -------------------------------------------------------------------------------------

    @initialize(slug=st.sampled_from(SLUGS))
    def one_game_runs(self, slug):
        begin(self.people[0], self.people[1], now=self.now, slug=slug)

    @rule(
        who=people,
        slug=st.sampled_from(SLUGS),
        seat=st.sampled_from([None, 0, 1, 2]),
        public=st.booleans(),
        days=st.sampled_from([0, 1, 3]),
    )
    def a_table(self, who, slug, seat, public, days):
        if self.room():
            self.attempt(
                tables.open_table,
                creator=self.people[who],
                rules_slug=slug,
                options={},
                terms=Terms(per_turn(timedelta(days=days))),
                is_public=public,
                creator_seat=seat,
            )

    @rule(who=people, which=some)
    def somebody_joins(self, who, which):
        self.attempt(tables.join_table, game_id=self.game(which).pk, user=self.people[who])

    @rule(who=people, which=some)
    def somebody_leaves(self, who, which):
        self.attempt(tables.leave_table, game_id=self.game(which).pk, user=self.people[who])

    @rule(who=people, which=some)
    def somebody_withdraws(self, who, which):
        self.attempt(tables.withdraw_table, game_id=self.game(which).pk, user=self.people[who])

    @rule(who=people, whom=people, which=some)
    def somebody_challenges(self, who, whom, which):
        self.attempt(
            invitations.challenge,
            game_id=self.game(which).pk,
            by=self.people[who],
            user=self.people[whom],
        )

    @rule(who=people, which=some)
    def somebody_invites(self, who, which):
        self.attempt(
            invitations.invite,
            game_id=self.game(which).pk,
            by=self.people[who],
            email="zoe@example.org",
        )

    @rule(who=people, which=some, yes=st.booleans())
    def somebody_answers(self, who, which, yes):
        asked = list(Invitation.objects.order_by("pk"))
        if asked:
            self.attempt(
                invitations.accept if yes else invitations.decline,
                invitation_id=asked[which % len(asked)].pk,
                user=self.people[who],
            )

    # Games --------------------------------------------------------------------------------------

    @rule(which=some)
    def the_player_to_move_plays(self, which):
        game = self.game(which)
        if game.status != Game.Status.ACTIVE:
            return
        text = random_turn(game.rules, game.rules.load(game.position), CHANCE)[0]
        mover = game.seats.get(number=game.seat_to_move).user
        self.play(game, mover, text, game.turn_number)

    @rule(
        which=some,
        who=people,
        text=st.sampled_from(["1", "55", "a3", "Tb3", "", "\0", "\ud800", "zzz", "9" * 4097]),
        off=st.sampled_from([0, 0, -1, -2, 1, 10**20, -(10**20)]),
    )
    def somebody_sends_something(self, which, who, text, off):
        game = self.game(which)
        self.play(game, self.people[who], text, game.turn_number + off)

    @rule(which=some, number=some)
    def somebody_sends_a_turn_again(self, which, number):
        game = self.game(which)
        # A turn that was taken back is not answered as one that is there already.
        back = game.turns.filter(via=Turn.Via.TAKEBACK).order_by("number").last()
        standing = game.turns.filter(number__gt=back.number if back else 0)
        played = list(standing.exclude(via=Turn.Via.LEFT).order_by("number"))
        if played:
            turn = played[number % len(played)]
            before = database()
            played = self.play(game, turn.player, turn.notation, turn.number - 1)
            assert played is not None
            assert played.already
            assert database() == before

    def play(self, game, user, text, expected):
        played = self.attempt(
            turns.play_turn,
            game_id=game.pk,
            user=user,
            text=text,
            expected_turn=expected,
            via=Turn.Via.WEB,
        )
        if played is not None and not played.already:
            self.accepted[game.pk] = self.accepted.get(game.pk, 0) + 1
        return played

    @rule(
        which=some,
        who=people,
        what=st.sampled_from(
            [
                offers.offer_end,
                offers.offer_takeback,
                offers.accept_offer,
                offers.decline_offer,
                offers.withdraw_offer,
                endings.abort,
            ]
        ),
    )
    def somebody_offers_answers_or_aborts(self, which, who, what):
        self.attempt(what, game_id=self.game(which).pk, user=self.people[who])

    @rule(which=some, who=people)
    def somebody_undoes_a_turn(self, which, who):
        game, user = self.game(which), self.people[who]
        undone = self.attempt(takebacks.undo_turn, game_id=game.pk, user=user)
        if undone is not None:
            restored, before = undone.clock, game.before_turn["clock"]
            assert restored.started_at == parse_datetime(before["clock_started_at"] or "")
            assert undone.position == game.previous_position

    @rule(which=some, who=people)
    def somebody_undoes_an_end(self, which, who):
        game, user = self.game(which), self.people[who]
        again = self.attempt(ending_undo.undo_end, game_id=game.pk, user=user)
        if again is None:
            return
        if game.undoes_departure:
            newest = again.turns.last()
            assert newest.notation == f"takeback {game.before_turn['number']}"
            assert again.seats.get(user=user).left_at is None
        else:
            assert again.position == game.position
            assert again.turn_number == game.turn_number
        before = game.before_turn["clock"]
        assert again.status == "active"
        assert again.clock.started_at == parse_datetime(before["clock_started_at"] or "")

    @rule(which=some, who=people)
    def somebody_looks_at_a_game(self, which, who):
        user = self.people[who]
        with suppress(errors.NoSuchGame), patch.object(seats, "server_now", lambda: self.now):
            found = game_for(self.game(which).pk, user)
            assert found.undo_until is None or found.undo_by == user or not seat_of(found, user)

    @rule(which=some, who=people, sure=some)
    def somebody_resigns(self, which, who, sure):
        if sure % 3 == 0:
            self.attempt(endings.resign, game_id=self.game(which).pk, user=self.people[who])

    @rule(which=some, who=people)
    def somebody_wants_a_rematch(self, which, who):
        if self.room():
            self.attempt(
                invitations.ask_rematch, game_id=self.game(which).pk, user=self.people[who]
            )

    # Programs and time --------------------------------------------------------------------------

    @rule(which=some, who=people)
    def somebody_asks_the_partner(self, which, who):
        self.attempt(invitations.ask_partner, game_id=self.game(which).pk, by=self.people[who])

    @rule()
    def bots_act(self):
        before = dict(Game.objects.values_list("pk", "turn_number"))
        thinking.play_for_bots(now=self.now)
        for pk, count in Game.objects.values_list("pk", "turn_number"):
            played = count - before[pk]
            assert played in (0, 1)
            self.accepted[pk] = self.accepted.get(pk, 0) + played

    @rule(hours=st.sampled_from([0.01, 1, 10, 24, 30, 24 * 14]), swept=st.booleans())
    def time_passes(self, hours, swept):
        self.now += timedelta(hours=hours)
        if swept:
            remind_due(now=self.now)
            time_out_due(now=self.now)
            tables.expire_due(now=self.now)
            assert not Game.objects.filter(deadline__lt=self.now).exists()
            assert not Game.objects.filter(expires_at__lte=self.now).exists()


@pytest.fixture
def same_chance(monkeypatch):
    """Draws that repeat themselves: an example must go the same way each time it is tried."""
    monkeypatch.setattr(tables, "chance", CHANCE)
    # The keys of games go on from one try to the next.
    monkeypatch.setattr(thinking, "seed_of", lambda game_id, turn_number: turn_number)


@pytest.mark.timeout(0 if CHAOS else 600)
@pytest.mark.usefixtures("same_chance")
@pytest.mark.django_db
@pytest.mark.slow
def test_whatever_happens_in_whatever_order_the_games_stay_whole():
    run_state_machine_as_test(GamesMachine, settings=histories())
