"""The mail that answers a player's mail: what was done, and what was not."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypedDict, cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Game, Puzzle
from games.queries.positions import board_of, position_at
from games.queries.puzzle_lines import read_line
from games.queries.seats import opponents_of, seat_played
from games.render.text import board_text
from games.rules.board import Board
from notifications.emails.base import InlineImageEmail
from notifications.emails.formatting import accept_help, game_subject, plain, turn_help
from notifications.emails.game_context import game_context
from notifications.emails.pictures import board_image, picture_text
from notifications.kinds.base import Content, Context, MailKind, Purpose
from notifications.kinds.registry import Kind
from notifications.models import Notice
from notifications.models.reply import Question

PICTURE_ID = "board@pli"


class Section(TypedDict):
    """What became of one command: a `CommandResult` of `mail_commands`; `game` is its key.

    `letter_follows`: another mail brings the new board. `question` is what the letter asks.
    """

    done: bool
    paragraphs: Sequence[str]
    game: int | None
    listing: str
    title: str
    number: int | None
    person: None
    letter_follows: bool
    question: Question | None


class AnswerContent(Content, total=False):
    """What is answered, in the reader's language.

    `games` is what numbers mean in a reply to this answer: [number, game, turns played] each.
    `questions` are kept with the reply address for the answer.
    `puzzle` is the key of the one that was answered, `puzzle_line` the reader's own turns in it so
    far, with spaces between; with `asks_next` the letter shows the board for the next one.
    `invitation` is the key of one that can still be accepted. `title` is the answered mail's
    subject.
    """

    sections: list[Section]
    games: list[list[int]]
    questions: list[Question]
    invitation: int | None
    puzzle: int | None
    puzzle_line: str
    asks_next: bool
    title: str


class AnswerMail(MailKind):
    """Says what became of each command in a player's mail (`mail_commands` writes it)."""

    kind = Kind.ANSWER
    can_be_switched_off = False
    cadences = ()
    can_be_sent_again = False
    can_wait = False
    is_automatic_reply = True
    reply_purpose = Purpose.GAME

    def reply_purpose_of(self, notice: Notice) -> Purpose:
        """Return what the answered mail was about: a digest, an invitation, a puzzle or a game."""
        content = cast(AnswerContent, notice.content)
        if content.get("games"):
            return Purpose.DIGEST
        if content.get("invitation"):
            return Purpose.INVITATION
        if content.get("puzzle"):
            return Purpose.PUZZLE
        return Purpose.GAME if notice.game_id or notice.user_id else Purpose.NOTHING

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        content, reader = cast(AnswerContent, notice.content), notice.user
        sections = content["sections"]
        games = Game.objects.prefetch_related("seats__user", "seats__played_by_partner").in_bulk(
            {section["game"] for section in sections if section["game"]}
        )
        # The board of the only game is drawn; of several games each has its own as text. `single`
        # is the very row that the reply address was made for, not a newer one.
        single = notice.game if notice.game_id in games and len(games) == 1 else None
        context: Context = {"board": None, "board_text": "", "my_turn": False, "mover": ""}
        if single is not None:
            prefetch_related_objects([single], "seats__user", "seats__played_by_partner")
            context |= game_context(single, reader, now)
        if any(section.get("letter_follows") for section in sections):
            context |= {"board": None, "board_text": "", "my_turn": False, "mover": ""}
        if single is not None and (after := board_asked_about(sections[0], single, reader)):
            context |= {"board": after, "board_text": board_text(after, translate=_)}
        asked = content.get("puzzle") if content.get("asks_next") else None
        if asked is not None:
            puzzle = Puzzle.objects.get(pk=asked)
            shown = read_line(puzzle, content["puzzle_line"].split()).trial
            after = puzzle.rules.board(shown.position, None, shown.actions)
            context |= {"board": after, "board_text": board_text(after, translate=_)}
        context |= {
            "sections": [
                section_context(section, games, reader, is_single=single is not None)
                for section in sections
            ],
            "headline": answer_headline(sections),
            "subject": game_title(single, reader) if single else answer_headline(sections),
            "reader": plain(reader) if reader else "",
            **self.base_context(notice, now),
        }
        if reader is None:
            context["url"] = ""  # the page is for players
        context["reply_help"] = ""
        if context["can_reply"] and content.get("invitation"):
            context["reply_help"] = accept_help()
        elif context["can_reply"] and content.get("games"):
            context["reply_help"] = _(
                "You can reply to this mail too: the numbers mean the same games."
            )
        elif context["can_reply"] and not content.get("questions"):
            context["reply_help"] = turn_help(context, notice.game)
        picture = board_image(context["board"], reader) if context["board"] else None
        context["picture"] = PICTURE_ID if picture else ""
        context["picture_text"] = picture_text(context["board"]) if picture else ""
        pictures = [(PICTURE_ID, picture)] if picture else []
        return self.render_email(notice, self.template("letter"), context, pictures)


KIND = AnswerMail()


def section_context(
    section: Section, games: Mapping[int, Game], reader: User | None, *, is_single: bool
) -> Context:
    """Return what an answer says of one command; where there are several games, with the board."""
    game = games.get(section["game"] or 0)
    title = board = ""
    if game is not None and not is_single:
        title = game_title(game, reader)
        if section["number"] is not None and title:
            title = f"{section['number']}. {title}"
        if game.started_at is not None and not section.get("letter_follows"):
            shown = board_asked_about(section, game, reader)
            shown = shown or board_of(game, reader or AnonymousUser())
            board = board_text(shown, translate=_)
    return {
        "title": title,
        "done": section["done"] or section.get("question") is not None,
        "paragraphs": section["paragraphs"],
        "listing": section["listing"],
        "board_text": board,
    }


def board_asked_about(section: Section, game: Game, reader: User | None) -> Board | None:
    """Return the board after the turn, or the first part of one, that a section asks about."""
    question = section.get("question")
    if question is None or question["command"] not in ("turn", "part"):
        return None
    if game.turn_number != question["turn_number"]:
        return None
    seat = seat_played(game, reader or AnonymousUser())
    actions, after = game.rules.parse_actions(position_at(game), question["text"])
    return game.rules.board(after, seat.number if seat else None, actions)


def answer_headline(sections: Sequence[Section]) -> str:
    """Return what was done, or asked for."""
    done = sum(section["done"] for section in sections)
    if len(sections) > 1:
        counted = ngettext(
            "Your answer: %(done)s of %(all)s done", "Your answer: %(done)s of %(all)s done", done
        )
        return counted % {"done": done, "all": len(sections)}
    return str(sections[0].get("title") or (_("Done") if done else _("Not done")))


def game_title(game: Game, reader: User | None) -> str:
    """Return a game's name, opponents and number."""
    names = ", ".join(plain(user) for user in opponents_of(game, reader or AnonymousUser()))
    return game_subject(_(game.rules.name), names, game.pk)
