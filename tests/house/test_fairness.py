"""docs/fairness.md names a test for each situation, and every one of them exists."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "docs" / "fairness.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if re.match(r"\| \d+\. ", line)
]
NAMED = re.compile(r"`(tests/\S+\.py)::(test_\w+)`")


def test_every_situation_has_an_answer_and_a_test():
    assert len(ROWS) >= 35
    for number, row in enumerate(ROWS, 1):
        situation, others, ours, test = row
        assert situation.startswith(f"{number}. ")
        assert others
        assert ours
        assert NAMED.fullmatch(test), situation


def test_the_findings_are_all_there():
    named = set(re.findall(r"\b[AB]\d\b", TEXT))
    assert {f"A{n}" for n in range(1, 6)} | {f"B{n}" for n in range(1, 9)} <= named


@pytest.mark.parametrize("name", NAMED.findall(TEXT), ids="::".join)
def test_every_named_test_exists(name):
    path, function = name
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_source_that_is_cited_is_listed():
    rows, _, sources = TEXT.partition("## Sources")
    listed = set(re.findall(r"^- ([LODW]\d):", sources, re.MULTILINE))
    assert set(re.findall(r"\(([LODW]\d)\)", rows)) - {"L1"} <= listed
    assert "L1" in listed
