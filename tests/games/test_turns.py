"""The one door: what play_turn accepts, what it refuses, and that a refusal changes nothing."""

import pytest
from django.db import IntegrityError, transaction

from games import errors
from games.models import Event, Game, Turn
from games.rules.entries import replay
from games.services.turns import play_turn
from tests.games.play import (
    DAY,
    SECOND,
    begin,
    database,
    fresh,
    kinds,
    play,
    play_all,
    refused,
    table,
    unchanged,
)

pytestmark = pytest.mark.django_db

WIN = ["1", "4", "2", "5", "3"]
DRAW = ["5", "1", "3", "7", "4", "6", "2", "8", "9"]


# Accepted --------------------------------------------------------------------------------------


def test_a_turn_enters_the_record_and_passes_the_move_on(game, ann, now):
    later = now + DAY
    played = play(game, ann, " 5 ", now=later)
    turn = Turn.objects.get()
    assert (played.turn, played.already) == (turn, False)
    assert (turn.number, turn.seat, turn.player, turn.notation) == (1, 0, ann, "5")
    assert (turn.played_at, turn.via) == (later, "web")
    game = fresh(game)
    assert (game.turn_number, game.seat_to_move) == (1, 1)
    assert (game.turn_began_at, game.deadline) == (later, later + 2 * DAY)
    assert game.position == "....X...."


def test_a_turn_is_written_down_as_an_event(game, ann, now):
    play(game, ann, "5", now=now)
    event = game.events.get(kind=Event.Kind.TURN_PLAYED)
    assert (event.actor, event.turn_number, event.details) == (ann, 1, {"notation": "5"})


def test_the_record_holds_canonical_notation_whatever_was_typed(ann, bob, now):
    game = play_all(begin(ann, bob, now=now, slug="taquet"), [" A3 ", "taquet>B3"], now=now)
    assert list(game.turns.values_list("notation", flat=True)) == ["a3", "Tb3"]


def test_the_cached_position_is_what_the_record_replays_to(ann, bob, now):
    game = play_all(
        begin(ann, bob, now=now, slug="super-morpion"), ["55", "5-1", "1:9", "9 9"], now=now
    )
    turns = game.turns.values_list("notation", flat=True)
    assert game.rules.load(game.position) == replay(game.rules, game.options, turns)


def test_the_last_turn_of_a_won_game_ends_it(game, now):
    game = play_all(game, WIN, now=now)
    assert (game.status, game.ending, game.ended_at) == ("finished", "line", now)
    assert list(game.seats.values_list("number", "place")) == [(0, 1), (1, 2)]
    assert (game.deadline, game.seat_to_move, game.reminder_at) == (None, None, None)
    assert kinds(game)[-2:] == ["turn-played", "ended"]
    ended = game.events.get(kind=Event.Kind.ENDED)
    assert ended.details == {"ending": "line", "status": "finished"}


def test_the_last_turn_of_a_drawn_game_gives_everybody_the_first_place(game, now):
    game = play_all(game, DRAW, now=now)
    assert (game.status, game.ending) == ("finished", "full")
    assert list(game.seats.values_list("place", flat=True)) == [1, 1]


# The same again --------------------------------------------------------------------------------


def test_the_same_turn_again_is_answered_already(game, ann, now):
    first = play(game, ann, "5", now=now, expected=0)
    with unchanged():
        again = play(game, ann, "5", now=now + SECOND, expected=0)
    assert again.already
    assert again.turn == first.turn


def test_the_same_turn_in_another_notation_is_answered_already(ann, bob, now):
    game = play_all(begin(ann, bob, now=now, slug="taquet"), ["a3", "c3"], now=now)
    first = play(game, ann, "a3-a2", now=now, expected=2)
    for text in ("A3A2", " a3 > a2 ", "a3:a2"):
        with unchanged():
            again = play(game, ann, text, now=now, expected=2)
        assert (again.already, again.turn) == (True, first.turn)


def test_the_same_turn_again_is_answered_already_even_much_later(game, ann, now):
    first = play(game, ann, "1", now=now)
    game = play_all(game, WIN[1:], now=now)
    assert game.is_over
    with unchanged():
        again = play(game, ann, "1", now=now + 40 * DAY, expected=0)
    assert (again.already, again.turn) == (True, first.turn)


def test_the_turn_that_won_is_answered_already(game, ann, now):
    game = play_all(game, WIN, now=now)
    with unchanged():
        assert play(game, ann, "3", now=now, expected=4).already


def test_another_turn_for_the_same_place_is_stale(game, ann, now):
    play(game, ann, "5", now=now, expected=0)
    with refused(errors.StaleTurn, "This turn is meant for another position", status=409):
        play(game, ann, "6", now=now, expected=0)


@pytest.mark.parametrize("text", ["", "0", "10", "\0", "\ud800", "resign", "5,5", "x" * 4096])
def test_nonsense_for_a_place_that_is_taken_is_stale(game, ann, now, text):
    play(game, ann, "5", now=now, expected=0)
    with refused(errors.StaleTurn, "This turn is meant for another position", status=409):
        play(game, ann, text, now=now, expected=0)


def test_the_opponents_turn_sent_by_oneself_is_stale(game, ann, bob, now):
    play(game, ann, "5", now=now, expected=0)
    with refused(errors.StaleTurn, "This turn is meant for another position", status=409):
        play(game, bob, "5", now=now, expected=0)


