"""Puzzles of the day: what they ask is true, each day has one, and first answers count."""

from datetime import UTC, date, datetime, timedelta
from functools import cache

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Vacation
from games import errors, puzzle_errors
from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzle_lines import start_of
from games.queries.puzzles import count_streak, streak_of
from games.rules.puzzles import Difficulty, make_puzzle
from games.rules.registry import program_for
from games.services import puzzles
from games.services.puzzles import answer_puzzle, make_puzzles, puzzle_of, show_solution
from tests.games.parallel import at_once
from tests.games.play import begin, play_all

DAY = timedelta(days=1)
MONDAY = date(2026, 11, 23)
MADE = 8
"""Six days before today, today, and tomorrow."""

DEEP = 11
"""So many turns ahead the test looks for a win that there should not be."""


# What they ask ------------------------------------------------------------------------------------


@cache
def wins_within(rules, position, turns):
    """Return whether the side to move can force a win in so many turns, by trying everything."""
    if turns < 1 or rules.outcome(position) is not None:
        return False
    seat = rules.to_move(position)
    for action in rules.legal_actions(position):
        after = rules.play(position, action)
        outcome = rules.outcome(after)
        if outcome is not None:
            if seat in outcome.winners and not outcome.is_draw:
                return True
        elif turns > 2 and loses_within(rules, without_past(after), turns - 1):
            return True
    return False


def loses_within(rules, position, turns):
    """Return whether every turn of the side to move lets the other one win in time."""
    seat = rules.to_move(position)
    for action in rules.legal_actions(position):
        after = rules.play(position, action)
        outcome = rules.outcome(after)
        if outcome is not None:
            if outcome.is_draw or seat in outcome.winners:
                return False
        elif not wins_within(rules, without_past(after), turns - 1):
            return False
    return True


def without_past(position):
    """Return the position as a game that began with it has it: the same for every way there."""
    if hasattr(position, "since"):
        return position._replace(turn=position.turn & 1, since=(), played=())
    return position


@pytest.mark.parametrize("day", [MONDAY + number * DAY for number in range(14)], ids=str)
def test_trying_everything_finds_the_same_turn(day):
    puzzle = puzzle_of(day)
    rules, position = puzzle.rules, without_past(puzzle.position)
    line = puzzle.solution.split()
    actions = {rules.format(position, one): one for one in rules.legal_actions(position)}
    assert len(actions) == puzzle.choices
    after = {text: without_past(rules.play(position, one)) for text, one in actions.items()}
    if puzzle.is_win:
        assert loses_within(rules, after[line[0]], len(line) - 1)
        assert not wins_within(rules, position, len(line) - 1)
        others = [one for text, one in after.items() if text != line[0]]
        assert not any(_is_lost(rules, one, len(line) + 2) for one in others)
    else:
        assert [text for text, one in after.items() if not wins_within(rules, one, DEEP)] == line[
            :1
        ]


def _is_lost(rules, position, turns):
    return rules.outcome(position) is None and loses_within(rules, position, turns)


@pytest.mark.parametrize("day", [MONDAY + number * DAY for number in range(28)], ids=str)
def test_the_tables_computed_anew_know_only_one_turn(day):
    puzzle = puzzle_of(day)
    program = program_for(puzzle.rules_slug)
    table, rules, position = solved(puzzle.rules_slug), puzzle.rules, puzzle.position
    values = {}
    for action in rules.legal_actions(position):
        after = rules.play(position, action)
        ended = rules.outcome(after)
        if ended is None:
            found = table.get(program.key(after))
            value = -found.result if found else 0
        else:
            value = 0 if ended.is_draw else 1 if rules.to_move(position) in ended.winners else -1
        values[rules.format(position, action)] = value
    wanted = int(puzzle.is_win)
    assert [text for text, value in values.items() if value >= wanted] == [puzzle.answer]
    assert values[puzzle.answer] == wanted


@cache
def solved(slug):
    return program_for(slug).solve()


@pytest.mark.parametrize("day", [MONDAY + number * DAY for number in range(14)], ids=str)
def test_the_solution_is_played_to_its_end(day):
    puzzle = puzzle_of(day)
    rules, position = puzzle.rules, puzzle.position
    seat = rules.to_move(position)
    for turn in puzzle.solution.split():
        assert rules.outcome(position) is None
        position = rules.play_turn(position, rules.parse_turn(position, turn))
    if puzzle.is_win:
        assert rules.outcome(position).winners == (seat,)
    else:
        outcome = rules.outcome(position)
        assert outcome is None or outcome.is_draw


def test_a_week_grows_harder_and_sunday_has_a_win_in_five():
    week = [puzzle_of(MONDAY + number * DAY) for number in range(7)]
    assert [one.rules_slug for one in week] == ["morpion", *["taquet"] * 6]
    assert (week[6].is_win, week[6].own_turns) == (True, 5)
    assert [one.own_turns for one in week if one.is_win][:2] == [2, 3]


