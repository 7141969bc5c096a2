"""A yes, a no and neither, in answer to an invitation: a table of lines written by hand."""

from pathlib import Path

import pytest

from notifications.mail_parser.friendly_answers import read_friendly_answer

TABLE = Path(__file__).parents[2] / "corpus" / "friendly_answers.txt"
MEANS = {"yes": True, "no": False, "unclear": None}
FEWEST = 60


def lines():
    meaning, found = "", []
    for row in TABLE.read_text(encoding="utf-8").splitlines():
        if row.startswith("# "):
            meaning = row.removeprefix("# ")
        else:
            found.append((row, MEANS[meaning]))
    return found


@pytest.mark.parametrize(("line", "meaning"), lines())
def test_a_line_means_what_the_table_says(line, meaning):
    assert read_friendly_answer(line) is meaning


def test_the_table_has_lines_enough():
    assert len(dict(lines())) == len(lines()) >= FEWEST
