"""The record: hashes that anybody can recompute, tampering found, the cache rebuilt."""

import hashlib
import io
import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from games.models import Game, Turn
from games.rules.base import BadRecord
from games.services.record import faults_of, rebuild
from tests.games.play import SECOND, begin, fresh, play_all, table, unchanged
from tests.table_snapshot import triggers_off

pytestmark = pytest.mark.django_db

TURNS = ["a3", "c3", "b1", "Ta2", "b1-c2"]


@pytest.fixture
def played(ann, bob, now):
    """A game of Taquet after five turns, at a time with microseconds."""
    game = begin(ann, bob, now=now, slug="taquet")
    return play_all(game, TURNS, now=now + timedelta(microseconds=123456))


def sentences(game):
    return [fault.what for fault in faults_of(fresh(game))]


# The recipe, as an outsider follows it ---------------------------------------------------------


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def test_an_outsider_can_recompute_every_hash(played):
    """Previous hash, seat, notation and time as a JSON array without spaces, in UTF-8."""
    expected = sha256('["taquet",{}]')
    for turn in played.turns.order_by("number"):
        when = "2026-03-10T12:00:00.123456+00:00"
        expected = sha256(f'["{expected}",{turn.seat},"{turn.notation}","{when}"]')
        assert turn.hash == expected
    assert played.head_hash == expected
    assert [turn.seat for turn in played.turns.all()] == [0, 1, 0, 1, 0]


def test_a_time_without_microseconds_is_written_with_six_zeros(game, ann, now):
    play_all(game, ["5"], now=now)
    opening = sha256('["morpion",{}]')
    assert Turn.objects.get().hash == sha256(
        f'["{opening}",0,"5","2026-03-10T12:00:00.000000+00:00"]'
    )


def test_the_opening_hash_holds_the_options_in_the_order_of_their_keys():
    from games.services.record import opening_hash

    options = {"b": 1, "a": "é", "c": None, "d": True}
    assert opening_hash("x", options) == sha256('["x",{"a":"é","b":1,"c":null,"d":true}]')


def test_the_same_turns_at_another_time_have_other_hashes(ann, bob, now):
    one = play_all(begin(ann, bob, now=now), ["5"], now=now)
    other = play_all(begin(ann, bob, now=now), ["5"], now=now + timedelta(microseconds=1))
    assert one.head_hash != other.head_hash


# Tampering -------------------------------------------------------------------------------------


def test_a_sound_record_has_no_faults(played):
    assert faults_of(played) == []


def test_open_tables_and_finished_games_have_no_faults(ann, bob, game, now):
    won = play_all(game, ["1", "4", "2", "5", "3"], now=now)
    assert won.status == "finished"
    assert faults_of(won) == []
    assert faults_of(table(ann, now=now)) == []


@pytest.mark.parametrize("number", [1, 3, 5])
@pytest.mark.parametrize(
    "change", [{"notation": "a1"}, {"seat": 7}, {"hash": "0" * 64}, {"played_at": None}]
)
def test_a_changed_turn_is_found(played, now, number, change):
    if "played_at" in change:
        change = {"played_at": now + SECOND}
    with triggers_off():
        Turn.objects.filter(game=played, number=number).update(**change)
    assert f"turn {number} does not match its hash" in sentences(played)


def test_who_played_is_no_part_of_the_hash_but_the_seat_is(played, cat):
    with triggers_off():
        Turn.objects.filter(game=played, number=2).update(player=cat)
    assert sentences(played) == []


def test_the_database_refuses_to_change_or_delete_a_turn(played):
    turns = Turn.objects.filter(game=played)
    for change in (lambda: turns.update(notation="a1"), turns.delete, played.delete):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()
    assert sentences(played) == []


@pytest.mark.postgresql
@pytest.mark.parametrize("table", ["games_turn", "games_game CASCADE"])
def test_the_database_refuses_to_empty_the_records(played, table):
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            cursor.execute(f"TRUNCATE {table}")
    assert sentences(played) == []


def test_a_turn_that_was_taken_out_is_found(played):
    with triggers_off():
        Turn.objects.filter(game=played, number=3).delete()
    assert "turn 3 is missing" in sentences(played)


def test_a_last_turn_that_was_taken_away_is_found(played):
    with triggers_off():
        Turn.objects.filter(game=played, number=5).delete()
    assert "4 turns are recorded, 5 are counted" in sentences(played)


def test_two_turns_that_were_exchanged_are_found(played):
    one, other = Turn.objects.get(game=played, number=1), Turn.objects.get(game=played, number=3)
    with triggers_off():
        Turn.objects.filter(pk=one.pk).update(notation=other.notation)
        Turn.objects.filter(pk=other.pk).update(notation=one.notation)
    assert "turn 1 does not match its hash" in sentences(played)


