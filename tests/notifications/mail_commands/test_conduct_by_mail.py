"""Hide a player's messages, block a player, report a game or a message, by mail."""

import re

import pytest

from accounts.models import Block
from games.models import Game, Message, Mute, Report
from games.services import endings
from games.services.conduct.messages import say
from tests.factories import PersonFactory
from tests.games.multiplayer import gather
from tests.games.play import begin
from tests.notifications.mail_commands.players_by_mail import words_of

pytestmark = pytest.mark.slow

ANN, BOB = "ann@example.org", "bob@example.org"


@pytest.mark.parametrize("line", ["mute", "mute bob", "Mute @BOB!", "sourdine bob"])
def test_messages_are_hidden_and_shown_again(played, office, line):
    answer = words_of(office.answer(ANN, line))
    assert "You get no more messages of bob in this game." in answer
    assert list(Mute.objects.values_list("user__username", "seat__number")) == [("ann", 1)]
    office.answer(ANN, "unmute")
    assert not Mute.objects.exists()


@pytest.mark.parametrize("line", ["mute cat", "mute ann", "mute me please"])
def test_nobody_else_is_muted(played, office, cat, line):
    office.answer(ANN, line)
    assert office.result() == ("done", "refused")
    assert not Mute.objects.exists()


def test_among_several_players_the_name_is_needed(office, ann, bob, cat, now):
    game = gather([ann, bob, cat, PersonFactory(username="dan")], now=now)
    office.carry()
    answer = words_of(office.answer(ANN, "mute"))
    assert "Please name the player that you mean" in answer
    assert "bob, cat, dan" in answer
    assert not Mute.objects.exists()
    office.answer(ANN, "mute cat")
    assert Mute.objects.get().seat.user == cat
    assert Game.objects.get() == game


@pytest.mark.parametrize("line", ["block bob", "bloquer BOB", "Block @bob."])
def test_a_block_is_asked_back(played, office, line):
    answer = words_of(office.answer(ANN, line))
    assert office.result() == ("done", "asked")
    assert "bob could no longer challenge you or write to you" in answer
    assert not Block.objects.exists()
    office.answer(ANN, "yes")
    assert list(Block.objects.values_list("by__username", "of__username")) == [("ann", "bob")]
    answer = words_of(office.answer(ANN, "unblock bob"))
    assert "bob can challenge you and write to you again." in answer
    assert not Block.objects.exists()


@pytest.mark.parametrize("line", ["block ann", "block nobody", "block him now", "block b\u00f6b"])
def test_who_cannot_be_blocked_is_not_asked_about(played, office, line):
    office.answer(ANN, line)
    assert office.result() == ("done", "refused")
    office.answer(ANN, "yes")
    assert not Block.objects.exists()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("report stalling for weeks", "stalling"),
        ("signaler triche, il a un programme", "cheating"),
        ("Report: he is odd", "other"),
    ],
)
def test_a_game_is_reported_after_a_yes(played, office, ann, line, reason):
    answer = words_of(office.answer(ANN, f"{line}\nPlease look at it"))
    assert office.result() == ("done", "asked")
    assert "You would report your game with bob to the moderators." in answer
    assert not Report.objects.exists()
    assert "A moderator will look at it." in words_of(office.answer(ANN, "yes"))
    report = Report.objects.get()
    assert (report.reporter, report.game, report.reason) == (ann, played, reason)
    assert report.text.endswith("Please look at it")
    assert report.message is None


def test_in_answer_to_a_message_that_message_is_reported(played, office, ann, bob):
    say(game_id=played.pk, user=bob, text="You fool", via=Message.Via.WEB, now=office.now)
    office.carry()
    answer = words_of(office.answer(ANN, "report insults"))
    assert "You would report this message of bob to the moderators: “You fool”" in answer
    say(game_id=played.pk, user=bob, text="Sorry", via=Message.Via.WEB, now=office.now)
    question = [mail for mail in office.inboxes[ANN] if mail["X-Pli-Kind"] == "answer"][-1]
    office.answer(ANN, "yes", to=question)
    report = Report.objects.get()
    assert (report.message.text, report.person, report.reason) == ("You fool", bob, "abuse")


def test_the_same_is_not_reported_twice(played, office):
    office.answer(ANN, "report stalling")
    office.answer(ANN, "yes")
    office.answer(ANN, "report stalling again")
    assert office.result() == ("done", "refused")
    assert Report.objects.count() == 1


def test_a_game_that_is_over_can_be_reported(played, office, bob):
    endings.resign(game_id=played.pk, user=bob, now=office.now)
    office.carry()
    office.answer(ANN, "report he was rude")
    office.answer(ANN, "yes")
    assert Report.objects.get().game == played


def test_without_a_game_there_is_nothing_to_report(played, office):
    about_no_game = office.answer(ANN, "tables")
    office.answer(ANN, "report he was rude", to=about_no_game)
    assert office.result() == ("done", "refused")


def test_of_several_games_the_number_says_which(played, office, ann, bob):
    other = begin(ann, bob, now=office.now)
    listed = office.answer(ANN, "games")
    number = re.search(rf"(\d)\. Morpion with bob \(game {other.pk}\)", words_of(listed))[1]
    answer = office.answer(ANN, f"{number} report stalling", to=listed)
    office.answer(ANN, f"{number} yes", to=answer)
    assert Report.objects.get().game == other
