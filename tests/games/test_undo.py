"""A player undoes their newest turn while nobody else was told of it or has seen it."""

from datetime import timedelta

import pytest

from games import errors
from games.clock.time_control import per_turn
from games.models import Event, Game, Offer, Terms, Turn
from games.models.undo import MARGIN
from games.moderation.game_actions import give_time
from games.queries.home import home_page
from games.queries.lists import games_of
from games.queries.seats import game_for
from games.rules.entries import effective_entries
from games.services import offers
from games.services.clock.added_time import grant_time
from games.services.endings import resign
from games.services.record import faults_of
from games.services.takebacks import undo_turn
from tests.games.multiplayer import play_on
from tests.games.play import DAY, SECOND, begin, fresh, play, play_all, refused

pytestmark = pytest.mark.django_db

HOLD = timedelta(seconds=90)
OVER = "Your turn can no longer be undone"


def clock_of(game):
    """Return what is stored of a game's clock and its seats' times."""
    seats = list(game.seats.values_list("number", "time_left"))
    return game.clock, seats


def undo(game, user, *, now):
    return undo_turn(game_id=game.pk, user=user, now=now)


def test_the_position_before_stands_again_and_the_record_has_grown(game, ann, now):
    before = play_all(game, ["5", "1"], now=now)
    play(game, ann, "9", now=now + DAY)
    undo(game, ann, now=now + DAY + SECOND)
    after = fresh(game)
    assert after.position == before.position
    assert faults_of(after) == []
    entry = after.turns.get(number=4)
    assert (entry.notation, entry.via, entry.player) == ("takeback 2", Turn.Via.TAKEBACK, ann)
    assert effective_entries([turn.notation for turn in after.turns.order_by("number")]) == [1, 2]
    event = after.events.get(kind=Event.Kind.TURN_UNDONE)
    assert (event.actor, event.turn_number, event.details) == (ann, 4, {"notation": "9"})


def test_another_turn_is_played_in_its_place(game, ann, bob, now):
    play(game, ann, "5", now=now)
    undo(game, ann, now=now + SECOND)
    play(game, ann, "1", now=now + 2 * SECOND)
    after = play_all(game, ["2"], now=now + DAY)
    assert [turn.notation for turn in after.turns.order_by("number")] == [
        "5",
        "takeback 0",
        "1",
        "2",
    ]
    assert faults_of(after) == []


def test_the_turn_that_was_undone_is_not_taken_for_one_sent_again(game, ann, now):
    play(game, ann, "5", now=now)
    undo(game, ann, now=now + SECOND)
    with refused(errors.StaleTurn, "meant for another position", status=409):
        play(game, ann, "5", now=now + SECOND, expected=0)


# The clock ---------------------------------------------------------------------------------------


def test_the_clock_runs_on_as_if_the_turn_had_not_been_played(ann, bob, now):
    game = begin(ann, bob, now=now)
    before = clock_of(fresh(game))
    play(game, ann, "5", now=now + DAY)
    assert clock_of(fresh(game)) != before
    undo(game, ann, now=now + DAY + 60 * SECOND)
    assert clock_of(fresh(game)) == before


def test_who_plays_again_after_undoing_has_used_the_time_in_between(ann, bob, now):
    terms = Terms(per_turn(DAY))
    game = begin(ann, bob, now=now, terms=terms)
    play(game, ann, "5", now=now + 23 * timedelta(hours=1))
    undo(game, ann, now=now + 23 * timedelta(hours=1) + 30 * SECOND)
    assert fresh(game).deadline == now + DAY
    with refused(errors.TooLate, "Your time for this turn has run out", status=409):
        play(game, ann, "1", now=now + DAY + SECOND)


def test_nothing_is_undone_after_the_deadline_of_the_turn(ann, bob, now):
    game = begin(ann, bob, now=now)
    play(game, ann, "5", now=now + 2 * DAY - 10 * SECOND)
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(game, ann, now=now + 2 * DAY)


def test_a_pause_that_the_turn_ended_goes_on(game, ann, bob, now):
    offers.offer_pause(game_id=game.pk, user=ann, days=3, now=now)
    offers.accept_offer(game_id=game.pk, user=bob, now=now)
    before = clock_of(fresh(game))
    play(game, ann, "5", now=now + DAY)
    undo(game, ann, now=now + DAY + SECOND)
    assert clock_of(fresh(game)) == before
    assert fresh(game).stop_reason == "paused"


def test_an_offer_that_the_turn_answered_is_open_again(game, ann, bob, now):
    offer = offers.offer_end(game_id=game.pk, user=bob, now=now)
    play(game, ann, "5", now=now)
    assert Offer.objects.get(pk=offer.pk).state == "lapsed"
    undo(game, ann, now=now + SECOND)
    offer = Offer.objects.get(pk=offer.pk)
    assert (offer.state, offer.closed_at) == ("open", None)


def test_what_was_declined_before_stays_declined(game, ann, bob, now):
    offer = offers.offer_end(game_id=game.pk, user=bob, now=now)
    offers.decline_offer(game_id=game.pk, user=ann, now=now)
    play(game, ann, "5", now=now)
    undo(game, ann, now=now + SECOND)
    assert Offer.objects.get(pk=offer.pk).state == "declined"


# Until when --------------------------------------------------------------------------------------


