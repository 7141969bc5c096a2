"""Planned turns: laid, played when their condition comes about, changed and dropped."""

import pytest

from accounts.roles import ADMINISTRATORS
from games import errors, planning_errors
from games.models import Event, PlannedTurn, Turn
from games.plan_text import parse_plan
from games.services import plans
from games.services.endings import resign
from games.services.offers import accept_offer, offer_end, offer_takeback
from games.services.planned_turns import entries_that_count, turns_in_reach
from games.services.record import faults_of
from games.services.takebacks import undo_turn
from tests.factories import StaffFactory
from tests.games.multiplayer import mover, some_turn
from tests.games.play import DAY, SECOND, begin, fresh, play, play_all, refused
from tests.suspensions import KEPT_OUT

pytestmark = pytest.mark.django_db


def lay(game, user, text, *, now, expected=None):
    """Plan what a text says."""
    return plans.lay_plans(
        game_id=game.pk,
        user=user,
        lines=[parse_plan(line) for line in text.splitlines()],
        expected_turn=fresh(game).turn_number if expected is None else expected,
        now=now,
    )


def left(game, user):
    """Return what a player has planned in reach: the missing turns and the answer, as text."""
    game = fresh(game)
    planned = game.planned_turns.filter(user=user)
    found = turns_in_reach(entries_that_count(game), planned)
    return [("; ".join(missing), turn.notation) for missing, turn in found]


def notations(game):
    return list(game.turns.order_by("number").values_list("notation", flat=True))


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("if 74 then 43", [("74", False), ("43", True)]),
        ("IF 74 THEN 43.", [("74", False), ("43", True)]),
        ("si 74 alors 43", [("74", False), ("43", True)]),
        ("if 74; 52 then 43", [("74", False), ("52", False), ("43", True)]),
        (
            "if 7, 4 then 43, if 52, then 61",
            [("7, 4", False), ("43", True), ("52", False), ("61", True)],
        ),
        ("2. if a3 then b4", [("a3", False), ("b4", True)]),
        ("- if a3 then b4", [("a3", False), ("b4", True)]),
    ],
)
def test_a_plan_is_read(text, steps):
    assert parse_plan(text) == steps


@pytest.mark.parametrize(
    "text",
    [
        *["", "74", "if 74", "then 43", "if 74 then", "if then 43", "if 74; then 43"],
        *["74 if 3 then 4", "if 74 if 3 then 4", "if 74 then 43 then 5", "if 74 then 43 if 5"],
        "gift 74 then 43",
    ],
)
def test_what_is_no_plan_is_refused(text):
    with refused_outside("A plan is written “if”"):
        parse_plan(text)


def refused_outside(said):
    """Expect PlanUnreadable where there is no database."""
    return pytest.raises(planning_errors.PlanUnreadable, match=said)


# Played ------------------------------------------------------------------------------------------


def test_a_planned_turn_is_played_with_the_turn_that_it_answers(game, ann, bob, now):
    lay(game, bob, "if 5 then 1", now=now)
    played = play(game, ann, "5", now=now + DAY)
    after = fresh(game)
    assert notations(after) == ["5", "1"]
    assert [turn.notation for turn in played.answers] == ["1"]
    assert played.game.turn_number == after.turn_number == 2
    answer = after.turns.get(number=2)
    assert (answer.via, answer.player, answer.played_at) == (Turn.Via.PLAN, bob, now + DAY)
    assert after.seat_to_move == 0
    assert faults_of(after) == []
    assert not PlannedTurn.objects.exists()
    events = after.events.filter(kind=Event.Kind.TURN_PLAYED).order_by("pk")
    assert [(event.actor, event.turn_number) for event in events] == [(ann, 1), (bob, 2)]


def test_another_turn_does_not_play_it(game, ann, bob, now):
    lay(game, bob, "if 5 then 1", now=now)
    play(game, ann, "9", now=now)
    assert notations(game) == ["9"]
    assert left(game, bob) == []


def test_it_is_not_played_in_a_position_that_comes_by_other_turns(game, ann, bob, now):
    lay(game, bob, "if 5; 1; 9 then 3", now=now)
    play_all(game, ["9", "1", "5"], now=now)
    assert notations(game) == ["9", "1", "5"]


def test_as_many_in_a_row_as_match_of_both_players(game, ann, bob, now):
    play(game, ann, "5", now=now)
    lay(game, ann, "if 1 then 9, if 3 then 2", now=now)
    # Bob answers 9, which ann has planned, with 3, which ann has planned an answer to as well.
    lay(game, bob, "if 1; 9 then 3", now=now)
    played = play(game, bob, "1", now=now)
    assert notations(game) == ["5", "1", "9", "3", "2"]
    assert [turn.via for turn in played.answers] == [Turn.Via.PLAN] * 3
    assert faults_of(fresh(game)) == []


