"""The words of each kind of mail, from its templates."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.template.loader import render_to_string

from notifications.models import Kind, Notice
from notifications.services.letters.buttons import button_of
from notifications.services.letters.facts import facts_of
from notifications.services.letters.layout import paragraphs
from notifications.services.letters.names import plain

SAID_ANYWAY = frozenset({Kind.YOUR_TURN, Kind.REMINDER, Kind.MESSAGE})
"""What every letter about a game says by itself: whose turn it is, until when, and the messages."""


def words_of_kind(kind: str, context: Mapping[str, object]) -> dict[str, object]:
    """Return what is said in both bodies: the first paragraph of a kind's body is its headline."""
    subject = render_to_string(f"mails/{kind}/subject.txt", context)
    headline, *said = paragraphs(render_to_string(f"mails/{kind}/body.txt", context))
    button, url = button_of(kind, context)
    return {
        "subject": plain(subject),
        "headline": headline,
        "paragraphs": said,
        "button": button,
        "button_url": url,
    }


def beside(others: Iterable[Notice], *, now: datetime) -> list[str]:
    """Return the paragraphs by which a letter tells what other notices of its game tell."""
    told: list[str] = []
    for notice in others:
        if notice.kind not in SAID_ANYWAY:
            facts = {**facts_of(notice, now=now), "beside": True}
            headline, *said = paragraphs(render_to_string(f"mails/{notice.kind}/body.txt", facts))
            told += [" ".join([f"{headline}.", *said])]
    return list(dict.fromkeys(told))
