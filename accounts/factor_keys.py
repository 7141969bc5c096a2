"""Encrypts the secrets of second factors (TOTP secrets, seeds of recovery codes).

The keys are settings.FACTOR_KEYS, newest first: the first encrypts, all of them decrypt. Passkeys
are not encrypted: only their public keys are kept.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import transaction

BATCH = 200
"""How many factors are locked at once."""

_PREFIX = "gAAAAA"
"""How every Fernet token begins. No secret does: TOTP's are base32, seeds hexadecimal."""


class FactorUnreadable(Exception):
    """A secret was encrypted with a key that is not in PLI_FACTOR_KEYS."""


def encrypt(text: str) -> str:
    """Return the text, encrypted with the newest key."""
    return _keys().encrypt(text.encode()).decode()


def decrypt(kept: str) -> str:
    """Return a secret; one that was stored in plain text is returned as it is.

    Raises FactorUnreadable.
    """
    if not kept.startswith(_PREFIX):
        return kept
    try:
        return _keys().decrypt(kept.encode()).decode()
    except InvalidToken:
        raise FactorUnreadable from None


def _keys() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.FACTOR_KEYS])


@dataclass
class Rewritten:
    """How many second factors were changed, and how many no key could read."""

    changed: int = 0
    unreadable: int = 0


def encrypt_all(model: type[Any] = Authenticator) -> Rewritten:
    """Encrypt every secret with the newest key, those in plain text too.

    What the newest key has encrypted stays as it is, and so does what no key can read.
    """
    newest = Fernet(settings.FACTOR_KEYS[0])

    def change(kept: str) -> str:
        try:
            newest.decrypt(kept.encode())
        except InvalidToken:
            return encrypt(decrypt(kept))
        return kept

    return _rewrite(model, change)


def decrypt_all(model: type[Any]) -> Rewritten:
    """Write every secret in plain text, for versions that know no keys."""
    return _rewrite(model, decrypt)


def _rewrite(model: type[Any], change: Callable[[str], str]) -> Rewritten:
    rewritten, last = Rewritten(), 0
    factors = model.objects.filter(type__in=["totp", "recovery_codes"]).order_by("pk")
    while batch := list(factors.filter(pk__gt=last).values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            # Locked: a recovery code that is used at this moment stays used.
            for factor in factors.filter(pk__in=batch).select_for_update():
                data = dict(factor.data)
                try:
                    for name in {"secret", "seed"} & data.keys():
                        data[name] = change(data[name])
                    if "migrated_codes" in data:
                        data["migrated_codes"] = [change(code) for code in data["migrated_codes"]]
                except FactorUnreadable:
                    rewritten.unreadable += 1
                    continue
                if data != factor.data:
                    factor.data = data
                    factor.save(update_fields=["data"])
                    rewritten.changed += 1
        last = batch[-1]
    return rewritten
