"""Anything in any order, with every way to stop, move and start clocks: no table hangs for ever."""

import itertools
import sys
from datetime import timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from accounts.models import User, Vacation
from games.clock.clock import StopReason
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.models import Game, Heartbeat, Outage
from games.moderation import game_actions
from games.moderation.site import begin_maintenance, declare_outage, end_maintenance
from games.services import offers, tables
from games.services.clock import added_time, stops
from games.services.clock.game_clock import mover
from games.services.clock.outages import record_heartbeat, recount_after_outage
from games.services.clock.service_checks import are_held
from games.services.clock.stops import end_stops
from games.services.clock.undelivered_turns import freeze_undelivered, record_contact
from games.services.deadlines import time_out_due
from games.services.reminders import remind_due
from games.services.site_status import is_closed
from tests.factories import ModeratorFactory
from tests.games.histories import CHAOS, histories
from tests.games.play import begin
from tests.games.test_state_machine import SLUGS, GamesMachine, people, same_chance, some

__all__ = ["same_chance"]

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
PACES = [
    per_turn(DAY),
    TimeControl(PaceKind.FISCHER, allowance=DAY / 2, bank=2 * DAY, cap=3 * DAY),
    TimeControl(PaceKind.TOTAL, bank=30 * DAY),
    TimeControl(PaceKind.TOTAL),
]
LONGEST_WAIT = timedelta(days=400)
"""Within this every game is over by itself: four seats with what each can be given here."""


