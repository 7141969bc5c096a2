"""Sweeps cost what is due: PostgreSQL finds it by the partial indexes."""

import pytest

from games.services import batches, deadlines
from games.services.clock.stops import end_stops
from games.services.deadlines import time_out_due
from games.services.reminders import remind_due
from tests.bench.bulk_games import fill, make_due, plan_of
from tests.games.play import DAY, fresh

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

GAMES = 5000


@pytest.mark.parametrize(
    ("sweep", "index"),
    [
        (time_out_due, "game_due"),
        (remind_due, "game_reminder_due"),
        (end_stops, "game_stop_ends"),
    ],
)
def test_what_is_due_is_found_by_its_index(game, now, sweep, index):
    fill(fresh(game), GAMES, now=now)
    plan = plan_of(sweep, now=now - DAY)
    assert index in plan
    assert "Seq Scan" not in plan


def test_behind_what_is_held_the_next_is_found_by_the_index_too(game, now, monkeypatch):
    fill(fresh(game), GAMES, now=now)
    make_due(20, now=now)
    monkeypatch.setattr(batches, "BATCH", 10)
    monkeypatch.setattr(deadlines, "HOLDS", [lambda game: True])
    plan = plan_of(time_out_due, now=now, batch=1)
    assert "game_due" in plan
    assert "Seq Scan" not in plan


def test_what_is_due_among_thousands_ends_and_nothing_else(game, now):
    fill(fresh(game), GAMES, now=now)
    make_due(30, now=now)
    assert time_out_due(now=now) == 30
    assert time_out_due(now=now) == 0
