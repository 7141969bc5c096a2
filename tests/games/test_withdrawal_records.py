"""What is kept of a player who left: the record, and the clock of the others."""

import pytest
from django.utils import translation

from games import errors
from games.models import Game
from games.queries.positions import moment_at, words_of_moment
from games.rules.superpion.position import Position
from games.services.record import faults_of, rebuild
from games.services.reminders import remind_due
from games.services.thinking import play_for_bots
from tests.factories import BotFactory
from tests.games.multiplayer import gather, mover, play_on, some_turn
from tests.games.play import DAY, SECOND, fresh, play, refused
from tests.games.resigning import HOUR, give_up
from tests.table_snapshot import triggers_off

pytestmark = pytest.mark.django_db
CLOCK = ("seat_to_move", "turn_began_at", "deadline", "reminder_at", "bot_due_at")


def clock(game):
    return {name: getattr(game, name) for name in CLOCK}


# The record --------------------------------------------------------------------------------------


def test_a_departure_stands_in_the_hash_chain(four, bob, now):
    game = play_on(four, 5, now=now)
    before = game.head_hash
    game = give_up(game, bob, now=now + HOUR)
    assert game.turns.get(number=6).hash == game.head_hash != before
    assert faults_of(game) == []
    game = play_on(game, 5, now=now + HOUR)
    assert faults_of(game) == []
    with triggers_off():
        game.turns.filter(number=6).update(notation="withdraw 3")
    assert faults_of(game)[0].what == "turn 6 does not match its hash"


@pytest.mark.parametrize("after", [0, 1, 4])
def test_the_caches_are_rebuilt_from_a_record_with_departures(four, people, now, after):
    game = play_on(four, 3, now=now)
    game = give_up(game, people[1], people[3], now=now)
    game = play_on(game, after, now=now)
    kept = game.position, game.previous_position
    Game.objects.filter(pk=game.pk).update(position="", previous_position="")
    game = fresh(game)
    rebuild(game)
    assert (fresh(game).position, fresh(game).previous_position) == kept
    assert faults_of(fresh(game)) == []


def test_the_page_of_a_moment_says_who_left(four, bob, client, now):
    game = give_up(play_on(four, 1, now=now), bob, now=now)
    for later in (0, 2):
        game = play_on(game, later, now=now)
        moment = moment_at(game, 2)
        assert (moment.left, moment.actions) == (1, ())
        assert moment.position == game.rules.withdraw(moment.before, 1)
        assert moment.before == moment_at(game, 1).position
        with translation.override("en"):
            assert words_of_moment(game, moment_at(game, 2)) == "leaves the game"
        html = client.get(f"/games/{game.pk}/turns/2/").content.decode()
        assert "bob leaves the game" in html
    assert "bob leaves the game" not in client.get(f"/games/{game.pk}/").content.decode()


def test_the_page_marks_who_left_and_offers_them_nothing(four, bob, client, now):
    give_up(four, bob, now=now)
    address = f"/games/{four.pk}/"
    client.force_login(bob)
    page = client.get(address)
    html = page.content.decode()
    assert page.status_code == 200
    assert [place["seat"].left_at is not None for place in page.context["seats"]] == [
        False, True, False, False,
    ]  # fmt: skip
    for action in ("resign", "abort", "offer", "play"):
        assert f'action="{address}{action}/"' not in html


# What others saw ---------------------------------------------------------------------------------


def test_a_turn_meant_for_the_position_before_somebody_left_is_stale(four, ann, bob, now):
    text = some_turn(four)
    give_up(four, bob, now=now)
    with refused(errors.StaleTurn, "", status=409):
        play(four, ann, text, now=now, expected=0)
    assert play(four, ann, text, now=now, expected=1).turn.number == 2


def test_a_turn_sent_again_is_known_after_somebody_left(four, ann, cat, now):
    text = some_turn(four)
    turn = play(four, ann, text, now=now, expected=0).turn
    give_up(four, cat, now=now)
    assert play(four, ann, turn.notation, now=now, expected=0).already


def test_after_a_departure_the_next_is_to_move_and_nobody_else(four, ann, bob, now):
    game = give_up(four, ann, now=now)
    with refused(errors.NotYourTurn, "", status=409):
        play(game, fresh(game).seats.get(number=2).user, some_turn(game), now=now)
    assert play(game, bob, some_turn(game), now=now).turn.seat == 1


# The clock ---------------------------------------------------------------------------------------


def test_the_clock_of_who_is_to_move_runs_on_when_somebody_else_leaves(four, bob, now):
    before = clock(four)
    assert None not in (before["deadline"], before["reminder_at"])
    assert clock(give_up(four, bob, now=now + HOUR)) == before


def test_a_reminder_that_was_written_is_not_written_again_for_a_departure(four, bob, now):
    late = four.reminder_at + SECOND
    assert remind_due(now=late) == 1
    give_up(four, bob, now=late)
    assert remind_due(now=late + SECOND) == 0


def test_the_clock_starts_anew_when_the_mover_leaves(four, ann, now):
    game = give_up(four, ann, now=now + HOUR)
    assert (game.turn_began_at, game.deadline) == (now + HOUR, now + HOUR + 2 * DAY)


def test_a_partner_has_all_the_time_when_the_mover_leaves(teams, ann, cat, now):
    game = give_up(teams, ann, now=now + HOUR)
    assert (mover(game), game.deadline) == (cat, now + HOUR + 2 * DAY)


def test_a_partner_who_leaves_out_of_turn_costs_the_mover_nothing(teams, cat, now):
    before = clock(teams)
    assert clock(give_up(teams, cat, now=now + HOUR)) == before


def test_a_bot_is_due_when_the_turn_passes_to_it_and_not_before(people, now):
    ann, bob, cat, _ = people
    game = gather([ann, bob, BotFactory(), cat], now=now)
    assert give_up(game, bob, now=now + HOUR).bot_due_at is None
    game = give_up(game, ann, now=now + HOUR)
    assert (game.seat_to_move, game.bot_due_at) == (2, now + HOUR)
    assert play_for_bots(now=now + HOUR) == 1
    assert fresh(game).seat_to_move == 3


def test_a_bot_that_is_late_stays_due_when_somebody_else_leaves(people, now):
    ann, bob, cat, _ = people
    game = gather([ann, BotFactory(), bob, cat], now=now)
    game = play_on(game, 1, now=now)
    assert game.bot_due_at == now
    assert give_up(game, cat, now=now + HOUR).bot_due_at == now


def test_who_moves_again_since_nobody_else_can_has_all_the_time_anew(teams, ann, cat, now):
    """Cat has left, ann plays blue and yellow, and red has nothing left to move."""
    game = give_up(teams, cat, now=now)
    at = game.rules.load(game.position)
    pieces = (at.pieces[0], 0, at.pieces[2], at.pieces[3])
    held = (*at.reserves[:3], (0, 15, 0, 0, 0))
    bare = Position(at.seating, pieces, at.crowns, held, at.colour, turns=60)
    Game.objects.filter(pk=game.pk).update(position=game.rules.dump(bare))
    game = fresh(game)
    play(game, ann, some_turn(game), now=now + HOUR)
    game = fresh(game)
    assert (mover(game), game.turn_number) == (ann, 2)
    assert (game.turn_began_at, game.deadline) == (now + HOUR, now + HOUR + 2 * DAY)