class GamesMachineWithClocks(GamesMachine):
    """The same site, where clocks are stopped, moved and started in every way there is."""

    def __init__(self):
        super().__init__()
        self.host = ModeratorFactory(username="host")
        record_heartbeat(now=self.now)

    def teardown(self):
        try:
            if sys.exc_info()[0] is None:
                self.everything_ends_by_itself()
        finally:
            super().teardown()

    def room(self):
        lasting = Game.objects.filter(status__in=["open", "active"])
        return lasting.count() < 4 and Game.objects.count() < 15

    def running(self, which):
        games = list(Game.objects.filter(status="active").order_by("pk"))
        return games[which % len(games)] if games else None

    # Players ------------------------------------------------------------------------------------

    @rule(first=people, second=people, slug=st.sampled_from(SLUGS))
    def a_game_begins(self, first, second, slug):
        if self.room() and first != second and not is_closed():
            begin(self.people[first], self.people[second], now=self.now, slug=slug)

    @rule(which=some, who=some, days=st.sampled_from([3, 7, 30, 8]), agreed=st.booleans())
    def somebody_offers_a_pause(self, which, who, days, agreed):
        self.offer(which, who, agreed, offers.offer_pause, days=days)

    @rule(which=some, who=some, pace=st.sampled_from(PACES), agreed=st.booleans())
    def somebody_offers_a_pace(self, which, who, pace, agreed):
        self.offer(which, who, agreed, offers.offer_pace, pace=pace)

    def offer(self, which, who, agreed, service, **what):
        game = self.running(which)
        users = [seat.user for seat in game.seats.filter(left_at=None)] if game else []
        if not users:
            return
        creator = users.pop(who % len(users))
        offer = self.attempt(service, game_id=game.pk, user=creator, **what)
        for user in users if offer and agreed else ():
            how = {"game_id": game.pk, "user": user, "offer_id": offer.pk}
            self.attempt(offers.accept_offer, **how)

    @rule(which=some, number=some, what=st.sampled_from(["accept", "accept", "decline"]))
    def somebody_answers_an_offer(self, which, number, what):
        game = self.running(which)
        offer = game and game.offers.filter(state="open").first()
        if offer:
            others = [seat.user for seat in game.seats.exclude(pk=offer.seat_id)]
            answer = offers.accept_offer if what == "accept" else offers.decline_offer
            user = others[number % len(others)]
            self.attempt(answer, game_id=game.pk, user=user, offer_id=offer.pk)

    @rule(which=some, who=people, what=st.sampled_from([stops.end_pause, added_time.grant_time]))
    def somebody_ends_a_pause_or_gives_time(self, which, who, what):
        game = self.running(which) or self.game(which)
        self.attempt(what, game_id=game.pk, user=self.people[who])

    @rule(who=people, starts=st.integers(0, 10), lasts=st.integers(1, 20))
    def somebody_goes_away(self, who, starts, lasts):
        person = self.people[who]
        if person.vacations.count() < 3:
            begins = self.now + starts * DAY
            Vacation.objects.create(
                user=person, begins_at=begins, ends_at=begins + lasts * DAY, announced_at=self.now
            )

    @rule(which=some)
    def a_moderator_stops_a_game_or_lets_it_go_on(self, which):
        game = self.running(which)
        if game and not is_closed():
            held = game.stop_reason == StopReason.MODERATOR
            do = game_actions.resume_game if held else game_actions.pause_game
            self.attempt(do, game_id=game.pk, by=self.host, why="so")

    # Mail ---------------------------------------------------------------------------------------

    @rule(which=some)
    def a_mail_comes_back(self, which):
        game = self.running(which)
        if game:
            person = mover(game)
            freeze_undelivered(
                game_id=game.pk, turn_number=game.turn_number, user=person, now=self.now
            )

    @rule(who=people)
    def somebody_comes_by(self, who):
        person = User.objects.get(pk=self.people[who].pk)
        record_contact(person, now=self.now)
        assert User.objects.get(pk=person.pk).unreachable_since is None
        frozen = Game.objects.filter(stop_reason="undelivered")
        assert person not in [mover(game) for game in frozen]

    # The site ----------------------------------------------------------------------------------

    @rule(hours=st.sampled_from([1, 6, 12, 30, 24 * 14]), swept=st.booleans())
    def time_passes(self, hours, swept):
        """The service is up all the while: a sign of life each minute."""
        record_heartbeat(now=self.now)
        self.now += hours * HOUR
        Heartbeat.objects.update(at=self.now)
        if swept:
            self.sweep()

    @rule(hours=st.sampled_from([1, 12, 30, 24 * 14]))
    def the_service_is_down(self, hours):
        record_heartbeat(now=self.now)
        active = set(Game.objects.filter(status="active").values_list("pk", flat=True))
        late = set(Game.objects.filter(deadline__lt=self.now).values_list("pk", flat=True))
        stopped = set(Game.objects.exclude(stop_reason="").values_list("pk", flat=True))
        self.now += hours * HOUR
        time_out_due(now=self.now)
        ended = active - set(Game.objects.filter(status="active").values_list("pk", flat=True))
        assert ended <= late - stopped

    @rule(ago=st.integers(1, 200), lasted=st.integers(0, 200))
    def a_host_declares_an_outage(self, ago, lasted):
        began = self.now - ago * HOUR
        how = {"began_at": began, "ended_at": began + lasted * HOUR, "note": "", "by": self.host}
        self.attempt(declare_outage, why="so", **how)

    @rule(sure=some)
    def maintenance_begins(self, sure):
        if sure % 5 == 0:
            self.attempt(begin_maintenance, note="", by=self.host, why="so")

    @precondition(lambda self: is_closed())
    @rule()
    def maintenance_ends(self):
        self.attempt(end_maintenance, by=self.host, why="so")

    @rule()
    def sweep(self):
        record_heartbeat(now=self.now)
        while recount_after_outage(now=self.now):
            pass
        end_stops(now=self.now)
        remind_due(now=self.now)
        time_out_due(now=self.now)
        tables.expire_due(now=self.now)
        if not is_closed():
            assert are_held(now=self.now) or not Game.objects.filter(deadline__lt=self.now).exists()
            assert not Game.objects.filter(reminder_at__lte=self.now).exists()
            assert not Game.objects.filter(stopped_until__lte=self.now).exists()

    # What holds always --------------------------------------------------------------------------

    @invariant()
    def nothing_is_active_without_a_deadline_or_a_named_reason(self):
        for game in Game.objects.filter(status="active"):
            assert (game.deadline is None) == (game.stop_reason in StopReason.values)
            if game.stop_reason:
                held = game.stop_reason == StopReason.MODERATOR
                assert held or game.stopped_at <= game.stopped_until
                assert game.time_left >= timedelta(0)
            if game.stop_reason == "undelivered":
                assert mover(game).unreachable_since is not None

    @invariant()
    def an_outage_is_noted_once(self):
        gaps = list(Outage.objects.filter(kind="gap").order_by("began_at"))
        for before, after in itertools.pairwise(gaps):
            assert before.ended_at <= after.began_at

    def everything_ends_by_itself(self):
        """Nobody does anything any more, and the rounds go on."""
        if is_closed():
            end_maintenance(by=self.host, why="so", now=self.now + HOUR)
        self.now += HOUR
        for held in Game.objects.filter(stop_reason=StopReason.MODERATOR):
            game_actions.resume_game(game_id=held.pk, by=self.host, why="so", now=self.now)
        until = self.now + LONGEST_WAIT
        while Game.objects.filter(status__in=["open", "active"]).exists():
            assert self.now < until, list(Game.objects.filter(status="active").values())
            self.time_passes(hours=24 * 5, swept=True)
            self.nothing_is_active_without_a_deadline_or_a_named_reason()


@pytest.mark.timeout(0 if CHAOS else 600)
@pytest.mark.usefixtures("same_chance")
@pytest.mark.django_db
@pytest.mark.slow
def test_however_clocks_are_stopped_every_game_ends_by_itself_within_a_bound():
    run_state_machine_as_test(GamesMachineWithClocks, settings=histories())
