"""The one form in which e-mail addresses are stored and compared."""

from typing import Any

import idna
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

LONGEST = 254
"""Characters that an e-mail address can have (RFC 5321, section 4.5.3.1, with erratum 1690)."""

NOT_NORMAL = r"[^ -@\[-~]"
"""Matches in a database what cannot be a normal form: it has a capital, or is not ASCII."""


class InvalidAddress(ValidationError):
    """An e-mail address that has no normal form: nothing can be sent there."""


def normalize_address(address: str) -> str:
    """Return the normal form of an address: ASCII, lower case, the domain in A-labels (RFC 5891).

    Two addresses are the same if and only if their normal forms are equal, so whatever stores or
    compares addresses does so with normal forms and `=`. Whether the address could exist is not
    asked. Raises InvalidAddress.

    Letters outside ASCII before the @ are refused. Hardly anybody has such an address (RFC 6531),
    our mail server connection cannot send to them, and databases disagree on which are equal: to
    PostgreSQL ı and ſ in upper case are I and S, to Python the Kelvin sign in lower case is k.
    """
    local, at, domain = address.strip().rpartition("@")
    if not (local and at and domain and local.isprintable()):
        raise InvalidAddress(_("This is not an e-mail address."), code="shape")
    if not local.isascii():
        raise InvalidAddress(
            _("Use an address that has no accents and only Latin letters before the @."),
            code="local",
        )
    try:
        ascii_domain = domain if domain.isascii() else idna.encode(domain, uts46=True).decode()
    except UnicodeError:  # IDNAError is one
        raise InvalidAddress(
            _("This is not an e-mail address: check what follows the @."), code="domain"
        ) from None
    normal = f"{local}@{ascii_domain}".lower()
    if len(normal) > LONGEST:
        raise InvalidAddress(_("This e-mail address is too long."), code="length")
    return normal


def normal_or_none(address: str) -> str | None:
    """Return the normal form of an address, None for one that has none."""
    try:
        return normalize_address(address)
    except InvalidAddress:
        return None


def normalize_row(sender: object, instance: Any, **signal: object) -> None:
    """Normalise one of allauth's EmailAddress before it is saved. Raises InvalidAddress."""
    instance.email = normalize_address(instance.email)
