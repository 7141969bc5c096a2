"""Puzzles of several steps: right turns, the longest resistance, the end, and what is kept."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from games import errors, puzzle_errors
from games.models import Game, PuzzleAttempt
from games.queries.puzzle_lines import read_line, solution_of, start_of, verdict_of
from games.queries.puzzles import streak_of
from games.rules.puzzle_lines import MOST_STEPS
from games.rules.registry import program_for
from games.services.endings import resign
from games.services.puzzles import answer_puzzle, puzzle_of, show_solution
from tests.games.parallel import at_once
from tests.games.play import begin, play_all
from tests.games.programs.test_puzzles import (
    MONDAY,
    loses_within,
    own_turns,
    solve,
    wins_within,
    without_past,
)

DAY = timedelta(days=1)
WON_DAYS = [day for day in (MONDAY + n * DAY for n in range(14)) if day.weekday() not in (0, 2)]
SUNDAY = date(2026, 11, 29)
"""Its puzzle is a win in five."""


def lines_of(puzzle):
    """Yield each line of right turns of a puzzle before its next turn is asked."""
    waiting = [start_of(puzzle)]
    while waiting:
        line = waiting.pop()
        if not line.is_over:
            yield line
            waiting += [one.after for one in map(line.judge, line.legal) if one.is_right]


# The rules, against trying everything -------------------------------------------------------------


@pytest.mark.parametrize("day", WON_DAYS, ids=str)
def test_trying_everything_finds_the_same_right_turns(day):
    """A turn is right if and only if no turn wins sooner, in every line that can come about."""
    puzzle = puzzle_of(day)
    rules = puzzle.rules
    for line in lines_of(puzzle):
        position = without_past(line.trial.position)
        soonest = next(n for n in range(1, 20) if wins_within(rules, position, n))
        for action in rules.legal_actions(position):
            after = without_past(rules.play(position, action))
            outcome = rules.outcome(after)
            if outcome is not None:
                wins = rules.to_move(position) in outcome.winners and not outcome.is_draw
            else:
                wins = soonest > 2 and loses_within(rules, after, soonest - 1)
            assert line.judge(rules.format(position, action)).is_right == wins


@pytest.mark.parametrize("day", WON_DAYS, ids=str)
def test_the_other_side_lasts_as_long_as_it_can_and_plays_the_first_of_equal_turns(day):
    puzzle = puzzle_of(day)
    rules = puzzle.rules
    for line in lines_of(puzzle):
        if not line.resistance:
            continue
        lasted = {}
        before = read_line_before_answer(line)
        for action in rules.legal_actions(before):
            after = without_past(rules.play(before, action))
            ended = rules.outcome(after) is not None
            lasted[rules.format(before, action)] = (
                0 if ended else next(n for n in range(1, 20) if wins_within(rules, after, n))
            )
        longest = [text for text, turns in lasted.items() if turns == max(lasted.values())]
        assert line.resistance == min(longest)


def read_line_before_answer(line):
    """Return the position that the other side's newest turn was played in."""
    rules, turns = line.puzzle.rules, line.trial.turns[:-1]
    position = rules.initial({})
    for turn in turns:
        position = rules.play_turn(position, rules.parse_turn(position, turn))
    return without_past(position)


@pytest.mark.parametrize("day", WON_DAYS, ids=str)
def test_a_line_ends_when_it_is_won_after_four_turns_or_when_every_turn_wins(day):
    puzzle = puzzle_of(day)
    rules = puzzle.rules
    for line in lines_of(puzzle):
        position = without_past(line.trial.position)
        assert len(line.own) < MOST_STEPS
        assert not line.own or not all_win(rules, position)
        for judged in map(line.judge, line.legal):
            after = judged.after
            if judged.solves:
                there = after.trial.position
                is_won = rules.outcome(there) is not None
                enough = len(after.own) == MOST_STEPS
                assert is_won or enough or all_win(rules, without_past(there))


def all_win(rules, position):
    """Return whether each turn of the side to move still wins, with as many turns as it takes."""
    for action in rules.legal_actions(position):
        after = without_past(rules.play(position, action))
        outcome = rules.outcome(after)
        if outcome is not None:
            if outcome.is_draw or rules.to_move(position) not in outcome.winners:
                return False
        elif not loses_within(rules, after, 9):
            return False
    return True


