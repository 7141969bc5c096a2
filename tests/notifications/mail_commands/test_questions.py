"""What cannot be undone is asked back: a word alone ends no game, the “yes” below it does."""

import re
from datetime import timedelta

import pytest

from games.models import Game, Message
from games.moderation.site import begin_maintenance, end_maintenance
from games.queries.positions import board_of
from games.render.text import board_text
from games.services import endings, offers
from games.services.clock.undelivered_turns import freeze_undelivered
from notifications.models import Notice, ReplyAddress
from tests.games.multiplayer import gather
from tests.games.play import fresh
from tests.notifications.mail_commands.players_by_mail import number_of, text_of, words_of
from tests.notifications.outgoing_mail import play
from tests.staff_users import staffed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"


def state_of(game):
    """Return all that a question must not change."""
    game = fresh(game)
    return game.status, game.ending, game.turn_number, game.offers.count(), game.messages.count()


def asked(office, address, text, **how):
    """Send a mail that is asked back; return the letter that asks."""
    before = [state_of(game) for game in Game.objects.order_by("pk")]
    letter = office.answer(address, text, **how)
    assert office.result() == ("done", "asked")
    assert [state_of(game) for game in Game.objects.order_by("pk")] == before
    assert "Not done." not in words_of(letter)
    assert "Pas fait." not in words_of(letter)
    return letter


# Asked -------------------------------------------------------------------------------------------


def test_resigning_is_asked_with_what_would_follow(played, office, ann):
    letter = asked(office, ANN, "resign")
    said = words_of(letter)
    assert "You would resign your game of Morpion with bob. bob would win." in said
    assert "Reply “yes” to do it; “no” or nothing changes nothing." in said
    assert "It is your turn. Your time for this turn ends on" in said
    assert board_text(board_of(fresh(played), ann)) in text_of(letter).replace("\r\n", "\n")
    assert letter["Subject"] == f"Morpion with bob (game {played.pk})"
    html = letter.get_body(("html",)).get_content()
    assert re.search(r"<h1[^>]*>Please confirm</h1>", html)


def test_resigning_is_asked_in_french(played, office):
    said = words_of(asked(office, BOB, "j’abandonne"))
    assert "Vous abandonneriez votre partie de Morpion avec ann. ann gagnerait." in said
    assert "Répondez « oui » pour le faire ; « non » ou pas de réponse, et rien ne change." in said


@pytest.mark.parametrize("yes", ["yes", "Yes.", "YES!", "yes please", "oui, merci", "Oui"])
def test_a_yes_resigns(played, office, yes):
    asked(office, ANN, "resign")
    answer = words_of(office.answer(ANN, yes))
    assert office.result() == ("done", "done")
    assert fresh(played).ending == "resigned"
    assert "You have resigned, as you asked." in answer


@pytest.mark.parametrize("text", ["yes but wait", "yes or no", "maybe", "not yes"])
def test_other_words_than_yes_resign_nothing(played, office, text):
    asked(office, ANN, "resign")
    office.answer(ANN, text)
    assert office.result() == ("done", "refused")
    assert fresh(played).status == Game.Status.ACTIVE


@pytest.mark.parametrize(("address", "no"), [(ANN, "no"), (ANN, "No, thanks!"), (BOB, "non merci")])
def test_a_no_changes_nothing_and_cannot_be_taken_back(played, office, address, no):
    letter = asked(office, address, "resign")
    before = state_of(played)
    answer = words_of(office.answer(address, no, to=letter))
    assert office.result() == ("done", "done")
    assert ("Nothing was changed." if address == ANN else "Rien n’a été changé.") in answer
    office.answer(address, f"{no}.", to=letter)
    assert office.result() == ("done", "done")
    office.answer(address, "yes", to=letter)
    assert office.result() == ("done", "refused")
    assert state_of(played) == before


def test_what_is_below_the_word_is_sent_after_the_yes(played, office):
    letter = asked(office, ANN, "resign\nYou played well!")
    assert "Your message is kept" in words_of(letter)
    office.answer(ANN, "yes\nSee you.")
    assert Message.objects.get().text == "You played well!\nSee you."
    assert fresh(played).ending == "resigned"


