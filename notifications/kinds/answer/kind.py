"""The mail that answers a mail: what was done of it, and what was not."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict, cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Game
from games.queries import board_of, opponents_of
from games.render.text import board_text
from notifications.kinds.base import Content, Context, MailKind, Purpose
from notifications.kinds.registry import Kind
from notifications.kinds.reply_help import accept_help, turn_help
from notifications.models import Notice
from notifications.services.emails.base import InlineImageEmail
from notifications.services.emails.facts import game_facts
from notifications.services.emails.names import plain
from notifications.services.emails.pictures import picture_of

PICTURE_ID = "board@pli"


class Section(TypedDict):
    """What became of one command: a `CommandResult` of `mail_commands`; `game` is a key."""

    done: bool
    paragraphs: Sequence[str]
    game: int | None
    listing: str
    title: str
    number: int | None
    person: None
    letter_follows: bool


class AnswerContent(Content, total=False):
    """What is answered, in the reader's language.

    `games` is what numbers mean in an answer to this answer: [number, game, turns played] each.
    `invitation` is the key of one that can be accepted still. `title` is the answered mail's
    subject.
    """

    sections: list[Section]
    games: list[list[int]]
    invitation: int | None
    title: str


class AnswerMail(MailKind):
    """Says what became of each command in a person's mail (`mail_commands` writes it)."""

    kind = Kind.ANSWER
    can_be_switched_off = False
    cadences = ()
    can_be_sent_again = False
    is_automatic_reply = True
    reply_purpose = Purpose.GAME

    def reply_purpose_of(self, notice: Notice) -> Purpose:
        """Return what the answered mail was about: a digest, an invitation or a game."""
        content = _content(notice)
        if content.get("games"):
            return Purpose.DIGEST
        if content.get("invitation"):
            return Purpose.INVITATION
        return Purpose.GAME if notice.game_id else Purpose.NOTHING

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        """Return the mail, with the board as it is now."""
        context = {**answer_context(notice, now=now), **self.base_context(notice, now)}
        if notice.user is None:
            context["url"] = ""  # the page is for players
        context["reply_help"] = self._reply_help(notice, context) if context["can_reply"] else ""
        picture = picture_of(context["board"]) if context["board"] else None
        context["picture"] = PICTURE_ID if picture else ""
        pictures = [(PICTURE_ID, picture)] if picture else []
        return self.rendered(notice, self.template("letter"), context, pictures)

    def _reply_help(self, notice: Notice, context: Context) -> str:
        content = _content(notice)
        if content.get("invitation"):
            return accept_help()
        if content.get("games"):
            return _("You can reply to this mail too: the numbers mean the same games.")
        return turn_help(context, notice.game)


KIND = AnswerMail()


def _content(notice: Notice) -> AnswerContent:
    return cast(AnswerContent, notice.content)


def answer_context(notice: Notice, *, now: datetime) -> Context:
    """Return what an answer says, in the active language and zone.

    The board of the one game that it is about is drawn as it stands; where there are several,
    each has its own as text.
    """
    kept = _content(notice)["sections"]
    games = Game.objects.prefetch_related("seats__user", "seats__played_by_partner").in_bulk(
        {section["game"] for section in kept if section["game"]}
    )
    # The very row that the reply address was made for, not a newer one.
    single = notice.game if notice.game_id in games and len(games) == 1 else None
    sections = [_section(one, games, notice.user, is_single=single is not None) for one in kept]
    context: Context = {"board": None, "board_text": "", "my_turn": False, "mover": ""}
    if single is not None:
        prefetch_related_objects([single], "seats__user", "seats__played_by_partner")
        context |= game_facts(single, notice.user, now)
    if any(section.get("letter_follows") for section in kept):
        context |= {"board": None, "board_text": "", "my_turn": False, "mover": ""}
    return {
        **context,
        "sections": sections,
        "subject": _subject(kept, single, notice.user),
        "reader": plain(notice.user) if notice.user else "",
    }


def _section(
    kept: Section, games: Mapping[int, Game], reader: User | None, *, is_single: bool
) -> dict[str, Any]:
    game = games.get(kept["game"] or 0)
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


def _subject(kept: Sequence[Section], game: Game | None, reader: User | None) -> str:
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
