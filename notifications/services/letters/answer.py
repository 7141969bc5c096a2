"""Writes the letter that answers a mail: what was done of it, and what was not."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import prefetch_related_objects
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Game
from games.queries import board_of, opponents_of
from games.render.text import board_text
from notifications.models import Notice
from notifications.services.letters.facts import Facts, game_facts
from notifications.services.letters.how_to_answer import how_to_answer
from notifications.services.letters.names import plain
from notifications.services.letters.paper import inked
from notifications.services.letters.pictures import picture_of
from notifications.services.letters.stationery import (
    Letter,
    addressed,
    attach_pictures,
    furniture_of,
)

PICTURE_ID = "board@pli"


def answer_letter(notice: Notice, now: datetime) -> Letter:
    """Return the letter of an answer, with the board as it stands now."""
    context = {**answer_facts(notice, now=now), **furniture_of(notice, now)}
    context["numbered"] = bool(notice.content.get("games"))
    context["asked"] = bool(notice.content.get("invitation"))
    if notice.user is None:
        context["url"] = ""  # the page is for players
    context["how_to_answer"] = how_to_answer(notice.kind, context, notice.game)
    picture = picture_of(context["board"]) if context["board"] else None
    context["picture"] = PICTURE_ID if picture else ""
    text = render_to_string("mails/answer/letter.txt", context).strip("\n") + "\n"
    letter = addressed(notice, context["subject"], text)
    html = render_to_string("mails/answer/letter.html", context)
    letter.attach_alternative(inked(html), "text/html")
    attach_pictures(letter, [(PICTURE_ID, picture)] if picture else [])
    return letter


def answer_facts(notice: Notice, *, now: datetime) -> Facts:
    """Return what an answer says, in the active language and zone.

    The board of the one game that it is about is drawn as it stands; where there are several,
    each has its own as text.
    """
    kept = notice.content["sections"]
    games = Game.objects.prefetch_related("seats__user", "seats__stand_in").in_bulk(
        {section["game"] for section in kept if section["game"]}
    )
    # The very row that the reply address was made for, not a newer one.
    single = notice.game if notice.game_id in games and len(games) == 1 else None
    sections = [_section(one, games, notice.user, is_single=single is not None) for one in kept]
    facts: Facts = {"board": None, "board_text": "", "my_turn": False, "mover": ""}
    if single is not None:
        prefetch_related_objects([single], "seats__user", "seats__stand_in")
        facts |= game_facts(single, notice.user, now)
    if any(section.get("letter_follows") for section in kept):
        facts |= {"board": None, "board_text": "", "my_turn": False, "mover": ""}
    return {
        **facts,
        "sections": sections,
        "subject": _subject(kept, single, notice.user),
        "reader": plain(notice.user) if notice.user else "",
    }


def _section(
    kept: Mapping[str, Any], games: Mapping[int, Game], reader: User | None, *, is_single: bool
) -> dict[str, Any]:
    game = games.get(kept["game"])
    draws = game is not None and game.started_at is not None and not is_single
    draws = draws and not kept.get("letter_follows")
    title = _name(game, reader) if game is not None and not is_single else ""
    number = kept["number"]
    return {
        "title": f"{number}. {title}" if number is not None and title else title,
        "done": kept["done"],
        "paragraphs": kept["paragraphs"],
        "listing": kept["listing"],
        "board_text": _board(game, reader) if draws else "",
    }


def _board(game: Game | None, reader: User | None) -> str:
    assert game is not None  # noqa: S101  (the caller has looked)
    return board_text(board_of(game, reader or AnonymousUser()), translate=_)


def _name(game: Game, reader: User | None) -> str:
    names = ", ".join(plain(user) for user in opponents_of(game, reader or AnonymousUser()))
    said = {"game": _(game.rules.name), "names": names, "number": game.pk}
    if not names:
        return _("%(game)s (game %(number)s)") % said
    return _("%(game)s with %(names)s (game %(number)s)") % said


def _subject(kept: Sequence[Mapping[str, Any]], game: Game | None, reader: User | None) -> str:
    done = sum(section["done"] for section in kept)
    if len(kept) > 1:
        said = ngettext(
            "Your answer: %(done)s of %(all)s done", "Your answer: %(done)s of %(all)s done", done
        )
        return said % {"done": done, "all": len(kept)}
    title = kept[0].get("title") or (_("Done") if done else _("Not done"))
    if game is None:
        return str(title)
    return _("%(what)s: %(game)s") % {"what": title, "game": _name(game, reader)}