def test_several_lines_are_a_tree(game, ann, bob, now):
    lay(game, bob, "if 5 then 1, if 9 then 3", now=now)
    lay(game, bob, "if 5 then 1, if 2 then 8", now=now)
    lay(game, bob, "if 9 then 5", now=now)
    assert left(game, bob) == [("5", "1"), ("5; 1; 9", "3"), ("5; 1; 2", "8"), ("9", "5")]
    play(game, ann, "5", now=now)
    assert left(game, bob) == [("9", "3"), ("2", "8")]
    play(game, ann, "2", now=now)
    assert notations(game) == ["5", "1", "2", "8"]
    assert left(game, bob) == []


def test_a_plan_that_ends_the_game_ends_it(game, ann, bob, now):
    play_all(game, ["5", "1", "9"], now=now)
    play(game, bob, "3", now=now)
    lay(game, bob, "if 4 then 2", now=now)
    play(game, ann, "4", now=now)
    after = fresh(game)
    assert after.is_over
    assert after.seats.get(user=bob).place == 1


def test_three_and_four_players_plan_over_each_others_turns(four, people, now):
    ann, bob, cat, _dan = people
    game = four
    line = []
    with_turns = fresh(game)
    position = with_turns.rules.load(with_turns.position)
    for _ in range(3):
        text = random_turn_at(with_turns.rules, position)
        line.append(text)
        position = with_turns.rules.play_turn(position, with_turns.rules.parse_turn(position, text))
    steps = [plans.PlanStep(text, False) for text in line[:2]] + [plans.PlanStep(line[2], True)]
    plans.lay_plans(game_id=game.pk, user=cat, lines=[steps], expected_turn=0, now=now)
    play(game, ann, line[0], now=now)
    assert len(notations(game)) == 1
    play(game, bob, line[1], now=now)
    assert notations(game) == line
    assert fresh(game).turns.get(number=3).player == cat


def random_turn_at(rules, position):
    """Return a legal turn: the first action each time."""
    begun, actions = position, []
    while rules.turn(position) == rules.turn(begun) and rules.to_move(position) is not None:
        actions.append(rules.legal_actions(position)[0])
        position = rules.play(position, actions[-1])
    return rules.format_turn(begun, actions)


def test_a_planned_turn_costs_no_time_and_starts_the_next_clock(game, ann, bob, now):
    lay(game, bob, "if 5 then 1", now=now)
    play(game, ann, "5", now=now + DAY)
    by_hand = begin(ann, bob, now=now)
    play(by_hand, ann, "5", now=now + DAY)
    play(by_hand, bob, "1", now=now + DAY)
    assert fresh(game).clock == fresh(by_hand).clock
    assert list(game.seats.values_list("time_left")) == list(by_hand.seats.values_list("time_left"))


def test_a_turn_that_was_answered_as_planned_cannot_be_undone(game, ann, bob, now):
    lay(game, bob, "if 5 then 1", now=now)
    play(game, ann, "5", now=now)
    with refused(errors.NothingToUndo, "not yours", status=409):
        undo_turn(game_id=game.pk, user=ann, now=now + SECOND)
    with refused(errors.UndoIsOver, "no longer be undone", status=409):
        undo_turn(game_id=game.pk, user=bob, now=now + SECOND)


def test_a_planned_turn_declines_an_offer_as_any_turn_does(game, ann, bob, now):
    lay(game, bob, "if 5 then 1", now=now)
    offer_end(game_id=game.pk, user=ann, now=now)
    play(game, ann, "5", now=now)
    assert notations(game) == ["5", "1"]
    assert game.offers.get().state == "lapsed"


@pytest.mark.parametrize("keep_out", KEPT_OUT)
def test_nothing_is_played_for_a_player_who_may_not_play(game, ann, bob, now, keep_out):
    StaffFactory(username="host", role=ADMINISTRATORS)
    lay(game, bob, "if 5 then 1", now=now)
    keep_out(bob, now)
    play(game, ann, "5", now=now + DAY)
    assert notations(game) == ["5"]
    assert faults_of(fresh(game)) == []
    assert left(game, bob) == [("", "1")]


