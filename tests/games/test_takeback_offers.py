"""A takeback by agreement: offered, accepted, outplayed, against a bot."""

import pytest

from games import errors
from games.clock.time_control import per_turn
from games.models import Event, Offer, Terms, Turn
from games.services import thinking
from games.services.endings import resign
from games.services.offers import accept_offer, decline_offer, offer_pause, offer_takeback
from games.services.record import faults_of
from games.services.takebacks import undo_turn
from tests.games.multiplayer import play_on
from tests.games.play import DAY, NOT_RATED, SECOND, begin, fresh, kinds, play, play_all, refused

pytestmark = pytest.mark.django_db


def offer(game, user, *, now):
    return offer_takeback(game_id=game.pk, user=user, now=now)


def accept(game, user, *, now):
    return accept_offer(game_id=game.pk, user=user, now=now)


def notations(game):
    return [turn.notation for turn in game.turns.order_by("number")]


def test_the_game_goes_on_from_before_ones_newest_turn(game, ann, bob, now):
    before = play_all(game, ["5", "1"], now=now)
    play_all(game, ["9", "2"], now=now)
    made = offer(game, ann, now=now)
    assert (made.kind, made.details) == ("takeback", {"turn": 3})
    accept(game, bob, now=now + SECOND)
    after = fresh(game)
    assert after.position == before.position
    assert after.seat_to_move == 0
    assert notations(after)[4:] == ["takeback 2"]
    entry = after.turns.get(number=5)
    assert (entry.via, entry.player) == (Turn.Via.TAKEBACK, ann)
    assert faults_of(after) == []
    assert kinds(after)[-3:] == ["offer-made", "taken-back", "offer-accepted"]
    assert [event.turn_number for event in after.events.order_by("pk")][-2:] == [5, 5]


def test_it_is_offered_by_the_player_to_move_and_by_who_waits(game, ann, bob, now):
    play_all(game, ["5", "1", "9"], now=now)
    assert offer(game, ann, now=now).details == {"turn": 3}
    decline_offer(game_id=game.pk, user=bob, now=now)
    assert offer(game, bob, now=now).details == {"turn": 2}
    accept(game, ann, now=now)
    assert (fresh(game).seat_to_move, notations(game)[3:]) == (1, ["takeback 1"])


def test_what_was_taken_back_is_not_taken_back_again(game, ann, bob, now):
    play_all(game, ["5", "1", "9"], now=now)
    offer(game, ann, now=now)
    accept(game, bob, now=now)
    assert offer(game, ann, now=now).details == {"turn": 1}
    accept(game, bob, now=now)
    with refused(errors.NothingToTakeBack, "You have not played a turn", status=409):
        offer(game, ann, now=now)
    assert faults_of(fresh(game)) == []


def test_who_has_not_played_has_nothing_to_take_back(game, bob, now):
    play_all(game, ["5"], now=now)
    with refused(errors.NothingToTakeBack, "You have not played a turn", status=409):
        offer(game, bob, now=now)


def test_the_turn_begins_again_with_what_its_seat_has(ann, bob, now):
    game = begin(ann, bob, now=now, terms=Terms(per_turn(2 * DAY)))
    play(game, ann, "5", now=now + DAY)
    offer(game, ann, now=now + DAY)
    later = now + DAY + 3600 * SECOND
    accept(game, bob, now=later)
    assert fresh(game).deadline == later + 2 * DAY


def test_a_pause_ends_and_other_offers_lapse(game, ann, bob, now):
    play_all(game, ["5"], now=now)
    other = offer_pause(game_id=game.pk, user=bob, days=3, now=now)
    offer(game, ann, now=now)
    chosen = Offer.objects.get(kind="takeback")
    accept_offer(game_id=game.pk, user=bob, now=now, offer_id=chosen.pk)
    states = dict(Offer.objects.values_list("pk", "state"))
    assert states == {other.pk: "lapsed", chosen.pk: "accepted"}
    assert fresh(game).stop_reason == ""


@pytest.mark.parametrize("asker", [0, 1])
def test_any_turn_that_is_played_makes_it_void(asker, game, ann, bob, now):
    play_all(game, ["5", "1"], now=now)
    made = offer(game, [ann, bob][asker], now=now)
    play(game, ann, "9", now=now)
    assert Offer.objects.get(pk=made.pk).state == "lapsed"
    with refused(errors.NoOffer, "There is no open offer to answer", status=409):
        accept(game, [bob, ann][asker], now=now)


def test_an_offer_about_another_position_is_void(game, ann, bob, now):
    """An earlier release lets it stand while turns are played."""
    play_all(game, ["5", "1"], now=now)
    made = offer(game, ann, now=now)
    play_all(game, ["9"], now=now)
    Offer.objects.filter(pk=made.pk).update(state="open", closed_at=None)
    with refused(errors.PositionChanged, "The game has moved on since", status=409):
        accept(game, bob, now=now)


def test_undoing_the_turn_makes_its_offer_void(game, ann, now):
    play_all(game, ["5"], now=now)
    made = offer(game, ann, now=now)
    undo_turn(game_id=game.pk, user=ann, now=now)
    assert Offer.objects.get(pk=made.pk).state == "lapsed"


def test_everybody_must_accept(four, people, now):
    played = play_on(four, 4, now=now)
    first, *others = [seat.user for seat in four.seats.order_by("number")]
    offer(four, first, now=now)
    for user in others[:-1]:
        accept(four, user, now=now)
        assert fresh(four).turn_number == 4
    accept(four, others[-1], now=now)
    after = fresh(four)
    assert (after.turn_number, after.seat_to_move) == (5, 0)
    assert after.position != played.position
    assert faults_of(after) == []


def test_it_does_not_go_back_across_a_departure(four, now):
    play_on(four, 2, now=now)
    first, _second, third, _fourth = [seat.user for seat in four.seats.order_by("number")]
    resign(game_id=four.pk, user=third, now=now)
    with refused(errors.BeforeDeparture, "A player has left since then", status=409):
        offer(four, first, now=now)


def test_a_bot_accepts(ann, partner, now, monkeypatch):
    monkeypatch.setattr(thinking, "choose_turn", lambda claimed, is_stopped: "1")
    game = begin(ann, partner, now=now, terms=NOT_RATED)
    play(game, ann, "5", now=now)
    thinking.play_for_bots(now=now)
    offer(game, ann, now=now)
    assert thinking.play_for_bots(now=now) == 1
    after = fresh(game)
    assert notations(after) == ["5", "1", "takeback 0"]
    assert (after.seat_to_move, after.bot_due_at) == (0, None)


def test_a_bot_that_is_to_move_accepts_before_it_plays(ann, partner, now):
    game = begin(ann, partner, now=now, terms=NOT_RATED)
    play(game, ann, "5", now=now)
    offer(game, ann, now=now)
    thinking.play_for_bots(now=now)
    assert notations(fresh(game)) == ["5", "takeback 0"]
    assert not fresh(game).events.filter(kind=Event.Kind.TURN_PLAYED, turn_number=3).exists()
