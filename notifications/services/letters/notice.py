"""Writes the mail of a notice, in its reader's language and time zone."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, tzinfo

from django.template.loader import render_to_string
from django.utils import timezone, translation

from games.record_text import record_name, record_text
from notifications.models import Kind, Notice
from notifications.services.letters.answer import answer_letter
from notifications.services.letters.digest import digest_letter
from notifications.services.letters.facts import Facts, facts_of
from notifications.services.letters.headers import headers_of
from notifications.services.letters.how_to_answer import how_to_answer
from notifications.services.letters.paper import inked
from notifications.services.letters.pictures import picture_of
from notifications.services.letters.staff_digest import staff_letter
from notifications.services.letters.stationery import (
    Letter,
    addressed,
    attach_pictures,
    furniture_of,
)
from notifications.services.letters.wording import beside, words_of_kind

PICTURE_ID = "board@pli"


class Forgotten(Exception):
    """What an account mail said is not kept once it was sent or given up."""


def compose(notice: Notice, others: Iterable[Notice] = (), *, now: datetime) -> Letter:
    """Return the mail of a notice, ready to be sent; it also tells what `others` tell.

    They are of the same game and reader. Notices have their game, event and person loaded.
    Raises whatever is wrong with their game.
    """
    zone: tzinfo = notice.user.zone if notice.user else UTC
    with translation.override(notice.language), timezone.override(zone):
        written = _WRITERS.get(notice.kind)
        letter = written(notice, now) if written else _about_game(notice, others, now)
    letter.extra_headers = headers_of(notice, now)
    return letter


def _account(notice: Notice, now: datetime) -> Letter:
    if "text" not in notice.content:
        raise Forgotten("the text of an account mail is kept only until it is sent")
    letter = addressed(notice, notice.content["subject"], notice.content["text"])
    letter.attach_alternative(notice.content["html"], "text/html")
    return letter


def _about_game(notice: Notice, others: Iterable[Notice], now: datetime) -> Letter:
    context = {**furniture_of(notice, now), **facts_of(notice, now=now)}
    picture = picture_of(context["board"]) if context["board"] else None
    context["picture"] = PICTURE_ID if picture else ""
    context |= words_of_kind(notice.kind, context)
    context["how_to_answer"] = how_to_answer(notice.kind, context, notice.game)
    context["paragraphs"] = [*context["paragraphs"], *beside(others, now=now)]
    text = render_to_string("mails/letter.txt", context).strip("\n") + "\n"
    letter = addressed(notice, context["subject"], text)
    letter.attach_alternative(inked(render_to_string("mails/letter.html", context)), "text/html")
    attach_pictures(letter, [(PICTURE_ID, picture)] if picture else [])
    _keep_record(letter, notice, context)
    if notice.game_id and context["newest_message"]:
        letter.told = {notice.game_id: context["newest_message"]}
    return letter


def _keep_record(letter: Letter, notice: Notice, facts: Facts) -> None:
    """Attach the record of a game that is over, for the reader to keep."""
    game = notice.game
    if game is not None and facts.get("entries"):
        kept = record_text(game, facts["entries"], url=facts["url"])
        letter.attach(record_name(game), kept, "text/plain")


_WRITERS: Mapping[str, Callable[[Notice, datetime], Letter]] = {
    Kind.ACCOUNT: _account,
    Kind.ANSWER: answer_letter,
    Kind.DIGEST: digest_letter,
    Kind.STAFF_DIGEST: staff_letter,
}
"""Letters that are not about an event at a game."""
