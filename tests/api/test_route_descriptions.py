"""What the OpenAPI document says of each route names refusals that there are."""

import re

from games.api.pages import refusals
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
