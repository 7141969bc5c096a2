"""Anything in any order: whatever happens on a ladder, its places stay exact."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from games import errors
from games.models import LadderChallenge, LadderPlace
from games.services import endings
from games.services.deadlines import time_out_due
from games.services.ladders.challenges import (
    accept_challenge,
    challenge_player,
    decline_challenge,
    withdraw_challenge,
)
from games.services.ladders.places import join_ladder, leave_ladder
from games.services.ladders.upkeep import run_ladders
from tests.factories import PersonFactory
from tests.games.histories import histories
from tests.games.ladders.climbing import DAY, SLUG, order

numbers = st.integers(0, 5)


class LadderMachine(RuleBasedStateMachine):
    """Six people on a ladder do anything; the places stay exactly 1 to the number of players."""

    def __init__(self):
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.now = datetime(2026, 3, 10, 12, tzinfo=UTC)
        self.people = [PersonFactory(username=f"climber{number}") for number in range(1, 7)]
        for person in self.people[:4]:
            join_ladder(rules_slug=SLUG, user=person, now=self.now)

    def teardown(self):
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    def challenge(self, number, state):
        rows = list(LadderChallenge.objects.filter(state=state).order_by("pk"))
        return rows[number % len(rows)] if rows else None

    @rule(who=numbers)
    def join(self, who):
        with suppress(errors.Refusal):
            join_ladder(rules_slug=SLUG, user=self.people[who], now=self.now)

    @rule(who=numbers)
    def leave(self, who):
        with suppress(errors.Refusal):
            leave_ladder(rules_slug=SLUG, user=self.people[who], now=self.now)

    @rule(who=numbers, whom=numbers)
    def call(self, who, whom):
        with suppress(errors.Refusal):
            challenge_player(
                rules_slug=SLUG, user=self.people[who], opponent=self.people[whom], now=self.now
            )

    @rule(number=numbers, does=st.sampled_from(["accept", "decline", "withdraw"]))
    def answer(self, number, does):
        challenge = self.challenge(number, "waiting")
        if challenge is None:
            return
        service = {
            "accept": accept_challenge,
            "decline": decline_challenge,
            "withdraw": withdraw_challenge,
        }[does]
        who = challenge.challenger if does == "withdraw" else challenge.challenged
        with suppress(errors.Refusal):
            service(challenge_id=challenge.pk, user=who, now=self.now)

    @rule(number=numbers, challenger_wins=st.booleans())
    def end(self, number, challenger_wins):
        challenge = self.challenge(number, "playing")
        if challenge is None:
            return
        loser = challenge.challenged if challenger_wins else challenge.challenger
        with suppress(errors.Refusal):
            endings.resign(game_id=challenge.game_id, user=loser, now=self.now)

    @rule(days=st.sampled_from([1, 6, 8, 30]))
    def wait(self, days):
        self.now += days * DAY
        time_out_due(now=self.now)
        run_ladders(now=self.now)

    @invariant()
    def places_are_exact(self):
        names = order()
        assert len(set(names)) == len(names)
        left = LadderPlace.objects.filter(place=None)
        assert not left.filter(left_at=None).exists()

    @invariant()
    def challenges_are_bounded(self):
        on_ladder = set(LadderPlace.objects.exclude(place=None).values_list("user", flat=True))
        goes_on = list(LadderChallenge.objects.exclude(state="over"))
        for person in self.people:
            assert sum(one.challenger_id == person.pk for one in goes_on) <= 2
            assert sum(one.challenged_id == person.pk for one in goes_on) <= 2
        assert {key for one in goes_on for key in (one.challenger_id, one.challenged_id)} <= (
            on_ladder
        )


@pytest.mark.django_db
def test_places_stay_exact_whatever_happens():
    run_state_machine_as_test(LadderMachine, settings=histories())