def test_a_difficulty_that_no_position_has_is_an_error(monkeypatch):
    monkeypatch.setattr("games.rules.puzzles.MOST_GAMES", 3)
    with pytest.raises(LookupError):
        make_puzzle(program_for("morpion"), Difficulty(1, 8, 9), 1)


# One a day ----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_new_site_has_puzzles_of_a_week_and_the_same_ones_everywhere(now):
    assert make_puzzles(now=now) == MADE
    today = now.date()
    days = Puzzle.objects.order_by("day").values_list("day", flat=True)
    assert list(days) == [today + number * DAY for number in range(-6, 2)]
    for one in Puzzle.objects.all():
        again = puzzle_of(one.day)
        assert (one.moves, one.solution) == (again.moves, again.solution)
    assert make_puzzles(now=now) == 0
    assert make_puzzles(now=now + DAY) == 1


@pytest.mark.django_db
def test_what_a_killed_worker_left_out_is_made_later(now, monkeypatch):
    def dies(day, made=puzzles.puzzle_of):
        if Puzzle.objects.count() == 3:
            raise SystemExit
        return made(day)

    monkeypatch.setattr(puzzles, "puzzle_of", dies)
    with pytest.raises(SystemExit):
        make_puzzles(now=now)
    monkeypatch.undo()
    assert make_puzzles(now=now) == MADE - 3
    assert Puzzle.objects.count() == MADE


@pytest.mark.django_db(transaction=True)
def test_several_workers_at_once_make_one_puzzle_a_day(now):
    at_once(*[[("make_puzzles", {"now": now})] for _ in range(4)])
    assert Puzzle.objects.count() == MADE


@pytest.mark.django_db
def test_a_puzzle_by_the_tables_reads_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        puzzle_of(MONDAY)


@pytest.mark.django_db
def test_a_running_game_changes_no_puzzle(ann, bob, now):
    """Whatever is played, the puzzles are the same: nothing of a running game can leak by them."""
    play_all(begin(ann, bob, now=now - 30 * DAY, slug="taquet", days=60), ["a1", "c3"], now=now)
    make_puzzles(now=now)
    for one in Puzzle.objects.all():
        assert (one.moves, one.is_played) == (puzzle_of(one.day).moves, False)


# Answers ------------------------------------------------------------------------------------------


@pytest.fixture
def today(db, now):
    make_puzzles(now=now)
    return Puzzle.objects.get(day=now.date())


def wrong_turns(puzzle):
    rules, position = puzzle.rules, puzzle.position
    turns = [rules.format(position, action) for action in rules.legal_actions(position)]
    return [turn for turn in turns if turn != puzzle.answer]


def own_turns(puzzle):
    """Return the turns with which somebody solves a puzzle, up to the last that is asked."""
    line = start_of(puzzle)
    while not line.is_over:
        line = next(filter(lambda one: one.is_right, map(line.judge, line.legal))).after
    return list(line.own)


def solve(puzzle, user, now):
    """Let a user answer all that a puzzle asks; return what became of the last answer."""
    turns = own_turns(puzzle)
    for number, turn in enumerate(turns):
        given = {"day": puzzle.day, "user": user, "line": turns[:number], "now": now}
        answered = answer_puzzle(text=turn, **given)
        assert answered.judged.is_right
    return answered


def test_the_first_answer_counts(today, ann, now):
    wrong = wrong_turns(today)[0]
    given = {"day": today.day, "user": ann}
    assert not answer_puzzle(**given, text=wrong, now=now).judged.is_right
    attempt = PuzzleAttempt.objects.get()
    assert (attempt.notation, attempt.is_right, attempt.closed_at) == (wrong, False, None)
    later = now + timedelta(minutes=1)
    assert answer_puzzle(**given, text=f" {today.answer.upper()} ", now=later).judged.is_right
    solve(today, ann, later)
    attempt = PuzzleAttempt.objects.get()
    assert (attempt.notation, attempt.is_right) == (wrong, False)
    assert (attempt.answered_at, attempt.closed_at) == (now, later)
    assert streak_of(ann, now=now) == 0


def test_a_right_answer_counts_and_opens_the_solution(today, ann, now):
    assert solve(today, ann, now).judged.solves
    show_solution(day=today.day, user=ann, now=now + timedelta(minutes=1))
    attempt = PuzzleAttempt.objects.get()
    assert (attempt.is_right, attempt.closed_at) == (True, now)
    assert streak_of(ann, now=now) == 1


