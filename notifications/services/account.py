"""Mail about an account: written at once, because what it says (a code) is known only now."""

import logging
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
from games.services import wakeups
from notifications.kinds.account.kind import KIND, AccountContent
from notifications.models import AccountMailCount, Notice
from notifications.services.account_limits import count_account_mail
from notifications.services.emails.css import inline_css
from notifications.services.emails.layout import layout_context, paragraphs
from notifications.services.emails.names import plain
from notifications.services.outbox.notices import new_message_id

log = logging.getLogger(__name__)


@transaction.atomic
def write_account_notice(
    *,
    template_prefix: str,
    address: str,
    reader: User | None,
    language: str,
    context: Mapping[str, Any],
    now: datetime,
    group: AccountMailCount.Group | None,
    in_reply_to: str = "",
) -> Notice | None:
    """Put an account mail into the outbox; return None if the address had as many as it may get.

    `template_prefix` names allauth's templates: `_subject.txt` and `_message.txt` follow it.
    `reader` is None for an address of nobody. `group` is what the mail is counted with, None for
    one that is bounded elsewhere. `in_reply_to` is the Message-ID of what it answers.

    The mail is composed before it is counted: an answer takes as long when none is sent.
    """
    zone: tzinfo = reader.zone if reader else UTC
    with translation.override(language), timezone.override(zone):
        content = _content(template_prefix, {"email": address, **context}, language, now)
    if in_reply_to:
        content["in_reply_to"] = in_reply_to
    if group is not None and not count_account_mail(address=address, group=group, now=now):
        log.info("an account mail was not sent: its address had as many as it may get")
        return None
    notice = Notice.objects.create(
        kind=KIND.kind,
        user=reader,
        address=address,
        language=language,
        content=content,
        message_id=new_message_id(),
        created_at=now,
        due_at=now,
    )
    wakeups.notify_workers("notices")
    return notice


def _content(
    prefix: str, context: Mapping[str, Any], language: str, now: datetime
) -> AccountContent:
    """Return subject, text and HTML; all is made from the one text template."""
    known = {**layout_context(language, now), "current_site": _site(), **context}
    subject = plain(render_to_string(f"{prefix}_subject.txt", known))
    said = paragraphs(render_to_string(f"{prefix}_message.txt", known))
    known |= {"subject": subject, "paragraphs": said, "code": context.get("code", "")}
    return {
        "subject": subject,
        "text": render_to_string(KIND.template("letter.txt"), known).strip("\n") + "\n",
        "html": inline_css(render_to_string(KIND.template("letter.html"), known)),
    }


def _site() -> SimpleNamespace:
    """Return what allauth's own templates call the current site."""
    return SimpleNamespace(name=settings.SITE_NAME, domain=urlsplit(settings.SITE_URL).netloc)
