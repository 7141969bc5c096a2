"""Which user names there can be."""

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

RESERVED = frozenset(
    "admin administrator moderator-team host root pli postmaster webmaster mailer-daemon nobody "
    "support help abuse system".split()
)


def refuse_reserved(name: str) -> None:
    """Raise ValidationError for a name that people would take for the house's own."""
    if name.lower() in RESERVED:
        raise ValidationError(_("This name is kept for the house."), code="reserved")


username_validators = [
    RegexValidator(
        r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z",
        _("A name starts with a letter or digit; dots, hyphens and underscores may follow."),
    ),
    refuse_reserved,
]
