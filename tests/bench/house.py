"""Many games and people as rows, written by PostgreSQL itself."""

from django.db import connection

RARE = 60
"""How many games there are of each rare kind (stopped, late, reported), however many in all."""

PARTNER = "prolific"
"""Somebody who sits at every twentieth game."""

_PEOPLE = """
INSERT INTO accounts_user (username, display_name, email, password, is_superuser, is_staff,
    is_active, is_program, language, time_zone, date_joined)
SELECT 'p' || n || 'x', 'Player the ' || n || 'th', '', '!', false, false, true, false, 'en',
    'UTC', now() FROM generate_series(1, %(people)s) n
UNION ALL SELECT 'prolific', 'Prolific', '', '!', false, false, true, true, 'en', 'UTC', now()
"""

_GAMES = """
WITH kinds AS (
    SELECT n, n %% %(step)s AS rare, n %% 100 AS usual FROM generate_series(1, %(games)s) n
), made AS (
    SELECT *, CASE
        WHEN rare IN (1, 2, 3) THEN 'active'
        WHEN usual < 10 THEN 'active' WHEN usual = 10 THEN 'open'
        WHEN usual = 11 THEN 'aborted' WHEN usual = 12 THEN 'closed' ELSE 'finished'
    END AS status FROM kinds
)
INSERT INTO games_game (rules_slug, options, status, ending, is_public, maker_id, pace, allowance,
    bank, cap, allows_vacations, allows_days_off, on_timeout, created_at, expires_at, started_at,
    ended_at, turn_number, seat_to_move, clock_since, time_left, rhythm, deadline, stopped_for,
    stopped_at, stopped_until, position, previous_position, head_hash)
SELECT (ARRAY['morpion', 'taquet', 'superpion', 'morpiae', 'super-morpion'])[n %% 5 + 1],
    '{}', status, CASE WHEN status IN ('active', 'open') THEN '' ELSE status END, n %% 9 <> 0,
    (SELECT max(id) FROM accounts_user) - n %% %(people)s, 'turn', '2 days', '0', '0', true, true,
    'withdraw', now() - '9 days'::interval,
    CASE WHEN status = 'open' THEN now() + '9 days'::interval END,
    CASE WHEN status IN ('open', 'closed') THEN NULL ELSE now() END,
    CASE WHEN status IN ('active', 'open') THEN NULL ELSE now() END,
    1, CASE WHEN status = 'active' THEN 0 END,
    CASE WHEN status = 'active' AND rare NOT IN (1, 3) THEN now() END,
    CASE WHEN status = 'active' THEN '2 days'::interval END, '{}',
    CASE WHEN status <> 'active' OR rare IN (1, 3) THEN NULL
         WHEN rare = 2 THEN now() - '3 days'::interval
         ELSE now() + (n %% 48 + 1) * '1 hour'::interval END,
    CASE rare WHEN 1 THEN 'moderator' WHEN 3 THEN 'paused' ELSE '' END,
    CASE rare WHEN 1 THEN now() WHEN 3 THEN now() - '30 days'::interval END,
    CASE rare WHEN 3 THEN now() + '1 day'::interval END,
    '', '', '' FROM made
"""

_SEATS = """
INSERT INTO games_seat (game_id, number, user_id, time_left, left_because)
SELECT g.id, s, CASE WHEN s = 1 AND g.id %% 20 = 0 THEN prolific.id
    ELSE first.id + (g.id * 7 + s * 31) %% %(people)s END, '2 days', ''
FROM games_game g, generate_series(0, 1) s,
    (SELECT id FROM accounts_user WHERE username = 'p1x') first,
    (SELECT id FROM accounts_user WHERE username = 'prolific') prolific
"""

_EVENTS = """
INSERT INTO games_event (game_id, kind, at, turn_number, details, noticed_at)
SELECT g.id, kind, now(), 1, '{}', now()
FROM games_game g, unnest(ARRAY['opened', 'started']) kind
"""

_TURNS = """
INSERT INTO games_turn (game_id, number, seat, player_id, notation, played_at, via, hash)
SELECT game_id, 1, 0, user_id, '5', now(), 'web', '' FROM games_seat WHERE number = 0
"""

_NOTICES = """
INSERT INTO notifications_notice (kind, user_id, address, language, game_id, content, message_id,
    state, created_at, due_at, attempts, reason)
SELECT 'your-turn', user_id, '', 'en', game_id, '{}', 'filled-' || game_id, 'sent', now(), now(), 1,
    '' FROM games_seat WHERE number = 0
"""

_REPORTS = """
INSERT INTO games_report (reporter_id, game_id, reason, text, made_at, state, answer)
SELECT (SELECT min(id) FROM accounts_user), id, 'spam', 'x', now(), 'open', ''
FROM games_game WHERE id %% %(step)s = 4
"""

_ACTS = """
INSERT INTO games_act (number, by_id, at, what, why, game_id, details, hash)
SELECT n, (SELECT max(id) FROM accounts_user) - n * 13 %% %(people)s, now(), 'verify', 'x',
    (SELECT max(id) FROM games_game) - n, '{}', '' FROM generate_series(1, 600) n
"""

_BIG = ["games_game", "games_seat", "games_event", "games_turn", "games_report", "accounts_user"]
_BIG += ["games_act", "notifications_notice"]


def fill(*, games: int, people: int) -> None:
    """Write so many games of two and people, with an event or two, a turn and a mail each."""
    numbers = {"games": games, "people": people, "step": max(5, games // RARE)}
    with connection.cursor() as cursor:
        for statement in (_PEOPLE, _GAMES, _SEATS, _EVENTS, _TURNS, _NOTICES, _REPORTS, _ACTS):
            cursor.execute(statement, numbers)
        for table in _BIG:
            cursor.execute(f"ANALYZE {table}")
