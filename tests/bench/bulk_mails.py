"""Many mails as rows, written by PostgreSQL itself; `bulk_rows` fills in the numbers."""

_NOTICES = """
INSERT INTO notifications_notice (kind, user_id, address, language, game_id, content, message_id,
    state, created_at, due_at, claimed_at, attempts, reason)
SELECT kind, first.id + (n * 997 + ordinal * 83) %% %(people)s, '', 'en', NULL, '{}',
    'rare-' || kind || state || n, state, now(), now(), now(), 1, ''
FROM unnest(%(kinds)s::text[]) WITH ORDINALITY kinds (kind, ordinal),
    unnest(%(notices)s::text[]) state, generate_series(1, 12) n,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first
"""

_SENT = """
INSERT INTO notifications_notice (kind, user_id, address, language, game_id, content, message_id,
    state, created_at, due_at, attempts, reason)
SELECT 'your-turn', s.user_id, u.email, 'en', s.game_id, '{}', 'filled-' || s.id,
    CASE WHEN s.game_id %% 50 = 0 THEN 'failed' WHEN s.game_id %% 50 = 1 THEN 'dropped'
    ELSE 'sent' END, now(), now(), 1, ''
FROM games_seat s JOIN accounts_user u ON u.id = s.user_id
WHERE s.number = 0 OR u.username = 'prolific' ORDER BY s.id
"""

_REPLIES = """
INSERT INTO notifications_replyaddress (token_hash, purpose, user_id, address, game_id, seat,
    turn_number, content, created_at)
SELECT 'filled-' || id, 'turn', user_id, '', game_id, number, 1, '[]', now()
FROM games_seat WHERE number = 1
"""

_INCOMING = """
INSERT INTO notifications_incomingmail (raw, door, box, envelope_from, token_hash, user_id, sender,
    message_id, digest, state, received_at, processed_at, attempts, result, error)
SELECT 'From: a player', 'smtp', 'reply', '', 'rare', first.id + n, 'rare@example.org', '',
    'rare-' || state || n, state, now(), now(), 1, '', ''
FROM unnest(%(mails)s::text[]) state, generate_series(1, %(rare)s) n,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first
"""

_ANSWERS = """
INSERT INTO notifications_incomingmail (raw, door, box, envelope_from, token_hash, reply_id,
    user_id, sender, message_id, digest, state, received_at, processed_at, attempts, result, error)
SELECT '', 'smtp', 'reply', u.email, r.token_hash, r.id, r.user_id, u.email, '', 'filled-' || r.id,
    CASE WHEN r.game_id %% 100 = 4 THEN 'held' WHEN r.game_id %% 10 = 5 THEN 'ignored'
    ELSE 'done' END, now(), now(), 1, 'done', ''
FROM notifications_replyaddress r JOIN accounts_user u ON u.id = r.user_id ORDER BY r.id
"""

_ADDRESSES = """
INSERT INTO notifications_addressstate (address, suspended_at, diagnostic, resumed_at)
SELECT 'back' || n || '@example.org', CASE WHEN n <= %(rare)s THEN now() END, '550 no such user',
    CASE WHEN n > %(rare)s THEN now() END
FROM generate_series(1, %(people)s / 5 + 2 * %(rare)s) n
"""

_PREFERENCES = """
INSERT INTO notifications_mailpreference (user_id, kind, cadence)
SELECT first.id + n, kind, (%(cadences)s::text[])[n %% 4 + 1]
FROM generate_series(0, %(rare)s - 1) n, unnest(%(kinds)s::text[]) kind,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first
UNION ALL
SELECT first.id + n, kind, 'later'
FROM generate_series(%(rare)s, %(people)s - 1) n, unnest(ARRAY['message', 'your-turn']) kind,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first
"""

MAILROOM = (_NOTICES, _SENT, _REPLIES, _INCOMING, _ANSWERS, _ADDRESSES, _PREFERENCES)
