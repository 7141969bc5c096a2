"""Reads and checks the environment while settings are read.

Each check returns sentences that say what is wrong. A value that may be secret is never repeated.
"""

import re
import socket
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from accounts.checks import is_factor_key

DEVELOPMENT_SECRET_KEY = "only-for-make-run-where-nothing-is-secret-0123456789"  # noqa: S105
"""The default of `make run`."""

PUBLIC_SECRET_KEYS = {
    DEVELOPMENT_SECRET_KEY,
    "only-for-the-tests-0123456789-0123456789-0123456789",
    "not-a-secret-but-as-long-and-varied-as-a-real-one-0123456789",
}
"""Secret keys that are, or were, in this project's files."""

KEY_COMMAND = 'python3 -c "import secrets; print(secrets.token_urlsafe(50))"'

FACTOR_KEY_COMMAND = (
    'python -c "from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())"'
)
PUBLIC_FACTOR_KEY = "bWFrZSBydW46IGV2ZXJ5Ym9keSBtYXkgcmVhZCBpdC4="
"""The factor key of `make run`."""

PUBLIC_FACTOR_KEYS = {PUBLIC_FACTOR_KEY, "b25seSBmb3IgdGhlIHRlc3RzOiAzMiBieXRlcyBsb24="}
"""Factor keys that are in this project's files."""

PUBLIC_PUSH_KEY = "bWFrZSBydW46IGV2ZXJ5Ym9keSBtYXkgcmVhZCBpdCE"
"""The push key of `make run`."""

PUBLIC_PUSH_KEYS = {PUBLIC_PUSH_KEY, "cHVzaCBrZXkgb2YgdGhlIHRlc3RzOiAzMiBieXRlcyE"}
"""Push keys that are in this project's files."""

MIN_KEY_LENGTH, MIN_KEY_CHARACTERS = 50, 8
"""Length of a secret key, and how many different characters it has (compare Django's W009)."""

_PLACEHOLDER = re.compile(
    "changeme|replaceme|placeholder|insecure|example|password|"
    "(?:a|my|no|not|your|the)secret|secretkey|secrethere|todotodo"
)
"""What placeholder keys contain, as lower-case letters alone."""

_REQUIRED = {
    "SECRET_KEY": f"make one with: {KEY_COMMAND}",
    "PLI_FACTOR_KEYS": f"make one with: {FACTOR_KEY_COMMAND}",
    "PLI_SITE_URL": "where the pages are, such as https://games.example.org",
    "PLI_MAIL_DOMAIN": "the domain of the mails, such as example.org",
    "PLI_MAIL_FROM": "the sender of the mails, such as Games <games@example.org>",
    "PLI_VAR": "the folder that Pli writes to, such as /var/lib/pli",
    "EMAIL_URL": "the mail server, such as smtp+tls://user:password@mail.example.org:587",
}

CHECKED = (*_REQUIRED, "ALLOWED_HOSTS", "IMAP_URL", "PLI_PUSH_KEY", "PLI_TRUSTED_NETWORKS")
"""The variables that `production_problems` looks at."""

Network = IPv4Network | IPv6Network


def production_problems(values: Mapping[str, str]) -> list[str]:
    """Return everything for which a server that others reach must not start.

    `values` are the environment's variables; what is missing counts as empty.
    """
    given = {name: value.strip() for name, value in values.items() if value.strip()}
    missing = [
        f"{name} is missing: {hint}" for name, hint in _REQUIRED.items() if name not in given
    ]
    return [*missing, *_key_problems(given), *_address_problems(given), *_mail_problems(given)]


def development_problems(values: Mapping[str, str]) -> list[str]:
    """Return why the settings of `make run`, with public passwords, must not be used here."""
    public = []
    if (site := values.get("PLI_SITE_URL", "").strip()) and not is_loopback(host_of(site)):
        public.append("PLI_SITE_URL")
    hosts = _split(values.get("ALLOWED_HOSTS", ""))
    if not all(is_loopback(host) for host in hosts):
        public.append("ALLOWED_HOSTS")
    return [
        f"{name} names another host than this machine, but config.settings.dev (public "
        "passwords) is for this machine alone. Set DJANGO_SETTINGS_MODULE=config.settings.prod."
        for name in public
    ]


def allowed_hosts(text: str, site: str) -> list[str]:
    """Return the hosts of ALLOWED_HOSTS; without any, the host of the site's URL."""
    return _split(text) or [host for host in [host_of(site)] if host]


