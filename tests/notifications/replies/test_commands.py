"""The grammar of what people answer."""

from datetime import timedelta

import pytest

from notifications.mail_parser import (
    Command,
    Condition,
    LaterCommand,
    NotUnderstood,
    NumberedCommand,
    SayCommand,
    TurnCommand,
    VacationCommand,
    parse_command,
    parse_conditions,
    parse_numbered,
)
from notifications.mail_parser.commands import MOST_NUMBERED
from notifications.mail_parser.vacations import Day

WORDS = {
    Command.RESIGN: ["resign", "I resign", "abandonner", "j'abandonne", "J’ABANDONNE !"],
    Command.WIN: ["win", "Gagner"],
    Command.ABORT: ["abort", "Annuler"],
    Command.OFFER_END: ["offer", "Offer draw", "proposer", "proposer la fin", "nulle"],
    Command.ACCEPT: ["accept", "Accepter", "j'accepte."],
    Command.DECLINE: ["decline", "refuser", "décliner", "DÉCLINER"],
    Command.BOARD: ["board", "plateau", "Grille"],
    Command.CLOCK: ["clock", "Pendule", "échéance"],
    Command.HISTORY: ["history", "historique", "coups"],
    Command.YES: ["yes", "YES", "Oui"],
    Command.NO: ["no", "Non"],
    Command.RULES: ["rules", "règles", "REGLES", "re\u0300gles"],
    Command.REMATCH: ["rematch", "revanche"],
    Command.QUIET: ["quiet", "silence", "muet"],
    Command.LOUD: ["loud", "bruit"],
    Command.HELP: ["help", "aide", "help?"],
}


def order_of(*lines):
    return parse_command(lines)[0]


@pytest.mark.parametrize(
    ("text", "order"), [(text, order) for order, texts in WORDS.items() for text in texts]
)
def test_a_command_is_known_in_english_and_french(text, order):
    assert order_of(text) == order


@pytest.mark.parametrize("around", ["{}.", " {} ", "*{}*", "“{}”", "« {} »", "{}\u00a0!", "{} …"])
def test_marks_around_a_command_do_not_matter(around):
    assert order_of(around.format("resign")) == Command.RESIGN
    assert order_of(around.format("e3-e5")) == TurnCommand("e3-e5")


@pytest.mark.parametrize(
    "text",
    [
        "I would like to resign",
        "resigned",
        "accept my thanks",
        "no way",
    ],
)
def test_a_command_with_more_words_is_none(text):
    assert isinstance(order_of(text), TurnCommand)


@pytest.mark.parametrize(
    ("text", "order", "message"),
    [
        ("Accept, with pleasure!", Command.ACCEPT, "with pleasure!"),
        ("accept – thanks", Command.ACCEPT, "thanks"),
        ("Décliner, désolée", Command.DECLINE, "désolée"),
        ("rematch! You were lucky, Bob", Command.REMATCH, "You were lucky, Bob"),
    ],
)
def test_an_answer_with_a_clause_behind_it_is_one_with_a_message(text, order, message):
    assert parse_command([text, "Ann"]) == (order, f"{message}\nAnn")
    assert parse_numbered([f"3 {text}", "Ann"]) == (NumberedCommand(3, order, f"{message}\nAnn"),)


@pytest.mark.parametrize("text", ["quiet, please", "a1-a2, b3-b4", "hello. resign", ", 5"])
def test_no_other_line_is_taken_apart_at_a_comma(text):
    order, message = parse_command([text])
    assert isinstance(order, TurnCommand)
    assert message == ""


@pytest.mark.parametrize("dash", "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212")
def test_a_dash_of_any_kind_is_a_dash_in_a_turn(dash):
    assert order_of(f"e3{dash}e5") == TurnCommand("e3-e5")
    assert order_of(f"e3\u00a0{dash}\u202fe5") == TurnCommand("e3 - e5")


