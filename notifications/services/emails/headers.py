"""What a mail's headers tell mail programs."""

from datetime import UTC, datetime
from email.utils import format_datetime

from django.conf import settings

from notifications.models import Notice
from notifications.services.replies import reply_address
from notifications.services.unsubscribe import unsubscribe_url


def headers_of(
    notice: Notice,
    now: datetime,
    *,
    is_automatic_reply: bool,
    can_reply: bool,
    can_be_switched_off: bool,
) -> dict[str, str]:
    """Return the headers of a notice's mail; only Date differs between two tries."""
    return {
        "Message-ID": notice.message_id,
        "Date": format_datetime(now.astimezone(UTC)),
        "Auto-Submitted": "auto-replied" if is_automatic_reply else "auto-generated",
        "X-Auto-Response-Suppress": "OOF, AutoReply",  # Exchange asks for that too
        "X-Pli-Kind": notice.kind,
        "From": settings.DEFAULT_FROM_EMAIL,
        **(_reply_to(notice) if can_reply else {}),
        **_thread(notice),
        **(_list(notice) if can_be_switched_off else {}),
    }


def _reply_to(notice: Notice) -> dict[str, str]:
    token = notice.content.get("token")
    return {"Reply-To": reply_address(token)} if token else {}


def _thread(notice: Notice) -> dict[str, str]:
    answered = str(notice.content.get("in_reply_to", ""))
    known = [answered] if answered else []
    if notice.game_id is not None and notice.user_id is not None:
        known.insert(0, thread_id(notice.game_id, notice.user_id))
    return {"In-Reply-To": known[-1], "References": " ".join(known)} if known else {}


def thread_id(game_id: int, user_id: int) -> str:
    """Return the Message-ID to which all mails about one game to one reader refer.

    No mail bears it; that all refer to it makes them one thread, whichever comes first.
    """
    return f"<game.{game_id}.{user_id}@{settings.MAIL_DOMAIN}>"


def _list(notice: Notice) -> dict[str, str]:
    """Return how to get no more such mail: by one click of the mail program (RFC 8058)."""
    if notice.user is None:
        return {}
    return {
        "List-Id": f"<games.{settings.MAIL_DOMAIN}>",
        "List-Unsubscribe": f"<{unsubscribe_url(notice.user, notice.kind)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
