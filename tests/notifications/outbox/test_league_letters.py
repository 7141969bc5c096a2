"""Letters to the players of a league: at the start, before the final day, at the end."""

import random
from datetime import timedelta
from email.mime.image import MIMEImage

import pytest
from django.core import mail

from games.models import Game, LeagueGame, Season, SeasonEntry
from games.moderation.competition import remove_from_season
from games.queries.certificates import certificate_of
from games.services.endings import resign
from games.services.leagues.entries import leave_entry, leave_season
from games.services.leagues.seasons import run_leagues
from notifications.models import Notice
from notifications.outbox.delivery import send_due
from notifications.outbox.league_letters import tell_leagues
from tests.games.leagues.simulation import play_one, started
from tests.notifications.outgoing_mail import html_of

DAY = timedelta(days=1)


@pytest.fixture
def people(ann, bob, cat, db):
    return [ann, bob, cat]


def letters(now):
    """Write and send the letters that are due, and return them by their reader's name."""
    mail.outbox.clear()
    tell_leagues(now=now)
    send_due(now=now)
    found = [one for one in mail.outbox if one.extra_headers["X-Pli-Kind"] == "league"]
    return {one.to[0].partition("@")[0]: one for one in found}


def test_the_first_letter_names_the_games_and_the_last_possible_day(people, now):
    _, start = started(people, now)
    found = letters(start)
    assert set(found) == {"ann", "bob", "cat"}
    said = found["ann"].body
    assert found["ann"].subject == "Your season of Morpion begins (April 2026)"
    assert "29 April" not in said
    assert "/leagues/morpion/1/#division-1" in said
    assert "Tuesday 28 April 2026, 01:00" in said  # in London
    for row in LeagueGame.objects.all():
        link = f"/games/{row.game_id}/"
        is_hers = "ann" in {row.first.user.username, row.second.user.username}
        assert (link in said) is (link in html_of(found["ann"])) is is_hers
    assert "Votre saison" in found["bob"].subject
    assert letters(start) == {}  # once


def test_the_first_letter_waits_until_the_games_have_begun(people, now):
    _, start = started(people, now)
    row = LeagueGame.objects.last()
    LeagueGame.objects.filter(pk=row.pk).update(game=None)
    assert letters(start) == {}
    LeagueGame.objects.filter(pk=row.pk).update(game=row.game)
    assert len(letters(start)) == 3


def test_who_still_has_games_is_told_that_the_final_day_is_near(people, now):
    *_, cat = people
    season, start = started(people, now)
    letters(start)
    for row in LeagueGame.objects.filter(first__user=cat) | LeagueGame.objects.filter(
        second__user=cat
    ):
        resign(game_id=row.game_id, user=cat, now=start)
    assert letters(season.final_at - 6 * DAY) == {}
    found = letters(season.final_at - 5 * DAY)
    assert set(found) == {"ann", "bob"}
    assert "three fifths" in found["ann"].body
    assert letters(season.final_at - 4 * DAY) == {}


def test_the_last_letter_has_the_table_and_the_place_in_the_next_season(people, now):
    _, start = started(people, now)
    letters(start)
    chance = random.Random(2)
    for game in Game.objects.running():
        play_one(game, chance, start)
        resign(game_id=game.pk, user=game.seats.get(number=1).user, now=start)
    run_leagues(now=start + DAY)
    found = letters(start + DAY)
    assert set(found) == {"ann", "bob", "cat"}
    said = found["ann"].body
    for line in ("1. ", "2. ", "3. "):
        assert line in said
    season = Season.objects.get(number=1)
    assert season.told == "end"
    earned = certificate_of(season.entries.get(user__username="ann").pk)
    assert f"Your certificate:\nhttp://localhost:8000{earned.png_address}" in said
    shown = html_of(found["ann"])
    assert 'src="cid:certificate@pli"' in shown
    assert f'alt="{earned.words}"' in shown
    (picture,) = [one for one in found["ann"].attachments if isinstance(one, MIMEImage)]
    drawn = picture.get_payload(decode=True)
    assert drawn[:4] == b"\x89PNG"
    assert len(drawn) < 60_000
    assert "Votre diplôme" in found["bob"].body
    assert letters(start + DAY) == {}


def test_a_removed_player_is_told_why_and_nothing_else(people, now, moderator):
    ann, bob, _ = people
    season, start = started(people, now)
    letters(start)
    entry = season.entries.get(user=ann)
    remove_from_season(entry_id=entry.pk, by=moderator, why="two accounts", now=start)
    found = letters(start)
    assert {name for name, one in found.items() if "removed" in one.subject} == {"ann"}
    assert "two accounts" in found["ann"].body
    assert not any("two accounts" in found[name].body for name in ("bob", "cat"))
    assert "two accounts" in html_of(found["ann"])
    leave_season(rules_slug="morpion", user=bob, now=start)
    run_leagues(now=season.final_at)
    assert set(letters(season.final_at)) == {"cat"}


def test_the_others_are_told_who_has_left_and_what_becomes_of_the_games(people, now):
    """Ann leaves at once: nothing of hers counts. Bob leaves with half of his games over."""
    ann, bob, cat = people
    season, start = started(people, now)
    letters(start)
    leave_season(rules_slug="morpion", user=ann, now=start)
    found = letters(start)
    assert set(found) == {"bob", "cat"}
    assert found["cat"].subject == "ann has left the season of Morpion (April 2026)"
    said = " ".join(found["cat"].body.split())
    assert "none of these games counts for anybody" in said
    (left,) = LeagueGame.objects.filter(game__status="active")
    assert {left.first.user, left.second.user} == {bob, cat}
    assert f"/games/{left.game_id}/" in said
    assert "none of these games counts" not in html_of(found["bob"])  # in French
    assert "ann a quitté la saison" in found["bob"].subject
    assert "aucune d’elles ne compte donc pour personne" in html_of(found["bob"])
    assert letters(start + DAY) == {}  # once
    # A letter may be written just before his games are resigned.
    leave_entry(season.entries.get(user=bob), SeasonEntry.Left.ASKED, now=start + DAY)
    found = letters(start + DAY)
    assert set(found) == {"cat"}
    assert "count as lost for them" in " ".join(found["cat"].body.split())
    assert "/games/" not in found["cat"].body  # she has no other opponent
    assert season.entries.filter(removal_told_at=None).count() == 1


def test_nobody_is_told_of_who_left_a_season_that_is_over(people, now):
    ann, *_ = people
    season, start = started(people, now)
    letters(start)
    leave_season(rules_slug="morpion", user=ann, now=season.final_at)
    tell_leagues(now=season.final_at)
    run_leagues(now=season.final_at)
    mail.outbox.clear()
    send_due(now=season.final_at)
    assert not [one for one in mail.outbox if "has left" in one.subject]


def test_a_letter_that_comes_too_late_is_not_sent(people, now):
    season, start = started(people, now)
    letters(start)
    tell_leagues(now=season.final_at - DAY)
    assert Notice.objects.waiting().filter(kind="league").count() == 3
    run_leagues(now=season.final_at)
    mail.outbox.clear()
    send_due(now=season.final_at)
    assert not [one for one in mail.outbox if "final day" in one.subject]