# Times ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("later 8h", 8),
        ("Later 8 hours", 8),
        ("later in 1 hour.", 1),
        ("later: 90 min", 1.5),
        ("later 2d", 48),
        ("later 1 week", 168),
        ("plus tard 8h", 8),
        ("plus tard dans 2 jours", 48),
        ("Plus tard 3 heures", 3),
        ("later 9999d", 9999 * 24),
    ],
)
def test_later_says_when(text, hours):
    assert order_of(text) == LaterCommand(timedelta(hours=hours))


@pytest.mark.parametrize(
    "text",
    ["later", "later 8", "later 0h", "later 12345h", "plus tard"],
)
def test_later_without_a_time_is_not_understood(text):
    assert order_of(text) == NotUnderstood(text, "later")


@pytest.mark.parametrize(
    "text",
    [
        "vacation 10",
        "Vacances 10 jours",
        "vacation for 10 days",
        "congés 10j",
        "vacation: 10",
        "vacances pour 10 jours",
    ],
)
def test_a_vacation_may_be_so_many_days(text):
    assert order_of(text) == VacationCommand(days=10)


@pytest.mark.parametrize(
    "text",
    [
        "vacation 2026-12-20 2027-01-03",
        "vacation from 2026-12-20 to 2027-01-03",
        "vacances du 2026-12-20 au 2027-1-3.",
        "vacation 2026–12–20 – 2027–01–03",
    ],
)
def test_a_vacation_may_have_a_first_and_a_last_day(text):
    assert order_of(text) == VacationCommand(first=Day(20, 12, 2026), last=Day(3, 1, 2027))


@pytest.mark.parametrize("text", ["vacation 2 weeks", "vacances de 2 semaines", "vacation 2w"])
def test_a_vacation_may_be_so_many_weeks(text):
    assert order_of(text) == VacationCommand(days=14)


def test_a_vacation_may_be_of_one_day():
    day = Day(20, 12, 2026)
    assert order_of("vacation 2026-12-20 2026-12-20") == VacationCommand(first=day, last=day)


@pytest.mark.parametrize(
    "text",
    [
        "vacation",
        "vacation 0",
        "vacation soon",
        "vacation 2026-12-20",
        "vacation 2026-12-21 2026-12-20",
        "vacation 2026-02-30 2026-03-01",
    ],
)
def test_a_vacation_of_no_days_is_not_understood(text):
    assert order_of(text) == NotUnderstood(text, "vacation")


# Messages ------------------------------------------------------------------------------------


def test_lines_below_the_command_up_to_a_blank_one_are_the_message():
    assert parse_command(["57", "well – ", "played", "", "Ann"]) == (
        TurnCommand("57"),
        "well –\nplayed",
    )
    assert parse_command(["resign", "thanks"]) == (Command.RESIGN, "thanks")


def test_lines_behind_a_blank_one_are_told_to_nobody():
    assert parse_command(["57", "", "what a silly move of mine"]) == (TurnCommand("57"), "")


def test_lines_without_a_letter_or_a_digit_are_no_command():
    assert parse_command(["", "—", "👍", "57"]) == (TurnCommand("57"), "")


@pytest.mark.parametrize("lines", [[], [""], ["...", "  "]])
def test_no_words_are_no_order(lines):
    assert parse_command(lines) == (NotUnderstood("", "empty"), "")


@pytest.mark.parametrize("word", ["say", "SAY:", "dire", "Dis :"])
def test_say_tells_the_rest_of_its_line_and_the_lines_below(word):
    assert order_of(f"{word} well – played!", "See you.") == SayCommand("well – played!\nSee you.")
    assert order_of(word, "See you.", "", "Ann") == SayCommand("See you.")


def test_say_with_nothing_to_say_is_not_understood():
    assert parse_command(["say", "", "Ann"]) == (NotUnderstood("say", "say"), "")


def test_a_turn_that_was_broken_behind_a_comma_is_whole():
    assert parse_command(["a1-e1, b2-f2,", "c3-g3", "sorry"]) == (
        TurnCommand("a1-e1, b2-f2, c3-g3"),
        "sorry",
    )


