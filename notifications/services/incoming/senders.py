"""Whether a mail is from the person whose reply address it came to."""

from email.utils import parseaddr

from allauth.account.models import EmailAddress
from django.conf import settings

from notifications.models import ReplyAddress
from notifications.reading import Mail
from notifications.services.replies import destination


def is_from_its_person(mail: Mail, reply: ReplyAddress) -> bool:
    """Tell whether every sender of a mail is a verified address of the person who may answer."""
    senders = {sender.lower() for sender in mail.senders}
    return bool(senders) and senders <= _addresses(reply)


def _addresses(reply: ReplyAddress) -> set[str]:
    if reply.user is None:
        return {reply.address.lower()}
    if not reply.user.is_active:
        return set()
    verified = EmailAddress.objects.filter(user=reply.user, verified=True)
    return {address.lower() for address in verified.values_list("email", flat=True)}


def why_ignored(mail: Mail) -> str:
    """Return why a mail was not written by a person, as a slug; empty if it seems to be."""
    if mail.automatic:
        return mail.automatic
    return "own" if any(map(_is_ours, mail.senders)) else ""


def _is_ours(address: str) -> bool:
    ours = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return address.lower() == ours.lower() or destination(address) is not None
