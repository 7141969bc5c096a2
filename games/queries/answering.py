"""How fast players answer: the times that their newest turns took."""

from dataclasses import dataclass
from datetime import timedelta

from django.db import connection

from accounts.sql import time_from_sql

GAMES_TIMED, TURNS_TIMED = 50, 200
"""Answering times are those of the newest so many turns in the newest so many games that are over
and in which no bot plays."""

FEWEST_TIMED = 10
"""Fewer turns say nothing of how fast a player usually answers."""


@dataclass(frozen=True)
class AnsweringTimes:
    """How long a player's turns took: half of them at most `median`, 90 % at most `slow`."""

    median: timedelta
    slow: timedelta
    turns: int


def answering_times(user_id: int) -> AnsweringTimes | None:
    """Return how long a player's newest turns took; None if too few are known."""
    values = {"player": user_id, "games": GAMES_TIMED, "turns": TURNS_TIMED}
    with connection.cursor() as cursor:
        cursor.execute(_TURNS_TIMED, values)
        rows = [(time_from_sql(began), time_from_sql(end)) for began, end in cursor.fetchall()]
    took = sorted(end - began for began, end in rows if began and end)
    if len(took) < FEWEST_TIMED:
        return None
    half, most = (-(-len(took) * percent // 100) - 1 for percent in (50, 90))
    return AnsweringTimes(took[half], took[most], len(took))


_TURNS_TIMED = """
SELECT COALESCE(before.played_at, game.started_at), turn.played_at
FROM (
  SELECT game_id FROM games_seat WHERE user_id = %(player)s AND ended_at IS NOT NULL
  ORDER BY ended_at DESC, game_id DESC LIMIT %(games)s
) AS newest
JOIN games_game AS game ON game.id = newest.game_id
JOIN games_turn AS turn ON turn.game_id = game.id
LEFT JOIN games_turn AS before ON before.game_id = turn.game_id AND before.number = turn.number - 1
WHERE turn.player_id = %(player)s AND turn.via IN ('web', 'mail', 'api')
  AND (turn.number = 1 OR before.via NOT IN ('left', 'takeback'))
  AND NOT EXISTS (
    SELECT 1 FROM games_seat AS taken JOIN accounts_user AS bot ON bot.id = taken.user_id
    WHERE taken.game_id = game.id AND bot.is_program
  )
ORDER BY turn.played_at DESC LIMIT %(turns)s
"""
"""When turns began, and when they were played. A turn after a departure or a takeback may have
begun earlier, or anew: it says nothing."""
