"""Open tables by mail: the list of them, and sitting down at one after a “yes”."""

import pytest

from games.clock.time_control import per_turn
from games.models import Game, Message, Terms
from games.services import tables
from notifications.mail_parser import JoinCommand, NotUnderstood, TablesCommand, parse_command
from tests.factories import PersonFactory
from tests.games.play import DAY, fresh
from tests.notifications.mail_commands.players_by_mail import words_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"


@pytest.fixture
def eve(office):
    return PersonFactory(username="eve")


@pytest.fixture
def eves(office, eve):
    """Return a table that eve has opened for anybody."""
    return tables.open_table(
        creator=eve,
        rules_slug="taquet",
        options={},
        terms=Terms(per_turn(3 * DAY)),
        now=office.now,
    )


def seated(game):
    return {seat.user.username for seat in game.seats.exclude(user=None)}


# The grammar -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["tables", "Tables.", "open tables", "tables ouvertes", "TABLES OUVERTES"]
)
def test_the_list_is_asked_for(line):
    assert parse_command([line])[0] == TablesCommand()


@pytest.mark.parametrize(
    "line", ["join 12", "Join #12.", "join table 12", "rejoindre 12", "rejoindre la table 12"]
)
def test_a_table_is_named_by_its_number(line):
    assert parse_command([line])[0] == JoinCommand(12)


@pytest.mark.parametrize(
    "line", ["join", "rejoindre", "join 12 now", "join 12 13", "join 1234567890"]
)
def test_a_wrong_form_is_no_command(line):
    command = parse_command([line])[0]
    assert isinstance(command, NotUnderstood)
    assert command.reason == "join"


@pytest.mark.parametrize(
    "line",
    ["tables are full tonight", "join us on Friday", "rejoindre mes amis", "joined 12", "table 12"],
)
def test_talk_is_no_command(line):
    command = parse_command([line])[0]
    assert not isinstance(command, JoinCommand | TablesCommand)


# The list ----------------------------------------------------------------------------------------


def test_the_list_has_a_line_for_each_table(played, office, eves):
    said = words_of(office.answer(ANN, "tables"))
    assert office.result() == ("done", "done")
    assert f"{eves.pk} – Taquet" in said
    assert "with eve – 3 days for each turn" in said
    said = words_of(office.answer(BOB, "tables ouvertes"))
    assert f"{eves.pk} – Taquet" in said
    assert "avec eve – 3 jours pour chaque coup" in said


def test_who_sits_at_a_table_does_not_see_it(played, office, eves, ann):
    tables.withdraw_table(game_id=eves.pk, user=eves.creator, now=office.now)
    tables.open_table(
        creator=ann, rules_slug="taquet", options={}, terms=Terms(per_turn(DAY)), now=office.now
    )
    assert "Nobody is waiting at the moment." in words_of(office.answer(ANN, "tables"))


# Sitting down ------------------------------------------------------------------------------------


def test_sitting_down_is_asked_with_the_terms(played, office, eves):
    said = words_of(office.answer(ANN, f"join {eves.pk}"))
    assert office.result() == ("done", "asked")
    assert seated(eves) == {"eve"}
    assert f"You would sit down at table {eves.pk}: Taquet" in said
    assert "with eve – 3 days for each turn – rated." in said
    assert "Reply “yes” to do it" in said


def test_a_yes_sits_down_and_the_first_letter_follows(played, office, eves):
    office.answer(BOB, f"rejoindre {eves.pk}")
    said = words_of(office.answer(BOB, "oui"))
    assert office.result() == ("done", "done")
    assert f"Vous avez pris place à la table {eves.pk}." in said
    assert seated(eves) == {"eve", "bob"}
    assert fresh(eves).status == Game.Status.ACTIVE
    begun = [mail for mail in office.inboxes[BOB] if mail["X-Pli-Kind"] == "game-begun"]
    assert f"/games/{eves.pk}/" in words_of(begun[-1])


def test_a_no_and_a_second_yes_change_nothing(played, office, eves):
    asked = office.answer(ANN, f"join {eves.pk}")
    assert "Nothing was changed." in words_of(office.answer(ANN, "no", to=asked))
    said = words_of(office.answer(ANN, "yes", to=asked))
    assert "You have already answered that question" in said
    assert seated(eves) == {"eve"}


def test_a_table_that_was_filled_meanwhile_is_refused(played, office, eves, bob):
    asked = office.answer(ANN, f"join {eves.pk}")
    tables.join_table(game_id=eves.pk, user=bob, now=office.now)
    said = words_of(office.answer(ANN, "yes", to=asked))
    assert office.result() == ("done", "refused")
    assert "Not done." in said
    assert seated(eves) == {"eve", "bob"}


def test_a_wrong_form_shows_the_right_one(played, office, eves):
    assert "as in “join 12”" in words_of(office.answer(ANN, f"join {eves.pk} now"))
    assert "« rejoindre 12 »" in words_of(office.answer(BOB, "rejoindre"))
    assert seated(eves) == {"eve"}


def test_a_game_that_runs_or_is_not_there_cannot_be_joined(played, office, eve):
    private = tables.open_table(
        creator=eve,
        rules_slug="taquet",
        options={},
        terms=Terms(per_turn(DAY)),
        is_public=False,
        now=office.now,
    )
    unknown = words_of(office.answer(ANN, f"join {private.pk + 1}"))
    hidden = words_of(office.answer(ANN, f"join {private.pk}"))
    assert office.result() == ("done", "refused")
    assert hidden == unknown
    office.answer(ANN, f"join {played.pk}")
    assert office.result() == ("done", "refused")


def test_words_below_are_passed_on_to_nobody(played, office, eves):
    asked = office.answer(ANN, f"join {eves.pk}\nhello")
    assert office.result() == ("done", "asked")
    office.answer(ANN, "yes\nhello", to=asked)
    assert not Message.objects.exists()
    assert seated(eves) == {"eve", "ann"}
