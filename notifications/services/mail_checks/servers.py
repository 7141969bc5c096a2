"""The two servers on this side: the one that takes our mail, and the listener for mail in."""

import smtplib
import ssl
from ipaddress import ip_address
from typing import TypeAlias

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.smtp import EmailBackend
from django.utils.translation import gettext as _

from notifications.listener import SocketAddress, parse_socket_address
from notifications.outbox.smtp import describe_error
from notifications.services.mail_checks.base import CheckContext, Finding, fail, ok, warn
from notifications.services.replies import hash_of, new_token, new_trial, reply_address, with_hash

TIMEOUT = 10.0
"""Seconds to wait for each answer of the listener."""

TAKEN, UNKNOWN = 250, 550

SmtpAnswer: TypeAlias = tuple[int, str]


def check_server_out(context: CheckContext) -> Finding:
    """Connect as every mail does: greeting, TLS and sign-in where the settings ask for them."""
    backend = get_connection()
    if not isinstance(backend, EmailBackend):
        said = _("Not tried: mail does not go out by SMTP but by “%(backend)s”.")
        advice = _("Set EMAIL_URL=smtp+tls://user:password@host:587 to send real mail.")
        return warn(said % {"backend": settings.EMAIL_BACKEND}, advice)
    where = {"where": f"{backend.host}:{backend.port}"}
    try:
        backend.open()
        if backend.connection is not None:
            backend.connection.ehlo_or_helo_if_needed()
    except (OSError, smtplib.SMTPException) as error:
        return _connection_refused(error, where)
    backend.close()
    try:
        is_here = ip_address(backend.host).is_loopback
    except ValueError:
        is_here = backend.host == "localhost"
    is_encrypted = backend.use_tls or backend.use_ssl
    if not is_encrypted and not is_here:
        said = _("%(where)s answers, but mail and password go there without encryption.")
        advice = _("Use smtp+tls:// (STARTTLS) or smtp+ssl:// in EMAIL_URL.")
        return warn(said % where, advice)
    if not is_encrypted:
        said = _("%(where)s answers; no encryption is asked for on this machine.")
    elif backend.username:
        said = _("%(where)s answers, speaks TLS and lets us sign in.")
    else:
        said = _("%(where)s answers and speaks TLS.")
    return ok(said % where)


def _connection_refused(error: Exception, where: dict[str, str]) -> Finding:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        said = _("%(where)s refuses our sign-in: %(why)s")
        advice = _("Check the user and the password in EMAIL_URL.")
    elif isinstance(error, smtplib.SMTPNotSupportedError):
        said = _("%(where)s cannot do what EMAIL_URL asks for: %(why)s")
        advice = _("Another port may (587 for STARTTLS), or ask for less in EMAIL_URL.")
    elif isinstance(error, ssl.SSLError):
        said = _("No encrypted connection to %(where)s: %(why)s")
        advice = _(
            "Port 587 wants smtp+tls://, port 465 smtp+ssl://; the certificate must be valid."
        )
    else:
        said = _("No mail server answers at %(where)s: %(why)s")
        advice = _("Check host and port in EMAIL_URL, and that no firewall blocks them.")
    return fail(said % {**where, "why": describe_error(error)}, advice)


def check_listener(context: CheckContext) -> Finding:
    """Offer mail to an address that is not ours and to one that is, and send neither."""
    try:
        where = parse_socket_address(settings.LISTEN)
    except ValueError as error:
        advice = _("Set PLI_LISTEN to host:port, or lmtp://host:port.")
        return fail(_("PLI_LISTEN cannot be read: %(why)s") % {"why": error}, advice)
    values = {"where": settings.LISTEN}
    token = new_trial(now=context.now)
    try:
        unknown, known = _ask_listener(where, [new_token(), token])
    except (OSError, smtplib.SMTPException) as error:
        said = _("Nothing listens at %(where)s: %(why)s")
        said %= {**values, "why": describe_error(error)}
        if context.has_pipe or settings.IMAP_URL or settings.MAIL_WEBHOOK:
            return warn(said, _("This is fine if mail comes in another way."))
        advice = _(
            "Start “manage.py listen” (“manage.py serve” does), or use --pipe for mail by a pipe."
        )
        return fail(said, advice)
    finally:
        if reply := with_hash(hash_of(token)):
            reply.delete()
    if unknown[0] != UNKNOWN:
        said = _("The program at %(where)s accepts mail to unknown addresses: %(answer)s")
        advice = _("Another program listens there: choose another PLI_LISTEN.")
        return fail(said % {**values, "answer": "{} {}".format(*unknown)}, advice)
    if known[0] != TAKEN:
        said = _("The listener at %(where)s refuses an address of ours: %(answer)s")
        advice = _("It must use this DATABASE_URL and this PLI_REPLY_DOMAIN: restart it.")
        return fail(said % {**values, "answer": "{} {}".format(*known)}, advice)
    said = _("The listener at %(where)s accepts our reply addresses and refuses others.")
    return ok(said % values)


def _ask_listener(where: SocketAddress, tokens: list[str]) -> list[SmtpAnswer]:
    """Return what the listener answers to each recipient. Raises OSError, SMTPException."""
    kind = smtplib.LMTP if where.lmtp else smtplib.SMTP
    # What listens on every address is reached at the loopback one.
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(where.host, where.host)  # noqa: S104
    answers = []
    # Named, because smtplib would else look up the machine's name, for as long as DNS takes.
    with kind(host, where.port, settings.MAIL_DOMAIN, timeout=TIMEOUT) as server:
        server.ehlo_or_helo_if_needed()
        for token in tokens:
            server.mail("")
            code, said = server.rcpt(reply_address(token))
            server.rset()
            answers.append((code, said.decode("utf-8", "replace")))
    return answers
