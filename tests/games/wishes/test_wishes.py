"""Wishes for opponents: who may make them, who is paired, and when a wish waits."""

from datetime import timedelta

import pytest

from accounts.models import Block, Vacation
from games import errors, wish_errors
from games.clock.time_control import per_turn
from games.models import Event, Game, Outage, Rating, Wish, WishGame
from games.queries import wishes as queries
from games.queries.wishes import shown_wishes, usual_wait
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.wishes import (
    MOST_PAIRED,
    MOST_WISHES,
    change_wish,
    pair_wishes,
    withdraw_wish,
)
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from tests.factories import BotFactory, GuestFactory, PersonFactory
from tests.games.play import DAY, play
from tests.games.wishes.making import THREE_DAYS, stored, wish_for

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def test_two_who_wish_for_the_same_play_a_rated_game(ann, bob, both, now):
    assert pair_wishes(now=now + HOUR) == 1
    game = Game.objects.get()
    assert {seat.user for seat in game.seats.all()} == {ann, bob}
    assert (game.status, game.is_rated, game.is_public) == ("active", True, True)
    assert game.time_control == THREE_DAYS
    assert game.rules_slug == "morpion"
    assert set(WishGame.objects.values_list("wish", "waited")) == {(wish.pk, HOUR) for wish in both}
    assert Event.objects.filter(game=game, kind=Event.Kind.STARTED).count() == 1
    assert [stored(wish).waits_since for wish in both] == [None, None]
    assert pair_wishes(now=now + 2 * HOUR) == 0


@pytest.mark.parametrize(
    "other",
    [
        {"slug": "taquet"},
        {"pace": per_turn(2 * DAY)},
        {"lowest": 1600},
        {"highest": 1400},
    ],
)
def test_who_wishes_for_something_else_is_not_paired(ann, bob, now, other):
    wish_for(ann, now=now)
    wish_for(bob, now=now, **other)
    assert pair_wishes(now=now + 30 * DAY) == 0


def test_others_who_wait_for_the_same_are_counted_up_to_a_bound(ann, bob, now, monkeypatch):
    own, other = (wish_for(ann, now=now, slug=slug) for slug in ("morpion", "taquet"))
    for slug in ("morpion", "taquet"):
        wish_for(bob, now=now, slug=slug)
    for number in range(3):
        wish_for(PersonFactory(), now=now, pace=per_turn((2 + number) * DAY))
    wish_for(PersonFactory(), now=now, slug="super-morpion")
    resting = wish_for(PersonFactory(), now=now)
    Wish.objects.filter(pk=resting.pk).update(waits_since=None, rests_since=now)

    def counted():
        return {shown.wish.pk: shown.others for shown in shown_wishes(ann, now=now)}

    assert counted() == {own.pk: 2, other.pk: 1}  # of those at three days, the pace of both
    monkeypatch.setattr(queries, "MOST_COUNTED", 1)
    assert counted() == {own.pk: 1, other.pk: 1}


def test_the_page_says_when_more_wait_than_are_counted(client, ann, bob, cat, now, monkeypatch):
    for one in (ann, bob, cat):
        wish_for(one, now=now)
    client.force_login(ann)
    assert "2 other players are waiting" in client.get("/wishes/").content.decode()
    monkeypatch.setattr(queries, "MOST_COUNTED", 2)
    assert "At least 2 other players are waiting" in client.get("/wishes/").content.decode()


def test_other_options_are_another_wish(ann, bob, now):
    wish_for(ann, now=now, slug="morpiae", options={"hints": True})
    wish_for(bob, now=now, slug="morpiae")
    assert pair_wishes(now=now + 30 * DAY) == 0
    wish_for(bob, now=now, slug="morpiae", options={"hints": True})
    assert Wish.objects.count() == 2
    assert pair_wishes(now=now + 30 * DAY) == 1
    assert Game.objects.get().options["hints"] is True


def block(one, other, now):
    Block.objects.create(by=one, of=other, at=now)


def ban(one, other, now):
    one.barred_until = now + 60 * DAY
    one.save()


def close(one, other, now):
    one.is_active = False
    one.save()


def leave(one, other, now):
    one.deletion_due_at = now + 90 * DAY
    one.save()


def lose_address(one, other, now):
    one.unreachable_since = now
    one.save()


def go_away(one, other, now):
    ends = now + 60 * DAY
    Vacation.objects.create(user=one, begins_at=now, ends_at=ends, announced_at=now)


WHO_CANNOT = [block, ban, close, leave, lose_address, go_away]


