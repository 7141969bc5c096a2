"""A partner who plays a seat too, whose player ran out of time."""

import pytest

from games import errors
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.models import Terms, Turn
from games.moderation.game_actions import substitute
from games.queries.home import home_page
from games.services.clock.stops import end_stops
from games.services.clock.undelivered_turns import freeze_undelivered, record_contact
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.offers import accept_offer, offer_end
from games.services.record import faults_of
from games.services.thinking import play_for_bots
from tests.factories import BotFactory, PersonFactory
from tests.games.moderating import WHY
from tests.games.multiplayer import gather, places, play_on, some_turn
from tests.games.play import DAY, SECOND, fresh, kinds, play, refused, table

pytestmark = pytest.mark.django_db

PARTNER = Terms(per_turn(2 * DAY), on_timeout="partner")


def run_out(game):
    """Let the seat to move run out of time."""
    assert time_out_due(now=game.deadline + SECOND) == 1
    return fresh(game)


@pytest.fixture
def stood_in(people, now):
    """Ann and cat against bob and dan; bob ran out of time, and dan plays for him."""
    game = gather(people, now=now, variant="teams", terms=PARTNER)
    return run_out(play_on(game, 1, now=now))


def test_the_partner_plays_the_seat_too(stood_in, bob, people):
    dan, when = people[3], stood_in.turn_began_at
    seat = stood_in.seats.get(number=1)
    assert (seat.user, seat.played_by_partner, seat.left_because) == (bob, dan, "timeout")
    assert (stood_in.seat_to_move, stood_in.turn_number) == (1, 1)
    assert stood_in.deadline == when + 2 * DAY
    event = stood_in.events.get(kind="departed")
    assert event.details == {"seat": 1, "because": "timeout", "stand_in": dan.pk}
    with refused(errors.HasLeft, "", status=409):
        play(stood_in, bob, some_turn(stood_in), now=when)
    assert [one.pk for one in home_page(dan).awaiting] == [stood_in.pk]
    players = []
    for _ in range(8):
        game = fresh(stood_in)
        player = game.seats.get(number=game.seat_to_move).player
        players.append((game.seat_to_move, player.username))
        assert play(game, player, some_turn(game), now=when).turn.player == player
    assert players == [(1, "dan"), (2, "cat"), (3, "dan"), (0, "ann")] * 2
    assert faults_of(fresh(stood_in)) == []


def test_a_partner_cannot_play_the_seat_before_their_partner_left(people, now):
    game = play_on(gather(people, now=now, variant="teams", terms=PARTNER), 1, now=now)
    with refused(errors.NotYourTurn, "", status=409):
        play(game, people[3], some_turn(game), now=now)


def test_a_turn_sent_again_by_a_stand_in_is_known(stood_in, people):
    dan, when = people[3], stood_in.turn_began_at
    turn = play(stood_in, dan, some_turn(stood_in), now=when).turn
    assert play(stood_in, dan, turn.notation, now=when, expected=1).already


@pytest.mark.parametrize("how", ["resigns", "own time", "time of the other seat"])
def test_with_the_partner_both_seats_are_gone_and_the_side_is_out(stood_in, people, how):
    dan, when = people[3], stood_in.turn_began_at
    if how == "resigns":
        resign(game_id=stood_in.pk, user=dan, now=when)
    else:
        game = play_on_by_players(stood_in, 2 if how == "own time" else 0, now=when)
        run_out(game)
    game = fresh(stood_in)
    assert (game.status, game.ending, places(game)) == ("finished", "left", [1, 2, 1, 2])
    left = game.seats.exclude(left_at=None).values_list("number", flat=True)
    assert list(left) == [1, 3]
    entries = game.turns.filter(via=Turn.Via.LEFT).order_by("number")
    assert list(entries.values_list("notation", flat=True)) == ["withdraw 1", "withdraw 3"]
    assert kinds(game).count("departed") == 2
    assert faults_of(game) == []


def play_on_by_players(game, turns, *, now):
    for _ in range(turns):
        game = fresh(game)
        player = game.seats.get(number=game.seat_to_move).player
        play(game, player, some_turn(game), now=now)
    return fresh(game)


def test_those_who_play_agree_on_the_end_each_once(stood_in, people):
    ann, _, cat, dan = people
    when = stood_in.turn_began_at
    offer_end(game_id=stood_in.pk, user=ann, now=when)
    accept_offer(game_id=stood_in.pk, user=cat, now=when)
    assert fresh(stood_in).status == "active"
    accept_offer(game_id=stood_in.pk, user=dan, now=when)
    game = fresh(stood_in)
    assert (game.status, game.ending, places(game)) == ("finished", "agreed", [1, 1, 1, 1])


def test_a_player_whom_a_moderator_seats_for_the_partner_stands_in_too(stood_in, mo):
    eve, when = PersonFactory(username="eve"), stood_in.turn_began_at + DAY
    substitute(game_id=stood_in.pk, by=mo, seat=3, user=eve, why=WHY, now=when)
    game = fresh(stood_in)
    assert (game.seats.get(number=1).player, game.deadline) == (eve, when + 2 * DAY)
    game = run_out(game)
    assert (game.status, places(game)) == ("finished", [1, 2, 1, 2])


def test_a_stand_in_whom_no_mail_reaches_leaves_both_seats(stood_in, people, now):
    freeze_undelivered(game_id=stood_in.pk, turn_number=1, user=people[3], now=now)
    assert end_stops(now=fresh(stood_in).stopped_until) == 1
    game = fresh(stood_in)
    assert (game.status, places(game)) == ("finished", [1, 2, 1, 2])


def test_a_stand_in_whom_no_mail_reached_goes_on_when_they_come_by(stood_in, people):
    bob, dan, when = people[1], people[3], stood_in.turn_began_at
    freeze_undelivered(game_id=stood_in.pk, turn_number=1, user=dan, now=when + DAY)
    assert fresh(stood_in).stop_reason == "undelivered"
    bob.refresh_from_db()
    assert record_contact(bob, now=when + 2 * DAY) == 0
    dan.refresh_from_db()
    assert record_contact(dan, now=when + 3 * DAY) == 1
    assert fresh(stood_in).deadline == when + 4 * DAY


def test_the_partner_of_a_bank_pace_has_a_day_for_the_other_seat(people, now):
    terms = Terms(TimeControl(PaceKind.TOTAL, bank=30 * DAY), on_timeout="partner")
    game = run_out(play_on(gather(people, now=now, variant="teams", terms=terms), 1, now=now))
    assert game.deadline == game.turn_began_at + DAY
    assert game.seats.get(number=3).time_left == 30 * DAY


def test_a_bot_plays_for_its_partner(people, now):
    ann, bob, cat, _ = people
    bot = BotFactory()
    game = gather([ann, bob, cat, bot], now=now, variant="teams", terms=PARTNER)
    game = run_out(play_on(game, 1, now=now))
    assert game.bot_due_at == game.turn_began_at
    assert play_for_bots(now=game.turn_began_at) == 1
    turn = game.turns.get(number=2)
    assert (turn.seat, turn.player) == (1, bot)


def test_where_everybody_plays_alone_no_partner_can_be_chosen(ann, now):
    with refused(errors.NoPartners, "Everybody plays alone in this game, so", status=422):
        table(ann, now=now, slug="superpion", terms=PARTNER)
    assert table(ann, now=now, terms=PARTNER).on_timeout == "partner"
