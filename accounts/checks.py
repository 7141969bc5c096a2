"""Checks of the keys that encrypt second factors."""

import base64
import binascii
from collections.abc import Iterable, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error

_KEY_LENGTH = 32
"""Bytes of a Fernet key."""


def check_factor_keys(
    app_configs: Sequence[AppConfig] | None, **more: Any
) -> Iterable[CheckMessage]:
    """Return an error if PLI_FACTOR_KEYS cannot be used; keys are not repeated."""
    keys = settings.FACTOR_KEYS
    if not keys or not all(is_factor_key(key) for key in keys):
        wanted = "one or more Fernet keys, the newest first, separated by commas"
        return [Error(f"PLI_FACTOR_KEYS must be {wanted} (docs/hosting.md).", id="accounts.E001")]
    return []


def is_factor_key(key: str) -> bool:
    """Return whether a text is a Fernet key: 32 bytes in URL-safe base64."""
    try:
        return len(base64.b64decode(key, altchars=b"-_", validate=True)) == _KEY_LENGTH
    except (binascii.Error, ValueError):
        return False