def test_every_turn_wins_ends_a_line(monkeypatch):
    """Such a position is rare, so the table is asked whether a turn loses, and says no."""
    puzzle = puzzle_of(SUNDAY)
    assert not start_of(puzzle).judge(puzzle.answer).solves
    program = type(program_for("taquet"))
    monkeypatch.setattr(program, "holding", lambda self, position, actions, result: len(actions))
    assert start_of(puzzle).judge(puzzle.answer).solves


def test_a_win_in_five_asks_four_turns_and_shows_the_rest():
    puzzle = puzzle_of(SUNDAY)
    turns = own_turns(puzzle)
    line = read_line(puzzle, turns)
    assert (puzzle.own_turns, len(turns), line.is_over, line.turns_left) == (5, 4, True, 1)
    shown = [one.turns[-1] for one in solution_of(puzzle, turns)]
    assert shown[::2][:4] == turns
    assert solution_of(puzzle, turns)[-1].rules.outcome(solution_of(puzzle, turns)[-1].position)


@pytest.mark.parametrize("day", [MONDAY, MONDAY + 2 * DAY], ids=str)
def test_not_losing_is_a_single_turn(day):
    puzzle = puzzle_of(day)
    assert not puzzle.is_win
    judged = start_of(puzzle).judge(puzzle.answer)
    assert judged.solves
    assert not judged.after.resistance
    with pytest.raises(puzzle_errors.PuzzleLineIsOver):
        judged.after.judge(judged.after.legal[0])


# What is kept -------------------------------------------------------------------------------------


@pytest.fixture
def puzzle(db):
    """A win in five, on its day."""
    puzzle = puzzle_of(SUNDAY)
    puzzle.save()
    return puzzle


@pytest.fixture
def noon(now):
    return now.replace(year=2026, month=11, day=29, hour=12)


@pytest.fixture
def give(puzzle, ann, noon):
    """Return a function with which ann answers after some turns of hers."""

    def answered(text, *line, now=noon, user=ann, **more):
        return answer_puzzle(day=puzzle.day, user=user, text=text, line=line, now=now, **more)

    return answered


def wrong_turn(line):
    return next(text for text in line.legal if not line.judge(text).is_right)


def kept():
    return PuzzleAttempt.objects.values_list(
        "notation", "is_right", "closed_at", "answered_at"
    ).get()


def test_each_right_turn_is_kept_and_the_last_one_solves_it(puzzle, give, ann, noon):
    first, second, third, fourth = own_turns(puzzle)
    answered = give(first)
    assert answered.counts
    assert not answered.judged.after.is_over
    assert kept() == (first, None, None, noon)
    assert streak_of(ann, now=noon) == 0
    give(second, first)
    later = noon + timedelta(hours=1)
    give(third, first, second, now=later)
    assert kept() == (f"{first} {second} {third}", None, None, later)
    assert give(fourth, first, second, third, now=later).judged.solves
    assert kept() == (f"{first} {second} {third} {fourth}", True, later, later)
    assert streak_of(ann, now=noon) == 1


def test_a_wrong_step_decides_it_and_what_follows_is_not_kept(puzzle, give, ann, noon):
    first, second, *_ = own_turns(puzzle)
    give(first)
    wrong = wrong_turn(read_line(puzzle, [first]))
    assert not give(wrong, first).judged.is_right
    decided = (f"{first} {wrong}", False, None, noon)
    assert kept() == decided
    answered = give(second, first)
    assert answered.judged.is_right
    assert not answered.counts
    assert kept() == decided
    solve(puzzle, ann, noon)
    assert kept() == (f"{first} {wrong}", False, noon, noon)
    assert streak_of(ann, now=noon) == 0


def test_a_turn_that_wins_later_is_wrong(puzzle, ann, noon):
    """The answer says that it wins, that another turn wins sooner, and is the first that counts."""
    slow = []
    for line in lines_of(puzzle):
        rules, position = puzzle.rules, without_past(line.trial.position)
        soonest = next(n for n in range(1, 20) if wins_within(rules, position, n))
        for text in line.legal:
            after = without_past(rules.play_turn(position, rules.parse_turn(position, text)))
            is_over = rules.outcome(after) is not None
            if is_over or loses_within(rules, after, soonest - 1):
                continue
            if loses_within(rules, after, 10):
                slow.append((line, text))
    assert slow
    for line, text in slow:
        assert verdict_of(line.judge(text)) == f"{text} wins too, but another turn wins sooner."
    line, text = slow[0]
    answered = answer_puzzle(day=puzzle.day, user=ann, text=text, line=line.own, now=noon)
    assert answered.counts
    assert not answered.judged.is_right
    assert kept() == (" ".join([*line.own, text]), False, None, noon)


