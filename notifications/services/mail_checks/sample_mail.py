"""A mail that goes out and comes back."""

import smtplib
import time
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.smtp import EmailBackend
from django.utils.translation import gettext as _

from notifications.models import IncomingMail, ReplyAddress
from notifications.outbox.smtp import describe_error
from notifications.services.incoming import polling
from notifications.services.mail_checks.authentication import forged_headers
from notifications.services.mail_checks.context import CheckContext
from notifications.services.mail_checks.findings import Finding, fail, ok, warn
from notifications.services.replies import bounce_address, hash_of, new_trial, reply_address

LOOK_EVERY = 0.5
"""Seconds between two looks at what has come."""


def mail_sent(case: CheckContext) -> Finding:
    """Hand a real mail over: to the address that was named, else to one of our own."""
    backend = get_connection()
    if not isinstance(backend, EmailBackend):
        return warn(_("Not tried: mail does not go out by SMTP."))
    try:
        backend.open()
    except (OSError, smtplib.SMTPException):
        return warn(_("Not tried: the server does not let us in."))
    try:
        return _handed_over(case, backend)
    finally:
        backend.close()


def _handed_over(case: CheckContext, backend: EmailBackend) -> Finding:
    token = new_trial(now=case.now)
    try:
        backend.send_messages([_trial(token, case)])
    except (OSError, smtplib.SMTPException) as error:
        _forget(token)
        said = _("A mail to %(to)s was not taken: %(why)s")
        mend = _("The server must take mail from us to anybody: let this machine or user relay.")
        return fail(said % {"to": _shown(case), "why": describe_error(error)}, mend)
    case.trial = token
    return ok(_("A mail to %(to)s was taken.") % {"to": _shown(case)})


def _shown(case: CheckContext) -> str:
    return case.to or _("a reply address of ours")


def _trial(token: str, case: CheckContext) -> EmailMessage:
    text = _(
        "This mail was sent to see whether mail arrives and comes back. Answer it with any word."
    )
    return EmailMessage(
        _("Trial mail of %(site)s") % {"site": settings.SITE_NAME},
        text + "\n",
        bounce_address(token),
        [case.to or reply_address(token)],
        headers={
            "From": settings.DEFAULT_FROM_EMAIL,
            "Reply-To": reply_address(token),
            **forged_headers(case),
        },
    )


def round_trip(case: CheckContext) -> Finding:
    """Wait until the mail, or its answer, has come in by any of the doors."""
    if not case.trial:
        return warn(_("Not tried: no mail was sent."))
    began = time.monotonic()
    door = _door(case)
    while not door and time.monotonic() - began < case.patience.total_seconds():
        time.sleep(LOOK_EVERY)
        # The folder is asked as its chore does, only sooner.
        polling.poll(now=case.now + timedelta(seconds=time.monotonic() - began))
        door = _door(case)
    if door:
        seconds = round(time.monotonic() - began)
        said = _("It came back (%(door)s) after %(seconds)s s.")
        return ok(said % {"door": door, "seconds": seconds})
    return _not_back(case)


def _door(case: CheckContext) -> str:
    """Return by which door the mail has come back, empty if it has not."""
    came = IncomingMail.objects.filter(token_hash=hash_of(case.trial)).first()
    return came.get_door_display() if came else ""


def _not_back(case: CheckContext) -> Finding:
    seconds = round(case.patience.total_seconds())
    if case.to:
        said = _("No answer from %(to)s came within %(seconds)s s.")
        mend = _("Answer the mail while this command waits (--timeout 300 gives more time).")
        return warn(said % {"to": case.to, "seconds": seconds}, mend)
    said = _("The mail did not come back within %(seconds)s s.")
    mend = _("Let your mail server pass mail of %(domain)s to the listener (docs/mail-in.md).")
    return fail(said % {"seconds": seconds}, mend % {"domain": case.reply_domain})


def forget(case: CheckContext) -> None:
    """Remove what the trial has left in the database."""
    if case.trial:
        _forget(case.trial)


def _forget(token: str) -> None:
    IncomingMail.objects.filter(token_hash=hash_of(token)).delete()
    ReplyAddress.objects.filter(token_hash=hash_of(token)).delete()
