"""Many games, people and mails as rows, written by PostgreSQL itself.

Of whatever a list can be filtered by there are `RARE` rows at least, however few there are in all:
the same page shows equally many rows of a small and of a large site, and what is rare lies where
reading from the newest row on comes to it last.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import connection

from accounts.models import User
from games.models import Event, Report
from games.moderation.base import GameAction
from games.moderation.people import UserAction
from notifications.models import Cadence, IncomingMail, Kind, Notice
from tests.bench.bulk_competition import COMPETITION
from tests.bench.bulk_mails import MAILROOM

RARE = 60
"""How many rows there are of each rare kind, however many in all."""

WHO = "judge"
"""Who has some of the reports in hand, if there is somebody of that name."""

_PEOPLE = """
INSERT INTO accounts_user (username, display_name, email, password, is_superuser, is_staff,
    is_active, is_program, language, time_zone, date_joined, barred_until, muted_until, is_warned)
SELECT CASE WHEN n <= %(rare)s THEN 'rare' || n ELSE 'p' || n || 'x' END,
    'Player the ' || n || 'th', 'p' || n || 'x@example.org', '!', false,
    n BETWEEN 10 AND 9 + %(rare)s, n NOT BETWEEN 20 AND 19 + %(rare)s, false, 'en', 'UTC', now(),
    CASE WHEN n <= %(rare)s THEN now() + '9 days'::interval END,
    CASE WHEN n BETWEEN 30 AND 29 + %(rare)s THEN now() + '9 days'::interval END,
    n BETWEEN 40 AND 39 + %(rare)s
FROM generate_series(1, %(people)s) n
UNION ALL SELECT 'prolific', 'Prolific', '', '!', false, false, true, true, 'en', 'UTC', now(),
    NULL, NULL, false
UNION ALL SELECT 'program' || n, '', '', '!', false, false, true, true, 'en', 'UTC', now(),
    NULL, NULL, false FROM generate_series(1, %(rare)s) n
"""

_ADDRESSES = """
INSERT INTO account_emailaddress (user_id, email, verified, "primary")
SELECT id, email, true, true FROM accounts_user WHERE email LIKE 'p%%'
"""

_SESSIONS = """
INSERT INTO usersessions_usersession (user_id, created_at, ip, last_seen_at, session_key,
    user_agent, data)
SELECT id, now(), ('10.' || id / 65536 %% 256 || '.' || id / 256 %% 256 || '.' || id %% 256)::inet,
    now(), 'filled' || id, 'x', '{}' FROM accounts_user
"""

_FACTORS = """
INSERT INTO mfa_authenticator (user_id, type, data, created_at)
SELECT id, 'totp', '{}', now() FROM accounts_user WHERE email LIKE 'p%%'
"""

_SANCTIONS = """
INSERT INTO accounts_sanction (user_id, kind, reason, by_id, at)
SELECT u.id, 'warning', 'x', u.id, now()
FROM accounts_user u, generate_series(1, 5) WHERE u.username LIKE 'rare%%'
"""

_GAMES = """
WITH kinds AS (
    SELECT n, n %% %(step)s AS rare, n %% 10 AS usual FROM generate_series(1, %(games)s) n
), made AS (
    SELECT *, CASE
        WHEN rare IN (1, 2, 3, 4, 5) THEN 'active'
        WHEN usual = 0 THEN 'active' WHEN usual = 1 THEN 'open'
        WHEN usual = 2 THEN 'aborted' WHEN usual = 3 THEN 'closed' ELSE 'finished'
    END AS status FROM kinds
)
INSERT INTO games_game (rules_slug, options, status, ending, is_public, maker_id, pace, allowance,
    bank, cap, allows_vacations, allows_days_off, on_timeout, created_at, expires_at, started_at,
    ended_at, turn_number, seat_to_move, clock_since, time_left, rhythm, deadline, stopped_for,
    stopped_at, stopped_until, wait_left, position, previous_position, head_hash)
