"""Games that are plainly lost on time end together, exactly as each would alone."""

import pytest
from django.db import connection
from django.forms.models import model_to_dict
from django.test.utils import CaptureQueriesContext

from accounts.models import User, Vacation
from games.models import Game, Turn
from games.rules.entries import takeback
from games.services import deadlines
from games.services.clock import undelivered_turns
from games.services.clock.lost_games import end_lost
from games.services.deadlines import held_of, time_out_due
from games.services.turns import append_entry
from notifications.outbox.recipients import make_notices
from tests.factories import BotFactory, PersonFactory
from tests.games.multiplayer import gather, play_on
from tests.games.play import DAY, SECOND, begin, fresh, play_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def late(now):
    return now + 2 * DAY + SECOND


@pytest.fixture
def games(ann, bob, now):
    return [play_all(begin(ann, bob, now=now), ["5", "1", "2"], now=now) for _ in range(2)]


def lost(games, late):
    """Return which of these games end together."""
    keys = [game.pk for game in games]
    found = end_lost(keys, held_of, now=late)
    return [game for game in games if game.pk in found]


def everything(game):
    """Return all columns of a game, its seats and its last event, but not their keys."""
    game = fresh(game)
    columns = {field.attname: getattr(game, field.attname) for field in game._meta.concrete_fields}
    seats = [model_to_dict(seat, exclude=["id", "game"]) for seat in game.seats.all()]
    event = game.events.latest("pk")
    of_event = (event.kind, event.at, event.actor, event.turn_number, event.details)
    return {**columns, "id": None}, seats, of_event


def test_they_end_as_they_would_alone(games, late, monkeypatch):
    together, alone = games
    assert lost([together], late) == [together]
    monkeypatch.setattr(deadlines, "end_lost", lambda *args, **kwargs: set())
    assert time_out_due(now=late) == 1
    assert everything(together) == everything(alone)
    assert fresh(together).ending == "timeout"


def test_many_cost_no_more_questions_than_one(games, ann, bob, now, late):
    def asked(chosen):
        with CaptureQueriesContext(connection) as captured:
            assert lost(chosen, late) == chosen
        return len(captured)

    more = [play_all(begin(bob, ann, now=now), ["5", "1"], now=now) for _ in range(4)]
    assert asked(games[:1]) == asked([games[1], *more])


def test_the_notices_of_many_cost_no_more_questions_than_those_of_one(games, ann, bob, now, late):
    def asked():
        with CaptureQueriesContext(connection) as captured:
            assert make_notices(now=late)
        return len(captured)

    more = [play_all(begin(bob, ann, now=now), ["5", "1"], now=now) for _ in range(4)]
    make_notices(now=now)
    lost(games, late)
    for_two = asked()
    lost(more, late)
    assert asked() == for_two


def test_who_might_go_on_vacation_is_asked_alone(games, bob, late):
    User.objects.filter(pk=bob.pk).update(automatic_vacation=True)
    assert lost(games, late) == []
    Game.objects.update(allows_vacations=False)
    assert lost(games, late) == games


def test_what_may_be_held_is_asked_alone(games, late, monkeypatch):
    monkeypatch.setattr(deadlines, "HOLDS", [lambda game: game == games[0]])
    assert lost(games, late) == [games[1]]


def test_who_may_not_know_of_the_turn_is_asked_alone(games, late, monkeypatch):
    monkeypatch.setattr(undelivered_turns, "CHECKS", [lambda game: game == games[0]])
    assert lost(games, late) == [games[0]]


def test_a_deadline_that_moves_is_looked_at_alone(games, bob, now, late):
    Vacation.objects.create(
        user=bob, begins_at=now, ends_at=now + DAY, announced_at=now, zone="UTC"
    )
    assert lost(games, late) == []


def test_a_game_that_is_not_late_any_more_goes_on(games, late):
    Game.objects.filter(pk=games[0].pk).update(deadline=late)
    assert lost(games, late) == [games[1]]


def test_a_game_that_its_player_has_not_begun_is_looked_at_alone(ann, bob, now, late):
    game = play_all(begin(ann, bob, now=now), ["5"], now=now)
    assert lost([game], late) == []


def test_a_game_with_takebacks_is_looked_at_alone(games, bob, now, late):
    game = games[0]
    seat = game.seats.get(number=game.seat_to_move)
    append_entry(game, seat, takeback(3), via=Turn.Via.TAKEBACK, now=now)
    game.save()
    assert lost(games, late) == [games[1]]


def test_a_game_of_several_is_looked_at_alone(now):
    people = [PersonFactory(username=name) for name in ("cleo", "dan", "eve", "fay")]
    game = play_on(gather(people, now=now), 8, now=now)
    assert lost([game], game.deadline + SECOND) == []


def test_a_game_whose_rules_were_taken_out_does_not_keep_others_from_ending_together(games, late):
    Game.objects.filter(pk=games[0].pk).update(rules_slug="a-game-that-was-taken-out")
    assert lost(games, late) == [games[1]]


def test_if_they_cannot_end_together_each_ends_alone(games, late, monkeypatch):
    monkeypatch.setattr(deadlines, "end_lost", lambda *args, **kwargs: 1 / 0)
    assert time_out_due(now=late) == 2


def test_a_bot_is_looked_at_alone(ann, now, late):
    game = play_all(begin(ann, BotFactory(), now=now), ["5", "1", "2"], now=now)
    time_out_due(now=late)
    assert fresh(game).ending == "timeout"
