"""Wishes for opponents by mail: a table that fits comes first, else the wish is kept."""

from datetime import timedelta

import pytest

from games.clock.time_control import per_turn
from games.models import Game, Terms, Wish, WishGame
from games.services import tables
from games.services.wishes import pair_wishes
from notifications.mail_parser import (
    Command,
    FindCommand,
    WishesCommand,
    WithdrawWishCommand,
    parse_command,
)
from tests.factories import PersonFactory
from tests.games.play import DAY
from tests.games.wishes.making import THREE_DAYS, wish_for
from tests.notifications.mail_commands.players_by_mail import words_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"


def opened(office, *, days=3, slug="morpion", options=None, is_rated=True):
    """Open a public table of somebody else's."""
    terms = Terms(per_turn(days * DAY), is_rated=is_rated)
    who = PersonFactory()
    return tables.open_table(
        creator=who, rules_slug=slug, options=options or {}, terms=terms, now=office.now
    )


# The grammar -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("find opponent taquet, 3 days", FindCommand("taquet", ("3 days",))),
        ("Find an opponent for Super Morpion", FindCommand("super morpion")),
        (
            "trouver un adversaire pour taquet, 3 jours, classement 1400–1600",
            FindCommand("taquet", ("3 jours", "classement 1400-1600")),
        ),
        ("wishes", WishesCommand()),
        ("My wishes.", WishesCommand()),
        ("mes souhaits", WishesCommand()),
        ("withdraw wish", WithdrawWishCommand()),
        ("withdraw wish taquet", WithdrawWishCommand("taquet")),
        ("withdraw my wish for taquet, 2 days", WithdrawWishCommand("taquet", ("2 days",))),
        ("withdraw wish 12", WithdrawWishCommand(number=12)),
        ("retirer le souhait taquet", WithdrawWishCommand("taquet")),
        ("Annuler mon souhait n° 7", WithdrawWishCommand(number=7)),
        ("withdraw", Command.WITHDRAW),
    ],
)
def test_the_grammar(line, command):
    assert parse_command([line])[0] == command


@pytest.mark.parametrize(
    "line",
    [
        "wishes come true",
        "best wishes",
        "my wish is to win",
        "withdraw wish that I had never made",
        "mes souhaits de bonheur",
        "find opponents, the strong ones",
    ],
)
def test_talk_is_no_command(line):
    command = parse_command([line])[0]
    assert not isinstance(command, FindCommand | WishesCommand | WithdrawWishCommand)


# Finding an opponent -----------------------------------------------------------------------------


def test_without_a_table_that_fits_a_wish_is_kept_after_a_yes(played, office, ann):
    """A table at another pace, with another option, or unrated does not fit."""
    opened(office, days=5)
    said = words_of(office.answer(ANN, "find opponent morpion, 3 days"))
    assert office.result() == ("done", "asked")
    assert "No open table fits" in said
    assert "Your wish: Morpion – 3 days for each turn – rated." in said
    assert "Too few players have been paired at this pace" in said
    assert not Wish.objects.exists()
    said = words_of(office.answer(ANN, "yes"))
    assert office.result() == ("done", "done")
    wish = Wish.objects.get()
    assert (wish.user, wish.rules_slug, wish.time_control) == (ann, "morpion", THREE_DAYS)
    assert (wish.via, wish.at_once, wish.lowest) == (Wish.Via.MAIL, 1, None)
    assert f"“withdraw wish {wish.pk}” ends the search." in said


def test_a_table_that_fits_is_joined_and_no_wish_is_made(played, office):
    opened(office, days=5)
    fits = opened(office, days=2)
    said = words_of(office.answer(ANN, "find opponent morpion, 2 days, rated"))
    assert f"You would sit down at table {fits.pk}" in said
    office.answer(ANN, "yes")
    assert fits.seats.filter(user__username="ann").exists()
    assert not Wish.objects.exists()


def test_a_table_with_other_options_does_not_fit(played, office):
    opened(office, slug="morpiae")
    said = words_of(office.answer(ANN, "find opponent morpiae, hints"))
    assert "No open table fits" in said
    fits = opened(office, slug="morpiae", options={"hints": True})
    said = words_of(office.answer(ANN, "find opponent morpiae, hints"))
    assert f"You would sit down at table {fits.pk}" in said


