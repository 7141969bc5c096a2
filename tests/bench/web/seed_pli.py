"""Fills a database of Pli: `python seed_pli.py PAIRS EACH STORED ENTRIES FILE`, run in a checkout.

So many pairs of players, and games of each pair in which so many entries of the record were
written; `STORED` games of others, as rows. Writes who they are, and random games to play, to a
file. It is run as a file, so that the code of another checkout can be measured too.
"""

import json
import os
import random
import sys
from datetime import timedelta
from pathlib import Path

sys.path[0] = os.getcwd()

LINES = 100
"""How many different random games are played."""
TURNS = 30
"""How many turns of each."""
FIRST = 10
"""How many turns the games have whose record is not empty."""


def line(rules, chance):
    """Return the first turns of a random game that does not end with them."""
    while True:
        position, turns = rules.initial(rules.check_options({})), []
        while rules.outcome(position) is None and len(turns) <= TURNS:
            action = chance.choice(list(rules.legal_actions(position)))
            turns.append(rules.format(position, action))
            position = rules.play(position, action)
        if len(turns) > TURNS:
            return turns[:TURNS]


def sign_up(name):
    """Make a player; return them with the key of a session."""
    from allauth.account.models import EmailAddress
    from django.conf import settings
    from django.contrib.sessions.backends.db import SessionStore

    from accounts.models import User

    user = User.objects.create(username=name, email=f"{name}@example.org", password="!")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    session = SessionStore()
    session["_auth_user_id"] = str(user.pk)
    session["_auth_user_backend"] = settings.AUTHENTICATION_BACKENDS[0]
    session["_auth_user_hash"] = user.get_session_auth_hash()
    session.save()
    return user, session.session_key


def copies(row, count, **changed):
    """Return so many rows like a row, without keys."""
    fields = [field.attname for field in row._meta.concrete_fields if not field.primary_key]
    values = {name: getattr(row, name) for name in fields} | changed
    return [type(row)(**values) for _ in range(count)]


def begin_games(first, second, count, now, entries, turns):
    """Begin so many games of two players with so many entries; return their keys."""
    from django.db import connection

    from games.models import Game, Seat, Turn
    from tests.games.play import begin

    pattern = begin(first, second, now=now, slug="super-morpion", days=3)
    if entries:
        write_entries(pattern, entries, turns, now)
    others = Game.objects.bulk_create(copies(pattern, count - 1))
    seats = [copies(seat, 1, game_id=game.pk)[0] for game in others for seat in pattern.seats.all()]
    Seat.objects.bulk_create(seats)
    columns = [field.column for field in Turn._meta.concrete_fields if not field.primary_key]
    columns.remove("game_id")
    listed, table = ", ".join(columns), Turn._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} (game_id, {listed}) SELECT key, {listed} "  # noqa: S608
            f"FROM {table}, unnest(%s::bigint[]) AS key WHERE game_id = %s",
            [[game.pk for game in others], pattern.pk],
        )
    return [pattern.pk, *(game.pk for game in others)]


def write_entries(game, entries, turns, now):
    """Play a game's first turns; then play the next one and take it back until that is the length.

    So games of any length stand at the same position.
    """
    from games.models import Turn
    from games.rules.entries import takeback
    from games.services.record import turn_hash
    from tests.games.play import play_all

    found = play_all(game, turns[:FIRST], now=now)
    seat = found.seats.get(number=found.seat_to_move)
    rows = []
    while found.turn_number < entries:
        is_back = found.turn_number % 2 != FIRST % 2
        notation = takeback(FIRST) if is_back else turns[FIRST]
        found.turn_number += 1
        found.head_hash = turn_hash(found.head_hash, seat.number, notation, now)
        rows.append(
            Turn(
                game=found,
                number=found.turn_number,
                seat=seat.number,
                player=seat.user,
                notation=notation,
                played_at=now,
                via=Turn.Via.TAKEBACK if is_back else Turn.Via.WEB,
                hash=found.head_hash,
            )
        )
    Turn.objects.bulk_create(rows)
    found.save(update_fields=["turn_number", "head_hash"])
    game.refresh_from_db()


def main(pairs: int, each: int, stored: int, entries: int, file: Path) -> None:
    """Make tables, static files, players, their sessions and games."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone

    from config.serve import prepare
    from games.models import Game
    from games.rules.registry import rules_for
    from games.services.clock.outages import record_heartbeat

    call_command("migrate", verbosity=0)  # an older checkout's `prepare` asks for the tables
    prepare()
    now = timezone.now()
    record_heartbeat(now=now)
    if stored:
        from tests.bench.bulk_rows import fill

        fill(games=stored, people=max(100, stored // 10))
    chance, rules = random.Random(7), rules_for("super-morpion")
    lines = [line(rules, chance) for _ in range(LINES)]
    sessions, rows = {}, []
    for number in range(pairs):
        (first, one), (second, other) = (sign_up(f"{who}{number}") for who in ("ann", "bob"))
        sessions |= {first.pk: one, second.pk: other}
        # One pair's games are all alike, where turns were played.
        chosen = number % LINES
        before = now - timedelta(minutes=5)
        keys = begin_games(first, second, each, before, entries, lines[chosen])
        rows += [[key, [first.pk, second.pk], chosen] for key in keys]
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    chance.shuffle(rows)
    seeded = {
        "session_cookie": settings.SESSION_COOKIE_NAME,
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
        "table": Game._meta.db_table,
        "sessions": sessions,
        "games": rows,
        "lines": lines,
        "ahead": entries - FIRST if entries else 0,
    }
    file.write_text(json.dumps(seeded), "utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:5]), Path(sys.argv[5]))
