"""Keep two people from having names that look alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from accounts.lookalikes import name_keys
from accounts.models.taken_name import TakenName

if TYPE_CHECKING:
    from accounts.models import User


class NameTaken(ValidationError):
    """A name that looks like the user name or display name of somebody else."""

    def __init__(self) -> None:
        sentence = _("Somebody has this name, or one that looks like it. Choose another one.")
        super().__init__(sentence, code="taken")


def check_name_is_free(name: str, user: User | None = None) -> None:
    """Raise NameTaken if a name looks like one of somebody other than `user`."""
    others = TakenName.objects.filter(key__in=name_keys(name))
    if user is not None and user.pk is not None:
        others = others.exclude(user=user)
    if others.exists():
        raise NameTaken


def take_names(user: User, changed: Iterable[str]) -> None:
    """Make the names of a saved user theirs, and give up those that they had before.

    `changed` are those of the names that are new: only these must be free. A transaction must be
    open. Raises NameTaken.
    """
    names = type(user).objects.values_list("username", "display_name").get(pk=user.pk)
    owned = set(user.taken_names.values_list("key", flat=True))
    missing = _keys(changed) - owned
    try:
        with transaction.atomic():
            # In one order for everybody, so that two users never wait for each other.
            TakenName.objects.bulk_create(TakenName(user=user, key=key) for key in sorted(missing))
    except IntegrityError:
        raise NameTaken from None
    user.taken_names.exclude(key__in=_keys(names)).delete()


def _keys(names: Iterable[str]) -> set[str]:
    return set().union(*map(name_keys, names))
