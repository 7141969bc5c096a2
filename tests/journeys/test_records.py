"""The record of a game is downloaded and checked: by pointer and keyboard, with scripts or not."""

from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.axe import violations
from tests.games.play import begin, play_all
from tests.journeys.live_server import open_game

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_record_is_downloaded_and_checked(ann, bob, newcomer, live_server, scripts):
    now = timezone.now()
    game = play_all(begin(ann, bob, now=now), ["5", "1"], now=now)
    table = open_game(newcomer, live_server, ann, game, scripts=scripts)
    page = table.page
    page.get_by_text("Share and download").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    record = Path(download.value.path()).read_text("utf-8")
    assert download.value.suggested_filename == f"morpion-{game.pk}.json"

    page.get_by_role("link", name="Check a record").click()
    page.get_by_label("The record").fill(record)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The hashes are right")).to_be_visible()
    expect(page.locator("#result")).to_contain_text("2 turns: each turn matches its hash")
    expect(page.locator("#result svg.board")).to_be_visible()
    if scripts:
        assert violations(page) == []

    page.get_by_label("The record").fill(record.replace('"notation": "1"', '"notation": "2"'))
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("alert")).to_contain_text("This record was changed: turn 2")
    if scripts:
        assert violations(page) == []
    (noted,) = table.person.complaints
    assert "status of 422" in noted
    table.person.complaints.clear()
