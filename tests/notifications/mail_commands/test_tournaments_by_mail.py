"""Tournaments by mail: the list, and joining, leaving and cancelling after a “yes”."""

import pytest

from accounts.models import Block
from games.models import Entrant, Game, Tournament
from games.services.tournaments.entries import join_tournament
from games.services.tournaments.rounds import run_tournaments
from notifications.mail_parser import TournamentCommand, TournamentsCommand, parse_command
from notifications.outbox.tournament_letters import tell_tournaments
from tests.factories import PersonFactory
from tests.games.tournaments.simulation import DAY, join_all, open_one
from tests.notifications.mail_commands.players_by_mail import words_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"
KEY = "Zk3_x-9mQpL0aBcD"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("tournaments", TournamentsCommand()),
        ("Tournois.", TournamentsCommand()),
        ("join tournament 12", TournamentCommand("join", 12)),
        ("Join the tournament #12 please", TournamentCommand("join", 12)),
        ("rejoindre le tournoi n° 12", TournamentCommand("join", 12)),
        (f"join tournament 12 key {KEY}", TournamentCommand("join", 12, KEY)),
        (f"rejoindre le tournoi 12 avec la clé {KEY}", TournamentCommand("join", 12, KEY)),
        (
            f"join tournament https://pli.example.org/fr/tournaments/12/?key={KEY}",
            TournamentCommand("join", 12, KEY),
        ),
        (
            f"join tournament <https://pli.example.org/tournaments/12/?key={KEY}>",
            TournamentCommand("join", 12, KEY),
        ),
        ("leave tournament", TournamentCommand("leave")),
        ("quitter le tournoi 12", TournamentCommand("leave", 12)),
        ("cancel tournament 12", TournamentCommand("cancel", 12)),
        ("annuler le tournoi", TournamentCommand("cancel")),
    ],
)
def test_the_grammar(line, command):
    assert parse_command([line])[0] == command


@pytest.mark.parametrize(
    "line",
    [
        "tournaments are fun",
        "join tournament players on Friday",
        "leave tournament talk out of this",
        "join tournament 12 tomorrow",
    ],
)
def test_talk_is_no_command(line):
    assert not isinstance(parse_command([line])[0], TournamentsCommand | TournamentCommand)


def test_joining_is_asked_first_and_the_list_says_when_it_is_over(played, office, ann, bob):
    tournament = open_one(bob, office.now, name="Spring")
    Block.objects.create(by=ann, of=bob, at=office.now)
    join_all(tournament, [bob], office.now)
    said = words_of(office.answer(ANN, "tournaments"))
    assert office.result() == ("done", "done")
    assert f"{tournament.pk}. Spring" in said
    assert "Players: 1 of 12 at most." in said
    assert "at the latest" in said
    assert "You play in" not in said
    assert "Vous jouez dans ce tournoi." in words_of(office.answer(BOB, "tournois"))
    asked = office.answer(ANN, f"join tournament {tournament.pk}")
    assert office.result() == ("done", "asked")
    assert "play in the tournament Spring" in words_of(asked)
    assert "have blocked players who have joined" in words_of(asked)
    assert "bob" in words_of(asked)
    assert not Entrant.objects.filter(user=ann).exists()
    assert "You play in this tournament." in words_of(office.answer(ANN, "yes", to=asked))
    assert Entrant.objects.get(user=ann).tournament == tournament
    said = words_of(office.answer(ANN, f"join tournament {tournament.pk}"))
    assert office.result() == ("done", "refused")
    assert "You have joined this tournament already." in said
    said = words_of(office.answer(ANN, f"cancel tournament {tournament.pk}"))
    assert "Somebody else opened this tournament." in said
    asked = office.answer(BOB, "annuler le tournoi")
    assert "annulé" in words_of(office.answer(BOB, "oui", to=asked))
    tournament.refresh_from_db()
    assert tournament.is_cancelled


def test_without_a_number_it_is_the_only_one_or_the_number_is_asked_for(played, office, ann, bob):
    said = words_of(office.answer(ANN, "join tournament"))
    assert "Say which tournament by its number" in said
    assert "No tournament can be joined now." in words_of(office.answer(ANN, "tournaments"))
    first = open_one(bob, office.now)
    asked = office.answer(ANN, "join tournament")
    office.answer(ANN, "yes", to=asked)
    assert Entrant.objects.get().tournament == first
    open_one(bob, office.now)
    PersonFactory()
    third = open_one(PersonFactory(), office.now)
    said = words_of(office.answer(ANN, "join tournament"))
    assert office.result() == ("done", "refused")
    assert f"for example: join tournament {third.pk}" in said


def test_one_by_link_is_not_there_without_its_link(played, office, ann, bob):
    tournament = open_one(bob, office.now, by_link=True)
    for line in (f"join tournament {tournament.pk}", f"leave tournament {tournament.pk}"):
        assert "There is no such tournament." in words_of(office.answer(ANN, line))
        assert office.result() == ("done", "refused")
    assert "No tournament can be joined now." in words_of(office.answer(ANN, "tournaments"))
    link = f"https://pli.example.org/tournaments/{tournament.pk}/?key={tournament.key}"
    asked = office.answer(ANN, f"join tournament {link}")
    assert office.result() == ("done", "asked")
    office.answer(ANN, "yes", to=asked)
    assert Entrant.objects.get().user == ann


def test_the_letter_of_a_round_says_how_to_leave_by_reply(played, office, ann, bob):
    cat = PersonFactory(username="cat")
    one, other = (open_one(bob, office.now, "round-robin") for _ in range(2))
    for tournament in (one, other):
        for person in (ann, bob, cat):
            join_tournament(tournament_id=tournament.pk, user=person, now=office.now)
    office.now += 2 * DAY
    run_tournaments(now=office.now)
    assert Tournament.objects.filter(started_at=None).count() == 0
    assert "Say which tournament" in words_of(office.answer(ANN, "leave tournament"))
    before = len(office.inboxes[ANN])
    tell_tournaments(now=office.now)
    office.carry()
    letters = [mail for mail in office.inboxes[ANN][before:] if mail["X-Pli-Kind"] == "tournament"]
    letter = next(mail for mail in letters if f"/tournaments/{other.pk}/" in words_of(mail))
    assert f"reply with “leave tournament {other.pk}”" in words_of(letter)
    asked = office.answer(ANN, f"leave tournament {other.pk}", to=letter)
    assert office.result() == ("done", "asked")
    assert "you cannot come back" in words_of(asked)
    running = Game.objects.running().filter(seats__user=ann)
    assert running.filter(tournament_game__round__tournament=other).count() == 2
    assert "You have left the tournament." in words_of(office.answer(ANN, "yes", to=asked))
    left = Entrant.objects.filter(left_at__isnull=False)
    assert [(entrant.user, entrant.tournament) for entrant in left] == [(ann, other)]
    assert not running.filter(tournament_game__round__tournament=other).exists()
    assert running.filter(tournament_game__round__tournament=one).count() == 2
