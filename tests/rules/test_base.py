"""What the contract itself promises, whatever the game: options, refusals, turns and records."""

from dataclasses import replace

import pytest

from games.rules.base import (
    AmbiguousMoveError,
    BadRecord,
    IllegalMoveError,
    InvalidMoveError,
    Option,
    OptionError,
    Outcome,
    Rules,
    TranslatableText,
    shown,
)
from games.rules.entries import replay
from games.rules.morpion.rules import Morpion

RULES = Morpion()

CHOICE = Option("variant", "Variant", "two", choices=(("two", "Two"), ("four", "Four")))
NUMBER = Option("rounds", "Rounds", 10, minimum=5, maximum=50)
OFF = Option("target", "Target", None, minimum=1, maximum=40)
YES_NO = Option("hints", "Hints", default=False)


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (CHOICE, "four", "four"), (NUMBER, "5", 5), (NUMBER, 50, 50), (OFF, "", None),
        (OFF, None, None), (OFF, "12", 12), (YES_NO, "yes", True), (YES_NO, False, False),
        (YES_NO, "off", False), (YES_NO, " On ", True),
    ],
)  # fmt: skip
def test_an_option_reads_its_values(option, given, value):
    assert option.read(given) == value


@pytest.mark.parametrize(
    ("option", "given"),
    [
        (CHOICE, "three"), (CHOICE, None), (CHOICE, 2), (NUMBER, "4"), (NUMBER, 51), (NUMBER, ""),
        (NUMBER, None), (NUMBER, True), (NUMBER, 5.5), (NUMBER, "٧"), (NUMBER, "9" * 5000),
        (NUMBER, [7]), (OFF, 0), (YES_NO, "maybe"), (YES_NO, None), (YES_NO, {}),
    ],
)  # fmt: skip
def test_an_option_refuses_other_values_with_a_sentence(option, given):
    with pytest.raises(OptionError) as caught:
        option.read(given)
    assert option.key in str(caught.value)
    assert len(str(caught.value)) < 200


def test_an_unknown_option_is_refused():
    with pytest.raises(OptionError, match="no option “colour”"):
        RULES.check_options({"colour": "red"})


class Several(Morpion):
    def options(self):
        return CHOICE, replace(NUMBER, only_with=("variant", "four"))


def test_an_option_that_means_nothing_with_the_others_has_its_default():
    assert Several().check_options({"variant": "two", "rounds": 7})["rounds"] == 10
    assert Several().check_options({"rounds": 7, "variant": "four"})["rounds"] == 7


def test_such_an_option_is_checked_all_the_same():
    with pytest.raises(OptionError, match="“rounds” takes a number from 5 to 50"):
        Several().check_options({"variant": "two", "rounds": 4})


def test_a_win_and_a_draw_name_their_winners():
    assert Outcome((2, 1), None, "line").winners == (1,)
    assert not Outcome((2, 1), None, "line").is_draw
    assert Outcome((1, 1), None, "full").winners == (0, 1)
    assert Outcome((1, 1), None, "full").is_draw


def test_a_sentence_translates_its_parts():
    sentence = TranslatableText("goes %(where)s", {"where": TranslatableText("home")})
    assert str(sentence) == "goes home"
    assert sentence.translated({"goes %(where)s": "va %(where)s", "home": "chez soi"}.get) == (
        "va chez soi"
    )


@pytest.mark.parametrize(
    ("text", "error"),
    [("x", InvalidMoveError), ("5", IllegalMoveError), ("5" * 5000, InvalidMoveError)],
)
def test_the_three_kinds_of_refusal_are_named(text, error):
    position = RULES.play(RULES.initial({}), 4)
    with pytest.raises(error) as caught:
        RULES.parse(position, text)
    assert caught.value.legal == tuple("12346789")


def test_a_text_with_two_meanings_is_refused_with_both():
    class Vague(Morpion):
        def read(self, position, text):
            return ["1", "2", "2", "x"]

    with pytest.raises(AmbiguousMoveError, match="“corner” can mean more than one thing: 1, 2"):
        Vague().parse(RULES.initial({}), "corner")


def test_a_game_whose_hints_are_secret_lists_nothing_with_a_refusal():
    class Secret(Morpion):
        def hides_legal_actions(self, position):
            return True

    with pytest.raises(InvalidMoveError) as caught:
        Secret().parse(RULES.initial({}), "x")
    assert caught.value.legal == ()


def test_a_text_with_more_than_one_turn_is_refused():
    with pytest.raises(IllegalMoveError, match="The turn is over before “9”"):
        RULES.parse_turn(RULES.initial({}), "5, 9")


def test_an_unfinished_turn_is_refused():
    class Slow(Morpion):
        def turn(self, position):
            return super().turn(position) // 2

    slow = Slow()
    with pytest.raises(IllegalMoveError, match="not finished") as caught:
        slow.parse_turn(slow.initial({}), "5")
    assert caught.value.legal == ("1", "2", "3", "4", "6", "7", "8", "9")
    assert slow.parse_turn(slow.initial({}), "5, 1") == (4, 0)
    assert slow.parse_actions(slow.initial({}), "5")[0] == (4,)


def test_a_turn_may_be_cut_short_by_the_end_of_the_game():
    class Slow(Morpion):
        def turn(self, position):
            return super().turn(position) // 2

    slow = Slow()
    position = slow.play_turn(slow.initial({}), (0, 3, 1, 4))
    assert slow.parse_turn(position, "3") == (2,)


@pytest.mark.parametrize("text", ["5" * 5000, "1," * 2500])
def test_more_than_4_kilobytes_are_not_read(text):
    for read in (RULES.parse, RULES.parse_turn, RULES.parse_actions):
        with pytest.raises(InvalidMoveError, match="too long to be a move"):
            read(RULES.initial({}), text)


def test_a_strangers_text_is_cut_and_cleaned_before_it_is_shown():
    assert shown("a\0b\u202ec\nd") == "a b c d"
    assert shown("x" * 1000) == "x" * 40 + "…"


def test_a_record_that_cannot_be_followed_names_its_first_bad_turn():
    with pytest.raises(BadRecord, match=r"Turn 3 .*Cell 5 is taken"):
        replay(RULES, {}, ["5", "1", "5", "x"])


def test_nobody_can_withdraw_from_a_game_for_two():
    with pytest.raises(IllegalMoveError):
        RULES.withdraw(RULES.initial({}), 0)


def test_every_reason_has_words():
    assert str(RULES.reason("full")) == "All nine cells are taken, and nobody has a line."
    assert str(RULES.reason("agreed")) == "The players agreed to stop."
    assert str(RULES.reason("unheard of")) == "The game is over."


def test_rules_that_lack_a_method_cannot_be_made():
    class Unfinished(Rules):
        def options(self):
            return ()

    with pytest.raises(TypeError, match="play"):
        Unfinished()
