"""Workers that pair the same wishes at the same moment, ones that are killed, and withdrawals."""

from collections import Counter

import pytest

from games.models import Game, Seat, Wish, WishGame
from tests.factories import PersonFactory
from tests.games.parallel import at_once, run_until_killed
from tests.games.wishes.making import wish_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

PLAYERS = 8


@pytest.fixture
def wishes(now):
    """Eight players who wish for two games each."""
    people = [PersonFactory(username=f"racer{number}") for number in range(PLAYERS)]
    return [wish_for(person, now=now, at_once=2) for person in people]


def pairing(now):
    return [("pair", {"now": now})]


def check_is_whole(games):
    """Everybody has so many running games, each with somebody else, and a row for each."""
    rows = Counter(WishGame.objects.values_list("game", flat=True))
    assert set(rows.values()) == {2}
    assert len(rows) == Game.objects.count()
    assert Game.objects.filter(status="active").count() == len(rows) == PLAYERS * games // 2
    assert set(Counter(Seat.objects.values_list("user", flat=True)).values()) == {games}
    pairs = {frozenset(game.seats.values_list("user", flat=True)) for game in Game.objects.all()}
    assert len(pairs) == len(rows)
    waiting = Wish.objects.exclude(waits_since=None).count()
    assert waiting == (PLAYERS if games == 1 else 0)


def test_workers_that_pair_together_begin_each_game_once(wishes, now):
    """Also a worker that read before another began the games: each wish has one game a run."""
    begun = 0
    for _ in range(4):
        begun += sum(count for (count,) in at_once(*[pairing(now) for _ in range(4)]))
    assert begun == PLAYERS
    check_is_whole(games=2)


@pytest.mark.parametrize(
    ("point", "count"),
    [
        ("note_who_waits", 1),
        ("pair_seekers", 1),
        ("create_table", 1),
        ("start_full_table", 1),
        ("start_full_table", 4),
        ("begin_pair", 2),
    ],
)
def test_a_worker_that_is_killed_pairs_nobody_twice(wishes, now, point, count):
    run_until_killed("pair", now, point, count)
    for _ in range(3):
        at_once(pairing(now))
    check_is_whole(games=2)


def test_a_wish_that_is_withdrawn_meanwhile_is_paired_or_not_at_all(wishes, now):
    first = wishes[0]
    withdraw = {"wish_id": first.pk, "user": "racer0", "now": now}
    (answer,), _, _ = at_once([("withdraw_wish", withdraw)], pairing(now), pairing(now))
    assert answer == "withdrawn"
    first.refresh_from_db()
    assert first.withdrawn_at == now
    assert first.waits_since is None
    games = WishGame.objects.filter(wish=first).count()
    assert Seat.objects.filter(user=first.user).count() == games <= 1
    at_once(pairing(now))
    assert WishGame.objects.filter(wish=first).count() == games
