"""French readers are addressed alike everywhere."""

import re

from tests.house.languages import TRANSLATED, forms

FAMILIAR = re.compile(r"\b(?:tu|ton|ta|tes|toi|te)\b|\bt’", re.IGNORECASE)


def test_french_says_vous():
    said = [text for message in TRANSLATED for text in forms(message.string)]
    assert any("vous" in text for text in said)
    assert [text for text in said if FAMILIAR.search(text)] == []
