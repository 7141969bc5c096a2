"""What the state machines check after each step finds what is wrong, however little it is."""

import pytest
from django.db.models import F

from games.models import Event, Game, Seat, Turn
from tests.games.play import play_all
from tests.games.test_state_machine import GamesMachine
from tests.table_snapshot import triggers_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def machine():
    """A machine whose one game has three turns, all of them accepted, and which is whole."""
    machine = GamesMachine()
    machine.one_game_runs("morpion")
    game = Game.objects.get()
    play_all(game, ["5", "1", "9"], now=machine.now)
    machine.accepted[game.pk] = 3
    machine.every_game_is_whole()
    yield machine
    machine.teardown()


# What constraints of the database refuse is not here.
FAULTS = {
    "a turn is missing": lambda: Turn.objects.filter(number=2).delete(),
    "a turn's hash": lambda: Turn.objects.filter(number=2).update(hash="0" * 64),
    "a turn has no event": lambda: Event.objects.filter(kind="turn-played").last().delete(),
    "nobody departed": lambda: Event.objects.filter(kind="turn-played").update(kind="departed"),
    "the turns counted": lambda: Game.objects.update(turn_number=F("turn_number") + 1),
    "whose turn can be undone": lambda: Game.objects.update(undo_by=None),
    "a seat is free": lambda: Seat.objects.filter(number=1).update(user=None),
    "a person's turn is a bot's": lambda: Game.objects.update(bot_due_at=F("deadline")),
    "an end's event at no end": lambda: Event.objects.filter(kind="turn-played").update(
        kind="ended"
    ),
    "a place in a running game": lambda: Seat.objects.filter(number=0).update(place=1),
}


@pytest.mark.parametrize("plant", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found(machine, plant):
    with triggers_off():
        plant()
    with pytest.raises(AssertionError):
        machine.every_game_is_whole()


def test_a_turn_that_nobody_accepted_is_found(machine):
    machine.accepted.clear()
    with pytest.raises(AssertionError):
        machine.every_game_is_whole()
