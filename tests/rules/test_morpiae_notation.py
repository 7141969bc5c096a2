"""What is typed, dumped and told in Morpiae."""

import random
import time
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.base import AmbiguousMoveError, BadPosition, InvalidMoveError, MoveError
from games.rules.morpiae.rules import Morpiae
from tests.rules import morpiae_records as records
from tests.rules.games import after, legal, refusal

RULES = Morpiae()
START = RULES.initial({})
GAME = records.WHOLE_GAME.split()
FUZZ = settings(derandomize=True, deadline=None, max_examples=400, database=None)


def read(position, text):
    return RULES.format(position, RULES.parse(position, text))


# Reading -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("i12-m12", "i12-m12"), ("m12-i12", "i12-m12"), ("I12-M12", "i12-m12"),
        (" i12 m12 ", "i12-m12"), ("m12i12", "i12-m12"), ("i12 > m12", "i12-m12"),
        ("i12/m12", "i12-m12"), ("i12–m12", "i12-m12"), ("m12:i12", "i12-m12"),
        ("o18-o14", "o14-o18"), ("r14-n18", "n18-r14"), ("l9 l13", "l9-l13"),
        ("k09-o09", "k9-o9"), ("h12", "h12-l12"), ("K 16", "i14-m18"), ("k9", "k9-o9"),
        ("pass", "pass"), ("Pass ", "pass"), ("passe", "pass"), ("PASSE", "pass"),
    ],
)  # fmt: skip
def test_the_common_ways_to_write_are_read(text, canonical):
    assert read(START, text) == canonical


def test_the_end_with_the_smaller_column_comes_first_and_in_a_column_the_lower():
    for text in legal(RULES, after(RULES, " ".join(GAME[:20]))) - {"pass"}:
        (start, end) = text.split("-")
        assert (start[0], int(start[1:])) < (end[0], int(end[1:]))


@pytest.mark.parametrize(
    "text",
    ["", "12", "m", "a1-b2-c3", "m12-", "-m12", "m12--i12", "m123", "5", "passed", "p", "xx", "é1"],
)
def test_what_is_no_notation_is_unreadable(text):
    kind, sentence = refusal(RULES, START, text)
    assert kind == "unreadable"
    assert "k12-o12" in sentence


def test_the_new_circle_alone_is_read_when_one_line_is_possible_through_it():
    assert read(START, "k16") == "i14-m18"
    position = after(RULES, "h15-l15")
    assert read(position, "j13") == "h15-l11"


def test_the_new_circle_alone_is_ambiguous_when_several_lines_are_possible():
    position = after(RULES, records.TWO_WAYS)
    with pytest.raises(AmbiguousMoveError) as caught:
        RULES.parse(position, "m13")
    assert str(caught.value) == "“m13” can mean more than one thing: k11-o15, l12-p16."
    assert read(position, "k11-o15") == "k11-o15"
    assert read(position, "p16 l12") == "l12-p16"


# Refusing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "text", "sentence"),
    [
        ("", "a1-a27",
         "a27 is off the sheet, whose columns are a to z and whose rows are 1 to 26."),
        ("", "k0", "k0 is off the sheet, whose columns are a to z and whose rows are 1 to 26."),
        ("", "i12-l12", "From i12 to l12 there are not five points in a row."),
        ("", "i12-k16", "From i12 to k16 there are not five points in a row."),
        ("", "i12-i12", "From i12 to i12 there are not five points in a row."),
        ("", "a1-e5", "From a1 to e5 5 circles are missing: only one may be new."),
        ("i12-m12", "m12-i12",
         "All five circles from i12 to m12 are there already: one must be new."),
        ("i12-m12", "q12-m12", "The circle on m12 is already crossed in that direction."),
        ("", "i12",
         "There is a circle on i12 already: name the new one, or the line's ends."),
        ("", "j13", "No line can be completed on j13."),
        ("i12-m12", "h12", "No line can be completed on h12."),
    ],
)  # fmt: skip
def test_a_refusal_says_why(record, text, sentence):
    assert refusal(RULES, after(RULES, record), text) == ("illegal", sentence)


def test_a_refusal_lists_no_lines_while_hints_are_off():
    for text in ("j13", "i12", "nonsense"):
        with pytest.raises(MoveError) as caught:
            RULES.parse(START, text)
        assert caught.value.legal == ()
        assert not [line for line in legal(RULES, START) - {"pass"} if line in str(caught.value)]


def test_a_refusal_lists_the_lines_when_hints_are_on():
    position = RULES.initial(RULES.check_options({"hints": True}))
    with pytest.raises(MoveError) as caught:
        RULES.parse(position, "j13")
    assert set(caught.value.legal) == legal(RULES, position)


