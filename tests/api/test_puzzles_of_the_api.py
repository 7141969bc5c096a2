"""The puzzle of the day by the API: what it says, answers, and what it does not tell."""

from datetime import timedelta

import pytest
from django.utils import translation

from games import errors
from games.models import Puzzle, PuzzleAttempt
from games.services.puzzles import make_puzzles, puzzle_of
from tests.api.client import Api, code_of, token_for
from tests.factories import StaffFactory
from tests.games.play import begin, play_all
from tests.games.programs.test_puzzle_steps import SUNDAY
from tests.games.programs.test_puzzles import own_turns, wrong_turns
from tests.suspensions import KEPT_OUT

pytestmark = pytest.mark.django_db


@pytest.fixture
def puzzle(now):
    """Today's puzzle."""
    make_puzzles(now=now)
    return Puzzle.objects.get(day=now.date())


def answer(client, puzzle, text, line=None):
    sent = {"text": text} if line is None else {"text": text, "line": line}
    return client.post(f"/puzzles/{puzzle.day}/answer", sent)


def solve(client, puzzle):
    """Answer all that a puzzle asks, with what each answer says; return the last answer."""
    turns, line = own_turns(puzzle), []
    for turn in turns:
        judged = answer(client, puzzle, turn, line).data
        assert (judged["turn"], judged["is_right"], judged["is_first"]) == (turn, True, True)
        line = judged["next"]["line"] if judged["goes_on"] else line
    return judged


def test_a_site_without_a_puzzle_says_so(as_ann):
    assert code_of(as_ann.get("/puzzles/today")) == (404, "NoSuchPuzzle")


def test_the_position_is_data_and_the_solution_is_not_told(puzzle, as_ann):
    asked = as_ann.get("/puzzles/today")
    data = asked.data
    assert (data["day"], data["game"]) == (puzzle.day.isoformat(), puzzle.rules_slug)
    assert data["moves"] == puzzle.moves.split()
    assert data["text"] == puzzle.rules.dump(puzzle.position)
    assert len(data["legal"]) == puzzle.choices
    assert data["board"]["cells"]
    assert data["seat_to_move"] == puzzle.rules.to_move(puzzle.position)
    assert (data["solution"], data["your_answer"], data["streak"]) == (None, None, 0)
    assert data["win_in"] == (puzzle.own_turns if puzzle.is_win else None)
    assert data["question"].endswith("Which one?")


def test_the_right_turn_counts_and_opens_the_solution(puzzle, as_ann, ann):
    judged = solve(as_ann, puzzle)
    assert not judged["goes_on"]
    assert judged["puzzle"]["solution"][0] == puzzle.answer
    assert len(judged["puzzle"]["solution"]) == len(puzzle.solution.split())
    assert judged["puzzle"]["streak"] == 1
    again = answer(as_ann, puzzle, puzzle.answer).data
    assert (again["is_right"], again["is_first"]) == (True, False)
    assert PuzzleAttempt.objects.get().user == ann
    assert as_ann.get("/puzzles/today").data["your_answer"]["is_right"]


def test_only_the_first_answer_counts_and_a_wrong_one_opens_nothing(puzzle, as_ann, as_bob):
    wrong = wrong_turns(puzzle)[0]
    judged = answer(as_ann, puzzle, wrong).data
    assert (judged["is_right"], judged["is_first"], judged["puzzle"]["solution"]) == (
        False,
        True,
        None,
    )
    assert judged["verdict"].startswith(wrong)
    later = answer(as_ann, puzzle, puzzle.answer).data
    assert (later["is_right"], later["is_first"], later["puzzle"]["streak"]) == (True, False, 0)
    assert later["puzzle"]["your_answer"]["turn"] == wrong
    assert as_bob.get("/puzzles/today").data["your_answer"] is None


def test_what_is_no_turn_does_not_count(puzzle, as_ann):
    refused = answer(as_ann, puzzle, "z9")
    assert code_of(refused) == (422, "MoveRefused")
    assert not PuzzleAttempt.objects.exists()


def test_another_day_is_not_answered_before_it_comes(puzzle, as_ann):
    tomorrow = Puzzle.objects.get(day=puzzle.day + timedelta(days=1))
    assert code_of(answer(as_ann, tomorrow, tomorrow.answer)) == (404, "NoSuchPuzzle")
    made_up = as_ann.post("/puzzles/2026-02-30/answer", {"text": "a1"})
    assert code_of(made_up) == (404, "NoSuchPuzzle")
    assert code_of(as_ann.post("/puzzles/today/answer", {"text": "a1"})) == (422, "BadRequest")