SELECT (ARRAY['morpion', 'taquet', 'superpion', 'morpiae', 'super-morpion'])[n %% 5 + 1],
    '{}', status, CASE WHEN status IN ('active', 'open') THEN '' ELSE status END, n %% 9 <> 0,
    (SELECT max(id) FROM accounts_user) - n %% %(people)s, 'turn', '2 days', '0', '0', true, true,
    'withdraw', now() - '9 days'::interval,
    CASE WHEN status = 'open' THEN now() + '9 days'::interval END,
    CASE WHEN status IN ('open', 'closed') THEN NULL ELSE now() END,
    CASE WHEN status IN ('active', 'open') THEN NULL ELSE now() END,
    1, CASE WHEN status = 'active' THEN 0 END,
    CASE WHEN status = 'active' AND rare NOT IN (1, 3, 4, 5) THEN now() END,
    CASE WHEN status = 'active' THEN '2 days'::interval END, '{}',
    CASE WHEN status <> 'active' OR rare IN (1, 3, 4, 5) THEN NULL
         WHEN rare = 2 THEN now() - '3 days'::interval
         ELSE now() + (n %% 48 + 1) * '1 hour'::interval END,
    CASE rare WHEN 1 THEN 'moderator' WHEN 3 THEN 'paused' WHEN 4 THEN 'undelivered'
         WHEN 5 THEN 'substitute' ELSE '' END,
    CASE WHEN rare IN (1, 4, 5) THEN now() WHEN rare = 3 THEN now() - '30 days'::interval END,
    CASE WHEN rare IN (3, 4, 5) THEN now() + '1 day'::interval END,
    CASE WHEN rare IN (3, 4, 5) THEN '1 day'::interval END,
    '', '', '' FROM made
"""

_SEATS = """
INSERT INTO games_seat (game_id, number, user_id, time_left, left_because, ended_at)
SELECT g.id, s, CASE WHEN s = 1 AND g.id %% 20 = 0 THEN prolific.id
    ELSE first.id + (g.id * 7 + s * 31) %% %(people)s END, '2 days', '',
    CASE WHEN g.status <> 'closed' THEN g.ended_at END
FROM games_game g, generate_series(0, 1) s,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first,
    (SELECT id FROM accounts_user WHERE username = 'prolific') prolific
"""

_EVENTS = """
INSERT INTO games_event (game_id, kind, at, actor_id, turn_number, details, noticed_at)
SELECT sample.id, kind, now(), NULL::bigint, 1, '{}'::jsonb, NULL::timestamptz
FROM (SELECT id FROM games_game ORDER BY id LIMIT %(rare)s) sample, unnest(%(events)s::text[]) kind
UNION ALL
SELECT game_id, CASE number WHEN 0 THEN 'opened' ELSE 'started' END, now(), user_id, 1, '{}', now()
FROM games_seat
"""

_TURNS = """
INSERT INTO games_turn (game_id, number, seat, player_id, notation, played_at, via, hash)
SELECT game_id, 1, 0, user_id, '5', now(), 'web', '' FROM games_seat WHERE number = 0
"""

_OFFERS = """
INSERT INTO games_offer (game_id, seat_id, kind, state, turn_number, made_at)
SELECT game_id, id, 'pause', 'declined', 1, now() FROM games_seat WHERE game_id %% 20 = 1
"""

_MESSAGES = """
INSERT INTO games_message (game_id, author_id, text, said_at, turn_number, via, hidden_at)
SELECT game_id, user_id, 'Well played.', now(), 1, 'web',
    CASE WHEN row_number() OVER () <= %(rare)s THEN now() END
FROM games_seat WHERE number = 1
"""

_REPORTS = """
INSERT INTO games_report (reporter_id, game_id, person_id, reason, text, made_at, state,
    assignee_id, answer)
SELECT first.id + (n + made.id) %% %(people)s, game, NULL, reason, 'x', now(), state,
    CASE WHEN state <> 'open' THEN judge.id END, ''
FROM unnest(%(reasons)s::text[], %(reports)s::text[]) WITH ORDINALITY made (reason, state, id),
    generate_series(1, 15) n,
    LATERAL (SELECT min(id) + made.id * 15 + n AS game FROM games_game) reported,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first,
    (SELECT max(id) AS id FROM accounts_user WHERE username = %(who)s) judge
