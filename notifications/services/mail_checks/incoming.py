"""The listener that takes mail in."""

import smtplib
from typing import TypeAlias

from django.conf import settings
from django.utils.translation import gettext as _

from notifications.connections import SocketAddress, parse_socket_address
from notifications.outbox.smtp import describe_error
from notifications.services.mail_checks.context import CheckContext
from notifications.services.mail_checks.findings import Finding, fail, ok, warn
from notifications.services.replies import hash_of, new_token, new_trial, reply_address, with_hash

PATIENCE = 10.0
"""Seconds to wait for each answer."""

TAKEN, UNKNOWN = 250, 550
Answer: TypeAlias = tuple[int, str]


def listener(case: CheckContext) -> Finding:
    """Offer mail to an address that is not ours and to one that is, and send neither."""
    try:
        where = parse_socket_address(settings.LISTEN)
    except ValueError as error:
        mend = _("Set PLI_LISTEN to host:port, or lmtp://host:port.")
        return fail(_("PLI_LISTEN cannot be read: %(why)s") % {"why": error}, mend)
    token = new_trial(now=case.now)
    try:
        unknown, known = _asked(where, new_token(), token)
    except (OSError, smtplib.SMTPException) as error:
        return _silent(case, error)
    finally:
        _forget(token)
    return _judged(unknown, known)


def _forget(token: str) -> None:
    reply = with_hash(hash_of(token))
    if reply is not None:
        reply.delete()


def _asked(where: SocketAddress, *tokens: str) -> list[Answer]:
    """Return what the listener answers to each recipient."""
    kind = smtplib.LMTP if where.lmtp else smtplib.SMTP
    # Named, because smtplib would else look up the machine's name, for as long as DNS takes.
    name = settings.MAIL_DOMAIN
    with kind(_reachable(where.host), where.port, name, timeout=PATIENCE) as server:
        server.ehlo_or_helo_if_needed()
        return [_answer(server, token) for token in tokens]


def _answer(server: smtplib.SMTP, token: str) -> Answer:
    server.mail("")
    code, said = server.rcpt(reply_address(token))
    server.rset()
    return code, said.decode("utf-8", "replace")


def _reachable(host: str) -> str:
    """Return where to call what listens on every address."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104


def _judged(unknown: Answer, known: Answer) -> Finding:
    where = {"where": settings.LISTEN}
    if unknown[0] != UNKNOWN:
        said = _("What listens at %(where)s takes mail to an address nobody was given: %(answer)s")
        mend = _("Another program listens there: choose another PLI_LISTEN.")
        return fail(said % {**where, "answer": "{} {}".format(*unknown)}, mend)
    if known[0] != TAKEN:
        said = _("The listener at %(where)s refuses an address of ours: %(answer)s")
        mend = _("It must use this DATABASE_URL and this PLI_REPLY_DOMAIN: start it anew.")
        return fail(said % {**where, "answer": "{} {}".format(*known)}, mend)
    said = _("The listener at %(where)s takes our reply addresses and refuses others.")
    return ok(said % where)


def _silent(case: CheckContext, error: Exception) -> Finding:
    said = _("Nobody listens at %(where)s: %(why)s")
    said %= {"where": settings.LISTEN, "why": describe_error(error)}
    if case.has_pipe or settings.IMAP_URL or settings.MAIL_WEBHOOK:
        return warn(said, _("Nothing is wrong if mail comes in another way."))
    mend = _("Start “manage.py listen” (“manage.py serve” does), or say --pipe if mail comes so.")
    return fail(said, mend)
