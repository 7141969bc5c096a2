"""Which user names and display names there can be."""

import re
import unicodedata
from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

RESERVED = frozenset(
    [
        "admin",
        "administrator",
        "moderator-team",
        "host",
        "root",
        "pli",
        "system",
        "nobody",
        "postmaster",
        "webmaster",
        "mailer-daemon",
        "support",
        "help",
        "abuse",
    ]
)
DISPLAY_NAME_LENGTH = 60

# Letters and symbols that draw nothing, so that a name of them alone would be empty to the eye.
_BLANK_SIGNS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_TOO_MANY_MARKS = 4


def refuse_reserved(name: str) -> None:
    """Raise ValidationError for a name that people would take for the house's own."""
    if name.lower() in RESERVED:
        raise ValidationError(_("This name is kept for the house."), code="reserved")


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


def name_as_seen(name: str) -> str:
    """Return what a hurried reader sees: wide and styled letters made plain, no case, no spaces."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", name)).casefold()
