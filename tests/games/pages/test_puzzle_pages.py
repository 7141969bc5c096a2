"""The pages of puzzles: for strangers and players, with and without scripts, and what they cost."""

import html
import re
from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzles import ARCHIVE_DAYS
from games.services.puzzles import make_puzzles, puzzle_of
from tests.factories import StaffFactory
from tests.games.pages.test_cost import queries
from tests.games.play import begin, play_all
from tests.games.programs.test_puzzle_steps import SUNDAY
from tests.games.programs.test_puzzles import own_turns, wrong_turns
from tests.suspensions import KEPT_OUT

pytestmark = pytest.mark.django_db

SIGNED_IN, STRANGER = 9, 3
"""The most queries of the page of a puzzle."""


@pytest.fixture
def puzzle():
    """Today's puzzle."""
    now = timezone.now()
    make_puzzles(now=now)
    return Puzzle.objects.get(day=now.date())


def ask(client, puzzle, **sent):
    return client.post(reverse("puzzle_answer", args=[puzzle.day.isoformat()]), sent)


def solve_on_page(client, puzzle):
    """Answer all that a puzzle asks, with what each page carries along; return the last page."""
    carried = ""
    for turn in own_turns(puzzle):
        page = ask(client, puzzle, text=turn, line=carried)
        assert f"{turn} is right" in text_of(page)
        carried = line_of(page)
    assert carried is None
    return page


def line_of(page):
    """Return the own turns that the form of a page carries along; None: nothing more is asked."""
    found = re.search(r'name="line" value="([^"]*)"', page.text)
    return html.unescape(found[1]) if found else None


def text_of(answer):
    return html.unescape(answer.text)


def test_a_new_site_says_that_the_first_puzzle_comes():
    assert "The first puzzle is being made." in Client().get(reverse("puzzles")).text


def test_a_stranger_solves_it_and_nothing_is_stored(puzzle):
    client = Client()
    assert "data-board" in client.get(reverse("puzzles")).text
    for turn in wrong_turns(puzzle):
        answer = text_of(ask(client, puzzle, text=turn))
        assert f"{turn} loses against" in answer or f"{turn} gives the win away" in answer
        assert puzzle.solution not in answer
    answer = text_of(solve_on_page(client, puzzle))
    assert f'data-moves="{puzzle.moves} ' in answer
    assert '<ol class="puzzle-line">' in answer
    assert 'name="line"' not in answer
    assert not PuzzleAttempt.objects.exists()
    assert not client.cookies.get("sessionid")


def test_the_page_does_not_tell_the_solution_before(puzzle, as_ann):
    for client in (Client(), as_ann):
        for page in (client.get(puzzle.get_absolute_url()), ask(client, puzzle, text="nonsense")):
            assert puzzle.solution not in text_of(page)
            assert "puzzle-line" not in page.text


def test_a_player_who_comes_back_sees_the_answer_again(puzzle, as_ann):
    wrong = wrong_turns(puzzle)[0]
    ask(as_ann, puzzle, text=wrong)
    page = text_of(as_ann.get(reverse("puzzles")))
    assert f"You have not solved it. You answered {wrong}." in page
    assert "You can go on trying, but that no longer counts." in page
    ask(as_ann, puzzle, step="solution")
    page = text_of(as_ann.get(reverse("puzzles")))
    assert f'data-moves="{puzzle.moves} {puzzle.solution}"' in page
    assert f"You have not solved it. You answered {wrong}." in page
    assert "You can go on trying" not in page


def test_who_gave_up_after_a_right_turn_is_not_told_that_it_was_wrong(won, as_ann):
    ask(as_ann, won, text=won.answer)
    ask(as_ann, won, step="solution")
    page = text_of(as_ann.get(won.get_absolute_url()))
    assert f"You have not solved it. You answered {won.answer}." in page
    assert "You can go on trying" not in page


