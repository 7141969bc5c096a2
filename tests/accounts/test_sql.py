"""Statements written in SQL go on working while a new version adds columns to their tables."""

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.backend import Backend
from accounts.models import User
from accounts.sql import columns_of, select_joined
from accounts.users import lock_user
from games.models import Seat
from games.queries.home import home_page
from games.queries.seats import game_for
from games.services.locking import load_seats, locked_game
from tests.games.play import begin

pytestmark = pytest.mark.django_db(transaction=True)

OFTEN = 6
"""So often that PostgreSQL has prepared each statement."""


def test_new_columns_harm_no_statement_that_is_prepared(ann, bob):
    game = begin(ann, bob, now=timezone.now())

    def ask():
        with transaction.atomic():
            load_seats(locked_game(game.pk))
            lock_user(ann.pk)
        user = Backend().get_user(ann.pk)
        game_for(game.pk, user)
        assert len(home_page(user).awaiting) == 1

    for _ in range(OFTEN):
        ask()
    try:
        change("ADD COLUMN later integer")
        ask()
    finally:
        change("DROP COLUMN later")


def test_rows_of_two_tables_are_what_the_orm_reads(ann, bob):
    game = begin(ann, bob, now=timezone.now())
    game.seats.filter(number=1).update(user=None)
    statement = (
        f"SELECT {columns_of(Seat)}, {columns_of(User)}"  # noqa: S608
        " FROM games_seat LEFT JOIN accounts_user ON games_seat.user_id = accounts_user.id"
        " WHERE game_id = %(game)s ORDER BY number"
    )
    (first, player), (second, nobody) = select_joined(statement, {"game": game.pk}, Seat, User)
    assert (player, nobody) == (ann, None)
    for found in (first, player, second):
        same = type(found).objects.get(pk=found.pk)
        assert fields_of(found) == fields_of(same)


def fields_of(instance):
    return {one.attname: getattr(instance, one.attname) for one in instance._meta.concrete_fields}


def change(what):
    """Change the tables as another process does: our own connection would prepare all anew."""
    other = connection.copy() if connection.vendor == "postgresql" else connection
    with other.cursor() as cursor:
        for table in ("games_game", "games_seat", "accounts_user"):
            cursor.execute(f"ALTER TABLE {table} {what}")
    if other is not connection:
        other.close()