@pytest.mark.parametrize(
    "text",
    ["resign?", "Resign - never!", "resign! just kidding", "abandonner, jamais de la vie"],
)
def test_words_around_the_word_never_resign(played, office, text):
    """Whatever a mail says around the word: without a “yes” no game ends."""
    answer = words_of(office.answer(ANN, text))
    assert fresh(played).status == Game.Status.ACTIVE
    assert office.result() == ("done", "refused")
    assert "counts only if it stands alone on its line" in answer


@pytest.mark.parametrize("text", ["no", "yes", "oui"])
def test_yes_and_no_to_a_letter_that_asked_nothing_are_refused(played, office, text):
    answer = words_of(office.answer(ANN, text))
    assert office.result() == ("done", "refused")
    assert "The mail that you answered asked nothing" in answer
    assert fresh(played).status == Game.Status.ACTIVE


def test_what_could_not_be_done_is_refused_and_not_asked(played, office, ann, bob):
    play(played, ann, "5", office.now)
    play(played, bob, "1", office.now)
    office.carry()
    office.answer(ANN, "abort")
    assert office.result() == ("done", "refused")
    office.answer(ANN, "accept")
    assert office.result() == ("done", "refused")


def test_aborting_is_asked(played, office):
    said = words_of(asked(office, ANN, "abort"))
    assert "You would end your game of Morpion with bob without a result. Reply “yes”" in said
    office.answer(ANN, "yes")
    assert (fresh(played).status, fresh(played).ending) == ("aborted", "aborted")


def test_agreeing_to_an_end_is_asked(played, office, ann):
    offers.offer_end(game_id=played.pk, user=ann, now=office.now)
    office.carry()
    said = words_of(asked(office, BOB, "accepter"))
    assert (
        "Vous accepteriez de finir votre partie de Morpion avec ann. Ce serait une partie nulle."
        in said
    )
    office.answer(BOB, "oui")
    assert fresh(played).ending == "agreed"


@pytest.mark.parametrize(("word", "ending"), [("oui", "agreed"), ("non", "")])
def test_yes_and_no_to_an_offer_mean_accept_and_decline(played, office, ann, word, ending):
    offers.offer_end(game_id=played.pk, user=ann, now=office.now)
    office.carry()
    office.answer(BOB, word)
    assert fresh(played).status == Game.Status.ACTIVE
    if ending:
        office.answer(BOB, word)
    assert fresh(played).ending == ending
    assert not fresh(played).offers.open().exists()


def test_a_pause_is_accepted_at_once(played, office, ann):
    offers.offer_pause(game_id=played.pk, user=ann, days=3, now=office.now)
    office.carry()
    office.answer(BOB, "accept")
    assert office.result() == ("done", "done")
    assert fresh(played).stop_reason == "paused"


def test_an_end_that_others_must_agree_to_as_well_is_asked_too(office, ann, bob, cat):
    game = gather([ann, bob, cat], now=office.now, variant="three")
    office.carry()
    offers.offer_end(game_id=game.pk, user=ann, now=office.now)
    office.carry()
    said = words_of(asked(office, "cat@example.org", "accept"))
    assert "It would end when the others have agreed too." in said
    office.answer("cat@example.org", "yes")
    assert office.result() == ("done", "done")
    assert fresh(game).offers.get().answers.count() == 1


def test_who_resigns_from_a_game_of_three_is_told_that_the_others_play_on(office, ann, bob, cat):
    game = gather([ann, bob, cat], now=office.now, variant="three")
    office.carry()
    assert "The others would play on." in words_of(asked(office, ANN, "resign"))
    yes = office.newest(ANN)
    office.answer(ANN, "yes", to=yes)
    assert game.seats.get(user=ann).left_because == "resigned"
    office.answer(ANN, "yes please", to=yes)
    assert office.result() == ("done", "refused")


# Answered late, twice, by others -----------------------------------------------------------------


def test_a_second_yes_to_the_same_letter_is_harmless(played, office):
    letter = asked(office, ANN, "resign\nBye")
    office.answer(ANN, "yes", to=letter)
    before = state_of(played)
    answer = words_of(office.answer(ANN, "Yes!", to=letter))
    assert office.result() == ("done", "refused")
    assert "You have already answered that question" in answer
    assert state_of(played) == before