def test_the_streak_is_shown(puzzle, as_ann):
    solve_on_page(as_ann, puzzle)
    page = as_ann.get(reverse("puzzles")).text
    assert "<strong>1</strong> day in a row" in page
    page = text_of(as_ann.get(puzzle.get_absolute_url()))
    assert f"You have solved it: {', '.join(own_turns(puzzle))}." in page


def test_without_scripts_the_board_is_looked_at_first(puzzle, as_ann):
    answer = ask(as_ann, puzzle, step="preview", choice=puzzle.answer)
    assert "This is the board after your turn" in answer.text
    assert f'value="{puzzle.answer}"' in answer.text
    assert not PuzzleAttempt.objects.exists()


def test_a_turn_that_is_refused_is_explained_and_no_answer(puzzle, as_ann):
    answer = ask(as_ann, puzzle, text="z9")
    assert answer.status_code == 422
    assert "z9" in answer.text
    assert not PuzzleAttempt.objects.exists()


@pytest.mark.parametrize("day", ["2026-1-5", "20260105", "yesterday", "1999-01-05", "2026-02-30"])
def test_there_is_no_puzzle_of_another_day(puzzle, day):
    answer = Client().get(reverse("puzzle", args=[day]))
    assert answer.status_code == 404


def test_tomorrows_puzzle_is_not_shown(puzzle, as_ann):
    tomorrow = Puzzle.objects.get(day=puzzle.day + timedelta(days=1))
    for client in (Client(), as_ann):
        assert client.get(tomorrow.get_absolute_url()).status_code == 404
        assert ask(client, tomorrow, text=tomorrow.answer).status_code == 404
        assert ask(client, tomorrow, step="solution").status_code == 404
        assert str(tomorrow.day) not in client.get(reverse("puzzles")).text


@pytest.mark.parametrize("keep_out", KEPT_OUT)
def test_who_is_suspended_answers_nothing(puzzle, as_ann, ann, keep_out):
    StaffFactory(username="host", role="Hosts")
    keep_out(ann, timezone.now())
    ask(as_ann, puzzle, text=puzzle.answer)
    assert not PuzzleAttempt.objects.exists()


def test_the_cost_does_not_grow_with_the_archive(puzzle, as_ann):
    for client in (Client(), as_ann):
        client.get(reverse("puzzles"))
    before = _costs(as_ann)
    _fill_archive(puzzle, as_ann)
    assert _costs(as_ann) == before
    assert before[0] <= STRANGER
    assert before[1] <= SIGNED_IN
    page = as_ann.get(reverse("puzzles")).text
    older = re.search(r'href="([^"]+)">Older ones', page)[1]
    right = re.findall(r'<span class="soft">\s*solved\s*</span>', as_ann.get(older).text)
    assert len(right) == ARCHIVE_DAYS


def _costs(as_ann):
    """Return how many queries today's puzzle makes for a stranger, and for ann."""
    stranger = queries(lambda: Client().get(reverse("puzzles")))
    return len(stranger), len(queries(lambda: as_ann.get(reverse("puzzles"))))


def _fill_archive(puzzle, as_ann):
    """Add puzzles of many days, all answered."""
    for number in range(10, 60):
        values = {"moves": puzzle.moves, "solution": puzzle.solution, "is_win": puzzle.is_win}
        day = puzzle.day - timedelta(days=number)
        one = Puzzle.objects.create(
            day=day, rules_slug=puzzle.rules_slug, choices=puzzle.choices, **values
        )
        solve_on_page(as_ann, one)


def test_no_page_of_a_puzzle_reads_a_game(puzzle, ann, bob):
    """Somebody's running game stands as the puzzle does; the pages know nothing of it."""
    turns = puzzle.moves.split()
    play_all(begin(ann, bob, now=timezone.now(), slug=puzzle.rules_slug), turns, now=timezone.now())
    made = queries(lambda: ask(Client(), puzzle, text=puzzle.answer))
    made += queries(lambda: Client().get(puzzle.get_absolute_url()))
    tables = {word for sql in made for word in sql.split('"') if "games_" in word}
    of_the_site = {"games_announcement", "games_outage"}
    assert tables - of_the_site == {"games_puzzle"}


