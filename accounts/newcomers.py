"""Accounts for people who proved an address before they had one."""

import re
import unicodedata

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import Language, User

LONGEST = 24
"""Letters of a name that is made up: a number may follow."""


@transaction.atomic
def person_at(address: str, *, name: str, language: str) -> User:
    """Return whose verified address this is; make an account, without a password, for nobody's.

    `name` is what they call themselves, for their user name and display name.
    """
    found = EmailAddress.objects.filter(email__iexact=address, verified=True).first()
    if found is not None:
        return found.user
    user = _made(address, name)
    user.display_name = _display_name(user, name)
    user.language = language if language in Language.values else Language.ENGLISH
    user.save(update_fields=["display_name", "language"])
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    return user


def _made(address: str, name: str) -> User:
    root = _letters(name) or _letters(address.partition("@")[0]) or "player"
    for number in range(1, 10_000):
        user = User(username=f"{root}{number}" if number > 1 else root, email=address)
        user.set_unusable_password()
        try:
            user.full_clean(exclude=["password"])
            with transaction.atomic():
                user.save(force_insert=True)
        except (ValidationError, IntegrityError):
            continue
        return user
    raise RuntimeError(f"no name is free that begins with {root}")


def _letters(text: str) -> str:
    """Return what of a text may stand in a user name."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST].strip("-")


def _display_name(user: User, name: str) -> str:
    user.display_name = name
    try:
        user.full_clean(exclude=["password"])
    except ValidationError:
        return ""
    return user.display_name
