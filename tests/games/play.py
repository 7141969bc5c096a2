"""Games for the tests, made and played through the services, as in life."""

from contextlib import contextmanager
from datetime import timedelta
from functools import cache

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.utils import translation

from games import errors
from games.clock.time_control import per_turn
from games.models import Game, GamePresence, ModerationLogEntry, Terms, Turn
from games.moderation.action_names import Access
from games.services.invitations import accept, challenge
from games.services.tables import join_table, open_table
from games.services.turns import play_turn

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
NOT_RATED = Terms(per_turn(2 * DAY), is_rated=False)
"""In a rated game a program agrees to a pause only."""

OURS = ("accounts", "games", "notifications")


def table(creator, *, now, slug="morpion", days=2, seat=0, **choices):
    """Open a table; its creator sits on seat 0 unless told otherwise."""
    choices = {
        "options": {},
        "terms": Terms(per_turn(timedelta(days=days))),
        "creator_seat": seat,
    } | choices
    return open_table(creator=creator, rules_slug=slug, now=now, **choices)


def begin(ann, bob, *, now, **choices):
    """Begin a game with ann on seat 0 (to move) and bob on seat 1."""
    game = table(ann, now=now, **choices)
    if game.is_public:
        return join_table(game_id=game.pk, user=bob, now=now)
    invitation = challenge(game_id=game.pk, by=ann, user=bob, now=now)
    return accept(invitation_id=invitation.pk, user=bob, now=now)


def play(game, user, text, *, now, expected=None):
    """Play a turn at the position that stands (or at another)."""
    if expected is None:
        expected = Game.objects.values_list("turn_number", flat=True).get(pk=game.pk)
    return play_turn(
        game_id=game.pk, user=user, text=text, expected_turn=expected, via=Turn.Via.WEB, now=now
    )


def play_all(game, turns, *, now):
    """Play several turns in order, each by whoever is to move; return the game as it stands."""
    for text in turns:
        game.refresh_from_db()
        mover = game.seats.get(number=game.seat_to_move).user
        play(game, mover, text, now=now)
    return fresh(game)


def fresh(game):
    """Return the game as the database has it now."""
    return Game.objects.get(pk=game.pk)


def kinds(game):
    """Return what happened at a game, in order."""
    return [str(kind) for kind in game.events.values_list("kind", flat=True)]


@cache
def _every_row():
    """Return the one question that all rows of all tables of ours answer."""
    models = [
        model
        for label in OURS
        for model in apps.get_app_config(label).get_models(include_auto_created=True)
    ]
    models.remove(GamePresence)
    return " UNION ALL ".join(map(_rows, models))


def _rows(model):
    name, fields = model._meta.db_table, model._meta.local_concrete_fields
    columns = [f'"{field.column}"' for field in fields]
    if connection.vendor == "postgresql":
        row = f"ROW({', '.join(columns)})::text"
    else:
        row = " || ',' || ".join(f"quote({column})" for column in columns)
    kept = f" WHERE what <> '{Access.PRIVATE_GAME}'" if model is ModerationLogEntry else ""
    return f"SELECT '{name}', {row} FROM \"{name}\"{kept}"  # noqa: S608


def database():
    """Return every row of every table of ours, to compare; who looked at what changes nothing.

    Asked at once and without the models: tests do this very often.
    """
    with connection.cursor() as cursor:
        cursor.execute(_every_row())
        return sorted(cursor.fetchall())


@contextmanager
def undone():
    """Take back whatever is written inside, so that much can be tried at one game."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def unchanged():
    """Fail unless the database is exactly as before."""
    before = database()
    yield
    assert database() == before


@contextmanager
def refused(kind, said, *, status):
    """Fail unless exactly this refusal is raised, says this in English, and changes nothing."""
    before = database()
    with pytest.raises(errors.Refusal) as caught:
        yield caught
    error = caught.value
    assert type(error) is kind
    assert error.code == kind.__name__
    assert error.status == status
    with translation.override("en"):
        assert said in error.sentence
        assert str(error) == error.sentence
    assert "%(" not in error.sentence
    assert database() == before