@pytest.mark.parametrize("happens", WHO_CANNOT)
@pytest.mark.parametrize("turned", [False, True])
def test_who_must_not_play_now_is_not_paired(ann, bob, both, now, happens, turned):
    happens(*((bob, ann) if turned else (ann, bob)), now)
    assert pair_wishes(now=now + 30 * DAY) == 0
    assert not Game.objects.exists()


def test_a_wish_waits_from_the_end_of_a_vacation_on(ann, bob, both, now):
    go_away(ann, bob, now)
    pair_wishes(now=now + HOUR)
    assert stored(both[0]).waits_since is None
    back = now + 60 * DAY
    assert pair_wishes(now=back) == 1
    assert WishGame.objects.get(wish=both[0]).waited == timedelta()
    assert WishGame.objects.get(wish=both[1]).waited == 60 * DAY


def test_nothing_begins_during_maintenance(ann, both, now):
    Outage.objects.create(kind=Outage.Kind.MAINTENANCE, began_at=now, noted_at=now)
    assert pair_wishes(now=now + HOUR) == 0
    with pytest.raises(errors.ClosedForMaintenance):
        wish_for(ann, now=now)


def test_a_wish_has_as_many_games_as_it_says(ann, now):
    wish = wish_for(ann, now=now, at_once=2)
    for _ in range(3):
        wish_for(PersonFactory(), now=now)
    assert [pair_wishes(now=now + number * HOUR) for number in range(1, 5)] == [2, 0, 0, 0]
    third = wish_for(PersonFactory(), now=now + 5 * HOUR)
    assert pair_wishes(now=now + 5 * HOUR) == 1
    assert Wish.objects.get(pk=third.pk).waits_since is None
    assert stored(wish).waits_since is None
    game = Game.objects.filter(seats__user=ann).first()
    resign(game_id=game.pk, user=ann, now=now + 6 * HOUR)
    pair_wishes(now=now + 7 * HOUR)
    assert stored(wish).waits_since == now + 7 * HOUR


def test_two_who_play_already_get_no_second_game_together(ann, bob, now):
    for player in (ann, bob):
        wish_for(player, now=now, at_once=3)
    assert pair_wishes(now=now) == 1
    assert pair_wishes(now=now + 60 * DAY) == 0


def test_the_same_two_are_paired_again_only_after_others_had_time_to_come(ann, bob, both, now):
    assert pair_wishes(now=now) == 1
    game = Game.objects.get()
    resign(game_id=game.pk, user=ann, now=now)
    assert pair_wishes(now=now) == 0
    assert pair_wishes(now=now + DAY) == 0
    assert pair_wishes(now=now + 2 * DAY) == 1


def test_the_nearest_rating_is_taken(ann, bob, both, now):
    cid = PersonFactory()
    wish_for(cid, now=now)
    rated = {"rules_slug": "morpion", "table_kind": "2", "games": 9, "of_program": False}
    for player, mu in ((ann, 1700), (bob, 1510), (cid, 1650)):
        Rating.objects.create(player=player, mu=mu, sigma=40, changed_at=now, **rated)
    assert pair_wishes(now=now) == 1
    assert {seat.user for seat in Game.objects.get().seats.all()} == {ann, cid}


def test_who_let_a_game_run_out_of_time_is_paired_again_only_when_they_ask(ann, bob, both, now):
    pair_wishes(now=now)
    game = Game.objects.get()
    first = game.seats.get(number=0)
    absent = Wish.objects.get(user=first.user)
    present = Wish.objects.exclude(pk=absent.pk).get()
    later = now + 30 * DAY
    time_out_due(now=later)
    game.refresh_from_db()
    assert game.ending == "never-begun"
    pair_wishes(now=later)
    assert (stored(absent).rests_since, stored(absent).waits_since) == (later, None)
    assert (stored(present).rests_since, stored(present).waits_since) == (None, later)
    assert shown_wishes(absent.user, now=later)[0].state == "rests"
    numbers = {"lowest": None, "highest": None, "at_once": 1}
    change_wish(wish_id=absent.pk, user=absent.user, now=later + DAY, **numbers)
    assert stored(absent).waits_since == later + DAY
    assert pair_wishes(now=later + 3 * DAY) == 1


def test_who_loses_on_time_rests_too(ann, bob, both, now):
    pair_wishes(now=now)
    game = Game.objects.get()
    for number, text in ((0, "5"), (1, "1")):
        play(game, game.seats.get(number=number).user, text, now=now)
    time_out_due(now=now + 30 * DAY)
    game.refresh_from_db()
    assert game.ending == "timeout"
    pair_wishes(now=now + 30 * DAY)
    rests = Wish.objects.exclude(rests_since=None).get()
    assert rests.user == game.seats.get(number=0).user


