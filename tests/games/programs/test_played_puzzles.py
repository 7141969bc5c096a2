"""Puzzles from finished games: what is used, what never is, and that nobody is named."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import (
    Division,
    Game,
    League,
    LeagueGame,
    Puzzle,
    Report,
    Season,
    SeasonEntry,
)
from games.moderation.game_actions import set_conversation
from games.rules.puzzles import PLAYED
from games.rules.registry import program_for
from games.services import played_puzzles
from games.services.offers import accept_offer, offer_takeback
from games.services.played_puzzles import played_puzzle
from games.services.puzzles import make_puzzles, puzzle_of
from tests.factories import PersonFactory, StaffFactory
from tests.games.parallel import at_once
from tests.games.play import begin, play_all
from tests.games.programs.test_puzzles import loses_within, wins_within, without_past

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
WEDNESDAY = date(2026, 3, 11)
SUNDAY = date(2026, 3, 1)
"""Its puzzle by the tables is a game in which there is a win in five."""

PLAYED_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOW = datetime(2026, 3, 11, 0, 5, tzinfo=UTC)


def play_game(one, two, turns, *, now=PLAYED_AT):
    """Let two players play these turns of Taquet on one day."""
    return play_all(begin(one, two, now=now, slug="taquet", days=30), turns, now=now)


@pytest.fixture
def turns():
    """Return the turns of a game of Taquet with a puzzle in it, to its end."""
    puzzle = puzzle_of(SUNDAY)
    return f"{puzzle.moves} {puzzle.solution}".split()


@pytest.fixture
def finished(ann, bob, turns):
    """Ann and bob have played that game, ten days before the Wednesday."""
    game = play_game(ann, bob, turns)
    assert game.status == "finished"
    return game


def test_the_puzzle_is_a_position_of_the_game_with_one_winning_turn(finished, turns):
    puzzle = played_puzzle(WEDNESDAY)
    moves, line = puzzle.moves.split(), puzzle.solution.split()
    assert turns[: len(moves)] == moves
    assert (puzzle.rules_slug, puzzle.is_win, puzzle.is_played) == ("taquet", True, True)
    assert PLAYED["taquet"].shortest <= len(line) <= PLAYED["taquet"].longest
    rules, position = puzzle.rules, puzzle.position
    after = {
        rules.format(position, action): without_past(rules.play(position, action))
        for action in rules.legal_actions(position)
    }
    assert len(after) == puzzle.choices
    assert loses_within(rules, after[line[0]], len(line) - 1)
    assert not wins_within(rules, without_past(position), len(line) - 1)
    for text, there in after.items():
        is_end = rules.outcome(there) is not None
        assert text == line[0] or is_end or not loses_within(rules, there, len(line) + 1)


def test_a_day_decides_and_only_wednesdays_and_fridays_have_one(finished):
    assert played_puzzle(WEDNESDAY).moves == played_puzzle(WEDNESDAY).moves
    days = [WEDNESDAY + number * DAY for number in range(7)]
    assert [day.weekday() for day in days if played_puzzle(day)] == [2, 4]


def test_without_a_game_the_tables_have_the_puzzle(db):
    assert played_puzzle(WEDNESDAY) is None
    make_puzzles(now=NOW)
    assert Puzzle.objects.get(day=WEDNESDAY).moves == puzzle_of(WEDNESDAY).moves


def test_a_position_is_asked_once(finished):
    made = []
    for number in range(8):
        puzzle = played_puzzle(WEDNESDAY + number * 7 * DAY)
        if puzzle:
            puzzle.save()
            made.append(puzzle.moves)
    assert made
    assert len(made) == len(set(made))


def test_entries_that_were_taken_back_are_left_out(finished, ann, bob, turns):
    """A record with a turn and its takeback gives the same puzzle."""
    before = played_puzzle(WEDNESDAY)
    Game.objects.filter(pk=finished.pk).update(is_public=False)
    assert played_puzzle(WEDNESDAY) is None
    game = play_game(ann, bob, turns[:1])
    offer_takeback(game_id=game.pk, user=ann, now=PLAYED_AT)
    accept_offer(game_id=game.pk, user=bob, now=PLAYED_AT)
    play_all(game, turns, now=PLAYED_AT)
    entries = list(game.turns.order_by("number").values_list("notation", flat=True))
    assert entries[:3] == [turns[0], "takeback 0", turns[0]]
    after = played_puzzle(WEDNESDAY)
    assert (after.moves, after.solution) == (before.moves, before.solution)


# What is not used ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"is_public": False},
        {"is_lesson": True},
        {"ending": "adjudicated"},
        {"ending": "broken-off"},
        {"ending": "removed"},
        {"status": "aborted", "ending": "aborted"},
        {"rules_slug": "superpion"},
        {"options": {"hints": True}},
        {"ended_at": datetime(2026, 3, 4, tzinfo=UTC)},
        {"ended_at": datetime(2026, 1, 2, tzinfo=UTC)},
    ],
    ids=str,
)
def test_a_game_that_is_no_public_result_of_the_last_weeks_is_not_used(finished, change):
    assert played_puzzle(WEDNESDAY)
    Game.objects.filter(pk=finished.pk).update(**change)
    assert played_puzzle(WEDNESDAY) is None


def test_a_game_with_which_a_moderator_dealt_is_not_used(finished):
    mona = StaffFactory(username="mona", role="Moderators")
    set_conversation(game_id=finished.pk, by=mona, is_open=False, why="Insults", now=PLAYED_AT)
    assert finished.log_entries.exists()
    assert played_puzzle(WEDNESDAY) is None


@pytest.mark.parametrize(
    ("state", "is_used"),
    [("open", False), ("taken", False), ("upheld", False), ("dismissed", True)],
)
def test_a_game_that_is_reported_is_not_used(finished, cat, state, is_used):
    Report.objects.create(
        reporter=cat, game=finished, reason="cheating", state=state, made_at=PLAYED_AT
    )
    assert bool(played_puzzle(WEDNESDAY)) == is_used


@pytest.mark.parametrize(("annulled_at", "is_used"), [(None, True), (PLAYED_AT, False)])
def test_an_annulled_game_of_a_league_is_not_used(finished, ann, bob, annulled_at, is_used):
    league = League.objects.create(rules_slug="taquet", opened_at=PLAYED_AT)
    spans = {"starts_at": PLAYED_AT, "final_at": PLAYED_AT + 30 * DAY}
    season = Season.objects.create(league=league, number=1, **spans)
    first, second = (
        SeasonEntry.objects.create(season=season, user=user, joined_at=PLAYED_AT)
        for user in (ann, bob)
    )
    LeagueGame.objects.create(
        division=Division.objects.create(season=season, number=1),
        first=first,
        second=second,
        leg=1,
        game=finished,
        annulled_at=annulled_at,
    )
    assert bool(played_puzzle(WEDNESDAY)) == is_used


def test_a_running_game_is_never_used(ann, bob, turns):
    play_game(ann, bob, turns[:-1])
    assert played_puzzle(WEDNESDAY) is None


# No hint ------------------------------------------------------------------------------------------


def keys_of_line(puzzle):
    """Return the keys of the puzzle's positions, from the one that is asked to the last turn."""
    program, position = program_for(puzzle.rules_slug), puzzle.position
    keys = []
    for turn in puzzle.solution.split():
        keys.append(program.key(position))
        position = puzzle.rules.play_turn(position, puzzle.rules.parse_turn(position, turn))
    return keys