def host_of(url: str) -> str:
    """Return the host of a URL as Django compares it: lower case, no port; empty without any."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return f"[{host}]" if ":" in host else host


def env_int(
    environment: Mapping[str, str], name: str, *, default: int, least: int, most: int
) -> int:
    """Return a number from the environment, `default` where it is missing or empty.

    Raises ImproperlyConfigured, with a sentence that names the variable and what it may be.
    """
    text = environment.get(name, "").strip()
    if not text:
        return default
    # More digits than the greatest number has are not converted: `int` takes its time.
    digits = text.lstrip("0") or "0"
    is_number = text.isascii() and text.isdigit() and len(digits) <= len(str(most))
    if not is_number or not least <= int(digits) <= most:
        raise ImproperlyConfigured(
            f"{name} is “{text}”, and must be a whole number from {least} to {most}."
        )
    return int(digits)


def is_loopback(host: str) -> bool:
    """Return whether a host name or an IP address is this machine's own (RFC 6761, RFC 4291)."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _key_problems(given: Mapping[str, str]) -> Iterator[str]:
    key = given.get("SECRET_KEY")
    problem = ""
    if key is None:
        pass  # missing
    elif len(key) < MIN_KEY_LENGTH:
        problem = f"is too short: it needs {MIN_KEY_LENGTH} characters"
    elif len(set(key)) < MIN_KEY_CHARACTERS:
        problem = "is too simple: it repeats few characters"
    elif key in PUBLIC_SECRET_KEYS:
        problem = "is public: everybody can read it in Pli's source"
    elif _PLACEHOLDER.search(re.sub("[^a-z]", "", key.lower())):
        problem = "is a placeholder"
    if problem:
        yield f"SECRET_KEY {problem}. Make one with: {KEY_COMMAND}"
    keys = _split(given.get("PLI_FACTOR_KEYS", ""))
    if not PUBLIC_FACTOR_KEYS.isdisjoint(keys):
        yield "PLI_FACTOR_KEYS is public: everybody can read it in Pli's source"
    elif not all(is_factor_key(key) for key in keys):
        yield f"PLI_FACTOR_KEYS must be Fernet keys, the newest first. {FACTOR_KEY_COMMAND}"
    if given.get("PLI_PUSH_KEY") in PUBLIC_PUSH_KEYS:
        yield "PLI_PUSH_KEY is public: everybody can read it in Pli's source"


def _address_problems(given: Mapping[str, str]) -> Iterator[str]:
    if not given.get("PLI_SITE_URL", "https://").startswith("https://"):
        yield "PLI_SITE_URL must begin with https://, such as https://games.example.org"
    hosts = _split(given.get("ALLOWED_HOSTS", ""))
    site = host_of(given.get("PLI_SITE_URL", ""))
    # A name below ours may be somebody else's, and links in mails are made from the name asked for.
    if any("*" in host or host.startswith(".") for host in hosts):
        yield "ALLOWED_HOSTS must name each host in full, without * and without a dot before it"
    elif hosts and site and site not in (host.lower() for host in hosts):
        yield "ALLOWED_HOSTS does not contain the host of PLI_SITE_URL; leave it out to allow that"
    if not PurePosixPath(given.get("PLI_VAR", "/")).is_absolute():
        yield "PLI_VAR must be a full path, such as /var/lib/pli"


def _mail_problems(given: Mapping[str, str]) -> Iterator[str]:
    or_trust = ", or name the server's network in PLI_TRUSTED_NETWORKS"
    try:
        networks = [ip_network(text) for text in _split(given.get("PLI_TRUSTED_NETWORKS", ""))]
    except ValueError:
        networks = []
        yield "PLI_TRUSTED_NETWORKS must be networks such as 10.0.0.0/8, with commas between them"
    if "EMAIL_URL" in given:
        try:
            mail: dict[str, Any] = environ.Env.email_url_config(given["EMAIL_URL"])
        except (ImproperlyConfigured, ValueError):
            mail = {"EMAIL_BACKEND": "smtp", "EMAIL_HOST": None}
        is_smtp = "smtp" in mail["EMAIL_BACKEND"]
        has_tls = mail.get("EMAIL_USE_TLS") or mail.get("EMAIL_USE_SSL")
        if is_smtp and not mail["EMAIL_HOST"]:
            yield "EMAIL_URL must be an address such as smtp+tls://user:password@mail.example.org:587"
        elif is_smtp and not has_tls and not _is_trusted(mail["EMAIL_HOST"], networks):
            yield f"EMAIL_URL has no TLS: begin it with smtp+tls:// or smtp+ssl://{or_trust}"
    imap = given.get("IMAP_URL", "")
    if imap.lower().startswith("imap://") and not _is_trusted(host_of(imap), networks):
        yield f"IMAP_URL has no TLS: begin it with imaps://{or_trust}"


def _is_trusted(host: str, networks: Sequence[Network]) -> bool:
    """Return whether all addresses of a mail server are this machine's or in a trusted network."""
    if is_loopback(host):
        return True
    if not networks:
        return False
    try:
        found = socket.getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    addresses = {ip_address(str(entry[4][0]).partition("%")[0]) for entry in found}
    return all(any(address in network for network in networks) for address in addresses)