def test_an_answer_sent_again_changes_nothing(puzzle, give, noon):
    first, second, *_ = own_turns(puzzle)
    give(first)
    give(second, first)
    later = noon + timedelta(hours=1)
    for answered in (give(first, now=later), give(second, first, now=later)):
        assert answered.judged.is_right
        assert not answered.counts
        assert answered.line.own == (first, second)
    assert kept() == (f"{first} {second}", None, None, noon)


def test_a_line_that_was_gone_on_from_is_refused(puzzle, give, noon):
    first, second, *_ = own_turns(puzzle)
    give(first)
    give(second, first)
    other = wrong_turn(start_of(puzzle))
    for text, line in ((other, ()), (wrong_turn(read_line(puzzle, [first])), (first,))):
        with pytest.raises(puzzle_errors.StalePuzzleLine, match=f"{first}, {second}"):
            give(text, *line)
    assert kept() == (f"{first} {second}", None, None, noon)


@pytest.mark.parametrize(
    "forged", [["z9"], ["a1", "a1"], ["x" * 5000], ["a1"] * 200, ["WRONG"], ["UPPER"]]
)
def test_a_line_that_is_forged_is_refused(puzzle, give, forged):
    first = puzzle.answer
    names = {"WRONG": wrong_turn(start_of(puzzle)), "UPPER": first.upper()}
    with pytest.raises(puzzle_errors.BadPuzzleLine):
        give(first, *(names.get(turn, turn) for turn in forged))
    assert not PuzzleAttempt.objects.exists()
    give(first)
    with pytest.raises(puzzle_errors.BadPuzzleLine):
        give(first, *(names.get(turn, turn) for turn in forged))
    assert PuzzleAttempt.objects.get().notation == first


def test_nothing_is_asked_after_the_end(puzzle, give):
    turns = own_turns(puzzle)
    with pytest.raises(puzzle_errors.PuzzleLineIsOver):
        give(read_line(puzzle, turns).legal[0], *turns)
    assert not PuzzleAttempt.objects.exists()


def test_a_longer_line_that_begins_with_what_is_kept_goes_on(puzzle, give):
    """Somebody played without an account, and signed in before the third turn."""
    first, second, third, _ = own_turns(puzzle)
    assert give(third, first, second).counts
    assert kept()[:2] == (f"{first} {second} {third}", None)


def test_what_is_no_turn_leaves_the_line_as_it_is(puzzle, give, noon):
    give(puzzle.answer)
    with pytest.raises(errors.MoveRefused):
        give("z9", puzzle.answer)
    assert kept() == (puzzle.answer, None, None, noon)


def test_the_solution_ends_a_line_that_goes_on(puzzle, give, ann, noon):
    give(puzzle.answer)
    show_solution(day=puzzle.day, user=ann, now=noon)
    assert kept() == (puzzle.answer, False, noon, noon)
    assert not give(own_turns(puzzle)[1], puzzle.answer).counts


def test_the_solution_of_a_solved_puzzle_leaves_it_solved(puzzle, ann, noon):
    solve(puzzle, ann, noon)
    show_solution(day=puzzle.day, user=ann, now=noon + DAY)
    assert kept()[1:3] == (True, noon)


def test_a_line_that_is_finished_after_midnight_does_not_count(puzzle, give, ann, noon):
    *before, last = own_turns(puzzle)
    for number, turn in enumerate(before):
        give(turn, *before[:number])
    assert give(last, *before, now=noon + DAY).judged.solves
    assert streak_of(ann, now=noon + DAY) == 0