def test_a_planned_turn_that_fails_leaves_the_other_players_turn(game, ann, bob, now, monkeypatch):
    lay(game, bob, "if 5 then 1", now=now)
    rules = type(game.rules)
    parse = rules.parse_turn

    def broken(self, position, text):
        if text == "1":
            raise ZeroDivisionError
        return parse(self, position, text)

    monkeypatch.setattr(rules, "parse_turn", broken)
    played = play(game, ann, "5", now=now)
    assert (notations(game), played.answers) == (["5"], ())
    assert left(game, bob) == [("", "1")]
    assert fresh(game).seat_to_move == 1


def test_a_turn_sent_again_plays_nothing_planned_again(game, ann, bob, now):
    lay(game, bob, "if 5 then 1", now=now)
    play(game, ann, "5", now=now, expected=0)
    again = play(game, ann, "5", now=now, expected=0)
    assert again.already
    assert notations(game) == ["5", "1"]


# Laid --------------------------------------------------------------------------------------------


def test_a_new_answer_replaces_the_old_one_with_what_followed(game, bob, now):
    lay(game, bob, "if 5 then 1, if 9 then 3", now=now)
    lay(game, bob, "if 5 then 2", now=now)
    assert left(game, bob) == [("5", "2")]


def test_the_same_plan_again_changes_nothing(game, bob, now):
    lay(game, bob, "if 5 then 1, if 9 then 3", now=now)
    lay(game, bob, "if 5 then 1", now=now + DAY)
    assert left(game, bob) == [("5", "1"), ("5; 1; 9", "3")]


def test_on_ones_own_turn_one_plans_beyond_it(game, ann, bob, now):
    lay(game, ann, "if 5; 1 then 9", now=now)
    play(game, ann, "5", now=now)
    play(game, bob, "1", now=now)
    assert notations(game) == ["5", "1", "9"]


def test_own_turns_since_the_page_was_seen_do_not_matter(game, ann, bob, now):
    play(game, ann, "5", now=now)
    lay(game, ann, "if 1 then 9", now=now, expected=0)
    play(game, bob, "1", now=now)
    assert notations(game) == ["5", "1", "9"]


@pytest.mark.parametrize(
    ("text", "kind", "said", "status"),
    [
        ("if 5 then 5", errors.MoveRefused, "taken", 422),
        ("if zz then 5", errors.MoveRefused, "zz", 422),
        ("if 5; 1 then 9", planning_errors.PlanOfAnotherPlayer, "it is ann’s turn", 422),
        ("if 5 then " + "9" * 4097, errors.TurnTooLong, "too long", 413),
        ("if 5 then 1, if 1 then 2", errors.MoveRefused, "taken", 422),
        ("if 5; 1; 9; 2; 3; 4; 7 then 8", planning_errors.PlanAfterEnd, "over before “8”", 422),
        ("\n".join(["if 5 then 1"] * 101), planning_errors.TooManyPlans, "at most 100", 429),
        (", ".join(["if 5 then 1"] * 21), planning_errors.PlanTooLong, "at most 40", 413),
    ],
)
def test_what_could_not_be_played_is_refused_when_it_is_laid(
    game, bob, now, text, kind, said, status
):
    with refused(kind, said, status=status):
        lay(game, bob, text, now=now)


def test_a_plan_answers_somebody_elses_turn(game, ann, now):
    with refused(planning_errors.PlanOfAnotherPlayer, "bob’s turn", status=422):
        lay(game, ann, "if 5 then 9", now=now)
    steps = [plans.PlanStep("5", is_answer=True)]
    with refused(planning_errors.PlanOfOwnTurn, "another player", status=422):
        plans.lay_plans(game_id=game.pk, user=ann, lines=[steps], expected_turn=0, now=now)


def test_who_does_not_know_the_newest_turns_plans_nothing(game, ann, bob, now):
    play_all(game, ["5", "1"], now=now)
    with refused(errors.StaleTurn, "meant for another position", status=409):
        lay(game, ann, "if 9; 2 then 3", now=now, expected=1)
    with refused(errors.StaleTurn, "meant for another position", status=409):
        lay(game, ann, "if 9; 2 then 3", now=now, expected=3)


def test_strangers_and_those_whose_game_is_over_plan_nothing(game, ann, bob, cat, now):
    with refused(errors.NotAPlayer, "do not play", status=403):
        lay(game, cat, "if 5 then 1", now=now)
    resign(game_id=game.pk, user=ann, now=now)
    with refused(errors.GameNotRunning, "over", status=409):
        lay(game, bob, "if 5 then 1", now=now)


