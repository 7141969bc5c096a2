"""The digest: the games that await its reader, numbered, and what else has happened."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import cast

from django.conf import settings
from django.db.models import prefetch_related_objects
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Game
from games.queries import player_at
from notifications.kinds.base import Content, Context, MailKind, Purpose
from notifications.kinds.compose import news_paragraphs
from notifications.kinds.lookup import kind_of
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason
from notifications.services.emails.base import InlineImageEmail
from notifications.services.emails.facts import game_facts
from notifications.services.emails.legal_moves import format_legal_moves
from notifications.services.emails.names import plain
from notifications.services.emails.pictures import picture_of

MOST_PICTURES = 12
HEAVIEST = 400_000
"""Bytes of all pictures of a digest together; further boards are text alone."""

MOST_BOARDS = 30
"""How many boards the text part draws."""

WIDTH = 300
"""How wide a board is shown in a digest, in CSS pixels."""


class DigestContent(Content, total=False):
    """What a digest tells, fixed when it is written.

    `games` is what its numbers mean: [number, game, turns played] each. `news` are the keys of the
    notices that were kept for it.
    """

    games: list[list[int]]
    news: list[int]


class DigestMail(MailKind):
    """Every game that awaits its reader, and the news kept for it (`services.outbox.digests`)."""

    kind = Kind.DIGEST
    can_be_switched_off = True
    cadences = ()
    can_wait = False
    can_be_sent_again = False
    reply_purpose = Purpose.DIGEST

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason where nothing was kept for it and no game awaits the reader any more."""
        content = _content(notice)
        if content.get("news"):
            return None
        games = content.get("games", ())
        is_awaited = any(_awaits(notice, game_id, turns) for _, game_id, turns in games)
        return None if is_awaited else SkipReason.NOTHING_TO_TELL

    def told_turns(self, notice: Notice) -> Sequence[tuple[int, int]]:
        """Return game and number of the turns of the numbered games."""
        return [(game_id, turns) for _, game_id, turns in _content(notice).get("games", ())]

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        """Return the mail, with what still holds of the digest that was written before."""
        news = list(_news(notice))
        games = list(_awaiting(notice, news, now))
        others = list(_others(notice, news, {item["number"] for item in games}, now))
        pictures = _draw(games)
        context = {
            **self.base_context(notice, now),
            "reader": plain(notice.user),
            "games": games,
            "others": others,
            "home_url": settings.SITE_URL + reverse("home"),
            "board_width": WIDTH,
            "example": _example([*games, *others]),
        }
        context["subject"] = plain(render_to_string(self.template("subject.txt"), context))
        letter = self.rendered(notice, self.template("letter"), context, pictures)
        letter.told = {
            item["number"]: item["newest_message"]
            for item in (*games, *others)
            if item["newest_message"]
        }
        return letter


KIND = DigestMail()


def _content(notice: Notice) -> DigestContent:
    return cast(DigestContent, notice.content)


def _awaits(notice: Notice, game_id: int, turns: int) -> bool:
    """Tell whether a game still awaits the notice's reader as it did when it was numbered."""
    game = Game.objects.filter(pk=game_id, turn_number=turns).first()
    if game is None or game.seat_to_move is None:
        return False
    return player_at(game, game.seat_to_move) == notice.user


def _news(notice: Notice) -> Iterable[Notice]:
    """Return what was kept for this digest, oldest first."""
    kept = Notice.objects.filter(pk__in=_content(notice).get("news", ())).order_by("pk")
    return kept.select_related("user", "game__creator", "event__actor", "event__invitation__by")


def _awaiting(notice: Notice, news: Iterable[Notice], now: datetime) -> Iterable[Context]:
    """Return the numbered games that still await the reader, each with its own news."""
    for index, game_id, turns in _content(notice).get("games", ()):
        if not _awaits(notice, game_id, turns):
            continue
        game = Game.objects.select_related("creator").get(pk=game_id)
        facts = _facts(notice, game, news, now)
        drawn = index <= MOST_BOARDS
        yield facts | {"index": index, "board_text": facts["board_text"] if drawn else ""}


def _others(
    notice: Notice, news: Iterable[Notice], numbered: Iterable[int], now: datetime
) -> Iterable[Context]:
    """Return the news of all other games, with the number of those that ask for something."""
    numbers = {game_id: index for index, game_id, _ in _content(notice).get("games", ())}
    games = {item.game_id: item.game for item in news if item.game_id not in set(numbered)}
    for game in games.values():
        if game is None:
            continue
        facts = _facts(notice, game, news, now)
        if facts["paragraphs"] or facts["messages"]:
            yield facts | {"index": numbers.get(game.pk)}


def _example(items: Iterable[Context]) -> str:
    """Return a line that an answer could have: a turn or an order in the first numbered game."""
    for item in items:
        if item["index"] is not None:
            order = [_("resign"), *item["legal"]][-1] if item["my_turn"] else _("accept")
            return f"{item['index']} {order}"
    return ""


def _facts(notice: Notice, game: Game, news: Iterable[Notice], now: datetime) -> Context:
    prefetch_related_objects([game], "seats__user")
    mine = [item for item in news if item.game_id == game.pk]
    facts = game_facts(game, notice.user, now)
    return facts | {
        "paragraphs": news_paragraphs(mine, now=now),
        "asks": any(kind_of(item.kind).asks_for_answer(item) for item in mine),
        "legal": format_legal_moves(game) if facts["my_turn"] else [],
    }


def _draw(games: Iterable[Context]) -> list[tuple[str, bytes]]:
    """Return the pictures that fit into the mail; each game learns the name of its own."""
    drawn: list[tuple[str, bytes]] = []
    for item in games:
        picture = picture_of(item["board"]) if len(drawn) < MOST_PICTURES else None
        item["picture"] = ""
        if picture and sum(len(one) for _, one in drawn) + len(picture) <= HEAVIEST:
            item["picture"] = f"board{item['index']}@pli"
            drawn.append((item["picture"], picture))
    return drawn
