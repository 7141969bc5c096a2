"""Writes the digest: the games that await its reader, numbered, and what else has happened."""

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.db.models import prefetch_related_objects
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Game
from notifications.models import Notice
from notifications.services.letters.facts import Facts, game_facts
from notifications.services.letters.legal import shown_legal
from notifications.services.letters.names import plain
from notifications.services.letters.paper import inked
from notifications.services.letters.pictures import picture_of
from notifications.services.letters.stationery import (
    Letter,
    addressed,
    attach_pictures,
    furniture_of,
)
from notifications.services.letters.wording import beside
from notifications.services.outbox.digests import asks
from notifications.services.outbox.freshness import awaits

MOST_PICTURES = 12
HEAVIEST = 400_000
"""Bytes of all pictures of a digest together; further boards are text alone."""

MOST_BOARDS = 30
"""How many boards the text part draws."""

WIDTH = 300
"""How wide a board is shown in a digest, in CSS pixels."""


def digest_letter(notice: Notice, now: datetime) -> Letter:
    """Return the letter of a digest that was written before, with what of it still holds."""
    news = list(_news(notice))
    games = list(_awaiting(notice, news, now))
    others = list(_others(notice, news, {item["number"] for item in games}, now))
    pictures = _draw(games)
    context = {
        **furniture_of(notice, now),
        "reader": plain(notice.user),
        "games": games,
        "others": others,
        "home_url": settings.SITE_URL + reverse("home"),
        "board_width": WIDTH,
        "example": _example([*games, *others]),
    }
    context["subject"] = plain(render_to_string("mails/digest/subject.txt", context))
    text = render_to_string("mails/digest/letter.txt", context).strip("\n") + "\n"
    letter = addressed(notice, str(context["subject"]), text)
    html = render_to_string("mails/digest/letter.html", context)
    letter.attach_alternative(inked(html), "text/html")
    attach_pictures(letter, pictures)
    letter.told = {
        item["number"]: item["newest_message"]
        for item in (*games, *others)
        if item["newest_message"]
    }
    return letter


def _news(notice: Notice) -> Iterable[Notice]:
    """Return what was kept for this digest, oldest first."""
    kept = Notice.objects.filter(pk__in=notice.content.get("news", ())).order_by("pk")
    return kept.select_related("user", "game__maker", "event__actor", "event__invitation__by")


def _awaiting(notice: Notice, news: Iterable[Notice], now: datetime) -> Iterable[Facts]:
    """Return the numbered games that still await the reader, each with its own news."""
    for index, game_id, turns in notice.content.get("games", ()):
        if not awaits(notice, game_id, turns):
            continue
        game = Game.objects.select_related("maker").get(pk=game_id)
        facts = _facts(notice, game, news, now)
        drawn = index <= MOST_BOARDS
        yield facts | {"index": index, "board_text": facts["board_text"] if drawn else ""}


def _others(
    notice: Notice, news: Iterable[Notice], numbered: Iterable[int], now: datetime
) -> Iterable[Facts]:
    """Return the news of all other games, with the number of those that ask for something."""
    numbers = {game_id: index for index, game_id, _ in notice.content.get("games", ())}
    games = {item.game_id: item.game for item in news if item.game_id not in set(numbered)}
    for game in games.values():
        if game is None:
            continue
        facts = _facts(notice, game, news, now)
        if facts["paragraphs"] or facts["messages"]:
            yield facts | {"index": numbers.get(game.pk)}


def _example(items: Iterable[Facts]) -> str:
    """Return a line that an answer could have: a turn or an order in the first numbered game."""
    for item in items:
        if item["index"] is not None:
            order = [_("resign"), *item["legal"]][-1] if item["my_turn"] else _("accept")
            return f"{item['index']} {order}"
    return ""


def _facts(notice: Notice, game: Game, news: Iterable[Notice], now: datetime) -> Facts:
    prefetch_related_objects([game], "seats__user")
    mine = [item for item in news if item.game_id == game.pk]
    facts = game_facts(game, notice.user, now)
    return facts | {
        "paragraphs": beside(mine, now=now),
        "asks": any(asks(item) for item in mine),
        "legal": shown_legal(game) if facts["my_turn"] else [],
    }


def _draw(games: Iterable[Facts]) -> list[tuple[str, bytes]]:
    """Return the pictures that fit into the mail; each game learns the name of its own."""
    drawn: list[tuple[str, bytes]] = []
    for item in games:
        picture = picture_of(item["board"]) if len(drawn) < MOST_PICTURES else None
        item["picture"] = ""
        if picture and sum(len(one) for _, one in drawn) + len(picture) <= HEAVIEST:
            item["picture"] = f"board{item['index']}@pli"
            drawn.append((item["picture"], picture))
    return drawn
