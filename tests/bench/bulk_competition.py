"""Wishes, ratings, leagues, ladders, tournaments and clubs as rows, written by PostgreSQL itself.

`bulk_rows` has the numbers.

Each league has many seasons of eighty players in ten divisions; its last season is being played.
"""

_WISHES = """
INSERT INTO games_wish (user_id, rules_slug, options, pace, allowance, bank, cap, at_once, via,
    made_at, changed_at, withdrawn_at, waits_since)
SELECT u.id, (ARRAY['morpion', 'taquet', 'superpion', 'morpiae'])[n %% 4 + 1], '{}', 'turn',
    '2 days', '0', '0', 1, 'web', now(), now(), CASE WHEN n > 1 THEN now() END,
    CASE WHEN n = 1 AND u.id %% 3 > 0 THEN now() END
FROM accounts_user u, generate_series(1, CASE WHEN u.username = 'prolific' THEN 90 ELSE 3 END) n
WHERE NOT u.is_program OR u.username = 'prolific' ORDER BY n DESC, u.id
"""

_RATINGS = """
INSERT INTO games_rating (player_id, rules_slug, table_kind, level, mu, sigma, games, of_program,
    changed_at)
SELECT id, slug, '2', 0, 1500 + id %% 300, 40, 9, is_program, now()
FROM accounts_user, unnest(ARRAY['morpion', 'taquet']) slug
"""

_LEAGUES = """
INSERT INTO games_league (rules_slug, options, pace, allowance, bank, cap, allows_vacations,
    allows_days_off, months, division_size, legs, opened_at)
SELECT slug, '{}', 'turn', '2 days', '0', '0', true, true, 1, 8, 1, now()
FROM unnest(ARRAY['morpion', 'taquet', 'morpiae']) slug
"""

_SEASONS = """
INSERT INTO games_season (league_id, number, starts_at, final_at, started_at, ended_at, told)
SELECT id, n, now() - (last - n) * '1 month'::interval,
    now() - (last - n) * '1 month'::interval + '27 days'::interval, now(),
    CASE WHEN n < last THEN now() END, 'start'
FROM games_league, (SELECT greatest(2, %(people)s / 250) AS last) numbers,
    generate_series(1, last) n ORDER BY n, id
"""

_DIVISIONS = """
INSERT INTO games_division (season_id, number)
SELECT id, n FROM games_season, generate_series(1, 10) n ORDER BY id, n
"""

_ENTRIES = """
INSERT INTO games_seasonentry (season_id, user_id, state, joined_at, division_id, "order",
    left_because, removed_because)
SELECT d.season_id, CASE WHEN d.number = 1 AND n = 1 THEN prolific.id
    ELSE first.id + (d.id * 8 + n) %% %(people)s END, 'plays', now(), d.id, n, '', ''
FROM games_division d, generate_series(1, 8) n,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first,
    (SELECT id FROM accounts_user WHERE username = 'prolific') prolific
ORDER BY d.id, n
"""

_LEAGUE_GAMES = """
INSERT INTO games_leaguegame (division_id, first_id, second_id, leg, game_id)
SELECT one.division_id, one.id, two.id, 1,
    CASE WHEN row_number() OVER later <= %(games)s THEN games.first - 1 + row_number() OVER later
    END
FROM games_seasonentry one
JOIN games_seasonentry two ON two.division_id = one.division_id AND two."order" > one."order",
    (SELECT min(id) AS first FROM games_game) games
WINDOW later AS (ORDER BY one.id DESC, two.id DESC) ORDER BY one.id, two.id
"""

_LADDERS = """
INSERT INTO games_ladder (rules_slug, made_at)
SELECT slug, now() FROM unnest(ARRAY['morpion', 'taquet', 'morpiae']) slug
"""

_PLACES = """
INSERT INTO games_ladderplace (ladder_id, user_id, place, joined_at, idle_from, sinks_at, sunk,
    has_declined, left_because, removed_because)
SELECT l.id, u.id, row_number() OVER (PARTITION BY l.id ORDER BY u.id), now(), now(),
    now() + '28 days', 0, false, '', ''
FROM games_ladder l, accounts_user u WHERE NOT u.is_program OR u.username = 'prolific'
ORDER BY u.id, l.id
"""

_CHALLENGES = """
INSERT INTO games_ladderchallenge (ladder_id, challenger_id, challenged_id, made_at, due_at, state,
    outcome, ended_at, has_moved, told, game_id)
SELECT ladder.id, CASE WHEN n %% 30 = 0 THEN prolific.id ELSE first.id + n * 7 %% %(people)s END,
    first.id + (n * 7 + 1) %% %(people)s, now(), now() + '5 days',
    CASE WHEN n <= %(rare)s THEN 'playing' ELSE 'over' END,
    CASE WHEN n <= %(rare)s THEN '' ELSE 'lost' END,
    CASE WHEN n > %(rare)s THEN now() - n * '1 minute'::interval END, false, 'over',
    games.first - 1 + n
FROM generate_series(1, %(games)s / 10) n,
    LATERAL (SELECT id FROM games_ladder ORDER BY id LIMIT 1 OFFSET n %% 3) ladder,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first,
    (SELECT id FROM accounts_user WHERE username = 'prolific') prolific,
    (SELECT min(id) AS first FROM games_game) games
ORDER BY n
"""