def test_a_comma_behind_a_turn_does_not_make_the_message_a_part_of_it():
    assert parse_command(["57,", "thank you"]) == (TurnCommand("57"), "thank you")


# Conditions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["if 74 then 43", "If 74, then 43", "si 74 alors 43", "SI e3–e5 ALORS b2–b4", "- if 1 then 2"],
)
def test_a_condition_is_recognised(text):
    assert isinstance(order_of(text), Condition)


def test_a_condition_below_a_turn_is_known_and_not_told_to_the_opponents():
    lines = [
        "57",
        "if 74 then 43",
        "if you win then we play again",
        "2. si 75 alors 44",
        "good luck",
    ]
    assert parse_command(lines) == (TurnCommand("57"), "if you win then we play again\ngood luck")
    assert parse_conditions(lines) == (Condition("if 74 then 43"), Condition("2. si 75 alors 44"))


def test_no_more_conditions_are_read_than_numbered_lines():
    lines = ["57", *["if 74 then 43"] * (MOST_NUMBERED + 1)]
    assert len(parse_conditions(lines)) == MOST_NUMBERED
    assert parse_command(lines) == (TurnCommand("57"), "")


def test_a_long_condition_is_not_told_either():
    assert parse_command(["57", f"if 74 then {'43 then ' * 60}5"]) == (TurnCommand("57"), "")


# Digests -------------------------------------------------------------------------------------


def test_each_numbered_line_is_an_order():
    assert parse_numbered(["1 57", "3 resign", "", "2 b3 nice move"]) == (
        NumberedCommand(1, TurnCommand("57"), ""),
        NumberedCommand(3, Command.RESIGN, ""),
        NumberedCommand(2, TurnCommand("b3 nice move"), ""),
    )


@pytest.mark.parametrize(
    "line", ["1 e3-e5", "1. e3–e5", "1) e3-e5", "1: e3-e5", "#1 e3-e5", "n° 1 e3-e5", " 1 - e3-e5."]
)
def test_the_number_may_be_written_in_many_ways(line):
    assert parse_numbered([line]) == (NumberedCommand(1, TurnCommand("e3-e5"), ""),)


def test_an_unnumbered_line_right_below_is_the_message():
    lines = ["1 57", "well", "played", "", "Ann", "2 resign", "if 7 then 8", "thanks"]
    assert parse_numbered(lines) == (
        NumberedCommand(1, TurnCommand("57"), "well\nplayed"),
        NumberedCommand(2, Command.RESIGN, "thanks"),
    )


def test_each_line_has_the_whole_grammar():
    lines = ["1 later 8h", "2 say hello", "3 vacation", "4 say", "5 if 7 then 8", "6 accept this"]
    assert [found.command for found in parse_numbered(lines)] == [
        LaterCommand(timedelta(hours=8)),
        SayCommand("hello"),
        NotUnderstood("vacation", "vacation"),
        NotUnderstood("say", "say"),
        Condition("if 7 then 8"),
        TurnCommand("accept this"),
    ]


def test_lines_below_a_numbered_say_are_part_of_the_message():
    assert parse_numbered(["1 say well", "played", "2 say", "hello", "3 say", "", "Ann"]) == (
        NumberedCommand(1, SayCommand("well\nplayed"), ""),
        NumberedCommand(2, SayCommand("hello"), ""),
        NumberedCommand(3, NotUnderstood("say", "say"), ""),
    )


@pytest.mark.parametrize("lines", [[], ["57"], ["help"], ["1"], ["a 1 57"], ["1234 5"]])
def test_lines_without_a_number_and_an_order_are_none(lines):
    assert parse_numbered(lines) == ()


def test_a_hundred_orders_are_read():
    found = parse_numbered([f"{number} 5" for number in range(1, 150)])
    assert [one.number for one in found] == list(range(1, 101))