def test_who_has_seen_the_solution_has_not_solved_it(today, ann, now):
    show_solution(day=today.day, user=ann, now=now)
    later = now + timedelta(minutes=1)
    assert solve(today, ann, later).judged.solves
    show_solution(day=today.day, user=ann, now=later)
    attempt = PuzzleAttempt.objects.get()
    assert (attempt.notation, attempt.is_right, attempt.closed_at) == ("", False, now)


@pytest.mark.parametrize("text", ["", "z9", "hello", "a1 b2", "x" * 5000])
def test_what_is_no_turn_is_no_answer(today, ann, now, text):
    with pytest.raises((errors.MoveRefused, errors.TurnTooLong)):
        answer_puzzle(day=today.day, user=ann, text=text, now=now)
    assert not PuzzleAttempt.objects.exists()


def test_tomorrows_puzzle_cannot_be_answered(today, ann, now):
    tomorrow = Puzzle.objects.get(day=today.day + DAY)
    with pytest.raises(puzzle_errors.NoSuchPuzzle):
        answer_puzzle(day=tomorrow.day, user=ann, text=tomorrow.answer, now=now)
    with pytest.raises(puzzle_errors.NoSuchPuzzle):
        show_solution(day=tomorrow.day, user=ann, now=now)


def test_a_user_has_one_attempt_a_puzzle(today, ann, now):
    values = {"puzzle": today, "user": ann, "is_right": True, "answered_at": now}
    PuzzleAttempt.objects.create(**values)
    with pytest.raises(IntegrityError), transaction.atomic():
        PuzzleAttempt.objects.create(**values)


@pytest.mark.django_db(transaction=True)
def test_answers_at_the_same_moment_are_one_attempt(ann, now):
    make_puzzles(now=now)
    puzzle = Puzzle.objects.get(day=now.date())
    texts = [puzzle.answer, *wrong_turns(puzzle)[:3]]
    job = {"user": ann.username, "day": puzzle.day, "now": now}
    at_once(*[[("answer", job | {"text": text})] for text in texts])
    attempt = PuzzleAttempt.objects.get()
    assert attempt.is_right in (None, attempt.notation == puzzle.answer)
    assert len(attempt.turns) == 1


# Streaks ------------------------------------------------------------------------------------------


def days(text):
    """Return the days of November 2026 with these numbers."""
    return {date(2026, 11, int(number)) for number in text.split()}


def absence(first, last):
    return (datetime(2026, 11, first, 15, tzinfo=UTC), datetime(2026, 11, last, 9, tzinfo=UTC))


@pytest.mark.parametrize(
    ("solved", "absences", "streak"),
    [
        ("", [], 0),
        ("20", [], 1),
        ("19", [], 1),  # today is not over
        ("18", [], 0),
        ("20 19 18", [], 3),
        ("20 19 17 16", [], 2),
        ("20 16 15", [absence(17, 19)], 3),  # both its first day and its last
        ("20 18 16 15", [absence(17, 19)], 4),
        ("20 16 15", [absence(18, 19)], 1),
        ("16 15", [absence(17, 25)], 2),  # the vacation goes on
    ],
)
def test_days_in_a_row(solved, absences, streak):
    assert count_streak(days(solved), absences, date(2026, 11, 20)) == streak


def test_the_day_after_an_absence_that_ends_at_midnight_breaks_a_streak():
    whole_day = (datetime(2026, 11, 17, tzinfo=UTC), datetime(2026, 11, 18, tzinfo=UTC))
    assert count_streak(days("19 16"), [whole_day], date(2026, 11, 19)) == 1
    assert count_streak(days("18 16"), [whole_day], date(2026, 11, 18)) == 2


def test_a_puzzle_of_another_day_does_not_count(today, ann, now):
    yesterday = Puzzle.objects.get(day=today.day - DAY)
    solve(yesterday, ann, now)
    assert streak_of(ann, now=now) == 0
    solve(today, ann, now)
    assert streak_of(ann, now=now) == 1


def test_the_day_ends_at_midnight_utc(ann, db):
    last_minute = datetime(2026, 3, 10, 23, 59, 59, tzinfo=UTC)
    make_puzzles(now=last_minute)
    puzzle = Puzzle.objects.get(day=last_minute.date())
    solve(puzzle, ann, last_minute)
    midnight = last_minute + timedelta(seconds=1)
    assert streak_of(ann, now=midnight) == 1
    following = Puzzle.objects.get(day=midnight.date())
    solve(following, ann, midnight)
    assert streak_of(ann, now=midnight) == 2
    assert streak_of(ann, now=midnight + 2 * DAY) == 0


def test_a_vacation_does_not_break_a_streak(today, ann, now):
    solve(today, ann, now)
    later = now + 5 * DAY
    assert streak_of(ann, now=later) == 0
    Vacation.objects.create(user=ann, begins_at=now + DAY, ends_at=later, announced_at=now)
    assert streak_of(ann, now=later) == 1
