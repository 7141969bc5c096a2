"""Letters to the players of a league of teams: who asks, who plays with whom, who has left."""

from datetime import timedelta

import pytest

from games.models import Season
from games.services.leagues.entries import join_season, leave_season
from games.services.leagues.seasons import run_leagues
from games.services.leagues.teams import invite_partner, play_without_partner
from notifications.kinds.digest.kind import league_lines
from notifications.models import Notice
from tests.factories import PersonFactory
from tests.games.leagues.simulation import make_team, open_superpion
from tests.notifications.outbox.test_league_letters import letters
from tests.notifications.outgoing_mail import html_of

DAY = timedelta(days=1)


@pytest.fixture
def season(db, now):
    return open_superpion(now).seasons.get()


def ask(one, two, now):
    return invite_partner(rules_slug="superpion", user=one, partner=two, now=now)


def test_who_is_asked_and_who_is_accepted_is_told(season, ann, bob, now):
    ask(ann, bob, now)
    found = letters(now)
    assert set(found) == {"bob"}
    assert "ann vous propose de jouer en équipe" in found["bob"].subject
    assert "join league superpion with ann" in found["bob"].body
    assert "join league superpion with ann" in html_of(found["bob"])
    assert "/leagues/superpion/" in found["bob"].body
    assert letters(now) == {}  # once
    ask(bob, ann, now)
    found = letters(now)
    assert set(found) == {"ann"}
    assert found["ann"].subject.startswith("You play with bob: Superpion")
    play_without_partner(rules_slug="superpion", user=ann, now=now)
    found = letters(now)
    assert set(found) == {"bob"}
    assert "s’est retiré" in found["bob"].subject


def test_what_is_no_longer_so_is_not_told(season, ann, bob, cat, now):
    ask(ann, bob, now)
    ask(cat, bob, now)
    play_without_partner(rules_slug="superpion", user=ann, now=now)
    make_team(ann, PersonFactory(username="eve"), now)
    play_without_partner(rules_slug="superpion", user=ann, now=now)
    assert set(letters(season.starts_at - DAY)) == {"bob", "eve"}  # cat asks bob; eve is alone
    assert not Notice.objects.waiting().filter(kind="league").exists()


def test_a_season_of_teams_by_mail(season, ann, bob, cat, now):
    """Ann plays with bob, four others by themselves, and cat is left over."""
    make_team(ann, bob, now)
    others = [PersonFactory(username=f"w{number}") for number in range(4)]
    for person in (*others, cat):
        join_season(rules_slug="superpion", user=person, now=now)
    letters(now)
    run_leagues(now=season.starts_at)
    start = season.starts_at
    found = letters(start)
    assert set(found) == {"ann", "bob", "cat", *(one.username for one in others)}
    assert found["cat"].subject.startswith("No partner for you this time: Superpion")
    following = Season.objects.get(number=2)
    assert f"{following.starts_at:%B %Y}" in found["cat"].body
    assert "Your partner is bob" in found["ann"].body
    assert "Your partner is bob" in html_of(found["ann"])
    assert "Votre partenaire est ann" in found["bob"].body
    assert found["bob"].body.count("/games/") == 2
    assert "w0 & w3" in found["ann"].body
    assert "in place" in league_lines(bob)[0]["sentence"] or league_lines(bob)

    leave_season(rules_slug="superpion", user=ann, now=start)
    found = letters(start)
    assert set(found) == {"bob", *(one.username for one in others)}
    assert "plays its games on alone" in " ".join(found["w0"].body.split())
    assert "counts for anybody" not in found["w0"].body
    leave_season(rules_slug="superpion", user=bob, now=start)
    found = letters(start)
    assert set(found) == {one.username for one in others}
    assert "none of these games counts for anybody" in " ".join(found["w0"].body.split())
    assert found["w0"].body.count("/games/") == 1
    soon = letters(season.final_at - DAY)
    assert set(soon) == {one.username for one in others}  # both of each team that still plays