def test_how_long_it_takes_is_the_median_of_three_or_more(ann, bob, both, now):
    pace = THREE_DAYS
    assert usual_wait("morpion", pace) is None
    pair_wishes(now=now + 5 * HOUR)
    assert usual_wait("morpion", pace) is None  # two waits
    cid, dan = PersonFactory(), PersonFactory()
    wish_for(cid, now=now + 5 * HOUR)
    wish_for(dan, now=now + 3 * HOUR)
    pair_wishes(now=now + 6 * HOUR)
    assert usual_wait("morpion", pace) == 5 * HOUR  # 5, 5, 1, 3
    assert usual_wait("taquet", pace) is None
    assert usual_wait("morpion", per_turn(DAY)) is None


def test_a_wish_is_made_changed_and_withdrawn(ann, bob, now):
    first = wish_for(ann, now=now)
    again = wish_for(ann, now=now + HOUR, lowest=1400, highest=1600, at_once=2)
    assert (again.pk, again.lowest, again.waits_since) == (first.pk, 1400, now)
    numbers = {"lowest": None, "highest": 1500, "at_once": 3}
    changed = change_wish(wish_id=first.pk, user=ann, now=now + HOUR, **numbers)
    assert (changed.lowest, changed.highest, changed.at_once) == (None, 1500, 3)
    with pytest.raises(wish_errors.NoSuchWish):
        change_wish(wish_id=first.pk, user=bob, now=now, **numbers)
    with pytest.raises(wish_errors.NoSuchWish):
        withdraw_wish(wish_id=first.pk, user=bob, now=now)
    withdraw_wish(wish_id=first.pk, user=ann, now=now + HOUR)
    with pytest.raises(wish_errors.NoSuchWish):
        withdraw_wish(wish_id=first.pk, user=ann, now=now + HOUR)
    assert shown_wishes(ann, now=now) == []
    assert wish_for(ann, now=now + HOUR).pk != first.pk


@pytest.mark.parametrize(
    ("numbers", "refusal"),
    [
        ({"lowest": 1600, "highest": 1500}, wish_errors.BadWish),
        ({"lowest": -1}, wish_errors.BadWish),
        ({"highest": 5001}, wish_errors.BadWish),
        ({"at_once": 0}, wish_errors.BadWish),
        ({"at_once": 11}, wish_errors.BadWish),
        ({"slug": "chess"}, errors.UnknownRules),
        ({"slug": "superpion", "options": {"no": 1}}, errors.BadOption),
        ({"pace": per_turn(timedelta())}, errors.BadPace),
    ],
)
def test_what_makes_no_sense_is_refused(ann, now, numbers, refusal):
    with pytest.raises(refusal):
        wish_for(ann, now=now, **numbers)
    assert not Wish.objects.exists()


def test_who_may_not_wish(ann, now):
    with pytest.raises(errors.GuestsPlayPrograms):
        wish_for(GuestFactory(), now=now)
    with pytest.raises(wish_errors.ProgramsMakeNoWish):
        wish_for(BotFactory(), now=now)
    leave(ann, None, now)
    with pytest.raises(errors.LeavesSoon):
        wish_for(ann, now=now)
    ban(ann, None, now)
    with pytest.raises(errors.Barred):
        wish_for(ann, now=now)


def test_nobody_has_more_wishes_than_can_be_listed(ann, now):
    for days in range(1, MOST_WISHES + 1):
        wish_for(ann, now=now, pace=per_turn(days * DAY))
    with pytest.raises(wish_errors.TooManyWishes):
        wish_for(ann, now=now, pace=per_turn(30 * DAY))
    wish_for(ann, now=now, pace=per_turn(DAY), at_once=2)  # which is a change


def test_pairing_asks_the_database_as_often_for_many_pairs_as_for_few(
    now, django_assert_max_num_queries
):
    """Besides what each game costs that begins, and the answering times of each player."""
    assert MOST_PAIRED >= 40
    for number in range(40):
        wish_for(PersonFactory(), now=now, lowest=2000 + number)
    with django_assert_max_num_queries(16):
        assert pair_wishes(now=now) == 0


def test_the_letter_says_who_was_found(ann, bob, both, now, mailoutbox):
    pair_wishes(now=now)
    make_notices(now=now)
    send_due(now=now + HOUR)
    letters = {mail.to[0].partition("@")[0]: mail.body for mail in mailoutbox}
    for reader, found in (("ann", "bob"), ("bob", "ann")):
        assert f"You were looking for an opponent: we have found {found}." in letters[reader]
