"""Whether a mail is from the person whose reply address it came to."""

from dataclasses import replace
from email.utils import parseaddr

from allauth.account.models import EmailAddress
from django.conf import settings

from accounts.addresses import normal_or_none
from notifications.mail_parser import Authentication, ParsedMail, Verdict, authenticate
from notifications.models import ReplyAddress
from notifications.services.replies import destination

UNCONFIRMED = "unconfirmed"
"""The host's mail server has checked the sender, and does not confirm it."""

UNCHECKED = "unchecked"
"""The host's mail server has written no results: the mail did not come through it."""

_RESULTS = {Verdict.PASS: "", Verdict.FAIL: UNCONFIRMED, Verdict.MISSING: UNCHECKED}


def authentication_of(mail: ParsedMail) -> Authentication:
    """Return what the mail server named by settings.AUTHSERV_IDS says about the sender."""
    return authenticate(mail, settings.AUTHSERV_IDS, every_header=settings.AUTHSERV_EVERY_HEADER)


def why_not_authentic(mail: ParsedMail) -> tuple[str, str]:
    """Return UNCONFIRMED or UNCHECKED, empty if all is well, and the results it rests on.

    Nothing is checked while the host has not named a mail server.
    """
    if not settings.AUTHSERV_IDS:
        return "", ""
    found = authentication_of(mail)
    return _RESULTS[found.verdict], ", ".join(found.results)


def with_normal_senders(mail: ParsedMail) -> ParsedMail:
    """Return a mail with its senders in their normal form, those that have none as they are.

    What has no normal form is never equal to an address that is stored.
    """
    return replace(mail, senders=tuple(normal_or_none(one) or one for one in mail.senders))


def is_from_its_person(mail: ParsedMail, reply: ReplyAddress) -> bool:
    """Tell whether every sender of a mail is a verified address of the person who may answer."""
    senders = set(mail.senders)
    return bool(senders) and senders <= _addresses(reply)


def _addresses(reply: ReplyAddress) -> set[str]:
    if reply.user is None:
        return {reply.address}
    if not reply.user.is_active:
        return set()
    verified = EmailAddress.objects.filter(user=reply.user, verified=True)
    return set(verified.values_list("email", flat=True))


def why_ignored(mail: ParsedMail) -> str:
    """Return why a mail was not written by a person, as a slug; empty if it seems to be."""
    if mail.automatic:
        return mail.automatic
    return "own" if any(map(_is_ours, mail.senders)) else ""


def _is_ours(address: str) -> bool:
    ours = normal_or_none(parseaddr(settings.DEFAULT_FROM_EMAIL)[1])
    return address == ours or destination(address) is not None
