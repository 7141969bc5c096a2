"""The record as a text to keep: well-formed, whole, and enough to count the hashes again."""

from datetime import datetime, timedelta

import pytest

from games import record_text as module
from games.record_text import COLUMNS, entries_of, record_name, record_text
from games.services import endings
from games.services.record import opening_hash, turn_hash
from tests.games.multiplayer import gather, play_out, points
from tests.games.play import begin, fresh, play_all

URL = "https://pli.example.org/games/1/"


def parsed(game):
    """Return headers and rows of the text, as any program would read them."""
    head, _, body = record_text(game, entries_of(game), url=URL).partition("\n\n")
    headers = dict(line.split(": ", 1) for line in head.splitlines())
    titles, *rows = (line.split("\t") for line in body.splitlines())
    assert tuple(titles) == COLUMNS
    assert {len(row) for row in rows} <= {len(COLUMNS)}
    return headers, rows


@pytest.fixture
def over(ann, bob, now):
    """Morpion, three turns, bob has resigned."""
    game = play_all(begin(ann, bob, now=now), ["5", "1", "9"], now=now + timedelta(seconds=3))
    endings.resign(game_id=game.pk, user=bob, now=now + timedelta(days=1))
    return fresh(game)


def test_the_headers_say_what_was_played_by_whom_and_how_it_ended(over):
    headers, _ = parsed(over)
    assert headers["Game"] == "morpion"
    assert headers["Link"] == URL
    assert headers["Seat 0"] == "ann (Cross)"
    assert headers["Seat 1"] == "bob (Nought)"
    assert headers["Ending"] == "resigned"
    assert (headers["Result 0"], headers["Result 1"]) == ("place 1", "place 2")
    assert headers["Begun"] == "2026-03-10T12:00:00.000000+00:00"
    assert headers["Ended"] == "2026-03-11T12:00:00.000000+00:00"


def test_the_turns_are_numbered_in_notation_and_in_words(over):
    _, rows = parsed(over)
    assert [row[:3] for row in rows] == [["1", "0", "5"], ["2", "1", "1"], ["3", "0", "9"]]
    assert rows[1][4] == "bob plays in the top left corner"


def test_anybody_can_count_the_hashes_again(over):
    headers, rows = parsed(over)
    found = opening_hash("morpion", {})
    for _, seat, notation, played, _ in rows:
        found = turn_hash(found, int(seat), notation, datetime.fromisoformat(played))
    assert found == headers["Hash"]


def test_a_name_cannot_add_a_line_or_a_column(over, ann):
    ann.display_name = "ann\r\nResult 9: place 1\tX"
    ann.save()
    headers, rows = parsed(fresh(over))
    assert "Result 9" not in headers
    assert headers["Seat 0"] == "ann Result 9: place 1 X (Cross)"
    assert rows[0][4] == "ann Result 9: place 1 X plays in the centre"


def test_departures_and_points_are_in_it(ann, bob, cat, dan, now):
    game = gather([ann, bob, cat, dan], now=now)
    endings.resign(game_id=game.pk, user=bob, now=now)
    game = play_out(fresh(game), now=now)
    headers, rows = parsed(game)
    assert rows[0][2:] == ["withdraw 1", rows[0][3], "bob leaves the game"]
    assert len(rows) == game.turn_number
    for seat, held in enumerate(points(game)):
        assert headers[f"Result {seat}"].endswith(f", points {held}")


def test_of_a_very_long_game_the_notation_must_do(over, monkeypatch):
    monkeypatch.setattr(module, "IN_WORDS", 2)
    _, rows = parsed(over)
    assert [row[4] for row in rows] == ["ann", "bob", "ann"]
    monkeypatch.setattr(module, "IN_WORDS", 3)
    _, rows = parsed(over)
    assert rows[0][4] == "ann plays in the centre"


def test_the_file_is_named_after_the_game(over):
    assert record_name(over) == f"morpion-{over.pk}.txt"
