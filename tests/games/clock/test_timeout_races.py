"""Many sweepers at once, some killed at any point: each seat runs out of time exactly once."""

import time
from collections import Counter

import pytest

from games.clock.time_control import per_turn
from games.models import Event, Game, Substitution, Terms
from games.services.deadlines import time_out_due
from games.services.record import faults_of
from tests.factories import PersonFactory
from tests.games.multiplayer import gather, play_on
from tests.games.parallel import at_once, sweep, sweeper
from tests.games.play import DAY, SECOND, begin, fresh, play

pytestmark = pytest.mark.django_db(transaction=True)

SWEEPERS = 3
TIMEOUT = 60.0
ENDS = [Event.Kind.ENDED, Event.Kind.DEPARTED, Event.Kind.SEAT_VACANT]


def of_every_kind(people, now, count):
    """Begin games of two and of four, `count` of each: in all of them bob will run out of time."""
    kinds = [("four", "withdraw"), ("four", "substitute"), ("teams", "partner")]
    games = []
    for _ in range(count):
        two = begin(*people[:2], now=now)
        for number, text in enumerate(("5", "1", "9")):  # both have begun
            play(two, people[number % 2], text, now=now)
        games.append(two)
        for variant, fate in kinds:
            terms = Terms(per_turn(2 * DAY), on_timeout=fate)
            several = gather(people, now=now, variant=variant, terms=terms)
            games.append(play_on(several, 1, now=now))
    return games


def each_ran_out_once(games):
    """Fail unless exactly one thing became of each, in whole."""
    for game in games:
        assert game.events.filter(kind__in=ENDS).count() == 1
        after = fresh(game)
        assert faults_of(after) == []
        if game.rules_slug == "morpion":
            assert (after.status, after.ending) == ("finished", "timeout")
            continue
        seat = after.seats.get(number=1)
        assert (after.status, seat.left_because) == ("active", "timeout")
        withdrawn = after.turns.filter(via="left").count()
        standing = after.stop_reason, withdrawn, seat.played_by_partner is not None
        assert (
            standing
            == {
                "withdraw": ("", 1, False),
                "substitute": ("substitute", 0, False),
                "partner": ("", 0, True),
            }[after.on_timeout]
        )


def test_several_sweeps_at_once_run_each_seat_out_once(people, now):
    games = of_every_kind(people, now, 3)
    late = now + 2 * DAY + SECOND
    answers = at_once(*[[sweep(now=late)] for _ in range(5)])
    answers += at_once([sweep(now=late)])  # what another held while each looked at it
    assert sum(done for (done,) in answers) == len(games)
    each_ran_out_once(games)


def test_sweepers_killed_at_any_point_leave_nothing_half_done(people, now):
    games = of_every_kind(people, now, 8)
    late = now + 2 * DAY + SECOND
    sweepers = [sweeper(late) for _ in range(SWEEPERS)]
    for ended in (2, 5, 9, 14, 20):
        wait_until(lambda ended=ended: happened() >= ended)
        victim = sweepers.pop(0)
        victim.kill()
        victim.join(TIMEOUT)
        sweepers.append(sweeper(late))
    for one in sweepers:
        one.join(TIMEOUT)
        assert one.exitcode == 0
    assert time_out_due(now=late) == 0
    each_ran_out_once(games)


def happened():
    return Event.objects.filter(kind__in=ENDS).count()


def wait_until(reached):
    last_moment = time.monotonic() + TIMEOUT
    while not reached():
        assert time.monotonic() < last_moment, "the sweepers do not get on"
        time.sleep(0.005)


def sought(people, now):
    terms = Terms(per_turn(2 * DAY), on_timeout="substitute")
    game = play_on(gather(people, now=now, terms=terms), 1, now=now)
    assert time_out_due(now=game.deadline + SECOND) == 1
    return fresh(game)


def claim(game, person, now):
    return "claim", {"game_id": game.pk, "user": person.username, "now": now}


def test_of_ten_who_claim_a_seat_one_has_it(people, now):
    game = sought(people, now)
    guests = [PersonFactory(username=f"guest{number}") for number in range(10)]
    answers = [a for (a,) in at_once(*[[claim(game, one, game.stopped_at)] for one in guests])]
    assert Counter(answers) == {"seated": 1, "NoSeatSought": 9}
    winner = guests[answers.index("seated")]
    assert fresh(game).seats.get(number=1).user == winner
    assert Substitution.objects.get().by == winner


def test_a_claim_at_the_last_instant_and_the_end_of_the_search_never_both_succeed(people, now):
    eve = PersonFactory(username="eve")
    games = [sought(people, now) for _ in range(8)]
    until = games[0].stopped_until
    claims = [claim(game, eve, until) for game in games]
    ends = [("end_stops", {"now": until + SECOND}) for _ in games]
    claimed, ended = at_once(claims, ends)
    taken = 0
    for game, answer in zip(games, claimed, strict=True):
        after = fresh(game)
        taken += answer == "seated"
        assert answer in ("seated", "NoSeatSought")
        assert after.seats.filter(user=eve).exists() == (answer == "seated")
        assert after.turns.filter(notation="withdraw 1").exists() == (answer != "seated")
        assert faults_of(after) == []
    assert taken + sum(ended) == len(games)
    assert not Game.objects.filter(stop_reason="substitute").exists()
