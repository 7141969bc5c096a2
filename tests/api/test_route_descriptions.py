"""What the OpenAPI document says of each route names refusals that there are."""

import re
from pathlib import Path

from games.api.pages import refusals
from games.models import Invitation, Turn
from games.models.ending import Ending
from tests.api.checking import document

NAMED = re.compile(r"(?P<status>[45]\d\d) (?P<codes>[A-Z]\w+(?:(?:, | or )[A-Z]\w+)*)")
"""A status and the refusals that are answered with it, such as “409 StaleTurn or NotYourTurn”."""


def test_refusals_that_a_route_names_have_the_status_it_says():
    known = {code: kind.status for code, kind in refusals().items()}
    named, wrong = 0, []
    for path, operations in document()["paths"].items():
        for operation in operations.values():
            for found in NAMED.finditer(" ".join(operation.get("description", "").split())):
                for code in re.split(r", | or ", found["codes"]):
                    named += 1
                    if known.get(code) != int(found["status"]):
                        wrong.append((path, found["status"], code, known.get(code)))
    assert not wrong
    assert named > 10


def test_routes_that_take_a_key_declare_its_header():
    said, declared = set(), set()
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            if "Takes an Idempotency-Key" in operation.get("description", ""):
                said.add((method, path))
            if any(one["name"] == "Idempotency-Key" for one in operation["parameters"]):
                declared.add((method, path))
    assert said == declared
    assert len(said) > 5


def test_the_reference_names_every_word_that_an_answer_can_have():
    schemas = document()["components"]["schemas"]
    for name, member, words in (
        ("Entry", "via", Turn.Via.values),
        ("Answered", "state", Invitation.State.values),
    ):
        said = schemas[name]["properties"][member]["description"]
        assert set(words) <= set(re.findall(r"[a-z-]+", said)), (name, member)


def test_the_document_says_how_games_end():
    text = (Path(__file__).parents[2] / "docs/api.md").read_text(encoding="utf-8")
    section = text.split("## How a game ends")[1].split("\n## ")[0]
    assert set(Ending.values) <= set(re.findall(r"`([a-z-]+)`", section))
