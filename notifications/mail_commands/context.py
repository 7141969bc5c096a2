"""What a command is executed with, what it returns, and which function executes it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias, TypedDict

from accounts.models import User
from games import errors
from games.models import Game
from games.services.record import numbers_of_turn
from notifications import errors as mail_errors
from notifications.mail_parser import Command, MailCommand, NotUnderstood
from notifications.models import ReplyAddress
from notifications.models.reply import Question


class Times(TypedDict):
    """When a command is executed, and when it reached this server."""

    now: datetime
    received_at: datetime


@dataclass(frozen=True)
class CommandContext:
    """Who gives a command, in answer to which mail of ours, at which game.

    `turn_number` is the number of turns that the person saw played in that mail; `number` the
    game's in a digest, if the command named one; `answered` the question that was answered “yes”.
    `below` are the lines of the mail below those that may be a message. `unasked` is the line of a
    mail that answers none of ours: what changes anything is asked back.
    """

    user: User | None
    reply: ReplyAddress
    received_at: datetime
    now: datetime
    game: Game | None = None
    turn_number: int | None = None
    number: int | None = None
    answered: Question | None = None
    unasked: str = ""
    below: tuple[str, ...] = ()

    @property
    def times(self) -> Times:
        """What every service of players takes: what comes in by mail counts from its receipt."""
        return {"now": self.now, "received_at": self.received_at}

    @classmethod
    def for_reply(
        cls, reply: ReplyAddress, received_at: datetime, now: datetime
    ) -> "CommandContext":
        """Return the context of an answer to one mail: its game, or the only one of a digest."""
        game, turn_number = reply.game, reply.turn_number
        if game is None and len(reply.content) == 1:
            ((_, game_id, turn_number),) = reply.content
            game = Game.objects.filter(pk=game_id).first()
        if game is not None and turn_number in numbers_of_turn(game.pk, game.turn_number):
            turn_number = game.turn_number  # somebody left and came back since
        return cls(reply.user, reply, received_at, now, game, turn_number)

    def require_game(self) -> Game:
        """Return the game.

        Raises NoSuchGame if the person may not see it, WhichGame, AnswerALetter, NotThere.
        """
        if self.game is not None:
            return self.game
        if self.unasked:
            raise mail_errors.AnswerALetter
        digest = self.reply.content
        if self.reply.game_id is not None or len(digest) == 1 or self.number is not None:
            raise errors.NoSuchGame
        raise mail_errors.WhichGame(number=digest[0][0]) if digest else mail_errors.NotThere()

    def require_user(self) -> User:
        """Return the user. Raises NotAPlayer for an address without an account."""
        if self.user is None:
            raise errors.NotAPlayer
        return self.user


@dataclass(frozen=True)
class CommandResult:
    """What became of one command, in the reader's language.

    `listing` is a preformatted text: a record, a rulebook, the commands; `title` says what was
    asked for, where that is all. `number` is the line of a digest that it answers; `new_user` the
    account that it made. `letter_follows`: another mail shows the board at once.
    `question`: nothing is done yet, the answer asks this. `numbered` is what the numbers of its
    listing mean in a reply: [number, game, turns played] each. `only_confirms`:
    a turn was played as it was sent, and there is nothing else to say. `puzzle_line` are the
    reader's own turns in a puzzle, if the next one is asked for.
    """

    done: bool
    paragraphs: tuple[str, ...]
    game: Game | None = None
    listing: str = ""
    title: str = ""
    number: int | None = None
    new_user: User | None = None
    letter_follows: bool = False
    question: Question | None = None
    numbered: tuple[tuple[int, int, int], ...] = ()
    only_confirms: bool = False
    puzzle_line: tuple[str, ...] | None = None

    def with_paragraph(self, sentence: str, *, only_confirms: bool = False) -> "CommandResult":
        """Return the same with one more paragraph, which may only confirm what was sent."""
        return replace(
            self,
            paragraphs=(*self.paragraphs, sentence),
            only_confirms=self.only_confirms and only_confirms,
        )


def invitation_meant(context: CommandContext) -> int | None:
    """Return the invitation that is answered: the mail's, or the one to a digest's table."""
    if context.reply.purpose == ReplyAddress.Purpose.INVITATION:
        return context.reply.invitation_id
    if context.game is None or context.user is None or context.game.started_at is not None:
        return None
    invited = context.game.invitations.open().filter(user=context.user)
    return invited.values_list("pk", flat=True).first()


# The function of each command ------------------------------------------------------------------

Handler: TypeAlias = Callable[[Any, CommandContext], CommandResult]

HANDLERS: dict[type | Command, Handler] = {}
"""The handler of each command: by its word, or by the type of a command that says more."""


ONLY_READS: set[type | Command] = set()
"""The commands that change nothing."""


def handles(command: type | Command, *, only_reads: bool = False) -> Callable[[Handler], Handler]:
    """Return a decorator that makes a function the handler of a command.

    `only_reads`: the command changes nothing.
    """

    def register(handler: Handler) -> Handler:
        HANDLERS[command] = handler
        if only_reads:
            ONLY_READS.add(command)
        return handler

    return register


def handler_of(command: MailCommand | NotUnderstood) -> Handler:
    """Return the function that executes a command."""
    return HANDLERS[key_of(command)]


def key_of(command: MailCommand | NotUnderstood) -> type | Command:
    """Return what a command is known by: its word, or its type."""
    return command if isinstance(command, Command) else type(command)


def person_named(name: str) -> User:
    """Return the user with this name. Raises NoSuchPlayer."""
    found = User.objects.filter(username__iexact=name).first() if name.isascii() else None
    if found is None or found.is_former:
        raise errors.NoSuchPlayer(name=name)
    return found
