"""Mail about an account: written at once, because what it says (a code) is known only now."""

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.models import User
from games.services import bell
from notifications.models import Kind, Notice
from notifications.services.letters.layout import furniture, paragraphs
from notifications.services.letters.names import plain
from notifications.services.letters.paper import inked
from notifications.services.outbox.notices import new_message_id


@transaction.atomic
def write_account_notice(
    *,
    template_prefix: str,
    address: str,
    reader: User | None,
    language: str,
    context: Mapping[str, Any],
    now: datetime,
    in_reply_to: str = "",
) -> Notice:
    """Put an account mail into the outbox; `in_reply_to` is the Message-ID of what it answers.

    `template_prefix` names allauth's templates: `_subject.txt` and `_message.txt` follow it.
    `reader` is None for an address of nobody.
    """
    zone: tzinfo = reader.zone if reader else UTC
    with translation.override(language), timezone.override(zone):
        content = _content(template_prefix, {"email": address, **context}, language, now)
    notice = Notice.objects.create(
        kind=Kind.ACCOUNT,
        user=reader,
        address=address,
        language=language,
        content=content | ({"in_reply_to": in_reply_to} if in_reply_to else {}),
        message_id=new_message_id(),
        created_at=now,
        due_at=now,
    )
    bell.ring("notices")
    return notice


def _content(
    prefix: str, context: Mapping[str, Any], language: str, now: datetime
) -> dict[str, str]:
    """Return subject, text and HTML; all is made from the one text template."""
    known = {**furniture(language, now), "current_site": _site(), **context}
    subject = plain(render_to_string(f"{prefix}_subject.txt", known))
    said = paragraphs(render_to_string(f"{prefix}_message.txt", known))
    known |= {"subject": subject, "paragraphs": said, "code": context.get("code", "")}
    return {
        "subject": subject,
        "text": render_to_string("mails/account.txt", known).strip("\n") + "\n",
        "html": inked(render_to_string("mails/account.html", known)),
    }


def _site() -> SimpleNamespace:
    """Return what allauth's own templates call the current site."""
    return SimpleNamespace(name=settings.SITE_NAME, domain=urlsplit(settings.SITE_URL).netloc)
