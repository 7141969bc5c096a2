"""The practice partner: sits down when asked, plays legal turns, answers offers."""

from datetime import timedelta

import pytest

from games import errors
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.models import Offer, Terms, Turn
from games.rules.registry import all_rules
from games.services import thinking
from games.services.bots import answer_for_bots
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.invitations import ask_partner, ask_rematch, challenge, practice_partner
from games.services.offers import offer_end, offer_pace, offer_pause, offer_takeback
from games.services.tables import free_seats
from games.services.thinking import play_for_bots
from tests.games.multiplayer import some_turn
from tests.games.play import DAY, SECOND, fresh, play, refused, table, unchanged

pytestmark = pytest.mark.django_db


def test_the_partner_is_the_bot_of_the_name_that_the_settings_say(partner):
    assert practice_partner() == partner
    assert practice_partner().is_bot


def test_the_partner_sits_down_at_once(ann, partner, now):
    game = ask_partner(game_id=table(ann, now=now).pk, by=ann, now=now)
    assert play_for_bots(now=now) == 0
    assert fresh(game).status == game.status
    assert (game.status, game.seats.get(number=1).user) == ("active", partner)


def test_the_partner_plays_when_it_is_its_turn_and_only_then(ann, partner, now):
    game = table(ann, now=now)
    ask_partner(game_id=game.pk, by=ann, now=now)
    play_for_bots(now=now)
    with unchanged():
        assert play_for_bots(now=now) == 0
    play(game, ann, "5", now=now)
    assert fresh(game).bot_due_at == now
    assert play_for_bots(now=now) == 1
    turn = game.turns.get(number=2)
    assert (turn.player, turn.via) == (partner, "program")
    assert (fresh(game).seat_to_move, fresh(game).bot_due_at) == (0, None)


def test_the_partner_begins_where_it_sits_on_the_first_seat(ann, partner, now):
    game = table(ann, now=now, seat=1)
    ask_partner(game_id=game.pk, by=ann, now=now)
    assert play_for_bots(now=now) == 1
    assert fresh(game).turn_number == 1


@pytest.mark.parametrize("slug", [rules.slug for rules in all_rules()])
@pytest.mark.slow
def test_bots_play_whole_games(ann, partner, now, slug):
    ann.is_bot = True
    ann.save()
    game = table(ann, now=now, slug=slug)
    while free_seats(game):
        ask_partner(game_id=game.pk, by=ann, now=now)
    for number in range(400):
        # A turn for which this machine takes seconds is played so much later, and the next is due.
        if not play_for_bots(now=now + number * 60 * SECOND):
            break
    game = fresh(game)
    assert game.status == "finished" or game.turn_number >= 300  # Taquet by chance can be long
    assert set(game.turns.values_list("via", flat=True)) == {Turn.Via.BOT}


def test_the_partner_accepts_an_agreed_end_of_a_game_that_is_not_rated(ann, partner, now):
    game = table(ann, now=now, terms=Terms(per_turn(2 * DAY), is_rated=False))
    ask_partner(game_id=game.pk, by=ann, now=now)
    play_for_bots(now=now)
    offer_end(game_id=game.pk, user=ann, now=now)
    assert play_for_bots(now=now) == 1
    assert fresh(game).ending == "agreed"


def test_the_partner_accepts_a_rematch(ann, partner, now):
    game = table(ann, now=now)
    ask_partner(game_id=game.pk, by=ann, now=now)
    play_for_bots(now=now)
    resign(game_id=game.pk, user=ann, now=now)
    rematch = ask_rematch(game_id=game.pk, user=ann, now=now)
    assert rematch.status == "active"  # it sat down at once, on the first seat
    assert play_for_bots(now=now) == 1
    assert fresh(rematch).turn_number == 1


def test_the_partner_answers_nobodys_offers_but_those_made_to_it(game, ann, partner, now):
    offer_end(game_id=game.pk, user=ann, now=now)
    with unchanged():
        assert play_for_bots(now=now) == 0


def test_a_place_without_a_partner_says_so(ann, partner, now):
    partner.is_active = False
    partner.save()
    game = table(ann, now=now)
    with refused(
        errors.PartnerCannotPlay, "The practice partner cannot join this table.", status=409
    ):
        ask_partner(game_id=game.pk, by=ann, now=now)


