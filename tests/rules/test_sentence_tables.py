"""The tables from a rulebook's sentences to tests name tests that exist."""

import re
from pathlib import Path

import pytest

TABLES = sorted((Path(__file__).parents[2] / "docs" / "rules").glob("*.md"))
DEFINED = {
    name
    for file in Path(__file__).parent.glob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
}


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_every_test_that_a_table_names_exists(table):
    named = set(re.findall(r"`(test_\w+)`", table.read_text(encoding="utf-8")))
    assert named
    assert named <= DEFINED
