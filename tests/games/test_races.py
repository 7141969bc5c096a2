"""Many processes at the same game at the same moment: on PostgreSQL, and on SQLite."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import transaction

from games.models import Event, Game, Seat, Turn
from games.services.record import faults_of
from games.services.reminders import APART
from tests.factories import PersonFactory
from tests.games.parallel import at_once, join, sweep, turn
from tests.games.play import DAY, SECOND, begin, fresh, play, table

pytestmark = pytest.mark.django_db(transaction=True)

CLIENTS = 20
ROUNDS = 40


def alone(answers):
    """Return what each process answered to its only job."""
    return [answer for (answer,) in answers]


@pytest.fixture
def many(ann, bob, now):
    """Return what begins several games of ann and bob in which ann played, so that bob is due."""

    def begin_many(count):
        games = [begin(ann, bob, now=now) for _ in range(count)]
        for game in games:
            play(game, ann, "5", now=now)
        return games

    return begin_many


def test_of_twenty_clients_sending_the_same_turn_one_plays_it(game, ann, now):
    answers = alone(at_once(*[[turn(game, ann, "5", now=now)] for _ in range(CLIENTS)]))
    assert Counter(answers) == {"played": 1, "already": CLIENTS - 1}
    assert Turn.objects.filter(game=game).count() == 1
    assert game.events.filter(kind=Event.Kind.TURN_PLAYED).count() == 1
    assert faults_of(fresh(game)) == []


def test_of_twenty_clients_sending_different_turns_one_plays_and_the_others_are_stale(
    ann, bob, now
):
    game = begin(ann, bob, now=now, slug="super-morpion")
    texts = [f"{board}{cell}" for board in (1, 2) for cell in range(1, 10)] + ["31", "32"]
    answers = alone(at_once(*[[turn(game, ann, text, now=now)] for text in texts]))
    assert Counter(answers) == {"played": 1, "StaleTurn": CLIENTS - 1}
    assert Turn.objects.get(game=game).notation == texts[answers.index("played")]
    assert faults_of(fresh(game)) == []


def test_a_turn_and_the_sweep_at_the_deadline_never_both_have_their_way(many, bob, now):
    # Every round has a game and a deadline of its own, ten seconds after the one before.
    rounds = list(enumerate(many(ROUNDS)))
    deadlines = [now + 2 * DAY + timedelta(seconds=10 * number) for number, _ in rounds]
    for number, game in rounds:
        Game.objects.filter(pk=game.pk).update(deadline=deadlines[number])
    turns = [turn(game, bob, "1", now=deadlines[number], expected=1) for number, game in rounds]
    sweeps = [sweep(now=deadline + SECOND) for deadline in deadlines]
    played, ended = at_once(turns, sweeps)
    for (_, raced), answer in zip(rounds, played, strict=True):
        game = fresh(raced)
        ends = game.events.filter(kind=Event.Kind.ENDED).count()
        if answer == "played":
            assert (game.turn_number, game.status, ends) == (2, "active", 0)
        else:
            assert answer == "GameNotRunning"
            assert (game.turn_number, game.status, ends) == (1, "aborted", 1)
        assert faults_of(game) == []
    assert sum(ended) == Counter(played)["GameNotRunning"]


def test_five_sweeps_at_once_end_each_game_once(many, now):
    games = many(15)
    late = now + 2 * DAY + SECOND
    answers = alone(at_once(*[[sweep(now=late)] for _ in range(5)]))
    alone(at_once([sweep(now=late)]))
    assert sum(answers) == len(games)
    for game in games:
        assert fresh(game).ending == "never-begun"
        assert game.events.filter(kind=Event.Kind.ENDED).count() == 1


@pytest.mark.parametrize(("job", "kind"), [("remind", "reminder-due"), ("expire", "closed")])
def test_reminders_and_closed_tables_are_written_once_by_however_many_rounds(
    many, ann, now, job, kind
):
    games = many(8) if job == "remind" else [table(ann, now=now) for _ in range(8)]
    when = now + (1.6 * DAY if job == "remind" else 14 * DAY)
    answers = alone(at_once(*[[(job, {"now": when})] for _ in range(4)]))
    if job == "remind":
        # One mail tells of all turns that are due. A game that another round was looking at then
        # is told of after an hour of peace.
        assert sum(answers) == 1
        alone(at_once([(job, {"now": when + APART})]))
    else:
        assert sum(answers) == len(games)
    for game in games:
        assert game.events.filter(kind=kind).count() == 1


def test_of_twenty_people_at_one_free_seat_one_sits_down(ann, now):
    game = table(ann, now=now)
    guests = [PersonFactory(username=f"guest{number}") for number in range(CLIENTS)]
    answers = alone(at_once(*[[join(game, guest, now=now)] for guest in guests]))
    assert Counter(answers) == {"seated": 1, "TableNotOpen": CLIENTS - 1}
    assert Seat.objects.get(game=game, number=1).user == guests[answers.index("seated")]
    assert fresh(game).status == "active"
    assert game.events.filter(kind=Event.Kind.STARTED).count() == 1


@pytest.mark.postgresql
def test_a_sweep_does_not_wait_for_a_game_that_somebody_holds(many, now):
    """The other games end at once; the held one the next time."""
    games = many(3)
    late = now + 2 * DAY + SECOND
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=games[1].pk)
        assert alone(at_once([sweep(now=late)])) == [2]
    assert alone(at_once([sweep(now=late)])) == [1]