def test_changed_options_are_found(played):
    Game.objects.filter(pk=played.pk).update(options={"size": 4})
    assert "turn 1 does not match its hash" in sentences(played)


@pytest.mark.parametrize("wrong", ["", "0" * 64])
def test_a_changed_head_is_found(played, wrong):
    Game.objects.filter(pk=played.pk).update(head_hash=wrong)
    assert sentences(played) == ["the newest hash is not the game's"]


@pytest.mark.parametrize("wrong", ["", "a3", "c3 a3"])
def test_a_cache_that_is_lost_or_wrong_is_found(played, wrong):
    Game.objects.filter(pk=played.pk).update(position=wrong)
    assert sentences(played) == ["the cached position is not the record's"]


def test_a_cache_that_is_no_position_is_found(played):
    Game.objects.filter(pk=played.pk).update(position="<script>")
    assert sentences(played) == ["This is not a position of the game."]


def test_a_wrong_mover_is_found(played):
    Game.objects.filter(pk=played.pk).update(seat_to_move=0)
    assert sentences(played) == ["the seat to move is not the record's"]


# Rebuilding ------------------------------------------------------------------------------------


def test_rebuilding_writes_the_cached_position_anew(played):
    before = played.position
    Game.objects.filter(pk=played.pk).update(position="a3")
    rebuild(fresh(played))
    assert fresh(played).position == before == "a3 c3 b1 Ta2 b1-c2"


def test_rebuilding_changes_nothing_else(played):
    with unchanged():
        rebuild(fresh(played))


def test_a_record_that_cannot_be_played_is_not_rebuilt(played):
    with triggers_off():
        Turn.objects.filter(game=played, number=2).update(notation="a3")
    with unchanged(), pytest.raises(BadRecord, match="Turn 2 of the record cannot be played"):
        rebuild(fresh(played))


# The command -----------------------------------------------------------------------------------


def records(*arguments):
    """Run the command; return its exit code and its lines."""
    out = io.StringIO()
    try:
        call_command("records", *arguments, stdout=out)
    except SystemExit as exit:
        return exit.code, out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def test_the_check_is_content_with_sound_records(played, game, ann, now):
    table(ann, now=now)
    with unchanged():
        assert records("check") == (0, ["3 games, 0 faults"])


def test_the_check_names_every_fault_and_exits_with_one(played, game):
    Game.objects.filter(pk=played.pk).update(position="a3")
    with unchanged():
        code, lines = records("check")
    assert code == 1
    assert lines == [
        f"game {played.pk}: the cached position is not the record's",
        "2 games, 1 faults",
    ]


def test_the_check_looks_at_the_named_games_only(played, game):
    Game.objects.filter(pk=played.pk).update(position="a3")
    assert records("check", str(game.pk)) == (0, ["1 games, 0 faults"])
    assert records("check", str(game.pk), str(played.pk))[0] == 1


def test_the_rebuild_mends_the_caches(played, game, ann, now):
    waiting = table(ann, now=now)
    Game.objects.filter(pk=played.pk).update(position="a3")
    Game.objects.filter(pk=game.pk).update(position="")
    assert records("rebuild") == (0, ["3 games, 0 faults"])
    assert fresh(played).position == "a3 c3 b1 Ta2 b1-c2"
    assert fresh(game).position == "........."
    assert fresh(waiting).position == ""


def test_the_rebuild_says_what_it_cannot_repair(played, game):
    with triggers_off():
        Turn.objects.filter(game=played, number=2).update(notation="a3")
    Game.objects.filter(pk=game.pk).update(position="")
    code, lines = records("rebuild")
    assert code == 1
    assert f"game {played.pk}: turn 2 does not match its hash" in lines
    assert fresh(game).position == "........."


def test_the_check_goes_on_past_a_game_that_was_taken_out_of_the_site(played, game):
    Game.objects.filter(pk=game.pk).update(rules_slug="gone")
    code, lines = records("check")
    assert code == 1
    assert lines == [f"game {game.pk}: no game “gone” is installed here", "2 games, 1 faults"]


def test_a_game_that_does_not_exist_is_named():
    with pytest.raises(CommandError, match=r"There is no game 5, 987654\."):
        records("check", "987654", "5")


def test_hashes_are_json_as_other_languages_write_it():
    """A notation with quotes and accents, as a later game may have."""
    from datetime import UTC, datetime

    from games.services.record import turn_hash

    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    text = json.dumps(["p", 1, 'é"', "2026-01-02T03:04:05.000000+00:00"], ensure_ascii=False)
    assert turn_hash("p", 1, 'é"', at) == sha256(text.replace(", ", ","))
