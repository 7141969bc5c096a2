"""Games of four in which people run out of time, leave, come and agree, in any order."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from games import errors
from games.clock.spans import NOTHING
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.models import Game, Substitution, Terms
from games.queries.clock_display import clock_view
from games.services import endings, offers
from games.services.clock.stops import end_stops
from games.services.clock.timeouts import claim_seat
from games.services.deadlines import time_out_due
from games.services.ending_undo import undo_end
from games.services.record import faults_of
from games.services.reminders import remind_due
from games.services.thinking import play_for_bots
from tests.factories import BotFactory, PersonFactory
from tests.games.histories import CHAOS, histories
from tests.games.multiplayer import gather, some_turn
from tests.games.play import DAY, database, fresh, play
from tests.games.resigning import everything

PACES = [
    per_turn(2 * DAY),
    TimeControl(PaceKind.FISCHER, DAY / 2, 3 * DAY, 7 * DAY),
    TimeControl(PaceKind.TOTAL, bank=5 * DAY),
]
everybody = st.integers(0, 5)


class Table(RuleBasedStateMachine):
    """Three people and a bot at one game, and two more people who may come."""

    def __init__(self):
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        names = ("ann", "bob", "cat", "dan", "eve")
        self.people = [PersonFactory(username=name) for name in names]
        self.people.insert(3, BotFactory(username="robot"))
        self.now = datetime(2026, 3, 10, 12, tzinfo=UTC)

    def teardown(self):
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    def attempt(self, do, **how):
        """Call a service; a refusal must be by name and change nothing."""
        before = database()
        try:
            do(game_id=self.pk, now=self.now, **how)
        except errors.Refusal as refusal:
            assert refusal.sentence
            assert database() == before

    @property
    def game(self):
        return Game.objects.get(pk=self.pk)

    @initialize(
        variant_and_fate=st.sampled_from(
            [
                ("four", "withdraw"),
                ("four", "substitute"),
                ("teams", "substitute"),
                ("teams", "partner"),
            ]
        ),
        pace=st.sampled_from(PACES),
        played=st.booleans(),
    )
    def a_game_runs(self, variant_and_fate, pace, played):
        variant, fate = variant_and_fate
        terms = Terms(pace, on_timeout=fate)
        self.pk = gather(self.people[:4], now=self.now, variant=variant, terms=terms).pk
        if played:
            self.the_player_to_move_plays()

    @rule()
    def the_player_to_move_plays(self):
        game = self.game
        if game.status == "active" and not game.stop_reason:
            player = game.seats.get(number=game.seat_to_move).player
            try:
                play(game, player, some_turn(game), now=self.now)
            except errors.Refusal as refusal:
                assert refusal.code == "TooLate"
                assert game.deadline < self.now

    @rule(who=everybody)
    def somebody_resigns(self, who):
        self.attempt(endings.resign, user=self.people[who])

    @rule(who=everybody)
    def somebody_resigns_and_comes_back(self, who):
        """Everything is as it was, if nothing is refused."""
        user, before = self.people[who], everything(self.game)
        self.attempt(endings.resign, user=user)
        if not self.game.may_undo(user.pk, now=self.now + timedelta(seconds=1)):
            return
        self.now += timedelta(seconds=1)
        self.attempt(undo_end, user=user)
        if self.game.turn_number > before[0]["turn_number"] and not self.game.is_over:
            assert self.game.turns.last().notation == f"takeback {before[0]['turn_number']}"
        assert self.game.position == before[0]["position"]
        assert everything(self.game)[1] == before[1]
        assert self.game.deadline == before[0]["deadline"]

    @rule(who=everybody)
    def somebody_comes_back(self, who):
        self.attempt(undo_end, user=self.people[who])

    @rule(who=everybody)
    def somebody_claims(self, who):
        self.attempt(claim_seat, user=self.people[who])

    @rule(who=everybody, what=st.sampled_from([offers.offer_end, offers.accept_offer]))
    def somebody_offers_or_accepts(self, who, what):
        self.attempt(what, user=self.people[who])

    @rule()
    def bots_act(self):
        play_for_bots(now=self.now)

    @rule(hours=st.sampled_from([1, 25, 50, 24 * 6, 24 * 9]))
    def time_passes(self, hours):
        self.now += timedelta(hours=hours)
        remind_due(now=self.now)
        time_out_due(now=self.now)
        end_stops(now=self.now)
        assert not Game.objects.filter(deadline__lt=self.now).exists()
        assert not Game.objects.filter(stopped_until__lt=self.now).exists()

    # What holds always ---------------------------------------------------------------------------

    @invariant()
    def the_record_verifies(self):
        assert faults_of(self.game) == []

    @invariant()
    def a_running_game_has_a_deadline_or_a_reason_that_ends(self):
        game = self.game
        running = game.status == "active"
        assert (game.deadline is not None) == (running and not game.stop_reason)
        assert (game.stopped_until is not None) == bool(game.stop_reason)
        assert (clock_view(game, now=self.now) is not None) == running

    @invariant()
    def the_player_to_move_is_there(self):
        game = self.game
        if game.status != "active":
            return
        seat = game.seats.get(number=game.seat_to_move)
        if game.stop_reason == "substitute":
            assert seat.left_at is not None
            assert (seat.played_by_partner, game.bot_due_at) == (None, None)
        else:
            assert seat.left_at is None or seat.played_by_partner is not None
            assert (game.bot_due_at is not None) == seat.player.is_bot

    @invariant()
    def a_substitute_partner_is_a_partner_who_is_there(self):
        game = self.game
        sides = game.rules.sides(game.options)
        for seat in game.seats.exclude(played_by_partner=None):
            partner = game.seats.get(user=seat.played_by_partner)
            assert sides[partner.number] == sides[seat.number]
            assert seat.left_at is not None
            assert game.is_over or partner.left_at is None

    @invariant()
    def nobody_who_lost_a_seat_sits_there_and_no_time_is_negative(self):
        game = self.game
        assert not game.seats.filter(user__in=Substitution.objects.values("former")).exists()
        assert min(game.seats.values_list("time_left", flat=True)) >= NOTHING

    @invariant()
    def an_end_is_one_event_and_has_its_result(self):
        game = fresh(self.game)
        assert game.events.filter(kind="ended").count() == game.is_over
        places = list(game.seats.values_list("place", flat=True))
        assert (None not in places) == (game.status == "finished")


@pytest.mark.timeout(0 if CHAOS else 600)
@pytest.mark.django_db
@pytest.mark.slow
def test_whatever_happens_at_a_game_of_four_it_stays_whole():
    run_state_machine_as_test(Table, settings=histories())