def test_a_yes_after_the_opponent_moved_does_nothing(played, office, ann, bob):
    play(played, ann, "5", office.now)
    office.carry()
    letter = asked(office, ANN, "resign", to=office.newest(ANN))
    play(played, bob, "1", office.now)
    answer = words_of(office.answer(ANN, "yes", to=letter))
    assert office.result() == ("done", "refused")
    assert "The game has moved on since we asked you, so nothing was done." in answer
    assert "2. bob: 1" in answer
    assert fresh(played).status == Game.Status.ACTIVE
    asked(office, ANN, "resign")
    office.answer(ANN, "yes")
    assert fresh(played).ending == "resigned"


def test_a_yes_after_the_game_ended_does_nothing(played, office, bob):
    letter = asked(office, ANN, "resign")
    endings.resign(game_id=played.pk, user=bob, now=office.now)
    answer = words_of(office.answer(ANN, "yes", to=letter))
    assert office.result() == ("done", "refused")
    assert "The game is over. You have won. bob resigned." in answer


def test_a_yes_to_an_offer_that_was_withdrawn_does_nothing(played, office, ann):
    offers.offer_end(game_id=played.pk, user=ann, now=office.now)
    office.carry()
    letter = asked(office, BOB, "accept")
    offers.withdraw_offer(game_id=played.pk, user=ann, now=office.now)
    office.answer(BOB, "yes", to=letter)
    assert office.result() == ("done", "refused")
    assert fresh(played).status == Game.Status.ACTIVE


def test_a_yes_from_a_stranger_is_held(played, office):
    letter = asked(office, ANN, "resign")
    office.hand_in(ANN, "yes", to=letter, sender="eve@example.net")
    office.carry()
    assert office.result() == ("held", "stranger")
    assert fresh(played).status == Game.Status.ACTIVE


def test_a_yes_while_the_site_is_closed_waits(played, office):
    moderator = staffed("host")
    letter = asked(office, ANN, "resign")
    begin_maintenance(note="", by=moderator, why="so", now=office.now)
    office.hand_in(ANN, "yes", to=letter)
    office.carry()
    assert fresh(played).status == Game.Status.ACTIVE
    end_maintenance(by=moderator, why="done", now=office.now)
    office.carry()
    assert fresh(played).ending == "resigned"


def test_letters_of_a_server_that_knew_no_questions_are_sent_and_answered(played, office):
    """During a rolling restart: their notices have no questions, nor have their sections."""
    office.answer(ANN, "77")
    notice = Notice.objects.filter(kind="answer").latest("pk")
    section = OLD_SECTION | {"game": played.pk}
    Notice.objects.create(
        kind="answer",
        user=notice.user,
        language="en",
        game=notice.game,
        turn_number=0,
        content={"sections": [section], "games": [], "in_reply_to": "", "title": "Re: old"},
        message_id="<old@example.org>",
        created_at=office.now,
        due_at=office.now,
    )
    office.carry()
    letter = office.newest(ANN)
    assert "An old answer." in words_of(letter)
    assert ReplyAddress.objects.latest("pk").questions == []
    office.answer(ANN, "yes", to=letter)
    assert office.result() == ("done", "refused")
    assert number_of(played) == 0


OLD_SECTION = {
    "done": False,
    "paragraphs": ["An old answer."],
    "listing": "",
    "title": "",
    "number": None,
    "person": None,
    "letter_follows": False,
}


@pytest.mark.parametrize(
    ("line", "would", "place"),
    [("win", "Vous gagneriez.", 1), ("abort", "sans résultat", None)],
)
def test_the_end_of_a_wait_is_asked_back(played, office, ann, bob, line, would, place):
    """No mail reaches ann for 15 days."""
    freeze_undelivered(game_id=played.pk, turn_number=0, user=ann, now=office.now)
    office.now += timedelta(days=15)
    letter = asked(office, BOB, line)
    assert would in words_of(letter)
    office.answer(BOB, "oui", to=letter)
    assert fresh(played).is_over
    assert played.seats.get(user=bob).place == place


def test_what_ends_a_wait_too_early_is_not_asked_about(played, office, ann):
    freeze_undelivered(game_id=played.pk, turn_number=0, user=ann, now=office.now)
    office.answer(BOB, "win")
    assert office.result() == ("done", "refused")
