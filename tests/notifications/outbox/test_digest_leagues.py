"""The digest says where its reader stands in each season that is being played."""

from datetime import timedelta

import pytest
from django.core import mail

from games.models import LeagueGame
from games.services.endings import resign
from games.services.leagues.entries import leave_season
from notifications.outbox.delivery import send_due
from notifications.outbox.digests import write_digest
from tests.games.leagues.simulation import started
from tests.notifications.outgoing_mail import html_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def season(ann, bob, cat, now):
    """A season of three that has begun; cat has resigned against ann."""
    season, start = started([ann, bob, cat], now)
    row = LeagueGame.objects.get(first__user__in=[ann, cat], second__user__in=[ann, cat])
    resign(game_id=row.game_id, user=cat, now=start)
    return season


def digest_of(reader, now):
    """Return the digest that is written to somebody now; None if there is nothing to tell."""
    mail.outbox.clear()
    write_digest(reader, now)
    send_due(now=now)
    found = [one for one in mail.outbox if one.extra_headers["X-Pli-Kind"] == "digest"]
    return next(iter(found), None)


def said_in(letter):
    return " ".join(letter.body.split()), " ".join(html_of(letter).split())


def test_it_says_place_running_games_and_the_last_possible_day(season, ann):
    words = (
        "Morpion, April 2026: you are in place 1 of 3 in division 1, and 1 of your games is "
        "running. The season is over on Tuesday 28 April 2026, 01:00 (Europe/London) at the latest."
    )
    for said in said_in(digest_of(ann, season.starts_at + DAY)):
        assert words in said
        assert "http://localhost:8000/leagues/morpion/1/" in said


def test_it_is_in_french_too_and_counts_more_games(season, bob):
    letter = digest_of(bob, season.starts_at + DAY)
    for said in said_in(letter):
        assert "2 de vos parties sont en cours" in said
        assert "vous occupez la place 2 sur 3 de la division 1" in said


def test_who_has_left_or_plays_in_no_season_reads_nothing_of_it(season, bob, now):
    before = digest_of(bob, season.starts_at + DAY)
    leave_season(rules_slug="morpion", user=bob, now=season.starts_at + DAY)
    after = digest_of(bob, season.starts_at + DAY)
    assert "/leagues/" in before.body
    assert after is None or "/leagues/" not in after.body
