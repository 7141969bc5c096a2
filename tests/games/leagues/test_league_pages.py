"""The pages of leagues: what they show, to whom, and what they cost."""

import io
import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.server_time import server_now
from games.models import League, LeagueGame, Season, SeasonEntry
from games.queries import leagues as queries
from games.queries.leagues import division_tables
from games.services.endings import resign
from tests.factories import PersonFactory
from tests.games.leagues.simulation import open_morpion, started

LEAGUE = "/leagues/morpion/"
SEASON = "/leagues/morpion/1/"


@pytest.fixture
def five(ann):
    return [ann, *(PersonFactory(username=f"p{number}") for number in range(4))]


def test_before_one_joins_the_page_says_when_it_is_over_and_how_many_games_that_makes(as_ann, ann):
    league = open_morpion(server_now())
    season = league.seasons.get()
    page = as_ann.get(LEAGUE).content.decode()
    assert "plays up to 5 games at once" in " ".join(page.split())
    assert f"{season.last_possible_day.day} {season.last_possible_day:%B %Y}" in page
    assert as_ann.post(f"{LEAGUE}do/", {"act": "join"}).status_code == 302
    assert season.entries.get().user == ann
    assert "You play in the next season." in as_ann.get(LEAGUE).content.decode()
    as_ann.post(f"{LEAGUE}do/", {"act": "decline"})
    assert season.entries.get().state == SeasonEntry.State.DECLINED
    assert as_ann.post(f"{LEAGUE}do/", {"act": "dance"}).status_code == 404
    assert as_ann.post(f"{LEAGUE}do/", {"act": "skip"}).status_code == 409


def test_earlier_seasons_are_shown_in_parts(client, db, now, monkeypatch):
    monkeypatch.setattr(queries, "NEWEST_SEASONS", 4)
    league = open_morpion(now)
    (joined,) = league.seasons.all()
    Season.objects.filter(pk=joined.pk).update(number=9)
    Season.objects.bulk_create(
        Season(
            league=league,
            number=number,
            starts_at=now - (10 - number) * timedelta(days=30),
            final_at=now,
            started_at=None if number == 3 else now,  # the third was not played
            ended_at=now,
        )
        for number in range(1, 9)
    )

    def listed(path):
        page = client.get(path).content.decode()
        older = re.findall(r'rel="next" href="([^"]*)"', page)
        numbers = re.findall(rf'href="{LEAGUE}(\d+)/"', page.split("Earlier seasons")[1])
        return [int(number) for number in numbers], older

    assert listed(LEAGUE) == ([8, 7, 6], ["?before=6"])
    assert listed(f"{LEAGUE}?before=6") == ([5, 4, 2, 1], [])
    assert listed(f"{LEAGUE}?before=2") == ([1], [])
    assert listed(f"{LEAGUE}?before=nonsense") == ([8, 7, 6], ["?before=6"])
    assert "Earlier seasons" not in client.get(f"{LEAGUE}?before=1").content.decode()
    assert client.get(f"{LEAGUE}?before={10**17}").status_code == 200


def test_leaving_is_asked_first(as_ann, five, now):
    season, _ = started(five, server_now() - timedelta(days=40))
    page = as_ann.get(LEAGUE).content.decode()
    assert 'value="leave"' not in page
    page = as_ann.get(f"{LEAGUE}?act=leave").content.decode()
    assert 'value="leave"' in page
    assert as_ann.post(f"{LEAGUE}do/", {"act": "leave"}).status_code == 302
    assert season.entries.get(user=five[0]).left_because == "asked"


def test_each_game_is_a_click_away_and_the_table_counts(client, five, now):
    _, start = started(five, now)
    row = LeagueGame.objects.get(first__order=1, second__order=2)
    resign(game_id=row.game_id, user=row.second.user, now=start)
    page = client.get(SEASON).content.decode()
    for game in LeagueGame.objects.all():
        assert page.count(reverse("game", args=[game.game_id])) == 2
    first = page.split("<tbody>")[1].split("</tr>")[0]
    assert row.first.user.username in first
    assert "<strong>2</strong>" in first
    assert "Division 1" in page


@pytest.mark.parametrize("path", ["/leagues/", LEAGUE, SEASON])
def test_no_page_makes_more_queries_for_more_players(
    as_ann, ann, now, path, django_assert_max_num_queries
):
    people = [ann, *(PersonFactory(username=f"many{number:02}") for number in range(19))]
    started(people, now)
    as_ann.get(path)
    with django_assert_max_num_queries(7):
        assert as_ann.get(path).status_code == 200


