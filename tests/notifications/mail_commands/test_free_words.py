"""What reaches the opponents: words that are meant for them, and nothing else."""

import pytest

from games.models import Game, Message, Turn
from games.services import endings, invitations
from games.services.conduct.messages import say
from tests.games.play import fresh
from tests.notifications.mail_commands.players_by_mail import number_of, words_of
from tests.notifications.outgoing_mail import play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"


def said():
    return list(Message.objects.order_by("pk").values_list("text", flat=True))


# Commands that show something --------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["board", "history", "clock", "rules", "help", "quiet", "loud", "later 8h"]
)
def test_a_turn_below_a_command_that_shows_something_is_not_passed_on(played, office, command):
    answer = words_of(office.answer(ANN, f"{command}\n5\nHello Bob"))
    assert office.result() == ("done", "done")
    assert "The lines below your first one were not passed on" in answer
    assert said() == []
    assert number_of(played) == 0


def test_a_message_below_a_plan_is_not_passed_on(played, office):
    office.answer(BOB, "si 5 alors 7\nhe he")
    assert office.result() == ("done", "done")
    assert said() == []


def test_a_message_below_an_offer_is_passed_on(played, office):
    office.answer(ANN, "offer\nIt is late")
    assert said() == ["It is late"]


# A second turn below -----------------------------------------------------------------------------


@pytest.mark.parametrize("below", ["6", "no wait, 6", "sorry i meant 6", "or 6", "non 6 pardon"])
def test_a_second_turn_below_the_first_is_asked_back(played, office, below):
    answer = words_of(office.answer(ANN, f"5\n{below}"))
    assert office.result() == ("done", "asked")
    assert f"You wrote: 5 {below}" in answer
    assert "Reply “yes” to play 5" in answer
    assert (said(), number_of(played)) == ([], 0)


def test_a_number_in_a_message_below_is_no_second_turn(played, office):
    office.answer(ANN, "5\nI have 2 children and 3 cats")
    assert Turn.objects.get().notation == "5"
    assert said() == ["I have 2 children and 3 cats"]


# Letters that words answer -----------------------------------------------------------------------


@pytest.fixture
def over(played, office, bob):
    endings.resign(game_id=played.pk, user=bob, now=office.now)
    office.carry()
    return fresh(played)


def test_words_in_answer_to_the_end_of_a_game_are_a_message(over, office):
    text = "Hi Bob,\n\nThanks for the game!\nShall we play again?\n\nBest regards,\nAnn Smith"
    answer = words_of(office.answer(ANN, text))
    assert office.result() == ("done", "done")
    assert said() == ["Hi Bob,\n\nThanks for the game!\nShall we play again?"]
    assert "Your message was passed on." in answer


@pytest.mark.parametrize("text", ["resign? no need any more!", "2 more games please"])
def test_words_that_begin_like_a_command_or_a_turn_are_words_after_the_end(over, office, text):
    office.answer(ANN, text)
    assert said() == [text]


@pytest.mark.parametrize("text", ["5", "resign", "offer"])
def test_a_command_after_the_end_is_refused_and_not_told(over, office, text):
    office.answer(ANN, text)
    assert office.result() == ("done", "refused")
    assert said() == []


def test_a_command_word_still_is_one_after_the_end(over, office):
    office.answer(ANN, "rematch")
    assert (office.result(), said()) == (("done", "done"), [])


@pytest.fixture
def told(played, office, bob):
    say(game_id=played.pk, user=bob, text="Hello Ann!", via=Message.Via.WEB, now=office.now)
    office.carry()
    return office.newest(ANN)


def test_words_in_answer_to_a_message_are_a_message(told, office):
    assert told["X-Pli-Kind"] == "message"
    office.answer(ANN, "Hello Bob, how are you?\nAll well here.", to=told)
    assert said() == ["Hello Ann!", "Hello Bob, how are you?\nAll well here."]


def test_a_turn_in_answer_to_a_message_is_played(told, office):
    office.answer(ANN, "5, you too", to=told)
    assert Turn.objects.get().notation == "5"
    assert said() == ["Hello Ann!", "you too"]


def test_a_turn_that_is_refused_is_not_told(told, office, ann):
    play(Game.objects.get(), ann, "5", office.now)
    office.answer(ANN, "6", to=told)
    assert office.result() == ("done", "refused")
    assert said() == ["Hello Ann!"]


def test_words_in_answer_to_a_turn_are_not_passed_on(played, office):
    assert "begin the line with “say”" in words_of(office.answer(ANN, "Thanks for the game"))
    assert said() == []


# Invitations -------------------------------------------------------------------------------------


@pytest.fixture
def challenged(office, table, ann, bob):
    invitations.challenge(game_id=table.pk, by=ann, user=bob, now=office.now)
    office.carry()
    return table


@pytest.mark.parametrize("text", ["Oui avec plaisir !", "Yes, I'd love to play!", "ok"])
def test_a_friendly_yes_sits_down(challenged, office, text):
    office.answer(BOB, text)
    assert fresh(challenged).status == Game.Status.ACTIVE


def test_a_friendly_no_declines(challenged, office):
    assert "Vous avez refusé l’invitation." in words_of(
        office.answer(BOB, "Pas cette fois, désolé")
    )
    assert challenged.invitations.get().state == "declined"


@pytest.mark.parametrize("text", ["Yes, but when?", "C’est quoi, ce jeu ?"])
def test_a_question_is_told_how_to_answer(challenged, office, text):
    answer = words_of(office.answer(BOB, text))
    assert office.result() == ("done", "refused")
    assert "Répondez « oui » pour jouer" in answer.replace("\N{NO-BREAK SPACE}", " ")
    assert fresh(challenged).status == Game.Status.OPEN
