"""Leaving an open table by mail, and cancelling one's own: asked back first."""

import pytest

from games.clock.time_control import per_turn
from games.models import Game, Terms
from games.services import invitations, tables
from notifications.mail_parser import LeaveCommand, parse_command
from tests.factories import PersonFactory
from tests.games.play import DAY, fresh
from tests.notifications.mail_commands.players_by_mail import text_of, words_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"


@pytest.fixture
def eves(office, ann):
    """Return a table of three that eve has opened, at which ann sits too."""
    eve = PersonFactory(username="eve")
    table = tables.open_table(
        creator=eve,
        rules_slug="superpion",
        options={"variant": "three"},
        terms=Terms(per_turn(3 * DAY)),
        now=office.now,
    )
    tables.join_table(game_id=table.pk, user=ann, now=office.now)
    return table


@pytest.fixture
def anns(office, ann, bob):
    """Return a table of taquet that ann has opened, with bob invited."""
    table = tables.open_table(
        creator=ann, rules_slug="taquet", options={}, terms=Terms(per_turn(DAY)), now=office.now
    )
    invitations.challenge(game_id=table.pk, by=ann, user=bob, now=office.now)
    return table


def seated(game):
    return {seat.user.username for seat in game.seats.exclude(user=None)}


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("leave 12", 12),
        ("Leave table 12.", 12),
        ("leave the table", 0),
        ("cancel table #12", 12),
        ("quitter 12", 12),
        ("Je quitte la table", 0),
        ("annuler la table 12", 12),
        ("leave", 0),
    ],
)
def test_a_table_is_left_by_its_number(line, number):
    assert parse_command([line])[0] == LeaveCommand(number)


@pytest.mark.parametrize(
    "line",
    ["leave me alone", "leave tomorrow", "I leave on 12 May", "quitter Paris", "close", "cancel"],
)
def test_talk_is_no_command(line):
    assert not isinstance(parse_command([line])[0], LeaveCommand)


def test_leaving_is_asked_and_done_by_a_yes(played, office, eves):
    said = words_of(office.answer(ANN, f"leave {eves.pk}"))
    assert office.result() == ("done", "asked")
    assert f"You would leave table {eves.pk}: Superpion" in said
    assert "Reply “yes” to do it" in said
    assert seated(eves) == {"eve", "ann"}
    said = words_of(office.answer(ANN, "yes"))
    assert office.result() == ("done", "done")
    assert f"You have left table {eves.pk}." in said
    assert seated(eves) == {"eve"}


def test_a_no_leaves_nothing(played, office, eves):
    office.answer(ANN, f"leave {eves.pk}")
    office.answer(ANN, "no")
    assert seated(eves) == {"eve", "ann"}


def test_ones_own_table_is_cancelled(played, office, anns):
    said = words_of(office.answer(ANN, f"cancel table {anns.pk}"))
    assert f"You would cancel table {anns.pk}: Taquet" in said
    assert fresh(anns).status == Game.Status.OPEN
    said = words_of(office.answer(ANN, "yes"))
    assert f"Table {anns.pk} is cancelled." in said
    assert fresh(anns).is_over


def test_in_french(played, office, eves, bob):
    tables.join_table(game_id=eves.pk, user=bob, now=office.now)
    # That was the last seat: the game has begun.
    said = words_of(office.answer(BOB, f"quitter {eves.pk}"))
    assert office.result() == ("done", "refused")
    assert "Cette partie est déjà en cours." in said
    assert "abandonner" in said


def test_the_list_of_games_says_how(played, office, anns):
    said = text_of(office.answer(ANN, "games"))
    assert f"reply “leave {anns.pk}”" in said


def test_other_tables_are_not_left(played, office, eves):
    tables.leave_table(game_id=eves.pk, user=eves.seats.get(number=1).user, now=office.now)
    office.answer(ANN, f"leave {eves.pk}")
    assert office.result() == ("done", "refused")
    office.answer(ANN, "leave 999999")
    assert office.result() == ("done", "refused")
    assert seated(eves) == {"eve"}


def test_whoever_leaves_a_running_game_is_asked_whether_they_resign(played, office):
    said = words_of(office.answer(ANN, "leave"))
    assert office.result() == ("done", "asked")
    assert "You would resign your game of Morpion with bob." in said
    assert fresh(played).status == Game.Status.ACTIVE


def test_without_a_table_its_number_is_asked_for(played, office):
    office.answer(ANN, "tables")
    said = words_of(office.answer(ANN, "leave"))
    assert "as in “leave 12”" in said
