"""Plans in any order: what is played is what a plain model of them says, and nobody else knows."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from games import errors
from games.clock.time_control import per_turn
from games.models import Game, PlannedTurn, Terms, Turn
from games.moderation import game_actions
from games.services import endings, offers, plans, takebacks
from games.services.clock.timeouts import claim_seat
from games.services.deadlines import time_out_due
from games.services.planned_turns import position_key
from games.services.plans import PlanStep
from games.services.record import faults_of
from tests.factories import ModeratorFactory, PersonFactory
from tests.games.histories import CHAOS, histories
from tests.games.multiplayer import gather
from tests.games.play import DAY, begin, database, fresh, play

some = st.integers(0, 10**6)
who = st.integers(0, 3)

TABLES = [
    ("morpion", None, "withdraw"),
    ("taquet", None, "withdraw"),
    ("superpion", "three", "withdraw"),
    ("superpion", "four", "substitute"),
    ("superpion", "teams", "partner"),
]


class Plans(RuleBasedStateMachine):
    """Two to four people at one game; `planned` is what each would play after which turns."""

    def __init__(self):
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        names = ("ann", "bob", "cat", "dan")
        self.people = [PersonFactory(username=name) for name in names]
        self.stranger = PersonFactory(username="eve")
        self.moderator = ModeratorFactory(username="mona")
        self.now = datetime(2026, 3, 10, 12, tzinfo=UTC)
        self.planned = {}
        self.lines = [()]
        self.played_as_planned = 0

    def teardown(self):
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    @initialize(table=st.sampled_from(TABLES))
    def a_game_runs(self, table):
        slug, variant, fate = table
        terms = Terms(per_turn(2 * DAY), on_timeout=fate)
        if variant is None:
            self.pk = begin(*self.people[:2], now=self.now, slug=slug).pk
        else:
            seats = 3 if variant == "three" else 4
            people = self.people[:seats]
            self.pk = gather(people, now=self.now, variant=variant, terms=terms).pk

    @property
    def game(self):
        return fresh(Game(pk=self.pk))

    @property
    def line(self):
        """The turns that led to the newest position."""
        return self.lines[-1]

    def attempt(self, do, **how):
        """Call a service; a refusal changes nothing. Return whether it did something."""
        before = database()
        try:
            do(game_id=self.pk, now=self.now, **how)
        except errors.Refusal as refusal:
            assert refusal.sentence
            assert database() == before
            return False
        return True

    def privately(self, user, do, **how):
        """Call a service of plans: nothing but the user's own plans may change."""
        Game.objects.filter(pk=self.pk).update(undo_until=None)  # who plans has seen the game
        before = self.seen_by_others(user)
        done = self.attempt(do, user=user, **how)
        assert self.seen_by_others(user) == before
        return done

    def seen_by_others(self, user):
        """Return all that anybody else could be shown or sent: every row that is not theirs."""
        rows = [row for row in database() if row[0] != "games_plannedturn"]
        others = PlannedTurn.objects.exclude(user=user).order_by("pk").values()
        return rows, list(others)

    # Planning ------------------------------------------------------------------------------------

    def a_turn(self, rules, position, chance):
        """Return a legal turn of a position by chance, and the position after it."""
        begun, actions = position, []
        while rules.turn(position) == rules.turn(begun) and rules.to_move(position) is not None:
            actions.append(chance.choice(rules.legal_actions(position)))
            position = rules.play(position, actions[-1])
        return rules.format_turn(begun, actions), position

    @rule(who=who, seed=st.integers(0, 3), length=st.integers(1, 5))
    def somebody_plans(self, who, seed, length):
        game, user = self.game, self.people[who]
        if game.is_over:
            return
        chance = random.Random(f"{seed} {len(self.line)}")
        rules, position = game.rules, game.rules.load(game.position)
        players = {seat.number: seat.player for seat in game.seats.all()}
        steps, line, answers = [], self.line, []
        follows_another = False
        for _ in range(length):
            number = rules.to_move(position)
            if number is None:
                break
            text, position = self.a_turn(rules, position, chance)
            is_answer = players[number] == user and follows_another
            if is_answer:
                answers.append((line, text))
            steps.append(PlanStep(text, is_answer))
            follows_another = players[number] != user
            line = (*line, text)
        laid = self.privately(user, plans.lay_plans, lines=[steps], expected_turn=game.turn_number)
        if not laid:
            return
        mine = {line for person, line in self.planned if person == user}
        for line in mine:
            if line[: len(self.line)] != self.line:
                del self.planned[user, line]
        for line, text in answers:
            earlier = self.planned.get((user, line))
            if earlier is not None and earlier != text:
                self.drop(user, line)
            self.planned[user, line] = text

    def drop(self, user, line):
        """Forget what a user plans after a line, and all that follows it."""
        follows = (*line, self.planned[user, line])
        for key in list(self.planned):
            if key[0] == user and (key[1] == line or key[1][: len(follows)] == follows):
                del self.planned[key]

    @rule(who=who, seed=st.integers(0, 3), length=st.integers(2, 5), meets=some)
    def somebody_plans_and_the_others_meet_it(self, who, seed, length, meets):
        self.somebody_plans(who, seed, length)
        for _ in range(1 + meets % 2):
            self.a_turn_is_played_that_somebody_waits_for(meets)

    @rule(which=some)
    def somebody_drops_a_turn(self, which):
        kept = list(PlannedTurn.objects.order_by("pk"))
        game = self.game
        if not kept or game.is_over:
            return
        turn = kept[which % len(kept)]
        user = turn.user
        line = (*self.start_of(turn), *turn.line)
        if self.privately(user, plans.drop_plan, planned_id=turn.pk):
            if line[: len(self.line)] == self.line:
                self.drop(user, line)
            else:
                del self.planned[user, line]

    def start_of(self, turn):
        """Return the turns before the line of a planned turn, as the model has them."""
        starts = {
            line[: turn.begins_after]
            for user, line in self.planned
            if user == turn.user
            and list(line[turn.begins_after :]) == turn.line
            and position_key(line) == turn.key
        }
        assert len(starts) == 1
        return starts.pop()

    @rule(who=who)
    def somebody_drops_all(self, who):
        user = self.people[who]
        if self.privately(user, plans.drop_plans):
            self.forget(user)

    def forget(self, user=None):
        self.planned = {
            key: text for key, text in self.planned.items() if user is not None and key[0] != user
        }

    # Playing -------------------------------------------------------------------------------------

    @rule(seed=st.integers(0, 3))
    def the_player_to_move_plays(self, seed):
        game = self.game
        if game.status == "active" and not game.stop_reason:
            chance = random.Random(f"{seed} {len(self.line)}")
            text, _ = self.a_turn(game.rules, game.rules.load(game.position), chance)
            self.play(game, text)

    @rule(which=some)
    def a_turn_is_played_that_somebody_waits_for(self, which):
        game = self.game
        if game.status != "active" or game.stop_reason:
            return
        length = len(self.line)
        awaited = sorted(
            {
                line[length]
                for _, line in self.planned
                if line[:length] == self.line and line[length:]
            }
        )
        if awaited:
            self.play(game, awaited[which % len(awaited)])

    def play(self, game, text):
        """Play a turn: what follows it must be what the model says."""
        player = game.seats.get(number=game.seat_to_move).player
        play(game, player, text, now=self.now)
        expected = [text]
        rules = game.rules
        position = rules.load(game.position)
        position = rules.play_turn(position, rules.parse_turn(position, text))
        line = (*self.line, text)
        players = {seat.number: seat.player for seat in game.seats.all()}
        self.lines.append(line)
        while (number := rules.to_move(position)) is not None:
            answer = self.planned.pop((players[number], line), None)
            if answer is None:
                break
            expected.append(answer)
            position = rules.play_turn(position, rules.parse_turn(position, answer))
            line = (*line, answer)
            self.lines.append(line)
            self.played_as_planned += 1
        added = game.turns.filter(number__gt=game.turn_number).order_by("number")
        assert [turn.notation for turn in added] == expected
        assert [turn.via for turn in added][1:] == [Turn.Via.PLAN] * (len(expected) - 1)

    # Going back, leaving, time -------------------------------------------------------------------

    def note_takebacks(self):
        """Follow the takebacks that were added to the record."""
        for turn in self.game.turns.filter(number__gte=len(self.lines)).order_by("number"):
            if turn.via == Turn.Via.TAKEBACK:
                self.lines.append(self.lines[int(turn.notation.removeprefix("takeback "))])
            else:
                assert turn.via == Turn.Via.LEFT
                self.lines.append((*self.line, turn.notation))

    @rule(who=who)
    def somebody_undoes(self, who):
        if self.attempt(takebacks.undo_turn, user=self.people[who]):
            self.forget(self.people[who])
            self.note_takebacks()

    @rule(who=who)
    def somebody_offers_a_takeback_and_all_accept(self, who):
        if not self.attempt(offers.offer_takeback, user=self.people[who]):
            return
        for person in self.people:
            if person != self.people[who]:
                self.attempt(offers.accept_offer, user=person)
        if self.game.turns.count() >= len(self.lines):
            self.forget()
            self.note_takebacks()

    @rule(turn=st.integers(0, 5))
    def a_moderator_takes_back(self, turn):
        if self.attempt(game_actions.take_back, by=self.moderator, turn=turn, why="A mistake."):
            self.forget()
            self.note_takebacks()

    @rule(who=who, sure=st.integers(0, 7))
    def somebody_resigns(self, who, sure):
        if sure == 0:
            self.attempt(endings.resign, user=self.people[who])
            self.note_takebacks()

    @rule(hours=st.sampled_from([1, 1, 1, 1, 1, 1, 1, 50]))
    def time_passes(self, hours):
        self.now += timedelta(hours=hours)
        time_out_due(now=self.now)
        self.note_takebacks()

    @rule(who=who)
    def a_seat_is_claimed(self, who):
        people = [*self.people, self.stranger]
        self.attempt(claim_seat, user=people[who + 1])

    @rule(seed=some)
    def much_happens(self, seed):
        """Do ten things at once: alone, Hypothesis tries few long histories."""
        chance = random.Random(seed)
        for _ in range(10):
            person, number = chance.randrange(4), chance.randrange(100)
            back = max(0, len(self.lines) - 2 - number % 4)
            deed, given = chance.choices(
                [
                    (self.somebody_plans_and_the_others_meet_it, (person, number % 4, 5, number)),
                    (self.somebody_plans, (person, number % 4, 1 + number % 5)),
                    (self.a_turn_is_played_that_somebody_waits_for, (number,)),
                    (self.the_player_to_move_plays, (number % 4,)),
                    (self.somebody_drops_a_turn, (number,)),
                    (self.somebody_undoes, (person,)),
                    (self.somebody_offers_a_takeback_and_all_accept, (person,)),
                    (self.a_moderator_takes_back, (back,)),
                    (self.somebody_resigns, (person, number % 20)),
                ],
                weights=[8, 4, 4, 3, 1, 5, 1, 1, 1],
            )[0]
            deed(*given)
            self.what_is_kept_is_what_was_planned()

    # What holds always ---------------------------------------------------------------------------

    @invariant()
    def the_record_verifies(self):
        assert faults_of(self.game) == []

    @invariant()
    def what_is_kept_is_what_was_planned(self):
        if self.game.is_over:
            self.forget()
        kept = {(turn.user, turn.key): turn.notation for turn in PlannedTurn.objects.all()}
        expected = {(user, position_key(line)): text for (user, line), text in self.planned.items()}
        assert kept == expected

    @invariant()
    def each_was_played_once(self):
        assert self.game.turns.filter(via=Turn.Via.PLAN).count() == self.played_as_planned


@pytest.mark.timeout(0 if CHAOS else 600)
@pytest.mark.django_db
@pytest.mark.slow
def test_a_plan_plays_exactly_when_its_condition_comes_about():
    more = settings(histories(), max_examples=25 * CHAOS or 10)
    run_state_machine_as_test(Plans, settings=more)
