"""The puzzle of the day in a browser: by pointer, by keyboard, on a phone, and without scripts."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzle_lines import read_line
from games.services.puzzles import make_puzzles
from tests.axe import violations
from tests.games.programs.test_puzzles import own_turns, wrong_turns
from tests.journeys.conftest import PHONE
from tests.journeys.live_server import Here
from tests.journeys.test_by_keyboard import tab_to

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]


@pytest.fixture
def puzzle(db):
    """Today's puzzle."""
    now = timezone.now()
    make_puzzles(now=now)
    return Puzzle.objects.get(day=now.date())


def look(newcomer, live_server, user=None, language="en", **more):
    """Open the page of puzzles in a browser, signed in as a user if there is one."""
    site = live_server.url.replace("127.0.0.1", "localhost")
    person = newcomer("reader", language, service=Here(site), **more)
    if user:
        signed_in = Client()
        signed_in.force_login(user)
        name = settings.SESSION_COOKIE_NAME
        cookie = {"name": name, "value": signed_in.cookies[name].value, "url": site}
        person.context.add_cookies([cookie])
    person.page.goto(reverse("puzzles"))
    return person


def squares_of(puzzle, notation, line=()):
    rules, position = puzzle.rules, read_line(puzzle, line).trial.position
    (action,) = rules.parse_turn(position, notation)
    return rules.squares(position, action)


def cell(page, square):
    return page.locator(f'[data-board-svg] [data-square="{square}"]')


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desk", "phone"])
def test_by_pointer(puzzle, ann, newcomer, live_server, screen, language):
    ann.language = language
    ann.save()
    person = look(newcomer, live_server, ann, language, **screen)
    page = person.page
    assert violations(page) == []
    wrong = wrong_turns(puzzle)[0]
    own = own_turns(puzzle)
    steps = [(wrong, []), *((turn, own[:number]) for number, turn in enumerate(own))]
    for turn, line in steps:
        for square in squares_of(puzzle, turn, line):
            cell(page, square).click()
            expect(page.locator("[data-board][aria-busy]")).to_have_count(0)
        page.locator("[data-board-confirm]").click()
        expect(page.locator("#puzzle-verdict")).to_contain_text(turn)
        assert person.sideways() <= 0
        assert violations(page) == []
    expect(page.locator(".puzzle-line li")).to_have_count(len(puzzle.solution.split()))
    assert violations(page) == []
    assert PuzzleAttempt.objects.get().notation == wrong
    turns = len(puzzle.moves.split()) + len(puzzle.solution.split())
    for left in range(turns - 1, turns - 3, -1):
        page.locator('[data-step="previous"]').click()
        expect(page.locator("[data-example-at]")).to_have_text(str(left))
        expect(page.locator(".game-board [data-board-status]")).not_to_be_empty()


def test_by_keyboard_alone(puzzle, newcomer, live_server):
    page = look(newcomer, live_server).page
    tab_to(page, ".cell")
    for square in squares_of(puzzle, puzzle.answer):
        cell(page, square).focus()
        page.keyboard.press("Enter")
        expect(page.locator("[data-board][aria-busy]")).to_have_count(0)
    tab_to(page, "[data-board-confirm]")
    page.keyboard.press("Enter")
    expect(page.locator("#puzzle-verdict")).to_contain_text(f"{puzzle.answer} is right")
    assert not PuzzleAttempt.objects.exists()


def test_without_scripts(puzzle, newcomer, live_server):
    person = look(newcomer, live_server, scripts=False, **PHONE)
    page = person.page
    page.locator("#turn-choice").select_option(puzzle.answer)
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("[data-board-status]")).to_contain_text("This is the board after")
    assert person.sideways() <= 0
    page.locator("[data-board-confirm]").click()
    expect(page.locator("#puzzle-verdict")).to_contain_text(f"{puzzle.answer} is right")
    page.goto(reverse("puzzles"))
    page.get_by_text("Give up").click()
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".puzzle-line li").first).to_have_text(re.compile(rf"^{puzzle.answer}\b"))