def test_who_names_ratings_or_a_number_of_games_makes_a_wish(played, office):
    opened(office)
    said = words_of(office.answer(BOB, "trouver un adversaire morpion, classement 1400–1600"))
    assert "adversaires classés de 1400 à 1600" in said
    office.answer(BOB, "oui")
    wish = Wish.objects.get()
    assert (wish.lowest, wish.highest, wish.at_once) == (1400, 1600, 1)
    office.answer(BOB, "trouver un adversaire morpion, 2 parties")
    office.answer(BOB, "oui")
    wish = Wish.objects.get()
    assert (wish.lowest, wish.at_once) == (None, 2)


def test_a_game_of_more_than_two_is_offered_at_a_new_table(played, office):
    said = words_of(office.answer(ANN, "find opponent superpion"))
    assert "You would open a table that anybody can join: Superpion" in said
    assert not Wish.objects.exists()


def test_an_unrated_game_is_offered_at_a_new_table(played, office):
    opened(office)
    said = words_of(office.answer(ANN, "find opponent morpion, unrated"))
    assert "You would open a table that anybody can join: Morpion" in said
    office.answer(ANN, "yes")
    assert Game.objects.latest("pk").is_rated is False
    assert not Wish.objects.exists()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("find opponent chess, 3 days", "There is no game called “chess” here."),
        ("find opponent morpion, 4 days", "“4 days” is no time"),
        ("find opponent morpion, blindfold", "We do not understand “blindfold”."),
        ("find opponent morpion, ratings 1600-1400", "The lowest rating must not be above"),
        ("find opponent morpion, 99 games", "you can have 1 to 10 games at once"),
    ],
)
def test_what_makes_no_sense_is_refused_before_it_is_asked(played, office, line, why):
    assert why in words_of(office.answer(ANN, line))
    assert office.result() == ("done", "refused")
    assert not Wish.objects.exists()


def test_the_answer_says_how_long_it_usually_takes(played, office):
    for _ in range(4):
        wish_for(PersonFactory(), now=office.now - DAY)
    pair_wishes(now=office.now - DAY + timedelta(hours=5))
    assert WishGame.objects.count() == 4
    said = words_of(office.answer(ANN, "find opponent morpion"))
    assert "It usually takes 5 hours to find an opponent here." in said


# The wishes that one has -------------------------------------------------------------------------


def test_wishes_are_listed_with_what_they_wait_for(played, office, ann, bob):
    assert "You look for no opponent." in words_of(office.answer(ANN, "wishes"))
    wish = wish_for(ann, now=office.now, at_once=2, highest=1500)
    wish_for(bob, now=office.now, slug="taquet")
    said = words_of(office.answer(ANN, "wishes"))
    assert office.result() == ("done", "done")
    assert f"{wish.pk} – Morpion – 3 days for each turn – opponents rated 1500 or less" in said
    assert "2 games at once" in said
    assert "We have been looking for less than a minute." in said
    assert "Taquet – 3 days" not in said
    said = words_of(office.answer(BOB, "mes souhaits"))
    assert "Nous cherchons depuis" in said


def test_a_wish_is_withdrawn_by_game_or_number(played, office, ann, bob):
    taquet = wish_for(ann, now=office.now, slug="taquet")
    first = wish_for(ann, now=office.now)
    second = wish_for(ann, now=office.now, pace=per_turn(2 * DAY))
    others = wish_for(bob, now=office.now, slug="super-morpion")

    def left():
        return set(Wish.objects.filter(withdrawn_at=None).values_list("pk", flat=True))

    said = words_of(office.answer(ANN, "withdraw wish taquet"))
    assert office.result() == ("done", "done")
    assert "Withdrawn: Taquet – 3 days for each turn" in said
    assert left() == {first.pk, second.pk, others.pk}
    said = words_of(office.answer(ANN, "withdraw wish morpion"))
    assert office.result() == ("done", "refused")
    assert f"for example: withdraw wish {first.pk}" in said
    assert words_of(office.answer(ANN, "withdraw wish morpion, 2 days"))
    assert left() == {first.pk, others.pk}
    for wrong in (f"withdraw wish {others.pk}", f"withdraw wish {taquet.pk}"):
        assert "You have no such wish" in words_of(office.answer(ANN, wrong))
    office.answer(ANN, f"retirer le souhait {first.pk}")
    assert left() == {others.pk}
    assert "You have no such wish" in words_of(office.answer(ANN, "withdraw wish"))
