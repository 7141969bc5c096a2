"""What a page that is open is told of: everything that it shows and that has changed since."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from games.queries.conversations import page_fingerprint
from games.queries.page_reads import read_page
from games.queries.seats import game_for
from games.services.clock.added_time import grant_time
from games.services.clock.undelivered_turns import freeze_undelivered
from games.services.conduct.messages import say
from games.services.endings import hand_over
from games.services.offers import accept_offer, offer_pause
from tests.games.play import DAY, begin, fresh, play
from tests.games.vacations import go_away

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ann, bob, now):
    """A game that begins at that moment."""
    return begin(ann, bob, now=now)


def seen_by(user, game):
    found, now = game_for(game.pk, user), timezone.now()
    reads = read_page(found, user, is_staff=False, now=now)
    return page_fingerprint(found, reads.open_offers(), reads.away(found, now), can_undo=False)


def seat(game, number):
    return game.seats.select_related("user").get(number=number)


HAPPENS = {
    "a turn": lambda game, ann, bob, cat, now: play(game, ann, "5", now=now),
    "more time": lambda game, ann, bob, cat, now: grant_time(game_id=game.pk, user=bob, now=now),
    "an offer": lambda game, ann, bob, cat, now: offer_pause(
        game_id=game.pk, user=ann, days=3, now=now
    ),
    "nobody reached": lambda game, ann, bob, cat, now: freeze_undelivered(
        game_id=game.pk, turn_number=0, user=ann, now=now
    ),
    "a takeover": lambda game, ann, bob, cat, now: hand_over(
        fresh(game), seat(game, 1), cat, now, time=DAY
    ),
    "who waits goes away": lambda game, ann, bob, cat, now: go_away(bob, now, now=now),
}


@pytest.fixture
def now():
    """What pages take for the present."""
    return timezone.now()


@pytest.mark.parametrize("what", HAPPENS)
def test_a_page_is_told_of_whatever_changes_it(game, ann, bob, cat, now, what):
    before = seen_by(ann, game)
    assert seen_by(ann, game) == before
    HAPPENS[what](game, ann, bob, cat, now)
    assert seen_by(ann, game) != before


def test_a_pause_that_is_accepted_by_one_of_several_is_news(four, people, now):
    ann, bob, _, _ = people
    offer_pause(game_id=four.pk, user=ann, days=3, now=now)
    before = seen_by(ann, four)
    accept_offer(game_id=four.pk, user=bob, now=now)
    assert seen_by(ann, four) != before


def test_a_partner_who_plays_for_a_seat_is_news(teams, now):
    before = seen_by(AnonymousUser(), teams)
    teams.seats.filter(number=0).update(played_by_partner=seat(teams, 2).user)
    assert seen_by(AnonymousUser(), teams) != before


def test_what_a_page_does_not_show_is_no_news(game, ann, bob, cat, now):
    mine, theirs = seen_by(ann, game), seen_by(cat, game)
    say(game_id=game.pk, user=bob, text="Hello", via="web", now=now)
    assert seen_by(ann, game) == mine
    offer_pause(game_id=game.pk, user=bob, days=3, now=now)
    assert seen_by(cat, game) == theirs
