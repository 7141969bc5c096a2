"""Writes the mail of a notice, in its reader's language and time zone."""

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo

from django.utils import timezone, translation

from notifications.kinds.lookup import kind_of
from notifications.models import Notice
from notifications.services.emails.base import InlineImageEmail


def compose(notice: Notice, others: Iterable[Notice] = (), *, now: datetime) -> InlineImageEmail:
    """Return the mail of a notice, ready to be sent; it also tells what `others` tell.

    They are of the same game and reader. Notices have their game, event and person loaded.
    Raises whatever is wrong with their game.
    """
    kind = kind_of(notice.kind)
    zone: tzinfo = notice.user.zone if notice.user else UTC
    with translation.override(notice.language), timezone.override(zone):
        letter = kind.compose(notice, news_paragraphs(others, now=now), now=now)
    letter.extra_headers = kind.headers(notice, now)
    return letter


def news_paragraphs(notices: Iterable[Notice], *, now: datetime) -> list[str]:
    """Return the paragraphs by which another mail tells what these notices tell, each once."""
    told = [kind_of(notice.kind).paragraph(notice, now=now) for notice in notices]
    return list(dict.fromkeys(filter(None, told)))
