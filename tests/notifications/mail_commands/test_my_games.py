"""Lists by mail: one's own games, a game by its number, its record, a player's profile."""

import pytest

from accounts.models import Audience
from games.models import Game
from games.services import endings, invitations
from tests.games.play import begin, table
from tests.notifications.mail_commands.players_by_mail import number_of, text_of, words_of
from tests.notifications.outgoing_mail import play

pytestmark = pytest.mark.slow

ANN, BOB = "ann@example.org", "bob@example.org"


@pytest.mark.parametrize("line", ["games", "My games?", "mes parties"])
def test_the_list_of_games(played, office, ann, bob, cat, line):
    other = begin(bob, ann, now=office.now, slug="taquet")
    waiting = table(ann, now=office.now)
    invited = table(cat, now=office.now)
    invitations.challenge(game_id=invited.pk, by=cat, user=ann, now=office.now)
    answer = office.answer(ANN, line)
    assert answer["Subject"] == "Your games"
    said = words_of(answer)
    assert "You play 2 games." in said
    assert f"Your turn: 1. Morpion with bob (game {played.pk}) – until " in said
    assert f"Others are to move: 2. Taquet with bob (game {other.pk}) – until " in said
    assert f"Your tables that wait for players: Morpion (game {waiting.pk})" in said
    assert f"Invitations: cat invites you to Morpion (game {invited.pk})" in said


def test_the_numbers_of_the_list_are_answered(played, office, ann, bob):
    second = begin(ann, bob, now=office.now)
    listed = office.answer(ANN, "games")
    office.answer(ANN, "2 7\n1 5", to=listed)
    assert (number_of(played), number_of(second)) == (1, 1)
    assert sorted(Game.objects.values_list("turns__notation", flat=True)) == ["5", "7"]


def test_nobody_undoes_what_a_list_has_told(played, office, ann):
    office.hand_in(ANN, "5")
    office.carry()
    office.answer(BOB, "games")
    office.answer(ANN, "undo")
    assert number_of(played) == 1


def test_nobody_undoes_what_a_board_asked_for_by_number_has_shown(played, office):
    about_no_game = office.answer(BOB, "tables")
    office.hand_in(ANN, "5")
    office.carry()
    office.answer(BOB, f"game {played.pk}", to=about_no_game)
    office.answer(ANN, "undo")
    assert number_of(played) == 1


def test_without_a_game_the_list_says_so(played, office, bob):
    endings.resign(game_id=played.pk, user=bob, now=office.now)
    office.carry()
    assert "You play 0 games." in words_of(office.answer(ANN, "games"))


@pytest.mark.parametrize("line", ["game %s", "Game #%s", "partie %s"])
def test_a_game_by_its_number_can_be_played_in_answer(played, office, ann, bob, line):
    other = begin(ann, bob, now=office.now)
    answer = office.answer(ANN, line % other.pk)
    assert answer["Subject"] == f"Morpion with bob (game {other.pk})"
    assert "1 2 3 4 5 6 7 8 9" in words_of(answer)
    office.answer(ANN, "7")
    assert (number_of(played), number_of(other)) == (0, 1)


@pytest.mark.parametrize("line", ["record %s", "history of game %s", "feuille de la partie %s"])
def test_the_record_of_a_game_that_is_over(played, office, ann, bob, line):
    play(played, ann, "5", office.now)
    endings.resign(game_id=played.pk, user=bob, now=office.now)
    office.carry()
    other = begin(ann, bob, now=office.now)
    office.carry()
    answer = text_of(office.answer(ANN, line % played.pk))
    assert "1. 5  –  ann" in answer
    assert number_of(other) == 0


@pytest.mark.parametrize("line", ["game %s", "record %s"])
def test_a_private_game_of_others_is_not_shown(played, office, bob, cat, line):
    private = begin(cat, bob, now=office.now, is_public=False)
    office.carry()
    hidden = words_of(office.answer(ANN, line % private.pk))
    assert office.result() == ("done", "refused")
    assert "There is no such game." in hidden
    assert hidden == words_of(office.answer(ANN, line % 999_999_999))


def test_a_public_game_of_others_is_shown_but_not_played(played, office, bob, cat):
    public = begin(cat, bob, now=office.now, is_public=True)
    office.carry()
    answer = office.answer(ANN, f"game {public.pk}")
    assert answer["Subject"].startswith("Morpion")
    office.answer(ANN, "5")
    assert office.result() == ("done", "refused")
    assert number_of(public) == 0


@pytest.mark.parametrize("line", ["profile bob", "profil BOB", "Profile of @bob."])
def test_the_profile_of_a_player(played, office, bob, line):
    endings.resign(game_id=played.pk, user=bob, now=office.now)
    office.carry()
    answer = words_of(office.answer(ANN, line))
    assert "bob (@bob) Here since " in answer
    assert "Plays 0 games now Morpion: 0 won, 0 drawn, 1 lost" in answer
    assert "You against them: 1 won, 0 drawn, 0 lost" in answer


def test_a_profile_hides_what_its_page_hides(played, office, bob):
    endings.resign(game_id=played.pk, user=bob, now=office.now)
    bob.results_shown_to = Audience.NOBODY
    bob.save()
    office.carry()
    answer = words_of(office.answer(ANN, "profile bob"))
    assert "Morpion: 0 won" not in answer
    assert "You against them: 1 won" in answer


@pytest.mark.parametrize("name", ["nobody", "b\u00f6b", "former-1"])
def test_a_name_that_nobody_has(played, office, name):
    assert f"No player is called “{name}”." in words_of(office.answer(ANN, f"profile {name}"))


@pytest.mark.parametrize(
    "line", ["game over", "games are fun", "partie nulle ?", "profile of me is old"]
)
def test_talk_lists_nothing(played, office, line):
    office.answer(ANN, line)
    assert office.result() == ("done", "refused")
