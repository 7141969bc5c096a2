"""Whether the mail server says who wrote a mail that comes in (RFC 8601)."""

from django.conf import settings
from django.utils.translation import gettext as _

from notifications.mail_parser import Authentication, UnreadableMail, Verdict, parse
from notifications.models import IncomingMail
from notifications.services.incoming.senders import authentication_of
from notifications.services.mail_checks.context import CheckContext
from notifications.services.mail_checks.findings import Finding, fail, ok, warn
from notifications.services.replies import hash_of

FORGED = "x-pli-trial"
"""The method in the header that the trial mail carries in the name of the server itself."""


def forged_headers(case: CheckContext) -> dict[str, str]:
    """Return what a forger would add to a mail, where it would count if the server let it stay."""
    if not settings.AUTHSERV_IDS or not settings.AUTHSERV_EVERY_HEADER or case.to:
        return {}
    return {"Authentication-Results": f"{settings.AUTHSERV_IDS[0]}; {FORGED}=pass"}


def sender_check(case: CheckContext) -> Finding:
    """Look at the results in the mail that came back."""
    if not settings.AUTHSERV_IDS:
        mend = _(
            "Set PLI_AUTHSERV_ID to the name that your mail server writes into "
            "Authentication-Results (docs/mail-in.md)."
        )
        return warn(_("The sender of a mail is not checked: anybody can forge it."), mend)
    came = IncomingMail.objects.filter(token_hash=hash_of(case.trial)).first()
    if came is None:
        return warn(_("Not tried: no mail came back."))
    try:
        mail = parse(bytes(came.raw))
    except UnreadableMail as error:
        return warn(
            _("Not tried: the mail that came back cannot be read (%(why)s).") % {"why": error}
        )
    if any(FORGED in value for name, value in mail.headers if name == "authentication-results"):
        return _forged_results()
    return _describe_results(case, authentication_of(mail))


def _forged_results() -> Finding:
    said = _("The mail server lets through Authentication-Results that a sender has forged.")
    mend = _(
        "Let it remove those that arrive with a mail, or unset PLI_AUTHSERV_EVERY_HEADER "
        "(docs/mail-in.md)."
    )
    return fail(said, mend)


def _describe_results(case: CheckContext, found: Authentication) -> Finding:
    said = {
        "server": ", ".join(settings.AUTHSERV_IDS),
        "results": ", ".join(found.results) or _("no results"),
        "to": case.to,
        "count": found.ignored,
    }
    if found.verdict == Verdict.MISSING:
        return _no_results(case, said)
    if found.ignored:
        mend = _(
            "Let the server write one header, or see PLI_AUTHSERV_EVERY_HEADER in docs/mail-in.md."
        )
        many = _("%(server)s writes several headers and only the topmost counts: %(results)s")
        return warn(many % said, mend)
    if case.to and found.verdict == Verdict.FAIL:
        mend = _("Mails of that address would be held. Ask its provider, or try another address.")
        return warn(_("%(server)s does not confirm %(to)s: %(results)s") % said, mend)
    return ok(_("%(server)s says what it has found: %(results)s") % said)


def _no_results(case: CheckContext, said: dict[str, object]) -> Finding:
    none = _("The mail that came back carries no Authentication-Results of %(server)s.") % said
    if case.to:
        mend = _("Correct PLI_AUTHSERV_ID or the mail server: all answers are held until then.")
        return fail(none, mend)
    mend = _(
        "Many servers do not check mail of their own machine: ask again with --to and an address "
        "elsewhere."
    )
    return warn(none, mend)