@pytest.mark.parametrize("keep_out", KEPT_OUT)
def test_who_is_suspended_neither_reads_nor_answers(puzzle, ann, as_ann, now, keep_out):
    StaffFactory(username="host", role="Hosts")
    keep_out(ann, now)
    assert as_ann.get("/puzzles/today").status_code in (401, 403)
    assert answer(as_ann, puzzle, puzzle.answer).status_code in (401, 403)
    assert not PuzzleAttempt.objects.exists()


# Several steps ------------------------------------------------------------------------------------


@pytest.fixture
def won(now):
    """Today's puzzle: that of a Sunday, a win in five."""
    puzzle = puzzle_of(SUNDAY)
    puzzle.day = now.date()
    puzzle.save()
    return puzzle


def test_a_right_turn_goes_on_with_the_resistance_and_the_next_position(won, as_ann):
    first, second, *_ = own_turns(won)
    judged = answer(as_ann, won, first).data
    after = judged["next"]
    assert (judged["goes_on"], judged["is_right"], judged["is_first"]) == (True, True, True)
    assert after["moves"] == [*won.moves.split(), first, judged["resistance"]]
    assert after["resistance"] == judged["resistance"] == won.solution.split()[1]
    assert second in after["legal"]
    assert after["board"]["cells"]
    assert "Win in 4 more turns." in after["question"]
    data = as_ann.get("/puzzles/today").data
    assert data["next"] == judged["puzzle"]["next"] == after
    assert data["your_answer"]["line"] == [first]
    assert (data["your_answer"]["goes_on"], data["your_answer"]["is_right"]) == (True, False)
    assert (data["solution"], data["streak"]) == (None, 0)
    done = solve_from(as_ann, won, [first])
    assert (done["goes_on"], done["next"], done["puzzle"]["streak"]) == (False, None, 1)
    assert done["puzzle"]["solution"][::2][:4] == own_turns(won)


def solve_from(client, puzzle, line):
    for turn in own_turns(puzzle)[len(line) :]:
        judged = answer(client, puzzle, turn, line).data
        line = [*line, turn]
    return judged


def test_a_stale_or_forged_line_is_a_named_refusal(won, as_ann):
    first, second, third, _ = own_turns(won)
    answer(as_ann, won, first)
    assert code_of(answer(as_ann, won, wrong_turns(won)[0])) == (409, "StalePuzzleLine")
    assert code_of(answer(as_ann, won, third, [second])) == (422, "BadPuzzleLine")
    assert code_of(answer(as_ann, won, first, own_turns(won))) == (409, "PuzzleLineIsOver")
    assert PuzzleAttempt.objects.get().turns == [first]


def test_a_running_game_that_it_helps_in_closes_it(won, as_ann, ann, bob, now):
    solve(as_ann, won)
    assert as_ann.get("/puzzles/today").data["solution"]
    play_all(begin(ann, bob, now=now, slug="taquet"), won.moves.split(), now=now)
    assert as_ann.get("/puzzles/today").data["solution"] is None
    assert code_of(answer(as_ann, won, won.answer)) == (403, "HelpsInRunningGame")


# The language -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("account", "header", "spoken"),
    [
        ("en", None, "en"),
        ("fr", None, "fr"),
        ("en", "fr", "fr"),
        ("fr", "en", "en"),
        ("en", "de, fr;q=0.8, en;q=0.5", "fr"),
        ("fr", "de", "fr"),
        ("fr", "*", "fr"),
        ("en", "fr-CA", "fr"),
    ],
)
def test_a_refusal_is_in_the_language_asked_for_else_in_the_accounts(
    puzzle, ann, now, account, header, spoken
):
    ann.language = account
    ann.save(update_fields=["language"])
    client = Api(token_for(ann, now=now), **({"Accept-Language": header} if header else {}))
    for refused in (client.get("/games/999999"), answer(client, puzzle, "z9")):
        assert refused["Content-Language"] == spoken
        assert "Accept-Language" in refused["Vary"]
    detail = client.get("/games/999999").data["detail"]
    other = "fr" if spoken == "en" else "en"
    assert detail == _said("NoSuchGame", spoken) != _said("NoSuchGame", other)
    asked = client.get("/puzzles/today").data["question"]
    assert asked.startswith("To play" if spoken == "en" else "À jouer")


def _said(name, language):
    with translation.override(language):
        return getattr(errors, name)().sentence