def test_the_landing_page_shows_it_and_home_leads_to_it(puzzle, as_ann):
    cache.clear()
    landing = text_of(Client().get("/"))
    assert "Solve it" in landing
    assert f"Of {puzzle.choices} possible turns" in landing
    assert f'href="{reverse("puzzles")}"' in as_ann.get("/").text


def test_the_page_is_in_french_for_who_reads_french(puzzle):
    page = Client().get(reverse("puzzles"), headers={"Accept-Language": "fr"}).text
    assert "Problème du jour" in page
    assert "Puzzle" not in page


# Several steps ------------------------------------------------------------------------------------


@pytest.fixture
def won():
    """Today's puzzle: that of a Sunday, a win in five."""
    puzzle = puzzle_of(SUNDAY)
    puzzle.day = timezone.now().date()
    puzzle.save()
    return puzzle


def test_who_comes_back_goes_on_where_they_stood(won, as_ann):
    first, second, *_ = own_turns(won)
    ask(as_ann, won, text=first)
    page = as_ann.get(reverse("puzzles"))
    assert line_of(page) == first
    said = text_of(page)
    assert "Win in 4 more turns." in said
    assert f'<span class="notation">{won.solution.split()[1]}</span>' in said
    assert won.solution not in said
    assert "the other side resists as long as it can" in said
    preview = ask(as_ann, won, step="preview", choice=second, line=first)
    assert line_of(preview) == first
    assert PuzzleAttempt.objects.get().turns == [first]


def test_a_stale_line_is_explained_and_the_page_shows_where_the_puzzle_stands(won, as_ann):
    first, second, *_ = own_turns(won)
    ask(as_ann, won, text=first)
    ask(as_ann, won, text=second, line=first)
    page = ask(as_ann, won, text=wrong_turns(won)[0])
    assert page.status_code == 409
    assert f"You have already played {first}, {second}" in text_of(page)
    assert line_of(page) == f"{first} {second}"
    for client in (as_ann, Client()):
        forged = ask(client, won, text=first, line="z9 z9")
        assert forged.status_code == 422
        assert "Begin again with its position" in text_of(forged)


def test_the_solution_is_hidden_while_it_helps_in_a_running_game(won, as_ann, ann, bob):
    solve_on_page(as_ann, won)
    assert won.solution.split()[-1] in text_of(as_ann.get(reverse("puzzles")))
    play_all(
        begin(ann, bob, now=timezone.now(), slug="taquet"), won.moves.split(), now=timezone.now()
    )
    asked = ask(as_ann, won, step="solution")
    assert asked.status_code == 403
    for page in (as_ann.get(reverse("puzzles")), asked, ask(as_ann, won, text=won.answer)):
        said = text_of(page)
        assert "would help you in one of your running games" in said
        assert "data-example" not in said
        assert "puzzle-line" not in said


@pytest.mark.parametrize("step", ["", "preview"])
def test_no_page_tells_whether_turns_help_in_a_running_game(client, ann, bob, step):
    """Whatever is asked after turns of one's own: right ones are refused as wrong ones are."""
    noon = datetime.combine(SUNDAY, time(12), tzinfo=UTC)
    puzzle = puzzle_of(SUNDAY)
    puzzle.save()
    play_all(begin(ann, bob, now=noon, slug="taquet", days=30), puzzle.moves.split(), now=noon)
    client.force_login(ann)
    with time_machine.travel(noon):
        for line in (own_turns(puzzle)[0], wrong_turns(puzzle)[0]):
            for text in ("?", own_turns(puzzle)[1]):
                page = ask(client, puzzle, text=text, line=line, step=step)
                assert page.status_code == 403
                assert "one of your running games" in text_of(page)
