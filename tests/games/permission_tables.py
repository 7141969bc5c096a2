"""Tables of permissions: who is answered how at which address."""

import pytest

WHO = ("nobody", "ann", "bob", "cat", "moderator")
"""Somebody signed out, the player to move, the opponent, a stranger, and staff."""
LOGIN, DONE = "login", "done"


def rows(table):
    """Return the cases of a table whose columns are the people: what each of them is to hear."""
    return [
        pytest.param(*key, dict(zip(WHO, columns, strict=True)), id=" ".join(map(str, key)))
        for key, columns in table.items()
    ]


#                            nobody  ann  bob  cat  moderator
ACTING = {
    ("game_play", "public"): (LOGIN, DONE, 409, 403, 403),
    ("game_play", "private"): (LOGIN, DONE, 409, 404, 403),
    ("game_resign", "public"): (LOGIN, DONE, DONE, 403, 403),
    ("game_resign", "private"): (LOGIN, DONE, DONE, 404, 403),
    ("game_abort", "public"): (LOGIN, DONE, DONE, 403, 403),
    ("game_abort", "private"): (LOGIN, DONE, DONE, 404, 403),
    ("game_offer", "public"): (LOGIN, DONE, DONE, 403, 403),
    ("game_offer", "private"): (LOGIN, DONE, DONE, 404, 403),
    ("game_say", "public"): (LOGIN, DONE, DONE, 403, 403),
    ("game_say", "private"): (LOGIN, DONE, DONE, 404, 403),
    ("game_offer_pause", "public"): (LOGIN, DONE, DONE, 403, 403),
    ("game_offer_pause", "private"): (LOGIN, DONE, DONE, 404, 403),
    ("game_offer_pace", "public"): (LOGIN, DONE, DONE, 403, 403),
    ("game_offer_pace", "private"): (LOGIN, DONE, DONE, 404, 403),
    ("game_resume", "public"): (LOGIN, 409, 409, 403, 403),
    ("game_resume", "private"): (LOGIN, 409, 409, 404, 403),
    ("game_grant_time", "public"): (LOGIN, 403, DONE, 403, 403),
    ("game_grant_time", "private"): (LOGIN, 403, DONE, 404, 403),
    ("game_rematch", "public"): (LOGIN, 409, 409, 403, 403),
    ("game_rematch", "private"): (LOGIN, 409, 409, 404, 403),
    ("table_join", "public"): (LOGIN, 409, 409, 409, 409),
    ("table_join", "private"): (LOGIN, 409, 409, 404, 409),
    ("table_leave", "public"): (LOGIN, 409, 409, 409, 409),
    ("table_leave", "private"): (LOGIN, 409, 409, 404, 409),
    ("table_withdraw", "public"): (LOGIN, 409, 403, 403, 403),
    ("table_withdraw", "private"): (LOGIN, 409, 403, 404, 403),
    ("table_ask", "public"): (LOGIN, 409, 409, 409, 409),
    ("table_ask", "private"): (LOGIN, 409, 409, 404, 409),
}
SENT = {
    "text": "5",
    "expected_turn": "0",
    "answer": "accept",
    "whom": "player",
    "name": "moderator",
    "days": "7",
    "pace": "3",
}
