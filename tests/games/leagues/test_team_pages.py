"""The pages of a league of teams: asking, answering, tables, and what moderators do there."""

from datetime import timedelta

import pytest
from django.core.management import call_command

from accounts.server_time import server_now
from games.models import League, LeagueGame, SeasonEntry, TeamInvitation
from games.services.endings import resign
from games.services.leagues.entries import leave_season
from games.services.leagues.seasons import run_leagues
from tests.factories import PersonFactory
from tests.games.leagues.simulation import make_team, open_superpion

LEAGUE = "/leagues/superpion/"
SEASON = "/leagues/superpion/1/"


def text_of(answer):
    return " ".join(answer.content.decode().split())


@pytest.fixture
def running(ann, bob, now):
    """A season of seven teams that has begun, the first of ann and bob; and when it began."""
    start = server_now() - timedelta(days=40)
    season = open_superpion(start).seasons.get()
    make_team(ann, bob, start)
    for number in range(6):
        one, two = (PersonFactory(username=f"t{number}{side}") for side in "ab")
        make_team(one, two, start)
    run_leagues(now=season.starts_at)
    season.refresh_from_db()
    return season


def test_a_host_opens_a_league_of_teams(db, capsys):
    call_command("leagues", "open", "superpion", "-o", "variant=teams", "--legs", "2")
    league = League.objects.get()
    assert (league.team_size, league.has_teams, league.games_at_once) == (2, True, 14)
    assert "superpion: 3 days for each turn, 14 at once" in capsys.readouterr().out


def test_on_the_page_one_asks_and_the_other_answers(client, ann, bob, cat):
    open_superpion(server_now())
    client.force_login(ann)
    page = text_of(client.get(LEAGUE))
    assert "Two players are a team" in page
    assert "at most 6 teams" in page
    sent = {"act": "invite", "partner": " BOB "}
    assert "You have asked bob to play with you." in text_of(
        client.post(f"{LEAGUE}do/", sent, follow=True)
    )
    assert client.post(f"{LEAGUE}do/", {"act": "invite", "partner": "nobody"}).status_code == 422
    assert client.post(f"{LEAGUE}do/", {"act": "accept", "invitation": "x"}).status_code == 404
    asked = TeamInvitation.objects.get()
    assert "Withdraw what you have asked" in text_of(client.get(LEAGUE))

    client.force_login(cat)
    assert "You are asked to be partners by" not in text_of(client.get(LEAGUE))
    assert client.post(f"{LEAGUE}do/", {"act": "accept", "invitation": asked.pk}).status_code == 404
    client.force_login(bob)
    assert "Vous propose de jouer en équipe" in text_of(client.get(LEAGUE))  # bob reads French
    answer = client.post(f"{LEAGUE}do/", {"act": "accept", "invitation": asked.pk}, follow=True)
    assert SeasonEntry.objects.get(user=bob).teammate.user == ann
    assert 'value="alone"' in text_of(answer)
    client.post(f"{LEAGUE}do/", {"act": "alone"})
    assert SeasonEntry.objects.get(user=bob).teammate is None
    assert client.post(f"{LEAGUE}do/", {"act": "alone"}).status_code == 409
    # Who has been asked by two and refuses one can still accept the other.
    client.force_login(cat)
    client.post(f"{LEAGUE}do/", {"act": "invite", "partner": "bob"})
    client.force_login(bob)
    key = TeamInvitation.objects.get(entry__user=cat).pk
    client.post(f"{LEAGUE}do/", {"act": "refuse", "invitation": key})
    assert TeamInvitation.objects.get(pk=key).state == "refused"


def test_tables_name_both_of_a_team_and_who_of_them_has_left(client, running, ann, bob, cat):
    row = LeagueGame.objects.filter(first__user=ann, game__status="active").first()
    for loser in row.second.people:
        resign(game_id=row.game_id, user=loser, now=running.starts_at)
    leave_season(rules_slug="superpion", user=bob, now=running.starts_at)
    client.force_login(ann)
    page = text_of(client.get(SEASON))
    first = page.split("<tbody>")[1].split("</tr>")[0]
    assert first.index("<bdi>ann</bdi>") < first.index("&amp;") < first.index("<bdi>bob</bdi>")
    assert first.count("left") == 1
    assert "counts for nobody" not in page
    assert "<strong>2</strong>" in first
    assert '<abbr title="ann &amp; bob">' in page
    asks = text_of(client.get(f"{LEAGUE}?act=leave"))
    assert "All of your running games of this season are resigned" in asks  # bob has left
    leave_season(rules_slug="superpion", user=ann, now=running.starts_at)
    assert "counts for nobody" in text_of(client.get(SEASON))


def test_a_moderator_removes_one_of_a_team(client, running, bob, moderator):
    client.force_login(moderator)
    entry = running.entries.get(user=bob)
    assert f'<option value="{entry.pk}">bob</option>' in text_of(client.get(SEASON))
    client.post(f"{SEASON}moderate/", {"why": "so", "entry": entry.pk})
    entry.refresh_from_db()
    assert entry.left_because == "removed"
    assert entry.partner_of.left_at is None
    assert f'<option value="{entry.pk}">' not in text_of(client.get(SEASON))


@pytest.mark.parametrize("path", ["/leagues/", LEAGUE, SEASON])
def test_no_page_makes_more_queries_for_more_teams(
    as_ann, running, path, django_assert_max_num_queries
):
    as_ann.get(path)
    with django_assert_max_num_queries(8):
        assert as_ann.get(path).status_code == 200


def test_a_certificate_is_of_both(client, running, ann, bob, cat):
    for row in LeagueGame.objects.filter(game__status="active"):
        for person in row.second.people:
            resign(game_id=row.game_id, user=person, now=running.starts_at)
    run_leagues(now=running.starts_at)
    running.refresh_from_db()
    assert running.ended_at
    for person, has_one in ((ann, True), (bob, True), (cat, False)):
        client.force_login(person)
        answer = client.get(SEASON)
        assert (answer.context["own_certificate"] is not None) is has_one
        assert ">ann &amp; bob</a>" in text_of(answer)
