"""Leagues by mail: the list, and joining, skipping and leaving after a “yes”."""

import pytest

from games.models import Game, SeasonEntry
from games.services.leagues.entries import join_season, open_league
from games.services.leagues.seasons import run_leagues
from notifications.mail_parser import LeagueCommand, LeaguesCommand, parse_command
from tests.factories import PersonFactory
from tests.games.leagues.simulation import open_morpion, open_superpion
from tests.notifications.mail_commands.players_by_mail import words_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"


@pytest.fixture
def league(office):
    return open_morpion(office.now)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("leagues", LeaguesCommand()),
        ("Ligues.", LeaguesCommand()),
        ("join league taquet", LeagueCommand("join", "taquet")),
        ("Join the league of Super Morpion", LeagueCommand("join", "super morpion")),
        ("rejoindre la ligue de taquet", LeagueCommand("join", "taquet")),
        ("join league superpion with Bob", LeagueCommand("join", "superpion", "bob")),
        ("join league with bob", LeagueCommand("join", "", "bob")),
        ("rejoindre la ligue de superpion avec bob", LeagueCommand("join", "superpion", "bob")),
        ("skip season", LeagueCommand("skip")),
        ("passer la saison", LeagueCommand("skip")),
        ("passer la prochaine saison de taquet", LeagueCommand("skip", "taquet")),
        ("leave league", LeagueCommand("leave")),
        ("quitter la ligue taquet", LeagueCommand("leave", "taquet")),
    ],
)
def test_the_grammar(line, command):
    assert parse_command([line])[0] == command


@pytest.mark.parametrize(
    "line", ["leagues are fun", "join league of my own making", "skip season two of that show"]
)
def test_talk_is_no_command(line):
    assert not isinstance(parse_command([line])[0], LeaguesCommand | LeagueCommand)


def test_the_list_has_the_dates_and_the_number_of_games(played, office, league):
    said = words_of(office.answer(ANN, "leagues"))
    assert office.result() == ("done", "done")
    assert "Morpion" in said
    assert "over on Tuesday 28 April 2026" in said
    assert "up to 5 games at once" in said
    assert "jusqu’à 5 parties à la fois" in words_of(office.answer(BOB, "ligues"))


def test_joining_is_asked_first_with_the_last_possible_day(played, office, league, ann):
    said = words_of(office.answer(ANN, "join league morpion"))
    assert office.result() == ("done", "asked")
    assert "28 April 2026" in said
    assert not SeasonEntry.objects.exists()
    assert "You play in the next season." in words_of(office.answer(ANN, "yes"))
    assert SeasonEntry.objects.get().user == ann
    said = words_of(office.answer(ANN, "join league morpion"))
    assert "You have joined this season already." in said
    assert "There is no such league." in words_of(office.answer(ANN, "join league taquet"))


def test_skipping_and_leaving(played, office, league, ann, bob):
    cat = PersonFactory(username="cat")
    for one in (ann, bob, cat):
        join_season(rules_slug="morpion", user=one, now=office.now)
    season = league.seasons.get()
    run_leagues(now=season.starts_at)
    office.now = season.starts_at
    asked = office.answer(BOB, "passer la saison")
    assert office.result() == ("done", "asked")
    office.answer(BOB, "oui", to=asked)
    assert SeasonEntry.objects.get(user=bob, season__number=2).state == "skips"
    asked = office.answer(ANN, "leave league")
    assert "would be resigned" in words_of(asked)
    assert Game.objects.running().filter(seats__user=ann, league_game__isnull=False).count() == 2
    assert "You have left the season." in words_of(office.answer(ANN, "yes", to=asked))
    assert not Game.objects.running().filter(seats__user=ann, league_game__isnull=False).exists()
    said = words_of(office.answer(ANN, "leave league morpion"))
    assert "You would not play in the next season of Morpion." in said


def test_two_become_a_team(played, office, ann, bob):
    season = open_superpion(office.now).seasons.get()
    asked = office.answer(ANN, "join league superpion with bob")
    assert office.result() == ("done", "asked")
    assert "in a team with bob" in words_of(asked)
    assert not season.entries.exists()
    assert "You have asked bob" in words_of(office.answer(ANN, "yes", to=asked))
    said = words_of(office.answer(ANN, "join league superpion with bob"))
    assert "You have asked bob already in this season." in said
    asked = office.answer(BOB, "rejoindre la ligue superpion avec ann")
    office.answer(BOB, "oui", to=asked)
    assert season.entries.get(user=bob).teammate.user == ann
    assert "No player is called" in words_of(office.answer(ANN, "join league with nobody"))


def test_of_several_leagues_one_must_be_named(played, office, league):
    open_league(
        rules_slug="taquet",
        now=office.now,
        terms=league.terms,
        months=1,
        division_size=6,
        legs=1,
        options={},
    )
    said = words_of(office.answer(ANN, "skip season"))
    assert office.result() == ("done", "refused")
    assert "Say which league, for example: skip season morpion." in said


def test_without_a_league_there_is_none_to_skip(played, office):
    said = words_of(office.answer(ANN, "skip season"))
    assert office.result() == ("done", "refused")
    assert "There is no such league." in said
    assert "There is no league yet." in words_of(office.answer(ANN, "leagues"))
