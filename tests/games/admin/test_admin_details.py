"""What events and acts keep as data is said in words to moderators."""

import pytest

from games.moderation.admin.details import details_in_words

NAMES = {1: "ann", 2: "bob"}

DAY_AND_HOURS = "1 day, 3 hours"


@pytest.mark.parametrize(
    ("details", "words"),
    [
        ({"seconds": 97200, "seat": 0}, f"{DAY_AND_HOURS} · seat 0"),
        ({"places": [2, 1, 3]}, "places 2, 1, 3"),
        (
            {"seat": 1, "player": 1, "substitute": 2},
            "seat 1 · ann · now bob",
        ),
        ({"turn": 3}, "back to turn 3"),
        ({"turn": 0}, "back to turn 0"),
        ({"found": ["turn 2 is missing"], "left": []}, "found: turn 2 is missing"),
        (
            {"was": "paused", "rest": 60},
            "its clock was already stopped: the players agreed on a pause",
        ),
        ({"was": "", "rest": 0}, ""),
        ({"ending": "timeout", "status": "finished"}, "A player ran out of time · finished"),
        ({"ending": "three-in-a-row"}, "three-in-a-row"),
        ({"kind": "pause", "offer": 4}, "to stop the clock for a while"),
        ({"closed": False}, ""),
        ({"closed": True}, "the table is closed"),
        ({"former": "bob", "name": "robert"}, "formerly bob · now robert"),
        ({"former": "player", "role": "moderator"}, "formerly player · now moderator"),
        ({"seat": 2, "former": 1}, "seat 2 · formerly ann"),
        ({"report": 7, "to": 9}, "report #7 · to #9"),
        (
            {"sanction": 3, "until": None, "running": "clock"},
            "running games: left to the clock",
        ),
        ({"until": "2026-11-21T10:00:00+00:00"}, "until 21\u00a0Nov\u00a02026 10:00"),
        ({"until": "soon"}, "until soon"),
        ({"mails": [4, 5]}, "4, 5"),
        ({"changed": {"is_active": False}}, "active: False"),
        ({"nobody-knows": "x"}, ""),
    ],
    ids=str,
)
def test_details_are_words(details, words):
    assert details_in_words(details, lambda key: NAMES.get(key, f"#{key}")) == words


def test_details_that_are_shown_elsewhere_are_left_out():
    details = {"seat": 1, "why": "paused"}
    assert details_in_words(details, str, left_out=("why",)) == "seat 1"