def test_there_is_a_limit(game, bob, now, monkeypatch):
    monkeypatch.setattr(plans, "MOST_PLANNED", 2)
    lay(game, bob, "if 5 then 1", now=now)
    lay(game, bob, "if 1 then 5", now=now)
    with refused(planning_errors.TooManyPlans, "at most 2", status=429):
        lay(game, bob, "if 2 then 5", now=now)
    lay(game, bob, "if 5 then 9", now=now)
    assert left(game, bob) == [("1", "5"), ("5", "9")]


def test_what_can_no_longer_come_is_forgotten_when_one_plans_again(game, ann, bob, now):
    lay(game, bob, "if 5 then 1", now=now)
    lay(game, bob, "if 9 then 1", now=now)
    play(game, ann, "9", now=now)
    play(game, ann, "2", now=now)
    play(game, bob, "3", now=now)
    lay(game, bob, "if 4 then 7", now=now)
    assert PlannedTurn.objects.count() == 1


def test_who_plans_has_seen_the_turn(game, ann, bob, now):
    play(game, ann, "5", now=now)
    assert fresh(game).may_undo(ann.pk, now=now + SECOND)
    lay(game, bob, "if 1; 9 then 3", now=now)
    with refused(errors.UndoIsOver, "no longer be undone", status=409):
        undo_turn(game_id=game.pk, user=ann, now=now + SECOND)


# Dropped -----------------------------------------------------------------------------------------


def test_a_turn_is_dropped_with_all_after_it(game, bob, now):
    lay(game, bob, "if 5 then 1, if 9 then 3, if 2 then 8", now=now)
    lay(game, bob, "if 9 then 5", now=now)
    second = PlannedTurn.objects.get(notation="3")
    plans.drop_plan(game_id=game.pk, user=bob, planned_id=second.pk, now=now)
    assert left(game, bob) == [("5", "1"), ("9", "5")]


def test_only_ones_own_plans_are_dropped(game, ann, bob, now):
    lay(game, bob, "if 5 then 1", now=now)
    theirs = PlannedTurn.objects.get()
    with refused(planning_errors.NothingPlanned, "planned nothing", status=404):
        plans.drop_plan(game_id=game.pk, user=ann, planned_id=theirs.pk, now=now)
    with refused(planning_errors.NothingPlanned, "planned nothing", status=404):
        plans.drop_plans(game_id=game.pk, user=ann, now=now)
    plans.drop_plans(game_id=game.pk, user=bob, now=now)
    assert not PlannedTurn.objects.exists()


def test_undoing_drops_ones_own_plans_and_leaves_the_others(game, ann, bob, now):
    lay(game, bob, "if 5 then 1", now=now)
    play(game, ann, "9", now=now)
    lay(game, ann, "if 1 then 5", now=now)
    undo_turn(game_id=game.pk, user=ann, now=now + SECOND)
    assert (left(game, ann), left(game, bob)) == ([], [("5", "1")])
    assert not game.planned_turns.filter(user=ann).exists()
    play(game, ann, "5", now=now + SECOND)
    assert notations(game) == ["9", "takeback 0", "5", "1"]


def test_an_agreed_takeback_drops_all_plans(game, ann, bob, now):
    play_all(game, ["5", "1"], now=now)
    lay(game, bob, "if 9 then 2", now=now)
    lay(game, ann, "if 9; 2 then 3", now=now)
    offer_takeback(game_id=game.pk, user=bob, now=now)
    accept_offer(game_id=game.pk, user=ann, now=now)
    assert not PlannedTurn.objects.exists()


@pytest.mark.parametrize("end", ["resigned", "agreed"])
def test_the_end_of_the_game_drops_all_plans(game, ann, bob, now, end):
    lay(game, bob, "if 5 then 1", now=now)
    if end == "resigned":
        resign(game_id=game.pk, user=ann, now=now)
    else:
        offer_end(game_id=game.pk, user=ann, now=now)
        accept_offer(game_id=game.pk, user=bob, now=now)
    assert fresh(game).is_over
    assert not PlannedTurn.objects.exists()


def test_a_player_who_leaves_takes_their_plans_along(four, people, now):
    ann, bob, *_ = people
    text = some_turn(four)
    steps = [plans.PlanStep(text, False)]
    position = four.rules.load(four.position)
    position = four.rules.play_turn(position, four.rules.parse_turn(position, text))
    steps.append(plans.PlanStep(random_turn_at(four.rules, position), True))
    plans.lay_plans(game_id=four.pk, user=bob, lines=[steps], expected_turn=0, now=now)
    resign(game_id=four.pk, user=bob, now=now)
    play(four, ann, text, now=now)
    assert fresh(four).turns.filter(via=Turn.Via.PLAN).count() == 0
    assert mover(fresh(four)) == people[2]