# Telling -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "text", "words"),
    [
        ("", "i12-m12", "draws a circle on m12 and the line i12-m12"),
        ("", "pass", "passes"),
        (" ".join(records.FIRST_COLOUR.split()[:-1]), "n16-r12",
         "draws a circle on p14 and the line n16-r12, and colours o15"),
        (" ".join(records.FOUR_AT_ONCE.split()[:-1]), "j13-n13",
         "draws a circle on j13 and the line j13-n13, and colours k13, l13, m13, n13"),
    ],
)  # fmt: skip
def test_an_action_is_told_in_words(record, text, words):
    position = after(RULES, record)
    assert str(RULES.describe(position, RULES.parse(position, text))) == words


# Dumping and loading -----------------------------------------------------------------------------


def test_a_dump_is_the_options_and_the_actions():
    options = RULES.check_options({"target": 12, "hints": True})
    assert RULES.dump(RULES.initial(options)) == "12 hints"
    assert RULES.dump(after(RULES, "i12-m12 pass")) == "- - i12-m12 pass"


@pytest.mark.parametrize("options", [{}, {"target": 1}, {"target": 40}, {"hints": True}])
def test_the_options_survive(options):
    start = RULES.initial(RULES.check_options(options))
    assert RULES.load(RULES.dump(start)) == start


@pytest.mark.parametrize(
    "text",
    [
        "", "-", "- ", "- - ", "--", "0 -", "41 -", "012 -", "- Hints", "- hint", "12", "hints -",
        "- - m12-i12", "- - I12-m12", "- - i12-m12,pass", "- -  pass", "- - pass pass pass",
        "- - i12-m12 i12-m12", "- - m12", "- - h13-l13", "- - i12-m12 ", "- -\ni12-m12", "- - -",
        "- - passe", "٣ -", "{}",
    ],
)  # fmt: skip
def test_a_text_that_is_no_dumped_position_is_refused(text):
    with pytest.raises(BadPosition):
        RULES.load(text)


def test_what_would_have_been_over_is_refused():
    record = f"{records.ONE_TO_THREE} pass"
    assert RULES.load(f"- - {record}")
    with pytest.raises(BadPosition):
        RULES.load(f"3 - {record}")


# Any text at all ---------------------------------------------------------------------------------

SQUARES = st.builds("{}{}".format, st.sampled_from("hijklmnopqrsaz"), st.integers(0, 28))
SIGNS = st.sampled_from(["-", "", " ", "–", ">", ",", "x", "--"])
LINES = st.builds("{}{}{}".format, SQUARES, SIGNS, SQUARES)
TEXTS = SQUARES | LINES | st.text(alphabet="ijklmnopase0123456789- –", max_size=14)


@FUZZ
@given(text=TEXTS, count=st.integers(0, len(GAME) - 1))
def test_any_text_is_a_legal_action_or_a_named_refusal(text, count):
    position = after(RULES, " ".join(GAME[:count]))
    try:
        action = RULES.parse(position, text)
    except MoveError as error:
        assert 0 < len(str(error)) < 300
    else:
        assert action in RULES.legal_actions(position)


@FUZZ
@given(first=SQUARES, second=SQUARES, count=st.integers(0, len(GAME) - 1))
def test_two_ends_mean_the_same_in_either_order(first, second, count):
    position = after(RULES, " ".join(GAME[:count]))
    answers = []
    for text in (f"{first}-{second}", f"{second}-{first}"):
        try:
            answers.append(read(position, text))
        except MoveError as error:
            answers.append((error.kind, str(error)))
    assert answers[0] == answers[1]


WORDS = st.sampled_from([*GAME, "-", "-", "hints", "12", "pass", "", "m12"])


@FUZZ
@given(words=st.lists(WORDS, max_size=8), count=st.integers(0, len(GAME)), cut=st.integers(0, 600))
def test_any_text_loads_as_exactly_what_dumps_to_it_or_is_refused(words, count, cut):
    for text in (" ".join(words), " ".join(["- -", *GAME[:count], *words])[:cut]):
        try:
            position = RULES.load(text)
        except BadPosition:
            continue
        assert RULES.dump(position) == text


@pytest.mark.parametrize("unit", ["k12-o12", "k12-", "k", "1", "pass", "-", " k1"])
def test_four_kilobytes_of_anything_are_refused_at_once(unit):
    begun = time.process_time()
    with pytest.raises(InvalidMoveError):
        RULES.parse(START, (unit * 4096)[:4096])
    assert time.process_time() - begun < 0.1


def test_parsing_beside_the_longest_list_of_legal_lines_is_quick():
    dice, longest = random.Random(1), START
    for _ in range(20):
        position = START
        while RULES.outcome(position) is None:
            longest = max(longest, position, key=lambda p: len(RULES.legal_actions(p)))
            position = RULES.play(position, dice.choice(RULES.legal_actions(position)[:-1]))
    texts = legal(RULES, longest)
    assert len(texts) >= 29
    times = []
    for text in texts:
        begun = time.process_time()
        RULES.parse(longest, text)
        times.append(time.process_time() - begun)
    assert median(times) < 0.005
