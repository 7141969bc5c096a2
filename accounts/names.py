"""Which user names and display names there can be."""

import re
import unicodedata
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext, gettext_noop, override
from django.utils.translation import gettext_lazy as _

from accounts.lookalikes import name_keys

TITLES = frozenset(
    [
        *("admin", "admins", "administrator", "administrators"),
        *("administrateur", "administrateurs", "administratrice", "administratrices"),
        *("moderator", "moderators", "moderateur", "moderateurs", "moderatrice", "moderatrices"),
        *("moderation", "staff", "official", "officiel", "officielle"),
        *("pli", "postmaster", "webmaster"),
    ]
)
"""Words that no name may contain: they say that somebody speaks for this site."""

RESERVED = TITLES | frozenset(
    [
        *("mod", "mods", "host", "hosts", "hote", "hotes", "root", "system", "systeme"),
        *("nobody", "personne", "anonymous", "anonyme", "mailerdaemon", "noreply"),
        *("support", "help", "aide", "assistance", "abuse", "security", "securite"),
        *("team", "equipe", "pliteam", "equipepli"),
    ]
)
"""What no name may be, alone or with digits around it."""

PROGRAMS = (
    gettext_noop("Practice partner"),
    gettext_noop("Second practice partner"),
    gettext_noop("Third practice partner"),
)
"""The names of the house's own programs: they are said in the reader's language."""

DISPLAY_NAME_LENGTH = 60

# Letters and symbols that draw nothing, so that a name of them alone would be empty to the eye.
_BLANK_SIGNS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_TOO_MANY_MARKS = 4


def refuse_reserved(name: str) -> None:
    """Raise ValidationError for a name that looks like the site's, its programs' or its staff's."""
    words = re.split(r"[\W_]+", unicodedata.normalize("NFKC", name))
    looks_official = any(_staff_keys(word) & _TITLE_KEYS for word in words)
    reserved = _RESERVED_KEYS | _staff_keys(settings.SITE_NAME)
    if looks_official or _staff_keys(name) & reserved or name_keys(name) & _program_keys():
        raise ValidationError(_("This name is reserved. Choose another one."), code="reserved")


def _program_keys() -> frozenset[str]:
    """Return the keys of what the programs are called in any language of the pages."""
    keys: set[str] = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            keys.update(*(name_keys(gettext(program)) for program in PROGRAMS))
    return frozenset(keys)


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
    """Return the name as it is kept: composed (NFC), single spaces, none at the ends."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", name)).strip()


def check_display_name(name: str) -> None:
    """Raise ValidationError for signs that draw nothing or that disturb the text around them."""
    marks = 0
    for sign in name:
        category = unicodedata.category(sign)
        # C: controls, format signs (among them all that turn the writing direction), unassigned.
        if category[0] == "C" or category in ("Zl", "Zp") or sign in _BLANK_SIGNS:
            raise ValidationError(
                _("A display name is plain text: it cannot hold invisible signs."),
                code="invisible",
            )
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks >= _TOO_MANY_MARKS:
            raise ValidationError(_("There are too many accents on one letter."), code="marks")
