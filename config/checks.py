"""Checks of the environment that need Django, made before anything starts."""

import re
from collections.abc import Callable, Iterable, Sequence
from email.utils import parseaddr
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from notifications.incoming.polling import parse_folder
from notifications.listener import parse_socket_address
from notifications.push.transport import private_key_of
from notifications.services.mail_checks.dns_lookups import is_domain


def check_environment(
    app_configs: Sequence[AppConfig] | None, **more: Any
) -> Iterable[CheckMessage]:
    """Return an error for each variable with an invalid value; secrets are not repeated."""
    return [Error(problem, id="config.E001") for problem in wrong_values()]


def wrong_values() -> list[str]:
    """Return a sentence for each variable with an invalid value; secrets are not repeated."""
    problems = []

    def require(name: str, is_right: bool, wanted: str) -> None:
        if not is_right:
            problems.append(f"{name} must be {wanted}.")

    site = _split(settings.SITE_URL)
    require(
        "PLI_SITE_URL",
        site.scheme in ("http", "https")
        and bool(site.hostname)
        and "@" not in site.netloc
        and f"{site.scheme}://{site.netloc}" == settings.SITE_URL,
        "scheme and host without a path, such as https://games.example.org",
    )
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    wanted = "an address, such as Games <games@example.org>"
    require("PLI_MAIL_FROM", _accepts(validate_email, sender), wanted)
    wanted = "the name of a domain, such as example.org"
    require("PLI_MAIL_DOMAIN", is_domain(settings.MAIL_DOMAIN), wanted)
    require("PLI_REPLY_DOMAIN", is_domain(settings.REPLY_DOMAIN), wanted)
    is_socket = _accepts(parse_socket_address, settings.LISTEN)
    require("PLI_LISTEN", is_socket, "host:port or lmtp://host:port")
    if settings.PROBE_URL:
        probe = _split(settings.PROBE_URL)
        is_page = probe.scheme in ("http", "https") and bool(probe.hostname)
        require("PLI_PROBE_URL", is_page, "a page such as https://example.org/healthz, or empty")
    if settings.PROBE_SMTP:
        is_socket = _accepts(parse_socket_address, settings.PROBE_SMTP)
        require("PLI_PROBE_SMTP", is_socket, "host:port or lmtp://host:port, or empty")
    if address := settings.HOST_ADDRESS:
        require("PLI_HOST_ADDRESS", _accepts(validate_email, address), "an e-mail address")
    for name in settings.AUTHSERV_IDS:
        # What needs no quotes in a header (RFC 8601, 2.2; RFC 2045, 5.1).
        is_token = re.fullmatch(r"[!#$%&'*+.^_`{|}~\w-]+", name, re.ASCII) is not None
        wanted = "one or more names of mail servers, such as mx.example.org"
        require("PLI_AUTHSERV_ID", is_token, wanted)
    if contact := settings.SECURITY_CONTACT:
        if contact.startswith("mailto:"):
            is_contact = _accepts(validate_email, contact.removeprefix("mailto:"))
        else:
            is_contact = bool(contact.startswith("https://") and _split(contact).hostname)
        wanted = "an address such as mailto:security@example.org or https://example.org/security"
        require("PLI_SECURITY_CONTACT", is_contact and contact.isprintable(), wanted)
    if settings.IMAP_URL:
        wanted = "imaps://user:password@host[:port]/folder"
        require("IMAP_URL", _accepts(parse_folder, settings.IMAP_URL), wanted)
    if settings.PUSH_KEY:
        wanted = "32 bytes as base64url (docs/hosting.md says how to make them)"
        require("PLI_PUSH_KEY", _accepts(private_key_of, settings.PUSH_KEY), wanted)
    return problems


def _split(url: str) -> SplitResult:
    """Return the parts of a URL, all empty for what is none, such as `https://[`."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _accepts(check: Callable[[str], object], text: str) -> bool:
    """Return whether `check` takes a text without raising ValueError or ValidationError."""
    try:
        check(text)
    except (ValueError, ValidationError):
        return False
    return True
