"""Opening a table by mail, and finding an opponent: asked back with the terms, then done once."""

import pytest
from django.utils import translation

from accounts.models import Block
from games.clock.time_control import per_turn
from games.models import Game, Invitation, Terms
from games.rules.registry import all_rules
from games.services import tables
from notifications.mail_parser import FindCommand, NewCommand, NotUnderstood, parse_command
from tests.factories import PersonFactory
from tests.games.play import DAY
from tests.notifications.mail_commands.players_by_mail import text_of, words_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"


def newest():
    return Game.objects.latest("pk")


def refused(office, address, line):
    """Send a line that is refused and changes nothing; return what the answer says."""
    before = Game.objects.count(), Invitation.objects.count()
    said = words_of(office.answer(address, line))
    assert office.result() == ("done", "refused")
    assert (Game.objects.count(), Invitation.objects.count()) == before
    return said


# The grammar -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "game", "opponent", "terms"),
    [
        ("new taquet", "taquet", "", ()),
        ("New Taquet with x@example.org, 3 days.", "Taquet", "x@example.org", ("3 days",)),
        ("nouveau taquet avec bob, 3 jours", "taquet", "bob", ("3 jours",)),
        ("nouvelle partie de super morpion contre Éva", "super morpion", "Éva", ()),
        ("new super-morpion, 3 days, with bob", "super-morpion", "bob", ("3 days",)),
        ("new", "", "", ()),
        ("nouvelle partie", "", "", ()),
    ],
)
def test_a_new_game_has_a_name_an_opponent_and_terms(line, game, opponent, terms):
    command = parse_command([line])[0]
    assert isinstance(command, NewCommand)
    assert (command.game, command.opponent, command.terms) == (game, opponent, terms)


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("find opponent", ""),
        ("Find an opponent for Taquet", "taquet"),
        ("trouver un adversaire", ""),
        ("trouver un adversaire superpion", "superpion"),
    ],
)
def test_an_opponent_is_looked_for(line, game):
    assert parse_command([line])[0] == FindCommand(game)


@pytest.mark.parametrize(
    "line",
    [
        "new ideas are always welcome",
        "nouveau boulot depuis lundi, je suis fatigué",
        "new here with a lot of questions",
        "find opponents who play better than me",
        "trouver un adversaire plus fort que moi",
        "newer games are fun",
        "I want a new game",
    ],
)
def test_talk_is_no_command(line):
    command = parse_command([line])[0]
    assert not isinstance(command, NewCommand | FindCommand)


def test_two_opponents_are_one_too_many():
    command = parse_command(["new taquet with bob, with eve"])[0]
    assert command == NotUnderstood("new taquet with bob, with eve", "new")


# Opening a table ---------------------------------------------------------------------------------


def test_a_player_is_invited_after_a_yes(played, office, bob):
    asked = office.answer(ANN, "new taquet with bob, 5 days")
    assert office.result() == ("done", "asked")
    assert Game.objects.count() == 1
    said = words_of(asked)
    assert "You would open a table and invite bob: Taquet" in said
    assert "5 days for each turn" in said
    said = words_of(office.answer(ANN, "yes"))
    assert office.result() == ("done", "done")
    game = newest()
    assert f"You have opened table {game.pk}: Taquet" in said
    assert (game.rules_slug, game.terms.pace) == ("taquet", per_turn(5 * DAY))
    assert game.invitations.get().user == bob
    again = words_of(office.answer(ANN, "Yes please.", to=asked))
    assert "You have already answered that question" in again
    assert Game.objects.count() == 2


def test_an_address_is_invited_in_french(played, office):
    said = words_of(office.answer(BOB, "nouveau super morpion avec x@example.net, 1 semaine"))
    assert "Vous ouvririez une table et inviteriez x@example.net : Super Morpion" in said
    assert "7 jours pour chaque coup" in said
    assert not Invitation.objects.filter(email="x@example.net").exists()
    office.answer(BOB, "oui")
    assert Invitation.objects.get(email="x@example.net").game.terms.pace == per_turn(7 * DAY)
    assert "x@example.net" in office.inboxes


def test_a_table_without_an_opponent_is_for_anybody(played, office):
    said = words_of(office.answer(ANN, "new superpion"))
    assert "You would open a table that anybody can join: Superpion" in said
    office.answer(ANN, "yes")
    game = newest()
    assert (game.rules_slug, game.is_public, game.terms.pace) == (
        "superpion",
        True,
        per_turn(3 * DAY),
    )
    assert game.options == game.rules.check_options({})


@pytest.mark.parametrize("slug", [rules.slug for rules in all_rules()])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_option_can_be_chosen_by_the_names_of_the_form(played, office, slug, language):
    """Each value of each option that has words for its values."""
    (rules,) = [one for one in all_rules() if one.slug == slug]
    with translation.override(language):
        lines = [
            (option.key, value, f"{translation.gettext(option.label)} {translation.gettext(label)}")
            for option in rules.options()
            if option.only_with is None
            for value, label in option.choices
        ]
        lines += [
            (option.key, True, translation.gettext(option.label))
            for option in rules.options()
            if option.only_with is None and isinstance(option.default, bool)
        ]
    for key, value, term in lines:
        office.answer(ANN, f"new {slug}, {term}")
        assert office.result() == ("done", "asked"), term
        office.answer(ANN, "yes")
        assert newest().options[key] == value, term


def test_an_option_with_a_number(played, office):
    office.answer(ANN, "new morpiae, circles that win 5, not show where lines can be drawn")
    office.answer(ANN, "yes")
    assert newest().options == {"target": 5, "hints": False}


