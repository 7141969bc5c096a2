"""Whether an open page of a game is still up to date, asked before session and user are loaded.

A page knows a stamp of everything that can change what it shows. While the stamp is the same, the
page is told every two seconds that there is nothing new: by one statement, in a hundred bytes.
Whatever else may have happened is for the view to find out.
"""

import re
from datetime import datetime

from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.sql import time_to_sql
from games.models import Game

STAMPED = {
    "event_count": "(SELECT COUNT(*) FROM games_event WHERE game_id = games_game.id)",
    "message_count": "(SELECT COUNT(*) FROM games_message WHERE game_id = games_game.id)",
    "open_offer_count": """
(SELECT COUNT(*) FROM games_offer WHERE game_id = games_game.id AND state = 'open')""",
    "answer_count": """
(SELECT COUNT(*) FROM games_offeranswer AS answer
 JOIN games_offer AS offer ON answer.offer_id = offer.id WHERE offer.game_id = games_game.id)""",
    "away_until": """
(SELECT CAST(MAX(ends_at) AS VARCHAR(40)) FROM accounts_vacation
 JOIN games_seat ON games_seat.user_id = accounts_vacation.user_id
 WHERE games_seat.game_id = games_game.id AND begins_at <= %(now)s AND ends_at > %(now)s)""",
    "away_count": """
(SELECT COUNT(*) FROM accounts_vacation
 JOIN games_seat ON games_seat.user_id = accounts_vacation.user_id
 WHERE games_seat.game_id = games_game.id AND begins_at <= %(now)s AND ends_at > %(now)s)""",
}
"""What a stamp depends on besides the game's status, record and clock, as SQL over games_game."""

SEEN_AT = """
(SELECT seen_at FROM games_gamepresence
 WHERE game_id = games_game.id AND user_id = %(viewer)s)"""
"""When the viewer last had the page open."""

_COLUMNS = (
    "status",
    "turn_number",
    "judged_turns",
    "deadline",
    "stopped_for",
    "stopped_until",
    "undo_until",
    "undo_by_id",
)

_MAY_VISIT = """
(%(viewer)s = 0 OR (
  EXISTS (SELECT 1 FROM django_session WHERE session_key = %(session)s AND expire_date > %(now)s)
  AND EXISTS (
    SELECT 1 FROM accounts_user WHERE id = %(viewer)s AND is_active
      AND unreachable_since IS NULL AND barred_until IS NULL
  )
))"""
"""Whether the session goes on, and a visit by its user means no more than a look at the page."""


def page_stamp(game: Game, viewer: int, session: str, *, now: datetime) -> str:
    """Return the stamp of a page that shows `game`, read with STAMPED, to a user in a session.

    The user's key is 0 for a stranger. Nobody but this service can make a stamp.
    """
    counted = [getattr(game, name) for name in STAMPED]
    clock = (game.deadline, game.stop_reason, game.stopped_until)
    can_undo = game.may_undo(viewer, now=now)
    turns = (game.turn_number, game.judged_turns)
    shown = (game.pk, game.status, turns, clock, counted, can_undo, viewer, session)
    digest = salted_hmac("page stamps", repr(shown), algorithm="sha256").hexdigest()
    return f"{viewer}-{digest[:20]}"


def unchanged_game(pk: int, stamp: str, session: str, *, now: datetime) -> Game | None:
    """Return the game, with `seen_at`, if a page with this stamp is up to date; else None."""
    parts = re.fullmatch(r"(\d{1,18})-[0-9a-f]{20}", stamp, re.ASCII)
    if parts is None:
        return None
    viewer = int(parts[1])
    facts = STAMPED | {"seen_at": SEEN_AT, "may_visit": _MAY_VISIT}
    columns = ", ".join((*_COLUMNS, *(f"{what} AS {name}" for name, what in facts.items())))
    statement = f"SELECT id, {columns} FROM games_game WHERE id = %(game)s"  # noqa: S608
    values = {"game": pk, "viewer": viewer, "session": session, "now": time_to_sql(now)}
    for game in Game.objects.raw(statement, values):
        is_same = constant_time_compare(page_stamp(game, viewer, session, now=now), stamp)
        return game if is_same and game.may_visit else None
    return None
