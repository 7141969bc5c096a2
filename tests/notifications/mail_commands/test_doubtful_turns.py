"""Turns that may not be meant, and first parts of turns: nothing is played before all is said."""

from datetime import timedelta

import pytest

from games.models import Message, Turn
from games.queries.positions import position_at
from games.render.text import board_text
from notifications.mail_commands.questions import PART_LASTS
from notifications.models import ReplyAddress
from tests.games.multiplayer import gather
from tests.notifications.mail_commands.players_by_mail import number_of, text_of, words_of
from tests.notifications.outgoing_mail import play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"


# Doubtful turns ----------------------------------------------------------------------------------


def asked(office, address, text, **how):
    """Send a mail that is asked back; return the letter that asks."""
    before = list(Turn.objects.values())
    letter = office.answer(address, text, **how)
    assert office.result() == ("done", "asked")
    assert list(Turn.objects.values()) == before
    assert not Message.objects.exists()
    assert "Not done." not in words_of(letter)
    return letter


def test_a_doubtful_turn_is_asked_with_the_board_as_it_would_be(played, office):
    letter = asked(office, ANN, "5 or 6?")
    said = words_of(letter)
    assert "You wrote: 5 or 6? The board shows how it would be after 5." in said
    assert "Reply “yes” to play 5; “no” or nothing changes nothing." in said
    assert "It is your turn. Your time for this turn ends on" in said
    assert "[X]" in text_of(letter)
    assert letter.get_body(("html",)) is not None
    assert [part.get_content_type() for part in letter.walk()].count("image/png") == 1


def test_a_yes_plays_it_without_the_doubtful_words(played, office):
    asked(office, ANN, "5 or 6?\nHello Bob")
    answer = words_of(office.answer(ANN, "yes"))
    assert Turn.objects.get().notation == "5"
    assert Message.objects.get().text == "Hello Bob"
    assert "Your turn 5 is played." in answer


def test_a_no_plays_nothing_and_a_turn_instead_is_played(played, office):
    letter = asked(office, ANN, "5 or 6?")
    office.answer(ANN, "no", to=letter)
    assert number_of(played) == 0
    office.answer(ANN, "6", to=letter)
    assert Turn.objects.get().notation == "6"


def test_a_yes_sent_twice_plays_once(played, office):
    letter = asked(office, ANN, "5 or 6?\nHello")
    office.answer(ANN, "yes", to=letter)
    answer = words_of(office.answer(ANN, "Yes.", to=letter))
    assert "You have already answered that question" in answer
    assert (number_of(played), Message.objects.count()) == (1, 1)


def test_a_yes_to_a_turn_of_an_earlier_position_is_stale(played, office, ann, bob):
    letter = asked(office, ANN, "5 or 6?")
    play(played, ann, "1", office.now)
    play(played, bob, "2", office.now)
    answer = words_of(office.answer(ANN, "yes", to=letter))
    assert office.result() == ("done", "refused")
    assert "1. ann: 1 2. bob: 2" in answer
    assert number_of(played) == 2


def test_a_doubtful_turn_that_is_illegal_is_refused_as_any_other(played, office):
    answer = words_of(office.answer(ANN, "77 or so"))
    assert office.result() == ("done", "refused")
    assert "You wrote: 77 or so" in answer
    assert "Possible turns: 1, 2, 3, 4, 5, 6, 7, 8, 9" in answer


def test_a_doubtful_turn_is_refused_when_it_is_not_ones_turn_or_stale(played, office, ann):
    assert "Pas fait." in words_of(office.answer(BOB, "5 or 6?"))
    old = office.newest(ANN)
    play(played, ann, "1", office.now)
    assert "This has happened since" in words_of(office.answer(ANN, "5 or 6?", to=old))
    assert office.result() == ("done", "refused")
    assert number_of(played) == 1


def test_a_doubtful_turn_that_was_played_already_is_not_asked(played, office, ann):
    letter = office.newest(ANN)
    play(played, ann, "5", office.now)
    answer = words_of(office.answer(ANN, "5 or 6?", to=letter))
    assert office.result() == ("done", "refused")
    assert "This has happened since" in answer
    assert number_of(played) == 1


def test_what_the_opponent_has_planned_is_not_shown(played, office, bob):
    office.answer(BOB, "si 5 alors 7")
    assert office.result() == ("done", "done")
    said = text_of(asked(office, ANN, "5 or 6?"))
    assert "[X]" in said
    assert "O" not in said.partition("Reply “yes”")[2].partition("It is your turn")[0]
    office.answer(ANN, "yes")
    assert list(Turn.objects.order_by("number").values_list("notation", flat=True)) == ["5", "7"]


# First parts -------------------------------------------------------------------------------------


