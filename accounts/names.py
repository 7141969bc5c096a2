"""Which user names and display names are allowed, and which of them look alike."""

import re
import unicodedata
from collections.abc import Callable

from confusable_homoglyphs.confusables import confusables_data
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext, gettext_noop, override
from django.utils.translation import gettext_lazy as _

LONGEST_KEY = 200
"""Characters of a key: enough for every name but some of rare ligatures alone."""

LONGEST_SEARCH_WORDS = 90
"""Characters of a name that are searched."""

_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
"""Letters that Unicode does not split into a plain letter and an accent."""

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


def fold_for_search(text: str) -> str:
    """Return the words of a name or of what is searched: small letters without accents.

    Words are what is between punctuation and spaces, with one space between them.
    """
    letters = _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    plain = unicodedata.normalize("NFKC", letters).translate(_PLAIN_LETTERS)
    kept = (
        sign if sign.isalnum() or unicodedata.category(sign)[0] == "M" else " " for sign in plain
    )
    return " ".join("".join(kept).split())


def search_words(*names: str) -> frozenset[str]:
    """Return where a search finds these names: from the beginning of each of their words on."""
    found = set()
    for name in names:
        words = fold_for_search(name).split()
        found |= {" ".join(words[place:])[:LONGEST_SEARCH_WORDS] for place in range(len(words))}
    return frozenset(found)


def _skeleton(text: str) -> str:
    for _pass in range(2):  # a letter may look like another once it is small
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


TITLES = frozenset(
    [
        *("admin", "admins", "administrator", "administrators"),
        *("administrateur", "administrateurs", "administratrice", "administratrices"),
        *("moderator", "moderators", "moderateur", "moderateurs", "moderatrice", "moderatrices"),
        *("moderation", "staff", "official", "officiel", "officielle"),
        *("pli", "postmaster", "webmaster"),
    ]
)
"""Words that no name may contain, because they claim to speak for this site."""

RESERVED = TITLES | frozenset(
    [
        *("mod", "mods", "host", "hosts", "hote", "hotes", "root", "system", "systeme"),
        *("nobody", "personne", "anonymous", "anonyme", "mailerdaemon", "noreply"),
        *("support", "help", "aide", "assistance", "abuse", "security", "securite"),
        *("team", "equipe", "pliteam", "equipepli"),
        *("bot", "bots", "program", "programs", "programme", "programmes"),
    ]
)
"""What no name may be, alone or with digits around it."""

BOT_NAMES = (
    gettext_noop("Practice partner"),
    gettext_noop("Second practice partner"),
    gettext_noop("Third practice partner"),
)
"""The names of the site's own bots, shown in the reader's language."""

FORMER_NAME = gettext_noop("former player")
"""How pages call the owner of a deleted account, in the reader's language."""

FORMER_USERNAME = "former~"
"""How the user name of a deleted account begins; its key follows. Nobody can choose such a name."""

DISPLAY_NAME_LENGTH = 60

# Letters and symbols that draw nothing, so that a name of them alone would be empty to the eye.
_BLANK_SIGNS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_TOO_MANY_MARKS = 4


def refuse_reserved(name: str) -> None:
    """Raise ValidationError for a name that looks like the site's, its bots' or its staff's."""
    words = re.split(r"[\W_]+", unicodedata.normalize("NFKC", name))
    looks_official = any(_staff_keys(word) & _TITLE_KEYS for word in words)
    reserved = _RESERVED_KEYS | _staff_keys(settings.SITE_NAME)
    bot_keys: set[str] = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            ours = (*BOT_NAMES, FORMER_NAME)
            bot_keys.update(*(name_keys(gettext(one)) for one in ours))
    if looks_official or _staff_keys(name) & reserved or name_keys(name) & bot_keys:
        raise ValidationError(_("This name is reserved. Choose another one."), code="reserved")


def _staff_keys(name: str) -> frozenset[str]:
    """Return the keys of a name with and without the digits around it, and of digits as letters."""
    plain = unicodedata.normalize("NFKC", name)
    variants = [plain, plain.strip("0123456789-_. ")]
    spelled = [one.translate(letters) for one in variants for letters in _LETTERS_OF_DIGITS]
    return frozenset[str]().union(*map(name_keys, variants + spelled))


_LETTERS_OF_DIGITS = (str.maketrans("013457", "oleast"), str.maketrans("013457", "oieast"))
_TITLE_KEYS = frozenset[str]().union(*map(_staff_keys, TITLES))
_RESERVED_KEYS = frozenset[str]().union(*map(_staff_keys, RESERVED))

username_validators: list[Callable[[str], None]] = [
    RegexValidator(
        r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z",
        _("A name starts with a letter or digit; dots, hyphens and underscores may follow."),
    ),
    refuse_reserved,
]


def tidy_display_name(name: str) -> str:
    """Return the name as it is stored: composed (NFC), single spaces, none at the ends."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", name)).strip()


def check_display_name(name: str) -> None:
    """Raise ValidationError for signs that draw nothing or that disturb the text around them."""
    marks = 0
    for sign in name:
        category = unicodedata.category(sign)
        # C: controls, format signs (among them all that turn the writing direction), unassigned.
        if category[0] == "C" or category in ("Zl", "Zp") or sign in _BLANK_SIGNS:
            raise ValidationError(
                _("A display name cannot contain invisible characters."),
                code="invisible",
            )
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks >= _TOO_MANY_MARKS:
            raise ValidationError(_("There are too many accents on one letter."), code="marks")


def shown_name(username: str, display_name: str, *, is_bot: bool) -> str:
    """Return how pages call a user; bots that Pli brings have a name in each language.

    So have all whose account was deleted: they share one.
    """
    if username.startswith(FORMER_USERNAME):
        return gettext(FORMER_NAME)
    if is_bot and display_name in BOT_NAMES:
        return gettext(display_name)
    return display_name or username