def test_no_position_of_a_running_game_is_asked_or_shown_nor_one_that_it_leads_to(
    finished, turns, bob
):
    """Two others stand, one turn after another, at each position of the finished game."""
    one, two = PersonFactory(), PersonFactory()
    running = begin(one, two, now=PLAYED_AT, slug="taquet", days=60)
    program, seen = program_for("taquet"), 0
    for turn in turns[:-1]:
        running = play_all(running, [turn], now=PLAYED_AT)
        position = running.rules.load(running.position)
        after = [program.key(running.rules.play(position, action))
                 for action in running.rules.legal_actions(position)]  # fmt: skip
        puzzle = played_puzzle(WEDNESDAY)
        if puzzle:
            assert not {program.key(position), *after} & set(keys_of_line(puzzle))
        else:
            seen += 1
    assert seen


def test_with_very_many_running_games_the_tables_have_the_puzzle(finished, monkeypatch):
    begin(PersonFactory(), PersonFactory(), now=PLAYED_AT, slug="taquet", days=60)
    assert played_puzzle(WEDNESDAY)
    monkeypatch.setattr(played_puzzles, "MOST_RUNNING", 0)
    assert played_puzzle(WEDNESDAY) is None


# Nobody is named ----------------------------------------------------------------------------------


def test_a_puzzle_names_nobody_and_keeps_no_link_to_its_game(finished, ann, bob):
    make_puzzles(now=NOW)
    puzzle = Puzzle.objects.get(day=WEDNESDAY)
    assert puzzle.is_played
    assert not [field.name for field in Puzzle._meta.fields if field.is_relation]
    with time_machine.travel(NOW, tick=False):
        page = Client().get(puzzle.get_absolute_url()).text
    assert "from a finished game on this site" in page
    for name in (ann.username, bob.username, finished.get_absolute_url()):
        assert f">{name}" not in page
        assert f"/{name}" not in page


# Workers and costs --------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_make_the_same_puzzle(ann, bob, turns):
    play_game(ann, bob, turns)
    at_once(*[[("make_puzzles", {"now": NOW})] for _ in range(3)])
    puzzle = Puzzle.objects.get(day=WEDNESDAY)
    assert puzzle.is_played
    Puzzle.objects.all().delete()
    assert (puzzle.moves, puzzle.solution) == (
        played_puzzle(WEDNESDAY).moves,
        played_puzzle(WEDNESDAY).solution,
    )


def test_many_games_cost_no_more_queries_than_one(finished, turns):
    with CaptureQueriesContext(connection) as one:
        played_puzzle(WEDNESDAY)
    for _ in range(3):
        play_game(PersonFactory(), PersonFactory(), turns)
    with CaptureQueriesContext(connection) as many:
        played_puzzle(WEDNESDAY)
    assert len(many) == len(one)
