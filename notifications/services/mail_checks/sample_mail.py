"""A mail that goes out and comes back, and what the mail server wrote into it (RFC 8601)."""

import smtplib
import time
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.smtp import EmailBackend
from django.utils.translation import gettext as _

from notifications.incoming import polling
from notifications.incoming.classify import check_authentication
from notifications.mail_parser import UnreadableMail, Verdict, parse
from notifications.models import IncomingMail, ReplyAddress
from notifications.outbox.smtp import describe_error
from notifications.services.mail_checks.base import CheckContext, Finding, fail, ok, warn
from notifications.services.replies import bounce_address, hash_of, new_trial, reply_address

POLL_INTERVAL = 0.5
"""Seconds between two looks at what has come."""

FORGED = "x-pli-trial"
"""The method in the header that the sample mail carries in the name of the server itself."""


def check_sending(context: CheckContext) -> Finding:
    """Send a real mail: to the address in the context, else to a reply address of ours."""
    backend = get_connection()
    if not isinstance(backend, EmailBackend):
        return warn(_("Not tried: mail does not go out by SMTP."))
    try:
        backend.open()
    except (OSError, smtplib.SMTPException):
        return warn(_("Not tried: the server refuses our sign-in."))
    token = new_trial(now=context.now)
    text = _(
        "This mail was sent to see whether mail arrives and comes back. Answer it with any word."
    )
    mail = EmailMessage(
        _("Test mail of %(site)s") % {"site": settings.SITE_NAME},
        text + "\n",
        bounce_address(token),
        [context.to or reply_address(token)],
        headers={
            "From": settings.DEFAULT_FROM_EMAIL,
            "Reply-To": reply_address(token),
            **forged_headers(context),
        },
    )
    values: dict[str, object] = {"to": context.to or _("a reply address of ours")}
    try:
        backend.send_messages([mail])
    except (OSError, smtplib.SMTPException) as error:
        _delete_sample(token)
        said = _("A mail to %(to)s was not accepted: %(why)s")
        advice = _("The server must accept our mail to anybody: let this machine or user relay.")
        return fail(said % {**values, "why": describe_error(error)}, advice)
    finally:
        backend.close()
    context.sample_token = token
    return ok(_("A mail to %(to)s was accepted.") % values)


def forged_headers(context: CheckContext) -> dict[str, str]:
    """Return what a forger would add to a mail, where it would count if the server let it stay."""
    if not settings.AUTHSERV_IDS or not settings.AUTHSERV_EVERY_HEADER or context.to:
        return {}
    return {"Authentication-Results": f"{settings.AUTHSERV_IDS[0]}; {FORGED}=pass"}


def check_round_trip(context: CheckContext) -> Finding:
    """Wait until the mail, or its answer, has come in, whichever way."""
    if not context.sample_token:
        return warn(_("Not tried: no mail was sent."))
    came = IncomingMail.objects.filter(token_hash=hash_of(context.sample_token))
    timeout = context.timeout.total_seconds()
    began = time.monotonic()
    mail = came.first()
    while mail is None and time.monotonic() - began < timeout:
        time.sleep(POLL_INTERVAL)
        # As the periodic task does, only sooner.
        polling.poll(now=context.now + timedelta(seconds=time.monotonic() - began))
        mail = came.first()
    if mail is not None:
        seconds = round(time.monotonic() - began)
        said = _("It came back (%(door)s) after %(seconds)s s.")
        return ok(said % {"door": mail.get_door_display(), "seconds": seconds})
    values: dict[str, object] = {"to": context.to, "seconds": round(timeout)}
    if context.to:
        said = _("No answer from %(to)s came within %(seconds)s s.")
        advice = _("Answer the mail while this command waits (--timeout 300 gives more time).")
        return warn(said % values, advice)
    said = _("The mail did not come back within %(seconds)s s.")
    advice = _("Let your mail server pass mail of %(domain)s to the listener (docs/mail-in.md).")
    return fail(said % values, advice % {"domain": context.reply_domain})


def check_sender_results(context: CheckContext) -> Finding:
    """Check what the mail server says about the sender of the mail that came back."""
    if not settings.AUTHSERV_IDS:
        advice = _(
            "Set PLI_AUTHSERV_ID to the name that your mail server writes into "
            "Authentication-Results (docs/mail-in.md)."
        )
        return warn(_("The sender of a mail is not checked: anybody can forge it."), advice)
    came = IncomingMail.objects.filter(token_hash=hash_of(context.sample_token)).first()
    if came is None:
        return warn(_("Not tried: no mail came back."))
    try:
        mail = parse(bytes(came.raw))
    except UnreadableMail as error:
        said = _("Not tried: the mail that came back cannot be read (%(why)s).")
        return warn(said % {"why": error})
    if any(FORGED in value for name, value in mail.headers if name == "authentication-results"):
        said = _("The mail server lets through Authentication-Results that a sender has forged.")
        advice = _(
            "Let it remove those that arrive with a mail, or unset PLI_AUTHSERV_EVERY_HEADER "
            "(docs/mail-in.md)."
        )
        return fail(said, advice)
    found = check_authentication(mail)
    values: dict[str, object] = {
        "server": ", ".join(settings.AUTHSERV_IDS),
        "results": ", ".join(found.results) or _("no results"),
        "to": context.to,
    }
    if found.verdict == Verdict.MISSING:
        said = _("The mail that came back carries no Authentication-Results of %(server)s.")
        if context.to:
            advice = _(
                "Correct PLI_AUTHSERV_ID or the mail server: all answers are held until then."
            )
            return fail(said % values, advice)
        advice = _(
            "Many servers do not check mail of their own machine: ask again with --to and an "
            "address elsewhere."
        )
        return warn(said % values, advice)
    if found.ignored:
        said = _("%(server)s writes several headers and only the topmost counts: %(results)s")
        advice = _(
            "Let the server write one header, or see PLI_AUTHSERV_EVERY_HEADER in docs/mail-in.md."
        )
        return warn(said % values, advice)
    if context.to and found.verdict == Verdict.FAIL:
        said = _("%(server)s does not confirm %(to)s: %(results)s")
        advice = _("Mails of that address would be held. Ask its provider, or try another address.")
        return warn(said % values, advice)
    return ok(_("%(server)s reports: %(results)s") % values)


def delete_sample(context: CheckContext) -> None:
    """Delete what the sample mail has left in the database."""
    if context.sample_token:
        _delete_sample(context.sample_token)


def _delete_sample(token: str) -> None:
    IncomingMail.objects.filter(token_hash=hash_of(token)).delete()
    ReplyAddress.objects.filter(token_hash=hash_of(token)).delete()