def test_a_season_that_has_not_begun_has_a_page(client, db, now):
    open_morpion(now)
    assert "formed when the season starts" in client.get(SEASON).content.decode()
    assert client.get("/leagues/morpion/7/").status_code == 404
    assert client.get("/leagues/chess/").status_code == 404


def test_a_moderator_removes_and_annuls_on_the_page(client, five, moderator, now):
    season, _ = started(five, now)
    client.force_login(moderator)
    assert "Moderate this season" in client.get(SEASON).content.decode()
    entry, game = season.entries.first(), LeagueGame.objects.last()
    path = f"{SEASON}moderate/"
    sent = {"why": "so", "game": game.game_id, "entry": ""}
    assert client.post(path, sent).status_code == 302
    game.refresh_from_db()
    assert game.annulled_at
    assert client.post(path, {"why": "so", "entry": entry.pk}).status_code == 302
    entry.refresh_from_db()
    assert entry.left_because == "removed"
    assert client.post(path, {"why": "so"}).status_code == 404
    client.force_login(five[0])
    assert client.post(path, sent).status_code == 403
    assert "Moderate this season" not in client.get(SEASON).content.decode()


def test_what_is_certain_is_shown_and_in_french(client, five, now):
    people = [*five, *(PersonFactory(username=f"q{number}") for number in range(7))]
    _, start = started(people, now)
    for row in LeagueGame.objects.filter(division__number=2).select_related("first__user"):
        best = row.first.order <= 2, row.second.order <= 2
        loser = row.second if best[0] and not best[1] else row.first if best[1] else None
        if loser:
            resign(game_id=row.game_id, user=loser.user, now=start)
    page = client.get(SEASON).content.decode()
    assert page.count("certain to move up") == 2
    french = client.get(SEASON, headers={"accept-language": "fr"}).content.decode()
    assert french.count("monte à coup sûr") == 2


def test_a_host_opens_lists_and_closes_a_league(db):
    said = io.StringIO()
    call_command("leagues", "open", "taquet", "--size", "6", "--legs", "2", stdout=said)
    league = League.objects.get()
    assert (league.rules_slug, league.games_at_once) == ("taquet", 10)
    assert "taquet: 3 days for each turn, 10 at once" in said.getvalue()
    with pytest.raises(CommandError, match="a league for this game already"):
        call_command("leagues", "open", "taquet", stdout=said)
    with pytest.raises(CommandError, match="no game"):
        call_command("leagues", "open", "chess", stdout=said)
    call_command("leagues", "open", "morpion", "--total", "5", "--no-vacations", stdout=said)
    assert League.objects.get(rules_slug="morpion").terms.pace.bank == timedelta(days=5)
    call_command("leagues", "close", "taquet", stdout=said)
    assert "taquet (closed)" in said.getvalue()
    with pytest.raises(CommandError, match="no such league"):
        call_command("leagues", "close", "taquet", stdout=said)
    call_command("leagues", "list", stdout=said)


def test_a_season_of_many_divisions_has_pages(client, db, now, monkeypatch):
    for module in ("views.leagues", "models.league"):
        monkeypatch.setattr(f"games.{module}.DIVISIONS_ON_A_PAGE", 2)
    people = [PersonFactory(username=f"p{number}") for number in range(27)]
    season, _ = started(people, now)
    client.force_login(people[-1])  # in the last division
    assert season.divisions.count() == 5
    shown = {}
    for number in (1, 2, 3):
        page = client.get(f"{SEASON}?page={number}").content.decode()
        shown[number] = re.findall(r'id="division-([0-9]+)"', page)
        assert ('rel="prev"' in page, 'rel="next"' in page) == (number > 1, number < 3)
        assert ('href="?page=3#division-5"' in page) == (number < 3)
    assert shown == {1: ["1", "2"], 2: ["3", "4"], 3: ["5"]}
    for number in range(1, 6):  # where letters lead
        address, _, place = season.url_of_division(number).partition("#")
        assert f'id="{place}"' in client.get(address).content.decode()
        assert place == f"division-{number}"
    for number in ("4", "999999999999999999999", "x", "-1"):
        assert client.get(SEASON, {"page": number}).status_code == 200
    # Both above and below a table on a page there may be one on another page.
    whole = [(table.up, table.down) for table in division_tables(season)]
    assert [(one.up, one.down) for one in division_tables(season, numbers=[3, 4])] == whole[2:4]
    season.ended_at = season.final_at
    season.save()
    assert "Your certificate" in client.get(SEASON).content.decode()
