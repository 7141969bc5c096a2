"""Mail about an account: composed at once, because its content (a code) is known only now."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.models import User
from games import wakeups
from notifications.emails.base import inline_css, layout_context, split_paragraphs
from notifications.emails.formatting import plain
from notifications.kinds.account.kind import KIND, AccountContent
from notifications.models import AccountMailCount, Notice

Group = AccountMailCount.Group

log = logging.getLogger(__name__)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@transaction.atomic
def write_account_notice(
    *,
    template_prefix: str,
    address: str,
    reader: User | None,
    language: str,
    context: Mapping[str, Any],
    now: datetime,
    group: Group | None,
    in_reply_to: str = "",
) -> Notice | None:
    """Put an account mail into the outbox; return None if the address had as many as it may get.

    `template_prefix` names allauth's templates: `_subject.txt` and `_message.txt` follow it.
    `reader` is None for an address without an account. `group` is what the mail is counted with,
    None for one that is limited elsewhere. `in_reply_to` is the Message-ID of what it answers.
    """
    zone: tzinfo = reader.zone if reader else UTC
    # Composed before it is counted: the response takes as long when no mail is sent.
    with translation.override(language), timezone.override(zone):
        values = {
            **layout_context(language, now),
            # allauth's own templates use it.
            "current_site": SimpleNamespace(
                name=settings.SITE_NAME, domain=urlsplit(settings.SITE_URL).netloc
            ),
            "email": address,
            **context,
        }
        subject = plain(render_to_string(f"{template_prefix}_subject.txt", values))
        message = render_to_string(f"{template_prefix}_message.txt", values)
        values |= {
            "subject": subject,
            "paragraphs": split_paragraphs(message),
            "code": context.get("code", ""),
        }
        text = render_to_string(KIND.template("letter.txt"), values).strip("\n") + "\n"
        html = inline_css(render_to_string(KIND.template("letter.html"), values))
    content: AccountContent = {"subject": subject, "text": text, "html": html}
    if in_reply_to:
        content["in_reply_to"] = in_reply_to
    if group is not None and not count_account_mail(address=address, group=group, now=now):
        log.info("an account mail was not sent: its address had as many as it may get")
        return None
    notice = Notice.new(
        KIND.kind, user=reader, address=address, language=language, content=content, now=now
    )
    notice.save(force_insert=True)
    wakeups.notify_workers("notices")
    return notice


def count_account_mail(*, address: str, group: Group, now: datetime) -> bool:
    """Count one more mail to a normal address; return False if it had as many as it may get.

    Must be called in a transaction: the address's row is locked until that ends, so that requests
    at the same moment are counted one after another.
    """
    if group == Group.REQUESTED:
        an_hour, a_day = settings.ACCOUNT_MAILS_AN_HOUR, settings.ACCOUNT_MAILS_A_DAY
    else:
        an_hour, a_day = (
            settings.ACCOUNT_NOTIFICATIONS_AN_HOUR,
            settings.ACCOUNT_NOTIFICATIONS_A_DAY,
        )
    AccountMailCount.objects.get_or_create(
        address=address, group=group, defaults={"last_written_at": now}
    )
    count = AccountMailCount.objects.select_for_update().get(address=address, group=group)
    last_day = [at for at in count.written_at if at > (now - DAY).timestamp()]
    last_hour = [at for at in last_day if at > (now - HOUR).timestamp()]
    if len(last_hour) >= an_hour or len(last_day) >= a_day:
        return False
    count.written_at = [*last_day, now.timestamp()]
    count.last_written_at = now
    count.save(update_fields=["written_at", "last_written_at"])
    return True


def delete_old_counts(*, now: datetime) -> int:
    """Delete the counts of addresses that got no mail for a day; return how many."""
    return AccountMailCount.objects.filter(last_written_at__lte=now - DAY).delete()[0]
