"""The variants of Superpion, for the tests of tables and games of several."""

from tests.games.play import table

VARIANTS = {"four": 4, "teams": 4, "three": 3, "two": 2, "superduel": 2}


def superpion(creator, variant, *, now, **choices):
    return table(creator, now=now, slug="superpion", options={"variant": variant}, **choices)


FORM = {
    "game": "superpion",
    "whom": "anybody",
    "name": "",
    "option-empty": "K",
    "option-quiet_rounds": "10",
    "creator_seat": "",
    "days": "3",
    "is_public": "on",
}