_TOURNAMENTS = """
INSERT INTO games_tournament (name, form, rules_slug, options, pace, allowance, bank, cap,
    allows_vacations, allows_days_off, game_days, most_players, legs, best_of, swiss_rounds,
    group_size, key, seed, opened_by_id, opened_at, starts_at, starts_when_full, started_at,
    ended_at, is_cancelled, has_third_place)
SELECT '', 'swiss', (ARRAY['morpion', 'taquet', 'superpion', 'morpiae'])[n %% 4 + 1], '{}', 'turn',
    '2 days', '0', '0', true, true, 30, 16, 1, 1, 5, 4, '', 'seed' || n,
    CASE WHEN n %% 10 = 0 THEN prolific.id ELSE first.id + n * 3 %% %(people)s END, now(), now(),
    false, CASE WHEN n > %(rare)s THEN now() END,
    CASE WHEN n > 2 * %(rare)s THEN now() - n * '1 minute'::interval END,
    false, false
FROM generate_series(1, 3 * %(rare)s + %(games)s / 100) n,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first,
    (SELECT id FROM accounts_user WHERE username = 'prolific') prolific
ORDER BY n
"""

_ENTRANTS = """
INSERT INTO games_entrant (tournament_id, user_id, joined_at, joined_as, number, left_because,
    removed_because)
SELECT t.id, CASE WHEN n = 1 AND t.id %% 10 = 0 THEN prolific.id
    ELSE first.id + (t.id * 8 + n) %% %(people)s END, now(), n, n, '', ''
FROM games_tournament t, generate_series(1, 8) n,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first,
    (SELECT id FROM accounts_user WHERE username = 'prolific') prolific
ORDER BY t.id, n
"""

_ROUNDS = """
INSERT INTO games_round (tournament_id, number, is_knockout, started_at, final_at)
SELECT id, n, false, now(), now() FROM games_tournament, generate_series(1, 3) n ORDER BY id, n
"""

_TOURNAMENT_GAMES = """
INSERT INTO games_tournamentgame (round_id, board, leg, first_id, second_id, game_id)
SELECT r.id, one.number / 2 + 1, 1, one.id, two.id,
    CASE WHEN row_number() OVER later <= %(games)s THEN games.first - 1 + row_number() OVER later
    END
FROM games_round r JOIN games_entrant one ON one.tournament_id = r.tournament_id
JOIN games_entrant two ON two.tournament_id = r.tournament_id AND two.number = one.number + 1,
    (SELECT min(id) AS first FROM games_game) games
WHERE one.number %% 2 = 1
WINDOW later AS (ORDER BY r.id DESC, one.id DESC) ORDER BY r.id, one.id
"""

_CLUBS = """
INSERT INTO games_club (name, folded_name, slug, description, opened_at)
SELECT 'Club ' || n, 'club ' || n, 'club-' || n, '', now()
FROM generate_series(1, greatest(4, %(people)s / 20)) n
"""

_CLUB_MEMBERS = """
INSERT INTO games_clubmember (club_id, user_id, role, joined_at, gets_letters)
SELECT c.id, first.id + (c.id * 20 + n) %% %(people)s,
    CASE WHEN n = 1 THEN 'owner' ELSE 'member' END, now(), true
FROM games_club c, generate_series(1, least(20, %(people)s)) n,
    (SELECT id FROM accounts_user WHERE username = 'rare1') first
"""

_CLUB_MATCHES = """
INSERT INTO games_clubmatch (home_id, away_id, rules_slug, options, pace, allowance, bank, cap,
    allows_vacations, allows_days_off, most_boards, game_days, challenged_by_id, challenged_at,
    starts_at, ended_at, not_played_because)
SELECT one.id, two.id, 'morpion', '{}', 'turn', '2 days', '0', '0', true, true, 4, 30, m.user_id,
    now(), now(), now(), 'declined'
FROM games_club one JOIN games_club two ON two.id = one.id + 1
JOIN games_clubmember m ON m.club_id = one.id AND m.role = 'owner'
"""

COMPETITION = (
    *(_WISHES, _RATINGS, _LEAGUES, _SEASONS, _DIVISIONS, _ENTRIES, _LEAGUE_GAMES),
    *(_LADDERS, _PLACES, _CHALLENGES),
    *(_TOURNAMENTS, _ENTRANTS, _ROUNDS, _TOURNAMENT_GAMES),
    *(_CLUBS, _CLUB_MEMBERS, _CLUB_MATCHES),
)
