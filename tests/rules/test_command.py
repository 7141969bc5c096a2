"""`manage.py rules`, by which outsiders check an engine: its lines are a promise."""

import io
import json
import sys
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from games.rules.registry import all_rules, app_for
from tests.rules.mutants import CallsBothSeatsAlike
from tests.rules.vectors import VECTORS


@pytest.fixture
def trace(monkeypatch, capsys):
    """Return a function that traces a game and returns its lines and exit status."""

    def run(game, typed, *options):
        data = typed if isinstance(typed, bytes) else typed.encode()
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        status = 0
        try:
            call_command("rules", "trace", game, *options)
        except SystemExit as stop:
            status = stop.code
        return capsys.readouterr().out.splitlines(), status

    return run


def test_list_names_every_game(capsys):
    call_command("rules", "list")
    lines = capsys.readouterr().out.splitlines()
    found = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert found == [rules.slug for rules in all_rules()]
    assert {"super-morpion", "morpion", "taquet"} <= set(found)


def test_perft_writes_one_line_a_depth(capsys):
    call_command("rules", "perft", "super-morpion", "3")
    assert capsys.readouterr().out == "1 81\n2 720\n3 6336\n"


def test_trace_writes_the_start_and_every_action_as_compact_json(trace):
    lines, status = trace("morpion", "5\n1\n")
    assert lines[0] == (
        '{"n":0,"seat":0,"turn":0,"legal":["1","2","3","4","5","6","7","8","9"],"outcome":null}'
    )
    assert json.loads(lines[2]) == {
        "n": 2, "seat": 0, "turn": 2, "legal": list("2346789"), "outcome": None,
    }  # fmt: skip
    assert (len(lines), status) == (3, 0)


def test_trace_writes_the_outcome_at_the_end(trace):
    lines, status = trace("morpion", "1\n4\n2\n5\n3")
    assert lines[-1] == (
        '{"n":5,"seat":null,"turn":5,"legal":[],'
        '"outcome":{"places":[1,2],"winners":[0],"points":null,"reason":"line"}}'
    )
    assert status == 0


def test_everybody_is_first_in_a_draw(trace):
    lines, _ = trace("morpion", "7 1 6 5 4 3 9 8 2".replace(" ", "\r\n"))
    outcome = json.loads(lines[-1])["outcome"]
    assert outcome == {"places": [1, 1], "winners": [0, 1], "points": None, "reason": "full"}


def test_points_are_written_where_a_game_counts(trace):
    game = next(v for v in VECTORS if v["game"] == "super-morpion")["games"][0]
    lines, _ = trace("super-morpion", "\n".join(game["actions"]))
    outcome = json.loads(lines[-1])["outcome"]
    assert outcome["points"] == game["outcome"]["scores"]
    assert outcome["winners"] == game["outcome"]["winners"]


@pytest.mark.parametrize(
    ("typed", "number", "kind"),
    [
        ("5\nx\n1\n", 2, "unreadable"),
        ("5\n5\n", 2, "illegal"),
        ("1\n4\n2\n5\n3\n9\n", 6, "illegal"),
        ("\n", 1, "unreadable"),
        (b"\xff\xfe\x00\n", 1, "unreadable"),
        ("5" * 5000 + "\n", 1, "unreadable"),
    ],
)
def test_a_refused_action_ends_the_trace_with_status_1(trace, typed, number, kind):
    lines, status = trace("morpion", typed)
    last = json.loads(lines[-1])
    assert status == 1
    assert list(last) == ["n", "error", "message"]
    assert (last["n"], last["error"]) == (number, kind)
    assert last["message"]
    assert len(lines) == number + 1


def test_check_says_in_a_line_that_a_game_keeps_the_contract(capsys):
    call_command("rules", "check", "morpion", "--games", "2", "--seed", "7")
    assert capsys.readouterr().out == (
        "morpion keeps the contract: 20 checks in 2 random games, 4 of its program, and its "
        "rulebooks.\n"
    )


def test_check_writes_the_faults_and_ends_with_status_1(capsys, monkeypatch):
    app = app_for("morpion")
    monkeypatch.setattr(app, "rules", CallsBothSeatsAlike())
    monkeypatch.setattr(app, "rulebook", lambda language: "# Morpion\n")
    with pytest.raises(SystemExit) as stop:
        call_command("rules", "check", "morpion")
    assert stop.value.code == 1
    assert capsys.readouterr().out.splitlines() == [
        "Only seats of the game are to move: Two seats have the same name: Cross, Cross. "
        "(random game 0)",
        "Rulebook: rulebook.en.md has no example: a block named “board”.",
        "Rulebook: rulebook.fr.md has no example: a block named “board”.",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["perft", "chess", "1"], "There is no game “chess”. The games are: .*taquet"),
        (["trace", "chess"], "There is no game “chess”"),
        (["perft", "taquet", "1", "-o", "size=4"], "This game has no option “size”"),
        (["perft", "taquet", "1", "-o", "size"], "Write the option “size” with its value"),
        (["perft", "taquet", "0"], "The depth is a number from 1, not “0”"),
        (["check", "chess"], "There is no game “chess”"),
        (["check", "taquet", "--games", "0"], "The number of games is a number from 1, not “0”"),
        (["check", "taquet", "--seed", "-1"], "The seed is a number from 0, not “-1”"),
        (["perft", "taquet", "two"], "The depth is a number from 1, not “two”"),
    ],
)
def test_a_wrong_argument_is_refused_with_a_sentence(arguments, sentence):
    with pytest.raises(CommandError, match=sentence) as caught:
        call_command("rules", *arguments)
    assert caught.value.returncode == 1