@pytest.mark.parametrize("expected", [1, 2, 2**31, 2**63, 10**40, -1, -(2**70)])
def test_a_turn_for_a_place_that_does_not_exist_is_stale(game, ann, now, expected):
    with refused(errors.StaleTurn, "This turn is meant for another position", status=409):
        play(game, ann, "5", now=now, expected=expected)


# Refused ---------------------------------------------------------------------------------------


def test_the_opponent_waits_for_their_turn(game, bob, now):
    with refused(errors.NotYourTurn, "It is not your turn.", status=409):
        play(game, bob, "5", now=now)


def test_a_stranger_does_not_play(game, cat, now):
    with refused(errors.NotAPlayer, "You do not play in this game.", status=403):
        play(game, cat, "5", now=now)


def test_a_stranger_does_not_learn_which_turn_was_played(game, ann, cat, now):
    play(game, ann, "5", now=now)
    with refused(errors.NotAPlayer, "You do not play in this game.", status=403):
        play(game, cat, "5", now=now, expected=0)


def test_nobody_plays_in_a_game_that_does_not_exist(ann, now):
    for game_id in (987654, -1, 2**70):
        with refused(errors.NoSuchGame, "There is no such game.", status=404):
            play_turn(
                game_id=game_id, user=ann, text="5", expected_turn=0, via=Turn.Via.WEB, now=now
            )


def test_nobody_plays_at_an_open_table(ann, now):
    game = table(ann, now=now)
    with refused(errors.GameNotRunning, "This game has not started yet, or it is over", status=409):
        play(game, ann, "5", now=now)


def test_nobody_plays_on_after_the_end(game, bob, now):
    game = play_all(game, WIN, now=now)
    with refused(errors.GameNotRunning, "This game has not started yet, or it is over", status=409):
        play(game, bob, "9", now=now)


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("", "unreadable", "is not a cell"),
        ("   ", "unreadable", "is not a cell"),
        ("0", "unreadable", "“0” is not a cell"),
        ("55", "unreadable", "“55” is not a cell"),
        ("٥", "unreadable", "is not a cell"),  # the Arabic digit five
        ("5\0", "unreadable", "is not a cell"),
        ("\0" * 4096, "unreadable", "is not a cell"),
        ("\ud800", "unreadable", "is not a cell"),
        ("\udcff\udcfe", "unreadable", "is not a cell"),
        ("\u202e5", "unreadable", "is not a cell"),
        ("<script>alert(1)</script>", "unreadable", "is not a cell"),
        ("%(text)s %s {0}", "unreadable", "“%(text)s %s {0}” is not a cell"),
        ("x" * 4096, "unreadable", "…” is not a cell"),
        ("1", "illegal", "Cell 1 is taken."),
        ("2,3", "illegal", "The turn is over"),
        (",", "unreadable", "is not a cell"),
    ],
)
def test_a_turn_that_the_rules_refuse_changes_nothing(game, ann, bob, now, text, kind, said):
    play(game, ann, "1", now=now)
    rows = database()
    with pytest.raises(errors.MoveRefused) as caught:
        play(game, bob, text, now=now)
    assert (caught.value.kind, caught.value.status) == (kind, 422)
    assert said in caught.value.sentence
    assert not set("\0\ud800\udcff\u202e") & set(caught.value.sentence)
    assert database() == rows


def test_an_illegal_turn_names_what_is_legal(game, ann, bob, now):
    play(game, ann, "1", now=now)
    with refused(errors.MoveRefused, "Cell 1 is taken.", status=422) as caught:
        play(game, bob, "1", now=now)
    assert caught.value.legal == tuple("23456789")


@pytest.mark.parametrize("text", ["5" * 4097, "é" * 2049, "\0" * 10**6, " " * 4096 + "5"])
def test_a_text_over_four_kilobytes_is_no_turn(game, ann, now, text):
    with refused(errors.TurnTooLong, "too long to be a turn", status=413):
        play(game, ann, text, now=now)


def test_a_text_over_four_kilobytes_is_no_turn_at_a_taken_place_either(game, ann, now):
    play(game, ann, "5", now=now)
    with refused(errors.TurnTooLong, "too long to be a turn", status=413):
        play(game, ann, "5" * 4097, now=now, expected=0)


def test_a_stranger_is_refused_before_their_text_is_looked_at(game, cat, now):
    with refused(errors.NotAPlayer, "You do not play", status=403):
        play(game, cat, "5" * 10**6, now=now)


# What the database itself holds ----------------------------------------------------------------


def test_the_database_holds_one_turn_a_number(game, ann, now):
    played = play(game, ann, "5", now=now)
    with unchanged(), pytest.raises(IntegrityError), transaction.atomic():
        Turn.objects.create(
            game=game, number=1, seat=1, player=ann, notation="6", played_at=now, via="web"
        )
    assert Turn.objects.get() == played.turn


def test_the_third_belt_holds_where_lock_and_number_were_cut(game, ann, now):
    play(game, ann, "5", now=now)
    Game.objects.filter(pk=game.pk).update(turn_number=0, seat_to_move=0, position="." * 9)
    with unchanged(), pytest.raises(IntegrityError), transaction.atomic():
        play(game, ann, "6", now=now, expected=0)