def test_somebody_with_the_partners_name_who_is_no_bot_is_not_it(partner):
    partner.is_bot = False
    partner.save()
    with pytest.raises(errors.PartnerCannotPlay):
        practice_partner()


def test_the_partner_is_asked_as_everybody_is(ann, bob, cat, partner, now):
    game = table(ann, now=now)
    with refused(errors.NotTheMaker, "Only the player who created this table can", status=403):
        ask_partner(game_id=game.pk, by=cat, now=now)
    full = table(ann, now=now)
    challenge(game_id=full.pk, by=ann, user=bob, now=now)
    with refused(errors.TableFull, "Every seat at this table is taken or reserved", status=409):
        ask_partner(game_id=full.pk, by=ann, now=now)


def running(ann, now):
    game = table(ann, now=now, seat=1)
    ask_partner(game_id=game.pk, by=ann, now=now)
    return game


def test_a_broken_game_waits_a_minute_and_the_others_go_on(ann, partner, now, monkeypatch):
    games = [running(ann, now) for _ in range(2)]
    choose_turn = thinking.choose_turn
    looked = []

    def choose(claimed, is_stopped):
        looked.append(1)
        if len(looked) == 1:
            raise RuntimeError("broken")
        return choose_turn(claimed, is_stopped)

    monkeypatch.setattr(thinking, "choose_turn", choose)
    assert play_for_bots(now=now) == 1
    states = sorted(fresh(game).turn_number for game in games)
    assert states == [0, 1]
    broken = next(game for game in map(fresh, games) if game.turn_number == 0)
    assert broken.bot_due_at == now + timedelta(minutes=1)
    assert play_for_bots(now=now + timedelta(minutes=1) - SECOND) == 0
    assert play_for_bots(now=now + timedelta(minutes=1)) == 1


def test_a_bot_that_was_away_too_long_loses_on_time_like_everybody(ann, partner, now):
    game = running(ann, now)
    late = now + 2 * DAY + SECOND
    assert play_for_bots(now=late) == 0
    assert fresh(game).turn_number == 0
    assert time_out_due(now=late) == 1
    with unchanged():
        assert play_for_bots(now=late + DAY) == 0


def rated_game(ann, now, level=1, **choices):
    game = table(ann, now=now, terms=Terms(per_turn(3 * DAY), is_rated=True), seat=1, **choices)
    return fresh(ask_partner(game_id=game.pk, by=ann, now=now, level=level))


def test_in_a_rated_game_a_program_gives_nothing_away(ann, partner, now):
    game = rated_game(ann, now)
    assert game.is_rated
    play_for_bots(now=now)
    play(game, ann, some_turn(fresh(game)), now=now)
    play_for_bots(now=now)
    before = fresh(game)
    for make in (
        lambda: offer_end(game_id=game.pk, user=ann, now=now),
        lambda: offer_takeback(game_id=game.pk, user=ann, now=now),
        lambda: offer_pace(game_id=game.pk, user=ann, pace=per_turn(60 * SECOND), now=now),
    ):
        make()
        assert answer_for_bots(now=now) == 1
        assert game.offers.latest("pk").state == Offer.State.DECLINED
    after = fresh(game)
    assert (after.status, after.turn_number, after.terms) == ("active", 3, before.terms)
    offer_pause(game_id=game.pk, user=ann, days=3, now=now)
    assert answer_for_bots(now=now) == 1
    assert fresh(game).stop_reason == "paused"


@pytest.mark.parametrize(
    ("pace", "level", "is_rated"),
    [
        (per_turn(2 * DAY), 5, True),
        (per_turn(DAY), 5, False),
        (per_turn(DAY), 1, True),
        (TimeControl(PaceKind.TOTAL, bank=30 * DAY), 5, False),
    ],
)
def test_no_game_is_rated_in_which_a_program_may_play_below_its_level(
    ann, partner, now, pace, level, is_rated
):
    game = table(ann, now=now, slug="super-morpion", terms=Terms(pace, is_rated=True))
    assert fresh(ask_partner(game_id=game.pk, by=ann, now=now, level=level)).is_rated == is_rated
