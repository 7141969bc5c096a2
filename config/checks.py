"""What a host can get wrong in the environment, said before anything starts."""

import re
from collections.abc import Callable, Iterable, Sequence
from email.utils import parseaddr
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from notifications.incoming.polling import parse_folder
from notifications.listener import parse_socket_address
from notifications.services.mail_checks.dns_lookups import is_domain


def check_environment(
    app_configs: Sequence[AppConfig] | None, **more: Any
) -> Iterable[CheckMessage]:
    """Return an error for each variable that cannot be meant as it is; secrets are not repeated."""
    return [Error(problem, id="config.E001") for problem in wrong_values()]


def wrong_values() -> list[str]:
    """Return a sentence for each variable that is set, and wrong; secrets are not repeated."""
    return [
        f"{name} must be {wanted}."
        for name, value, is_right, wanted in _decided()
        if not is_right(value)
    ]


def _decided() -> Iterable[tuple[str, str, Callable[[str], bool], str]]:
    """Yield each variable with its value, what tells whether that is right, and what would be."""
    domain = "the name of a domain, such as example.org"
    site = "scheme and host without a path, such as https://games.example.org"
    sender = "an address, such as Games <games@example.org>"
    yield "PLI_SITE_URL", settings.SITE_URL, _is_site, site
    yield "PLI_MAIL_FROM", settings.DEFAULT_FROM_EMAIL, _is_sender, sender
    yield "PLI_MAIL_DOMAIN", settings.MAIL_DOMAIN, is_domain, domain
    yield "PLI_REPLY_DOMAIN", settings.REPLY_DOMAIN, is_domain, domain
    yield (
        "PLI_LISTEN",
        settings.LISTEN,
        _is_read_by(parse_socket_address),
        "host:port or lmtp://host:port",
    )
    if settings.HOST_ADDRESS:
        yield "PLI_HOST_ADDRESS", settings.HOST_ADDRESS, _is_address, "an e-mail address"
    wanted = "one or more names of mail servers, such as mx.example.org"
    for name in settings.AUTHSERV_IDS:
        yield "PLI_AUTHSERV_ID", name, _is_authserv_id, wanted
    if settings.SECURITY_CONTACT:
        wanted = "an address such as mailto:security@example.org or https://example.org/security"
        yield "PLI_SECURITY_CONTACT", settings.SECURITY_CONTACT, _is_contact, wanted
    if settings.IMAP_URL:
        wanted = "imaps://user:password@host[:port]/folder"
        yield "IMAP_URL", settings.IMAP_URL, _is_read_by(parse_folder), wanted


def _is_site(url: str) -> bool:
    parts = urlsplit(url)
    is_whole = bool(parts.hostname) and url == f"{parts.scheme}://{parts.netloc}"
    return is_whole and parts.scheme in ("http", "https") and "@" not in parts.netloc


def _is_authserv_id(text: str) -> bool:
    """Tell whether this can stand in a header without quotes (RFC 8601, 2.2; RFC 2045, 5.1)."""
    return re.fullmatch(r"[!#$%&'*+.^_`{|}~\w-]+", text, re.ASCII) is not None


def _is_contact(text: str) -> bool:
    if text.startswith("mailto:"):
        return _is_address(text.removeprefix("mailto:"))
    return bool(text.startswith("https://") and urlsplit(text).hostname and text.isprintable())


def _is_address(text: str) -> bool:
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


def _is_sender(text: str) -> bool:
    return _is_address(parseaddr(text)[1])


def _is_read_by(read: Callable[[str], object]) -> Callable[[str], bool]:
    def is_right(text: str) -> bool:
        try:
            read(text)
        except ValueError:
            return False
        return True

    return is_right
