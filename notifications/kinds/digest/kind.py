"""The digest: the games in which it is its reader's turn, numbered, and what else has happened."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import cast

from django.conf import settings
from django.db.models import prefetch_related_objects
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Game, SeasonEntry
from games.queries.leagues import division_tables
from games.queries.seats import player_at
from notifications.emails.base import InlineImageEmail
from notifications.emails.formatting import example_turns, format_moment, plain
from notifications.emails.game_context import game_context, make_end_final
from notifications.emails.pictures import board_image, picture_text
from notifications.kinds.base import Content, Context, MailKind, Purpose, kind_of, news_paragraphs
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason

MOST_PICTURES = 16
MOST_PICTURE_BYTES = 90_000
"""Of all pictures of a digest together; further boards are text alone."""

MOST_BOARDS = 30
"""How many boards the text part draws."""

LONGEST_TEXT = 300
"""Characters of the text that a board's picture has for those who do not see it."""

WIDTH = 240
"""How wide a board is shown in a digest, in CSS pixels."""


class DigestContent(Content, total=False):
    """What a digest tells, fixed when it is written.

    `games` is what its numbers mean: [number, game, turns played] each. `news` are the keys of the
    notices that were kept for it.
    """

    games: list[list[int]]
    news: list[int]


class DigestMail(MailKind):
    """Tells what `outbox.digests` collected when the digest was due."""

    kind = Kind.DIGEST
    can_be_switched_off = True
    cadences = ()
    can_wait = False
    can_be_sent_again = False
    reply_purpose = Purpose.DIGEST

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        content = cast(DigestContent, notice.content)
        games = content.get("games", ())
        if content.get("news") or any(is_awaiting(notice, game, turns) for _, game, turns in games):
            return None
        return SkipReason.NOTHING_TO_TELL

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        content = cast(DigestContent, notice.content)
        news = list(
            Notice.objects.filter(pk__in=content.get("news", ()))
            .order_by("event_id")
            .select_related("user", "game__creator", "event__actor", "event__invitation__by")
        )
        games, pictures = numbered_items(notice, content.get("games", ()), news, now)
        # News of all other games; those that ask for something have a number too.
        shown = {item["number"] for item in games}
        numbers = {game_id: number for number, game_id, _ in content.get("games", ())}
        others: list[Context] = []
        for other in {item.game_id: item.game for item in news}.values():
            if other is None or other.pk in shown:
                continue
            item = item_context(notice, other, news, now) | {"index": numbers.get(other.pk)}
            if item["paragraphs"] or item["messages"]:
                others.append(item)
        context = {
            **self.base_context(notice, now),
            "reader": plain(notice.user),
            "games": games,
            "others": others,
            "leagues": league_lines(notice.user),
            "home_url": settings.SITE_URL + reverse("home"),
            "board_width": WIDTH,
            "example": reply_example([*games, *others]),
        }
        context["subject"] = plain(render_to_string(self.template("subject.txt"), context))
        email = self.render_email(notice, self.template("letter"), context, pictures)
        email.newest_messages = {
            item["number"]: item["newest_message"]
            for item in (*games, *others)
            if item["newest_message"]
        }
        return email


KIND = DigestMail()


def numbered_items(
    notice: Notice,
    numbered: Iterable[Sequence[int]],
    news: Iterable[Notice],
    now: datetime,
) -> tuple[list[Context], list[tuple[str, bytes]]]:
    """Return the numbered games that still await the reader, and pictures while there is room."""
    games: list[Context] = []
    pictures: list[tuple[str, bytes]] = []
    for number, game_id, turns in numbered:
        if not is_awaiting(notice, game_id, turns):
            continue
        game = Game.objects.select_related("creator").get(pk=game_id)
        item = item_context(notice, game, news, now) | {"index": number, "picture": ""}
        if number > MOST_BOARDS:
            item["board_text"] = ""
        if len(pictures) < MOST_PICTURES and (
            picture := board_image(item["board"], notice.user, WIDTH)
        ):
            item["picture_text"] = picture_text(item["board"], LONGEST_TEXT)
            size = sum(len(drawn) for _, drawn in pictures) + len(picture)
            if size <= MOST_PICTURE_BYTES:
                item["picture"] = f"board{number}@pli"
                pictures.append((item["picture"], picture))
        games.append(item)
    return games, pictures


def is_awaiting(notice: Notice, game_id: int, turns: int) -> bool:
    """Return whether it is still the reader's turn that was numbered. Raises TurnUndone."""
    game = Game.objects.filter(pk=game_id, turn_number=turns).first()
    if game is not None:
        make_end_final(game, notice.user)
    if game is None or game.seat_to_move is None:
        return False
    return player_at(game, game.seat_to_move) == notice.user


def item_context(notice: Notice, game: Game, news: Iterable[Notice], now: datetime) -> Context:
    """Return what a digest says of one game, with the news of that game."""
    prefetch_related_objects([game], "seats__user")
    about_game = [item for item in news if item.game_id == game.pk]
    context = game_context(game, notice.user, now)
    return context | {
        "paragraphs": news_paragraphs(about_game, now=now),
        "asks": any(kind_of(item.kind).asks_for_answer(item) for item in about_game),
        "examples": example_turns(game) if context["my_turn"] else (),
    }


def league_lines(reader: User | None) -> list[Context]:
    """Return a line for each season that is being played by the reader, with its address.

    It says their place, how many of their games are running, and the season's last possible day.
    """
    playing = SeasonEntry.objects.filter(user=reader, left_at=None, season__ended_at=None)
    found = playing.exclude(division=None).select_related("season__league").order_by("pk")
    lines: list[Context] = []
    for entry in found:
        (table,) = division_tables(entry.season, only=entry.division_id)
        row = next(one for one in table.rows if one.entry.pk == entry.table_key)
        sentence = ngettext(
            "%(season)s: you are in place %(place)s of %(of)s in division %(division)s, and "
            "%(count)s of your games is running. The season is over on %(day)s at the latest.",
            "%(season)s: you are in place %(place)s of %(of)s in division %(division)s, and "
            "%(count)s of your games are running. The season is over on %(day)s at the latest.",
            row.running,
        )
        values = {
            "season": plain(entry.season),
            "place": row.standing.place,
            "of": len(table.rows),
            "division": table.division.number,
            "count": row.running,
            "day": format_moment(entry.season.last_possible_day),
        }
        url = settings.SITE_URL + entry.season.url_of_division(table.division.number)
        lines.append({"sentence": sentence % values, "url": url})
    return lines


def reply_example(items: Iterable[Context]) -> str:
    """Return a line that a reply could have: a command for the first numbered game."""
    for item in items:
        if item["index"] is not None:
            known = (*item["examples"], _("board")) if item["my_turn"] else (_("accept"),)
            return f"{item['index']} {known[0]}"
    return ""
