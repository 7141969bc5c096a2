"""Users: locking, finding by name or address, creating; and requests of signed-in users."""

import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models.functions import Lower
from django.http import HttpRequest

from accounts.addresses import normalize_address
from accounts.models import Language, User
from accounts.names import refuse_reserved
from accounts.sql import columns_of, row_lock, select_rows

LONGEST = 24
"""Letters of a user name that is made up: a number may follow."""

MOST_PEOPLE = 50
"""How many people a search by the beginning of a name finds."""


class AuthenticatedRequest(HttpRequest):
    """What a view behind `login_required` receives, for type checkers."""

    user: User


def lock_user(key: int) -> User:
    """Return a user with their row locked until the transaction ends. Raises User.DoesNotExist.

    What belongs to a user, and what they may do so often, changes under this lock. Rows that refer
    to them can still be written meanwhile. A transaction that locks games as well locks them first.
    """
    # In SQL, because every turn locks the next player: the ORM takes almost twice as long.
    lock = row_lock(no_key=True)
    statement = f"SELECT {columns_of(User)} FROM accounts_user WHERE id = %s {lock}"  # noqa: S608
    for user in select_rows(User, statement, [key]):
        return user
    raise User.DoesNotExist


def lock_users(keys: Iterable[int]) -> dict[int, User]:
    """Return users by their keys, their rows locked as `lock_user` does.

    Always in the order of the keys: no two transactions wait for each other.
    """
    return {key: lock_user(key) for key in sorted(set(keys))}


def users_named(words: str) -> list[int]:
    """Return the keys of users whose user name or display name begins like this.

    Each name is looked up in an index of its own; the user name in upper or lower case.
    """
    name = words.strip().removeprefix("@")
    by_username = User.objects.alias(low=Lower("username")).filter(low__startswith=name.lower())
    by_display_name = User.objects.filter(display_name__startswith=name)
    found = [
        key
        for users in (by_username, by_display_name)
        for key in users.order_by().values_list("pk", flat=True)[:MOST_PEOPLE]
    ]
    return list(dict.fromkeys(found))[:MOST_PEOPLE]


def is_only_verified(address: EmailAddress) -> bool:
    """Return whether an account would have no verified address without this one.

    Then it could not be reached any more, nor signed in to with a mailed code.
    """
    if not EmailAddress.objects.filter(pk=address.pk, verified=True).exists():
        return False
    others = EmailAddress.objects.filter(user=address.user_id, verified=True)
    return not others.exclude(pk=address.pk).exists()


@transaction.atomic
def get_or_create_user_for(address: str, *, name: str, language: str) -> User:
    """Return the user with this verified address; without any, create one without a password.

    `name` is what they call themselves: the user name and the display name are made of it.
    Raises InvalidAddress.
    """
    address = normalize_address(address)
    found = EmailAddress.objects.filter(email=address, verified=True).first()
    if found is not None:
        return found.user
    user = _create_user(address, name)
    user.language = language if language in Language.values else Language.ENGLISH
    user.save(update_fields=["language"])
    try:
        user.display_name = name
        user.full_clean(exclude=["password"])
        user.save(update_fields=["display_name"])
    except ValidationError:  # not every name can be a display name
        user.display_name = ""
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    return user


def _create_user(address: str, name: str) -> User:
    """Create a user whose name is made of `name`, else of the address, else is “player”."""
    root = "player"
    for text in (name, address.partition("@")[0]):
        plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
        letters = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST].strip("-")
        with suppress(ValidationError):
            refuse_reserved(letters)
            if letters:
                root = letters
                break
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