def test_new_alone_shows_an_example_for_each_game(played, office):
    said = text_of(office.answer(ANN, "new"))
    assert office.result() == ("done", "done")
    for rules in all_rules():
        assert f"new {rules.name.lower()} with bob@example.org, 3 days" in said
        assert parse_command([f"new {rules.name.lower()} with bob@example.org, 3 days"])[0].game
    assert "nouveau taquet avec bob@example.org, 3 jours" in text_of(office.answer(BOB, "nouveau"))
    assert Game.objects.count() == 1


# Refused -----------------------------------------------------------------------------------------


def test_an_unknown_game_is_refused_with_the_games(played, office):
    said = refused(office, ANN, "new chess with bob")
    assert "There is no game called “chess” here." in said
    for rules in all_rules():
        assert rules.name in said
    assert "Il n’y a pas ici de jeu nommé « echecs »." in refused(office, BOB, "nouveau echecs")
    refused(office, ANN, "find opponent chess")


def test_unknown_terms_are_refused_with_those_that_there_are(played, office):
    assert "“4 days” is no time" in refused(office, ANN, "new taquet, 4 days")
    assert "1 day, 2 days, 3 days" in refused(office, ANN, "new taquet, 0 days")
    assert "We do not understand “blindfold”." in refused(office, ANN, "new taquet, blindfold")
    assert "Not done." in refused(office, ANN, "new morpiae, circles that win 99999")
    said = refused(office, ANN, "new taquet with x, with y")
    assert "name one game, at most one opponent" in said


def test_the_refusals_of_the_page_hold(played, office, ann, bob, settings):
    refused(office, ANN, "new taquet with nobody-here")
    refused(office, ANN, "new taquet with ann")
    Block.objects.create(by=bob, of=ann, at=office.now)
    refused(office, ANN, "new taquet with bob")
    settings.MAILED_INVITATIONS_A_DAY = 0
    refused(office, ANN, "new taquet with x@example.net")
    settings.TABLES_A_DAY = 0
    refused(office, ANN, "new taquet")


def test_what_became_impossible_meanwhile_is_refused(played, office, settings):
    office.answer(ANN, "new taquet")
    settings.TABLES_A_DAY = 0
    refused(office, ANN, "yes")


@pytest.mark.parametrize(
    ("said", "is_rated"),
    [("unrated", False), ("not rated", False), ("sans classement", False), ("rated", True)],
)
def test_a_mail_says_whether_the_table_is_rated(said, is_rated, played, office, settings):
    settings.RATED_TABLES = not is_rated
    words = words_of(office.answer(ANN, f"new taquet, 2 days, {said}"))
    assert ("– unrated" in words) is not is_rated
    office.answer(ANN, "yes")
    assert (newest().is_rated, newest().allowance) == (is_rated, 2 * DAY)


# Finding an opponent -----------------------------------------------------------------------------


def opened(office, slug, **how):
    terms = Terms(per_turn(2 * DAY))
    maker = PersonFactory()
    table = tables.open_table(
        creator=maker, rules_slug=slug, options={}, terms=terms, now=office.now, **how
    )
    office.now += DAY / 100
    return table


def test_the_table_that_has_waited_longest_is_joined(played, office):
    first, taquet = opened(office, "morpion"), opened(office, "taquet")
    opened(office, "taquet")
    said = words_of(office.answer(ANN, "find opponent taquet"))
    assert f"You would sit down at table {taquet.pk}: Taquet" in said
    office.answer(ANN, "yes")
    assert taquet.seats.filter(user__username="ann").exists()
    said = words_of(office.answer(BOB, "trouver un adversaire"))
    assert f"Vous vous assiériez à la table {first.pk} : Morpion" in said
    office.answer(BOB, "oui")
    assert first.seats.filter(user__username="bob").exists()


def test_without_a_table_no_table_is_opened(played, office):
    """A wish is kept instead: test_wishes_by_mail.py."""
    said = words_of(office.answer(ANN, "find opponent taquet"))
    assert "No open table fits" in said
    office.answer(ANN, "yes")
    assert not Game.objects.open().exists()
    assert "Personne n’attend" in words_of(office.answer(BOB, "trouver un adversaire"))


def test_without_a_table_or_a_game_nothing_is_opened(played, office):
    assert "Nobody waits at an open table." in refused(office, ANN, "find opponent")


def test_tables_of_who_has_blocked_the_user_are_passed_over(played, office, ann):
    blocked = opened(office, "taquet")
    Block.objects.create(by=blocked.creator, of=ann, at=office.now)
    other = opened(office, "taquet")
    said = words_of(office.answer(ANN, "find opponent taquet"))
    assert f"table {other.pk}:" in said


# Against a program -------------------------------------------------------------------------------


def test_a_game_against_a_program_begins_after_a_yes(played, office):
    asked = words_of(office.answer(ANN, "new taquet with bot level 3"))
    assert "You would play against a program of level 3 (" in asked
    assert Game.objects.count() == 1
    office.answer(ANN, "yes")
    game = Game.objects.latest("pk")
    seats = {seat.user.username: seat.level for seat in game.seats.all()}
    assert (game.rules_slug, game.status, seats["practice"]) == ("taquet", "active", 3)


def test_a_level_that_does_not_exist_is_refused(played, office):
    said = refused(office, ANN, "new taquet with bot level 9")
    assert "The programs of this game have the levels 1 to 5." in said
