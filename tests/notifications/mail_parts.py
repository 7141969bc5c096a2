"""Mails as a mail program reads them."""

from email import message_from_bytes, policy

from django.core import mail

from tests.notifications.outgoing_mail import tell


def sent_to(person, now, kind):
    """Return the mail of this kind that `person` gets for what has happened, as one parses it."""
    mail.outbox.clear()
    tell(now)
    mails = [m for m in mail.outbox if m.to == [person.email]]
    (found,) = [m for m in mails if m.extra_headers["X-Pli-Kind"] == kind]
    return message_from_bytes(found.message().as_bytes(), policy=policy.default)


def part(message, content_type):
    parts = [p for p in message.walk() if p.get_content_disposition() != "attachment"]
    (found,) = [p for p in parts if p.get_content_type() == content_type]
    return found


def text_of(message):
    return part(message, "text/plain").get_content()
