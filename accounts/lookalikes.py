"""Which names look the same to a hurried reader."""

import re
import unicodedata

from confusable_homoglyphs.confusables import confusables_data

LONGEST_KEY = 200
"""Characters of a key: enough for every name but some of rare ligatures alone."""

_DIRECTION = "\u200e"
"""The library's data has this mark around letters that are written from right to left."""

_MARKS = re.compile(
    # Accents of Latin, Greek and Cyrillic letters; elsewhere marks are vowels.
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    # Signs that choose among forms of a letter and are not drawn.
    "\u180b-\u180d\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)


def name_keys(name: str) -> frozenset[str]:
    """Return the keys of a name: two names look alike if they share one. A blank name has none.

    Keys are made like the skeletons of Unicode (UTS 39, section 4), with the same data: each
    letter becomes the plainest one that looks like it (Cyrillic а is a, m is rn, 1 and I are l, 0
    is O). Case, accents, spaces, punctuation and symbols are left out.

    There can be two keys, for a capital and its small letter look like different letters: Ian is
    taken for lan by its looks, and for ian by its letters.
    """
    letters = unicodedata.normalize("NFKD", name)
    found = {_skeleton(letters), _skeleton(letters.casefold())} - {""}
    if not found:
        found = {"".join(letters.casefold().split())} - {""}
    return frozenset(key[:LONGEST_KEY] for key in found)


def _skeleton(text: str) -> str:
    for _ in range(2):  # a letter may look like another once it is small
        looks = "".join(_PROTOTYPES.get(letter, letter) for letter in text)
        text = unicodedata.normalize("NFKD", looks.casefold())
    bare = _MARKS.sub("", text)
    kept = (sign for sign in bare if sign.isalnum() or unicodedata.category(sign)[0] == "M")
    return "".join(kept).replace("vv", "w")


def _prototype(letter: str) -> str:
    """Return what Unicode says a letter looks like: one for all that look alike.

    The library lists for a prototype every letter that looks like it, and for each of those only
    the prototype. Where two letters look like each other alone, the first in Unicode is taken.
    """
    alike = [one["c"] for one in confusables_data[letter]]
    if len(alike) > 1:
        return letter
    (other,) = alike
    is_prototype = len(confusables_data.get(other, ())) > 1
    return str(other if is_prototype else min(letter, other)).replace(_DIRECTION, "")


_PROTOTYPES = {letter: _prototype(letter) for letter in confusables_data if len(letter) == 1}
