"""What wishes refuse, and what is checked once more when a game begins by them."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Block, User
from games import errors, wish_errors
from games.models import Game, Outage, Wish
from games.queries.wishes import ready_wishes
from games.services import wishes as service
from games.services.wishes import begin_pair, change_wish, pair_wishes, withdraw_wish
from tests.factories import PersonFactory
from tests.games.play import DAY
from tests.games.wishes.making import stored, wish_for

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
ANYBODY = {"lowest": None, "highest": None, "at_once": 1}


def close_site(now):
    Outage.objects.create(kind=Outage.Kind.MAINTENANCE, began_at=now, noted_at=now)


def suspend(user, now):
    user.barred_until = now + DAY
    user.save()


def test_games_of_more_than_two_have_no_wishes(ann, now):
    with pytest.raises(wish_errors.WishIsForTwo):
        wish_for(ann, now=now, slug="superpion")


def test_bounds_are_checked_when_a_wish_is_changed_too(ann, now):
    wish = wish_for(ann, now=now)
    with pytest.raises(wish_errors.BadWish):
        change_wish(wish_id=wish.pk, user=ann, now=now, **ANYBODY | {"at_once": 11})


@pytest.mark.parametrize(
    ("happens", "refusal"),
    [
        (lambda ann, now: close_site(now), errors.ClosedForMaintenance),
        (suspend, errors.Barred),
    ],
)
def test_nothing_changes_while_the_site_is_closed_or_the_player_suspended(
    ann, now, happens, refusal
):
    wish = wish_for(ann, now=now)
    happens(ann, now)
    with pytest.raises(refusal):
        change_wish(wish_id=wish.pk, user=ann, now=now, **ANYBODY)
    with pytest.raises(refusal):
        withdraw_wish(wish_id=wish.pk, user=ann, now=now)
    assert stored(wish).withdrawn_at is None


def test_who_is_suspended_is_told_so_also_while_the_site_is_closed(ann, now):
    wish = wish_for(ann, now=now)
    suspend(ann, now)
    close_site(now)
    with pytest.raises(errors.Barred):
        change_wish(wish_id=wish.pk, user=ann, now=now, **ANYBODY)
    with pytest.raises(errors.Barred):
        withdraw_wish(wish_id=wish.pk, user=ann, now=now)


def test_a_suspension_counts_that_begins_after_the_player_was_read(ann, now):
    wish = wish_for(ann, now=now)
    User.objects.filter(pk=ann.pk).update(barred_until=now + DAY)
    with pytest.raises(errors.Barred):
        change_wish(wish_id=wish.pk, user=ann, now=now, **ANYBODY)
    with pytest.raises(errors.Barred):
        withdraw_wish(wish_id=wish.pk, user=ann, now=now)


def test_other_options_wait_anew(ann, now):
    wish = wish_for(ann, now=now, slug="morpiae")
    wish_for(ann, now=now + HOUR, slug="morpiae", at_once=2)
    assert stored(wish).waits_since == now
    wish_for(ann, now=now + HOUR, slug="morpiae", options={"hints": True})
    assert stored(wish).waits_since == now + HOUR


def test_a_wish_that_rests_waits_anew_when_it_is_made_or_changed(ann, now):
    wish = wish_for(ann, now=now)
    for again in (
        lambda: wish_for(ann, now=now + HOUR),
        lambda: change_wish(wish_id=wish.pk, user=ann, now=now + HOUR, **ANYBODY),
    ):
        Wish.objects.update(rests_since=now, waits_since=None)
        again()
        assert (stored(wish).rests_since, stored(wish).waits_since) == (None, now + HOUR)


def test_a_wish_stops_waiting_while_its_player_cannot_play(ann, bob, both, now):
    ann.unreachable_since = now
    ann.save()
    pair_wishes(now=now)
    assert [stored(wish).waits_since for wish in both] == [None, now]


def test_of_too_many_those_who_wait_longest_are_looked_at(ann, bob, both, now, monkeypatch):
    """Three wait, two are looked at: the newest wish has the lowest key."""
    monkeypatch.setattr(service, "MOST_PAIRED", 2)
    wish_for(PersonFactory(), now=now - DAY)
    Wish.objects.filter(pk=both[0].pk).update(waits_since=now)
    Wish.objects.filter(pk=both[1].pk).update(waits_since=now - DAY)
    assert pair_wishes(now=now) == 1
    assert not Game.objects.get().seats.filter(user=ann).exists()
    cat = PersonFactory()
    wish_for(cat, now=now)
    Wish.objects.filter(user=ann).update(lowest=3000)  # she and nobody fit; cat is not looked at
    wish_for(PersonFactory(), now=now + HOUR)
    assert pair_wishes(now=now + HOUR) == 0


def test_of_a_wish_that_nobody_shares_no_strength_is_read(ann, now):
    wish_for(ann, now=now)
    with CaptureQueriesContext(connection) as asked:
        assert pair_wishes(now=now) == 0
    assert not [query for query in asked if "games_rating" in query["sql"]]


# What has happened since the wishes were read ----------------------------------------------------


def read_again(now):
    one, other = ready_wishes(now)
    return one, other


def withdrawn(wish, now):
    withdraw_wish(wish_id=wish.pk, user=wish.user, now=now)


def changed(wish, now):
    change_wish(wish_id=wish.pk, user=wish.user, now=now + HOUR, **ANYBODY | {"lowest": 1600})


def blocked(wish, now):
    other = Wish.objects.exclude(pk=wish.pk).get().user
    Block.objects.create(by=wish.user, of=other, at=now)


def gone(wish, now):
    wish.user.unreachable_since = now
    wish.user.save()


def paired_before(wish, now):
    assert pair_wishes(now=now) == 1


@pytest.mark.parametrize("happens", [withdrawn, changed, blocked, gone, paired_before])
def test_what_happens_after_wishes_were_read_keeps_their_game_from_beginning(both, now, happens):
    one, other = read_again(now)
    happens(stored(one), now)
    before = Game.objects.count()
    assert begin_pair(one, other, now=now + HOUR) is None
    assert Game.objects.count() == before


def test_a_wish_that_has_enough_games_waits_no_more(both, now):
    one, other = read_again(now)
    assert begin_pair(one, other, now=now + HOUR) is not None
    assert [stored(wish).waits_since for wish in both] == [None, None]


def test_a_wish_for_more_games_waits_anew_from_the_pair_on(both, now):
    Wish.objects.filter(pk=both[0].pk).update(at_once=2)
    one, other = read_again(now)
    assert begin_pair(one, other, now=now + HOUR) is not None
    assert [stored(wish).waits_since for wish in both] == [now + HOUR, None]
