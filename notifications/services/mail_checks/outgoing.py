"""The mail server that our mails are handed to."""

import smtplib
import ssl
from ipaddress import ip_address

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.smtp import EmailBackend
from django.utils.translation import gettext as _

from notifications.outbox.smtp import describe_error
from notifications.services.mail_checks.context import CheckContext
from notifications.services.mail_checks.findings import Finding, fail, ok, warn


def server(case: CheckContext) -> Finding:
    """Connect as every mail does: greeting, TLS and sign-in where the settings ask for them."""
    backend = get_connection()
    if not isinstance(backend, EmailBackend):
        said = _("Not tried: mail does not go out by SMTP but by “%(backend)s”.")
        mend = _("Set EMAIL_URL=smtp+tls://user:password@host:587 to send real mail.")
        return warn(said % {"backend": settings.EMAIL_BACKEND}, mend)
    where = {"where": f"{backend.host}:{backend.port}"}
    try:
        backend.open()
        if backend.connection is not None:
            backend.connection.ehlo_or_helo_if_needed()
    except (OSError, smtplib.SMTPException) as error:
        return _refused(error, where)
    try:
        return _greeted(backend, where)
    finally:
        backend.close()


def _greeted(backend: EmailBackend, where: dict[str, str]) -> Finding:
    open_text = not (backend.use_tls or backend.use_ssl)
    if open_text and not _is_here(backend.host):
        said = _("%(where)s answers, but mail and password go there without encryption.")
        mend = _("Use smtp+tls:// (STARTTLS) or smtp+ssl:// in EMAIL_URL.")
        return warn(said % where, mend)
    if open_text:
        return ok(_("%(where)s answers; no encryption is asked for on this machine.") % where)
    if backend.username:
        return ok(_("%(where)s answers, speaks TLS and lets us sign in.") % where)
    return ok(_("%(where)s answers and speaks TLS.") % where)


def _refused(error: Exception, where: dict[str, str]) -> Finding:
    said = {**where, "why": describe_error(error)}
    if isinstance(error, smtplib.SMTPAuthenticationError):
        sentence = _("%(where)s does not let us sign in: %(why)s")
        mend = _("Check the user and the password in EMAIL_URL.")
    elif isinstance(error, smtplib.SMTPNotSupportedError):
        sentence = _("%(where)s cannot do what EMAIL_URL asks for: %(why)s")
        mend = _("Another port may (587 for STARTTLS), or ask for less in EMAIL_URL.")
    elif isinstance(error, ssl.SSLError):
        sentence = _("No encrypted connection to %(where)s: %(why)s")
        mend = _("Port 587 wants smtp+tls://, port 465 smtp+ssl://; the certificate must be valid.")
    else:
        sentence = _("No mail server answers at %(where)s: %(why)s")
        mend = _("Check host and port in EMAIL_URL, and that no firewall is between.")
    return fail(sentence % said, mend)


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
