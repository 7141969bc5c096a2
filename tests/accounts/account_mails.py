"""What the mails about accounts say, wherever they wait."""

import re

from django.core import mail

from notifications.models import Notice

CODE = re.compile(r"^\s*([BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4})\s*$", re.MULTILINE)


def letters_to(address):
    """Return the texts of all letters to this address, oldest first."""
    queued = Notice.objects.filter(kind="account").order_by("pk")
    texts = [notice.content.get("text", "") for notice in queued if address_of(notice) == address]
    return texts + [message.body for message in mail.outbox if address in message.to]


def address_of(notice):
    return notice.address or (notice.user.email if notice.user else "")


def code_to(address):
    """Return the code in the last letter to this address."""
    return CODE.search(letters_to(address)[-1]).group(1)