def test_it_ends_a_moment_before_the_mail_may_leave(game, ann, now):
    play(game, ann, "5", now=now)
    assert fresh(game).undo_until == now + HOLD - MARGIN
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(game, ann, now=now + HOLD - MARGIN)
    undo(game, ann, now=now + HOLD - MARGIN - SECOND)


def test_it_ends_earlier_where_the_next_player_has_little_time(ann, bob, now):
    game = begin(ann, bob, now=now, terms=Terms(per_turn(timedelta(minutes=2))))
    play(game, ann, "5", now=now)
    assert fresh(game).undo_until == now + timedelta(minutes=1) - MARGIN


def test_without_a_hold_there_is_nothing_to_undo(game, ann, now, settings):
    settings.MAIL_HOLD = timedelta()
    play(game, ann, "5", now=now)
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(game, ann, now=now)


def opens_the_page(game, user):
    game_for(game.pk, user)


def opens_home(game, user):
    home_page(user)


def opens_a_profile(game, user):
    games_of(game.seats.get(number=0).user, user)


LOOKS = [opens_the_page, opens_home, opens_a_profile]


@pytest.fixture
def at(monkeypatch):
    """Return what sets the time that the pages go by."""

    def set_time(moment):
        for module in ("seats", "home", "lists"):
            monkeypatch.setattr(f"games.queries.{module}.server_now", lambda: moment)

    return set_time


@pytest.mark.parametrize("look", LOOKS)
def test_it_ends_when_the_opponent_is_shown_the_game(look, game, ann, bob, now, at):
    play(game, ann, "5", now=now)
    at(now + SECOND)
    look(game, bob)
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(game, ann, now=now + 2 * SECOND)


@pytest.mark.parametrize("look", LOOKS)
def test_the_player_and_strangers_may_look(look, game, ann, cat, now, at):
    play(game, ann, "5", now=now)
    at(now + SECOND)
    look(game, ann)
    look(game, cat)
    undo(game, ann, now=now + 2 * SECOND)


@pytest.mark.parametrize("look", LOOKS)
def test_who_looks_when_it_is_over_writes_nothing(look, game, ann, bob, now, at):
    play(game, ann, "5", now=now)
    at(now + HOLD)
    look(game, bob)
    assert fresh(game).undo_until is not None


def test_in_a_game_of_several_any_other_player_ends_it(four, people, now, at):
    first, second = four.seats.get(number=0).user, four.seats.get(number=2).user
    play_on(four, 1, now=now)
    at(now + SECOND)
    opens_the_page(four, second)
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(four, first, now=now + 2 * SECOND)


def test_the_opponents_turn_ends_it(game, ann, bob, now):
    play(game, ann, "5", now=now)
    play(game, bob, "1", now=now)
    with refused(errors.NothingToUndo, "The last turn of this game is not yours", status=409):
        undo(game, ann, now=now)


def test_more_time_for_the_opponent_ends_it(game, ann, now):
    play(game, ann, "5", now=now)
    grant_time(game_id=game.pk, user=ann, now=now)
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(game, ann, now=now)


def test_what_a_moderator_does_to_the_clock_ends_it(game, ann, mo, now):
    play(game, ann, "5", now=now)
    give_time(game_id=game.pk, by=mo, more=DAY, why="asked for", now=now)
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(game, ann, now=now)


# What cannot be undone ---------------------------------------------------------------------------


def test_nobody_undoes_the_turn_of_somebody_else(game, ann, bob, cat, now):
    play(game, ann, "5", now=now)
    with refused(errors.NothingToUndo, "The last turn of this game is not yours", status=409):
        undo(game, bob, now=now)
    with refused(errors.NotAPlayer, "You do not play in this game", status=403):
        undo(game, cat, now=now)


def test_a_game_without_turns_has_nothing_to_undo(game, ann, now):
    with refused(errors.NothingToUndo, "there is nothing to undo", status=409):
        undo(game, ann, now=now)


def test_a_turn_is_undone_once(game, ann, now):
    play(game, ann, "5", now=now)
    undo(game, ann, now=now)
    with refused(errors.NothingToUndo, "there is nothing to undo", status=409):
        undo(game, ann, now=now)


def test_against_a_bot_it_is_over_at_once(ann, partner, now):
    game = begin(ann, partner, now=now)
    play(game, ann, "5", now=now)
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(game, ann, now=now)


def test_a_turn_that_ended_the_game_stands(game, ann, now):
    play_all(game, ["5", "1", "2", "3"], now=now)
    play(game, ann, "8", now=now)
    with refused(errors.GameNotRunning, "it is over", status=409):
        undo(game, ann, now=now)


def test_a_game_that_the_player_has_resigned_stays_so(game, ann, now):
    play(game, ann, "5", now=now)
    resign(game_id=game.pk, user=ann, now=now)
    with refused(errors.GameNotRunning, "it is over", status=409):
        undo(game, ann, now=now)


def test_an_earlier_release_that_played_on_is_not_undone_into(game, ann, now):
    """It writes turns without the columns that undoing reads."""
    play(game, ann, "5", now=now)
    kept = Game.objects.filter(pk=game.pk).values("undo_until", "undo_by", "before_turn").get()
    play_all(game, ["1", "9"], now=now)
    Game.objects.filter(pk=game.pk).update(**kept)
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(game, ann, now=now)
