"""An export of many games takes no more memory, and no more queries a game, than one of few."""

import gc
import tracemalloc
from datetime import timedelta

import pytest
from django.db import connection

from games.models import Game, Seat, Turn
from notifications.exports.archive import CHUNK, PART_SIZE
from notifications.exports.making import make_exports
from notifications.exports.requests import ask_for_export
from notifications.models import DataExport
from tests.games.play import begin, play
from tests.notifications.exports.reading import files_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FEW, MANY = 100, 1100
DIRECTORY = 1200
"""Bytes that zipfile may keep for each file in the archive, until it writes its directory."""


def copy_games(pattern, count):
    """Copy a game with its seats and turns so many times, a thousand at once."""
    seats, turns = list(pattern.seats.all()), list(pattern.turns.all())
    for first in range(0, count, 1000):
        number = min(1000, count - first)
        games = [Game(**fields_of(pattern)) for _ in range(number)]
        games = Game.objects.bulk_create(games)
        for model, rows in ((Seat, seats), (Turn, turns)):
            model.objects.bulk_create(
                model(**fields_of(row) | {"game_id": game.pk}) for game in games for row in rows
            )


def fields_of(row):
    names = [field.attname for field in row._meta.concrete_fields if not field.primary_key]
    return {name: getattr(row, name) for name in names}


@pytest.fixture
def pattern(ann, bob, now):
    game = begin(ann, bob, now=now)
    for player, square in zip((ann, bob) * 3, "512873", strict=True):
        play(game, player, square, now=now)
    Game.objects.update(undo_until=None)
    return Game.objects.get()


def made(user, now):
    """Make an export; return it with its peak of memory in bytes, and its number of queries."""
    export = ask_for_export(user=user, now=now)
    count = 0

    def note(execute, *asked):
        nonlocal count
        count += 1
        if count % 10 == 0:
            gc.collect()  # what nothing refers to is no memory that the export holds
        return execute(*asked)

    gc.freeze()  # what is there already need not be looked through again and again
    tracemalloc.start()
    try:
        with connection.execute_wrapper(note):
            assert make_exports(now=now) == 1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()
    return DataExport.objects.get(pk=export.pk), peak, count


def test_memory_is_constant_and_queries_are_a_few_for_each_chunk_of_games(ann, pattern, now):
    made(ann, now)  # so that everything is loaded
    copy_games(pattern, FEW - 1)
    _, least, first = made(ann, now + timedelta(hours=1))
    copy_games(pattern, MANY - FEW)
    export, most, second = made(ann, now + timedelta(days=1))
    files = files_of(export)
    assert len(files["games.json"]) == MANY
    assert len([name for name in files if name.startswith("games/")]) == MANY
    assert most - least < (MANY - FEW) * DIRECTORY + 2 * PART_SIZE
    assert second - first < 25 * (MANY - FEW) / CHUNK
