"""A league in a browser: joined at its page, begun by the periodic work, played from the table."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.models import LeagueGame, Season, SeasonEntry
from games.services.leagues.entries import join_season
from games.services.leagues.seasons import run_leagues
from tests.axe import violations
from tests.games.leagues.simulation import open_morpion
from tests.journeys.conftest import PHONE
from tests.journeys.live_server import open_page

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_season_is_joined_begins_and_is_played(ann, bob, cat, newcomer, live_server, language):
    ann.language = language
    ann.save()
    now = timezone.now()
    open_morpion(now)
    for one in (bob, cat):
        join_season(rules_slug="morpion", user=one, now=now)
    person = open_page(newcomer, live_server, ann, "/leagues/", **PHONE)
    person.main.locator("a[href='/leagues/morpion/']").first.click()
    person.main.locator("button[value=join]").click()
    expect(person.page.get_by_role("status").first).to_have_text(
        person.words("You play in the next season.")
    )
    assert SeasonEntry.objects.filter(user=ann).exists()
    season = Season.objects.get()
    run_leagues(now=season.starts_at)
    assert LeagueGame.objects.exclude(game=None).count() == 3
    person.page.goto(season.get_absolute_url())
    table = person.main.locator(".league-table")
    expect(table.locator("tbody tr")).to_have_count(3)
    expect(table.locator("tbody a[href^='/games/']")).to_have_count(6)
    assert person.sideways() <= 0
    assert violations(person.page) == []
    own = LeagueGame.objects.filter(first__user=ann).first()
    own = own or LeagueGame.objects.filter(second__user=ann).first()
    table.locator(f"a[href='/games/{own.game_id}/']").first.click()
    person.page.wait_for_url(f"**/games/{own.game_id}/")