@pytest.fixture
def three(office, ann, bob, cat):
    """Return a game of Superpion for three, ann to move: a turn has several actions."""
    game = gather([ann, bob, cat], now=office.now, variant="three")
    office.carry()
    return game


def a_turn(game):
    """Return a legal turn of several actions: all of it, its first part and the rest."""
    rules, start = game.rules, position_at(game)
    first = rules.legal_actions(start)[0]
    position, texts = rules.play(start, first), [rules.format(start, first)]
    while rules.turn(position) == rules.turn(start):
        action = rules.legal_actions(position)[0]
        texts.append(rules.format(position, action))
        position = rules.play(position, action)
    assert len(texts) > 1
    return ", ".join(texts), texts[0], ", ".join(texts[1:])


def test_a_first_part_is_answered_with_the_board_and_what_can_follow(three, office):
    whole, part, rest = a_turn(three)
    letter = asked(office, ANN, part)
    said = words_of(letter)
    assert f"{part} is the first part of a turn, so nothing is played yet." in said
    assert "This can follow: " in said
    assert rest in said.partition("This can follow: ")[2]
    answer = words_of(office.answer(ANN, rest, to=letter))
    assert Turn.objects.get().notation == whole
    assert f"Your turn {whole} is played." in answer


def test_the_board_of_the_letter_is_the_one_after_the_part(three, office):
    _whole, part, _rest = a_turn(three)
    rules, start = three.rules, position_at(three)
    actions, after = rules.parse_actions(start, part)
    letter = text_of(asked(office, ANN, part)).replace("\r\n", "\n")
    assert board_text(rules.board(after, 0, actions)) in letter
    assert board_text(rules.board(start, 0, ())) not in letter


def test_messages_below_both_parts_are_sent_with_the_turn(three, office):
    _whole, part, rest = a_turn(three)
    letter = asked(office, ANN, f"{part}\nHello")
    office.answer(ANN, f"{rest}\nGood luck", to=letter)
    assert Message.objects.get().text == "Hello\nGood luck"


@pytest.mark.parametrize("to_original", [False, True])
def test_a_whole_turn_may_follow_too(three, office, to_original):
    whole, part, _rest = a_turn(three)
    original = office.newest(ANN)
    letter = asked(office, ANN, part)
    office.answer(ANN, whole, to=original if to_original else letter)
    assert Turn.objects.get().notation == whole


def test_the_same_part_again_is_asked_again(three, office):
    whole, part, rest = a_turn(three)
    letter = asked(office, ANN, part)
    letter = asked(office, ANN, f"{part} ", to=letter)
    office.answer(ANN, rest, to=letter)
    assert Turn.objects.get().notation == whole


def test_the_rest_is_taken_for_an_hour(three, office):
    whole, part, rest = a_turn(three)
    letter = asked(office, ANN, part)
    kept_since = ReplyAddress.objects.latest("pk").created_at
    office.now = kept_since + PART_LASTS + timedelta(seconds=1)
    answer = words_of(office.answer(ANN, rest, to=letter))
    assert office.result() == ("done", "refused")
    assert f"Please send the whole turn: “{whole}”." in answer
    assert not Turn.objects.exists()
    office.answer(ANN, whole, to=letter)
    assert Turn.objects.get().notation == whole


def test_the_rest_received_within_the_hour_counts_when_it_is_read_later(three, office):
    whole, part, rest = a_turn(three)
    letter = asked(office, ANN, part)
    office.now = ReplyAddress.objects.latest("pk").created_at + PART_LASTS
    office.hand_in(ANN, rest, to=letter)
    office.now += PART_LASTS
    office.carry()
    assert Turn.objects.get().notation == whole


def test_a_wrong_rest_is_refused_with_what_can_follow(three, office):
    _whole, part, rest = a_turn(three)
    letter = asked(office, ANN, part)
    answer = words_of(office.answer(ANN, "zz9", to=letter))
    assert office.result() == ("done", "refused")
    assert rest in answer.partition("Possible turns: ")[2]
    assert not Turn.objects.exists()


def test_a_yes_to_a_first_part_is_refused(three, office):
    _whole, part, _rest = a_turn(three)
    letter = asked(office, ANN, part)
    answer = words_of(office.answer(ANN, "yes", to=letter))
    assert "asked nothing that “yes” or “no” would answer" in answer
    assert not Turn.objects.exists()


def test_the_rest_after_a_turn_was_played_otherwise_is_stale(three, office, ann):
    whole, part, rest = a_turn(three)
    letter = asked(office, ANN, part)
    play(three, ann, whole, office.now)
    office.answer(ANN, rest, to=letter)
    assert office.result() == ("done", "refused")
    assert number_of(three) == 1