@pytest.mark.django_db(transaction=True)
def test_two_next_steps_at_the_same_moment_are_one(puzzle, give, ann, noon):
    """The right turn and a wrong one: one is kept, the other is refused."""
    first, second, *_ = own_turns(puzzle)
    for _ in range(3):
        PuzzleAttempt.objects.all().delete()
        give(first)
        wrong = wrong_turn(read_line(puzzle, [first]))
        job = {"user": ann.username, "day": puzzle.day, "now": noon, "line": [first]}
        answers = at_once(*[[("answer", job | {"text": text})] for text in (second, wrong)])
        notation, is_right, _, _ = kept()
        if notation == f"{first} {second}":
            assert is_right is None
            assert answers == [[True], ["StalePuzzleLine"]]
        else:
            # What comes after a wrong turn is judged, and not kept.
            assert (notation, is_right) == (f"{first} {wrong}", False)
            assert answers == [[True], [False]]


@pytest.mark.django_db(transaction=True)
def test_the_same_next_step_twice_at_the_same_moment_is_kept_once(puzzle, give, ann, noon):
    first, second, *_ = own_turns(puzzle)
    give(first)
    job = {"user": ann.username, "day": puzzle.day, "now": noon, "line": [first]}
    answers = at_once(*[[("answer", job | {"text": second})] for _ in range(3)])
    assert answers == [[True]] * 3
    assert kept() == (f"{first} {second}", None, None, noon)


# No hint in a running game ------------------------------------------------------------------------


def stand_at(one, two, moves, now):
    """Return a game of two that stands after these turns."""
    return play_all(begin(one, two, now=now, slug="taquet", days=30), moves, now=now)


@pytest.mark.parametrize("way", range(8))
def test_a_position_of_morpion_is_known_however_it_is_turned(db, ann, bob, now, way):
    puzzle = puzzle_of(MONDAY)
    puzzle.save()
    seen = dict(zip("123456789", turned_square(way), strict=True))
    noon = datetime.combine(MONDAY, time(12), tzinfo=UTC)
    game = begin(ann, bob, now=noon, slug="morpion", days=30)
    play_all(game, [seen[turn] for turn in puzzle.moves.split()], now=noon)
    with pytest.raises(puzzle_errors.HelpsInRunningGame):
        answer_puzzle(day=puzzle.day, user=ann, text=puzzle.answer, line=(), now=noon)
    assert not PuzzleAttempt.objects.exists()


def turned_square(way):
    """Return the nine cells, turned by so many quarters, and mirrored from 4 on."""
    rows = [list("123"), list("456"), list("789")]
    for _ in range(way % 4):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
    if way >= 4:
        rows = [row[::-1] for row in rows]
    return [cell for row in rows for cell in row]


def mirrored(turn):
    """Return a turn of Taquet as a mirror shows it."""
    return turn.translate(str.maketrans("ac", "ca"))


@pytest.mark.parametrize("steps", [-1, 0, 1, 4])
@pytest.mark.parametrize("seen", [str, mirrored])
def test_who_plays_at_a_position_of_it_is_told_nothing(puzzle, give, ann, bob, noon, steps, seen):
    """Before the puzzle's position, at it, and in its solution; in the same way or mirrored."""
    turns = f"{puzzle.moves} {puzzle.solution}".split()
    game = stand_at(
        ann, bob, [seen(turn) for turn in turns[: len(puzzle.moves.split()) + steps]], noon
    )
    for user in (ann, bob):
        with pytest.raises(puzzle_errors.HelpsInRunningGame):
            give(puzzle.answer, user=user)
        for line in ([puzzle.answer], [wrong_turn(start_of(puzzle))]):  # which one is not told
            with pytest.raises(puzzle_errors.HelpsInRunningGame):
                give("?", *line, user=user)
        with pytest.raises(puzzle_errors.HelpsInRunningGame):
            show_solution(day=puzzle.day, user=user, now=noon)
    assert not PuzzleAttempt.objects.exists()
    resign(game_id=game.pk, user=bob, now=noon)
    assert give(puzzle.answer).judged.is_right


def test_others_and_lessons_and_other_positions_are_no_matter(puzzle, give, ann, bob, cat, noon):
    game = stand_at(ann, bob, puzzle.moves.split(), noon)
    assert give(puzzle.answer, user=cat).judged.is_right
    Game.objects.filter(pk=game.pk).update(is_lesson=True)
    assert give(puzzle.answer).judged.is_right
    resign(game_id=game.pk, user=bob, now=noon)
    stand_at(ann, bob, puzzle.moves.split()[:2], noon)
    show_solution(day=puzzle.day, user=ann, now=noon)