UNION ALL
SELECT first.id + n %% %(people)s, NULL, first.id + n * 7 %% %(people)s, 'other', 'x', now(),
    'dismissed', first.id + 15, 'x'
FROM generate_series(1, %(games)s / 20) n,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first
"""

_ACTS = """
INSERT INTO games_act (number, by_id, at, what, why, game_id, person_id, details, hash)
SELECT n, first.id + 9 + n %% 11, now(), (%(deeds)s::text[])[n %% %(deed_count)s + 1], 'x',
    CASE WHEN n %% %(deed_count)s >= %(about_people)s
        THEN games.first + n * 7919::bigint %% %(games)s END,
    CASE WHEN n %% %(deed_count)s < %(about_people)s THEN first.id + n %% %(people)s END, '{}', ''
FROM generate_series(1, 20 * %(rare)s + %(games)s / 10) n,
    (SELECT min(id) AS first FROM games_game) games,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first
"""

_OUTAGES = """
INSERT INTO games_outage (kind, began_at, ended_at, noted_at, note, counted_up_to)
SELECT 'gap', now() - n * '1 day'::interval, now() - n * '1 day'::interval + '1 hour'::interval,
    now(), '', NULL FROM generate_series(1, 400) n
"""

_ANNOUNCEMENTS = """
INSERT INTO games_announcement (english, french, from_at, until, by_id)
SELECT 'x', 'x', now() - (n + 1) * '1 day'::interval, now() - n * '1 day'::interval,
    (SELECT min(id) FROM accounts_user) FROM generate_series(1, 400) n
"""

_SITE_PAGES = """
INSERT INTO games_sitepage (name, language, text, updated_at, by_id)
SELECT name, language, 'x', now(), (SELECT min(id) FROM accounts_user)
FROM unnest(ARRAY['about', 'privacy', 'contact']) name, unnest(ARRAY['en', 'fr']) language
"""

_HISTORY = """
INSERT INTO django_admin_log (action_time, user_id, content_type_id, object_id, object_repr,
    action_flag, change_message)
SELECT now(), id, %(person_type)s, id, 'x', 2, '' FROM accounts_user WHERE id %% 3 = 0
"""

_STATEMENTS = (
    *(_PEOPLE, _ADDRESSES, _SESSIONS, _FACTORS, _SANCTIONS),
    *(_GAMES, _SEATS, _EVENTS, _TURNS, _OFFERS),
    *(_MESSAGES, _REPORTS, _ACTS, _OUTAGES, _ANNOUNCEMENTS, _SITE_PAGES, _HISTORY, *MAILROOM),
    *COMPETITION,
)


def fill(*, games: int, people: int) -> None:
    """Write so many games of two and people, and what goes with them; at least 1,000 and 100."""
    values = _values(games, people)
    with connection.cursor() as cursor:
        # What is written refers to what is there: to look for each takes longer than writing it.
        cursor.execute("SET session_replication_role = replica")
        for statement in _STATEMENTS:
            cursor.execute(statement, values)
        cursor.execute("RESET session_replication_role")
        cursor.execute("ANALYZE")


def _values(games: int, people: int) -> Mapping[str, Any]:
    reported = [(reason, state) for reason in Report.Reason for state in Report.State]
    return {
        "games": games,
        "people": people,
        "rare": RARE,
        "who": WHO,
        "step": max(6, games // RARE),
        "events": Event.Kind.values,
        "reasons": [reason.value for reason, _ in reported],
        "reports": [state.value for _, state in reported],
        "deeds": [*UserAction.values, *GameAction.values],
        "about_people": len(UserAction),
        "deed_count": len(UserAction) + len(GameAction),
        "kinds": Kind.values,
        "notices": Notice.State.values,
        "mails": IncomingMail.State.values,
        "cadences": Cadence.values,
        "person_type": ContentType.objects.get_for_model(User).pk,
    }
