"""What a mail asks for and cannot be undone, or is doubtful, is asked back and waits for a “yes”.

`question_for` says what must be asked, `keep_part` which first parts of turns are kept.
`read_answer` reads the answer to such a letter; `execution_of` returns the command that it stands
for.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Literal, TypeVar

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games import errors
from games.models import Game, Offer
from games.queries.positions import position_at
from games.queries.seats import opponents_of
from games.rules.base import MAX_SHOWN, MoveError
from games.services.locking import lock_games
from games.services.turns import canonical_turn
from notifications import errors as mail_errors
from notifications.emails.formatting import plain
from notifications.mail_commands.context import (
    ONLY_READS,
    CommandContext,
    CommandResult,
    handler_of,
    handles,
    invitation_meant,
    key_of,
)
from notifications.mail_parser import (
    Command,
    DoubtfulTurn,
    JoinCommand,
    LeaveCommand,
    MailCommand,
    NotUnderstood,
    TurnCommand,
    parse_command,
)
from notifications.mail_parser.friendly_answers import read_friendly_answer
from notifications.mail_parser.phrases import fold
from notifications.models import ReplyAddress
from notifications.models.reply import Question

T = TypeVar("T")

PART_LASTS = timedelta(hours=1)
"""How long the first part of a turn is kept after the letter that says so."""

FINAL: Mapping[str, Command] = {
    "resign": Command.RESIGN,
    "abort": Command.ABORT,
    "win": Command.WIN,
    "accept": Command.ACCEPT,
}
"""The commands that can end a game, by the name that a question has for them."""

TURN, PART, ORDER = "turn", "part", "order"
"""The other names: a doubtful turn, the first part of one, and any other line."""

ASKS: dict[type, Callable[[Any, CommandContext], CommandResult | None]] = {}
"""What asks about a command, by its type: returns the question, or None to execute it at once."""

_NICE = r"(?:please|thanks|thank you|do it|merci|s'il (?:vous|te) plait|svp|stp)"
_YES = re.compile(rf"(?:yes|oui)(?:\W+{_NICE})?\W*")
_NO = re.compile(rf"(?:no|non)(?:\W+{_NICE})?\W*")


@dataclass(frozen=True)
class Execution:
    """A command that is to be executed, with its message, in its context."""

    command: MailCommand | NotUnderstood
    message: str
    context: CommandContext


# What must be asked ------------------------------------------------------------------------------


def question_for(
    command: MailCommand | NotUnderstood, message: str, context: CommandContext
) -> CommandResult | None:
    """Return the question that a command leads to; None: execute it at once.

    Nothing is changed. What could not be done anyhow is refused as if it were done: raises what
    the command raises.
    """
    if context.answered is not None:
        return None
    asked = _question_about(command, message, context)
    if asked is not None or not context.unasked or key_of(command) in ONLY_READS:
        return asked
    try_out(command, context, lambda result: None)
    wrote = _("You wrote: %(text)s") % {"text": context.unasked}
    if context.game is not None:
        values = {"game": _(context.game.rules.name), "number": context.game.pk}
        wrote = f"{_('Game %(number)s, %(game)s.') % values} {wrote}"
    return order_question(context.unasked, context, wrote, game=context.game)


def _question_about(
    command: MailCommand | NotUnderstood, message: str, context: CommandContext
) -> CommandResult | None:
    """Return the question that a command leads to in answer to a letter of ours."""
    if isinstance(command, DoubtfulTurn):
        return _ask_about_turn(command, message, context)
    if ask := ASKS.get(type(command)):
        return ask(command, context)
    name = next((name for name, final in FINAL.items() if final == command), None)
    if name is None or (command == Command.ACCEPT and invitation_meant(context)):
        return None
    context = _locked(context)
    game, user = context.require_game(), context.require_user()
    ends = Offer.objects.filter(game=game, kind=Offer.Kind.AGREED_END)
    accepted = ends.filter(answers__seat__user=user).values_list("pk", flat=True)
    before = set(accepted.all())

    def look(result: CommandResult) -> tuple[str, set[int]]:
        return _what_would_follow(game.pk, user, name), set(accepted.all()) - before

    outcome, agreed = try_out(command, context, look)
    if command == Command.ACCEPT and not agreed:
        return None  # a pause, another pace or a takeback
    sentences: Mapping[str, str] = {
        "resign": _("You would resign your game of %(game)s with %(names)s."),
        "abort": _("You would end your game of %(game)s with %(names)s without a result."),
        "win": _("You would no longer wait for %(names)s in your game of %(game)s."),
        "accept": _("You would agree to end your game of %(game)s with %(names)s."),
    }
    names = ", ".join(plain(opponent) for opponent in opponents_of(game, user))
    what = sentences[name] % {"game": _(game.rules.name), "names": names}
    how = _("Reply “%(yes)s” to do it; “no” or nothing changes nothing.")
    question = _question(name, "", message, context, offer=next(iter(agreed), None))
    return _question_result(question, context, f"{what} {outcome}".strip(), how)


def _ask_about_turn(
    command: DoubtfulTurn, message: str, context: CommandContext
) -> CommandResult | None:
    """Return the question whether a doubtful turn is meant; None only for a first part of one."""
    context = _locked(context)
    game, turn = context.require_game(), TurnCommand(command.text)
    if game.turn_number != context.turn_number:
        # Nothing is played: it was already, or it is stale.
        return handler_of(turn)(turn, context)
    try_out(turn, context, lambda result: None)
    notation = canonical_turn(game.rules, position_at(game), command.text) or command.text
    wrote = _("You wrote: %(text)s") % {"text": command.line}
    shown = _("The board shows how it would be after %(turn)s.") % {"turn": notation}
    how = _("Reply “%(yes)s” to play %(turn)s; “no” or nothing changes nothing.")
    question = _question(TURN, notation, message, context)
    return _question_result(question, context, wrote, shown, how, turn=notation)


def as_refused(command: MailCommand | NotUnderstood) -> MailCommand | NotUnderstood:
    """Return a command as its refusal quotes it: a doubtful turn with the words around it."""
    return TurnCommand(command.line) if isinstance(command, DoubtfulTurn) else command


class _Undone(Exception):
    """What was tried out is to be undone."""


def try_out(
    command: MailCommand | NotUnderstood,
    context: CommandContext,
    look: Callable[[CommandResult], T],
) -> T:
    """Execute a command, look at what it led to, and undo all of it. Raises what it raises."""
    seen: list[T] = []
    try:
        with transaction.atomic():
            seen.append(look(handler_of(command)(command, context)))
            raise _Undone
    except _Undone:
        return seen[0]


def _what_would_follow(game_id: int, user: User, name: str) -> str:
    """Return how a game stands after a command that was tried out, as what would be."""
    game = Game.objects.get(pk=game_id)
    if not game.is_over and name == "accept":
        return _("It would end when the others have agreed too.")
    if not game.is_over:
        return _("The others would play on.")
    if game.status != Game.Status.FINISHED:
        return ""
    seats = list(game.seats.select_related("user").order_by("number"))
    winners = [seat for seat in seats if seat.place == 1]
    if len(winners) == len(seats):
        return _("It would be a draw.")
    if any(seat.user_id == user.pk for seat in winners):
        return _("You would win.")
    names = ", ".join(plain(seat.user) for seat in winners)
    return ngettext("%(name)s would win.", "%(name)s would win.", len(winners)) % {"name": names}


def _locked(context: CommandContext) -> CommandContext:
    """Return the context with its game as it stands, locked: it cannot move on meanwhile."""
    if context.game is None:
        return context
    lock_games([context.game.pk])
    return replace(context, game=Game.objects.get(pk=context.game.pk))


# How it is asked ---------------------------------------------------------------------------------


def order_question(
    line: str, context: CommandContext, *said: str, game: Game | None = None
) -> CommandResult:
    """Return the question whether a line is to be executed, at `game` if it is about one."""
    how = _("Reply “%(yes)s” to do it; “no” or nothing changes nothing.")
    question: Question = {
        "number": context.number,
        "command": ORDER,
        "text": line,
        "message": "",
        "game": game.pk if game is not None else 0,
        "turn_number": game.turn_number if game is not None else 0,
        "offer": None,
        "answer": "",
    }
    return replace(_question_result(question, context, *said, how), game=game)


def _question(
    name: str, text: str, message: str, context: CommandContext, *, offer: int | None = None
) -> Question:
    game = context.require_game()
    return {
        "number": context.number,
        "command": name,
        "text": text,
        "message": message,
        "game": game.pk,
        "turn_number": game.turn_number,
        "offer": offer,
        "answer": "",
    }


def _question_result(
    question: Question, context: CommandContext, *said: str, turn: str = ""
) -> CommandResult:
    """Return the result that asks; the last sentence says how to answer."""
    yes = _("yes")
    if question["number"] is not None:
        yes = f"{question['number']} {yes}"
    paragraphs = [*said[:-1], said[-1] % {"yes": yes, "turn": turn}]
    if question["message"]:
        paragraphs.append(_("Your message is kept, and sent when you have said yes."))
    return CommandResult(
        done=False,
        paragraphs=tuple(paragraphs),
        game=context.game,
        title=_("Please confirm"),
        number=context.number,
        question=question,
    )


def keep_part(
    command: MailCommand | NotUnderstood, message: str, context: CommandContext
) -> CommandResult | None:
    """Return the answer to a refused turn that is the legal first part of one; None: it is not.

    The game runs and the sender is to move: otherwise the turn would have been refused for that.
    """
    game = context.game
    if game is None or not isinstance(command, TurnCommand | DoubtfulTurn):
        return None
    rules, position = game.rules, position_at(game)
    try:
        actions, after = rules.parse_actions(position, command.text)
    except MoveError:
        return None
    if rules.turn(after) != rules.turn(position) or rules.to_move(after) is None:
        return None
    part = rules.format_turn(position, actions)
    said = [
        _(
            "%(part)s is the first part of a turn, so nothing is played yet. It is kept for an "
            "hour: reply with the rest, and both are played as one turn."
        )
        % {"part": part}
    ]
    following = [rules.format(after, action) for action in rules.legal_actions(after)]
    if len(following) <= MAX_SHOWN and not rules.hides_legal_actions(after):
        said.append(_("This can follow: %(turns)s") % {"turns": ", ".join(following)})
    if message:
        said.append(_("Your message is kept, and sent with the whole turn."))
    return CommandResult(
        done=False,
        paragraphs=tuple(said),
        game=game,
        title=_("The rest of your turn"),
        number=context.number,
        question=_question(PART, part, message, context),
    )


# How an answer is read and executed --------------------------------------------------------------


def read_answer(
    command: MailCommand | NotUnderstood, context: CommandContext
) -> tuple[MailCommand | NotUnderstood, CommandContext]:
    """Return a “yes, please” as the word that it is, at the game that the only question is about.

    Whoever leaves a game that runs resigns it. Where nothing was asked, “yes” and “no” answer the
    invitation or the offer of the mail.
    """
    asked = [question for question in context.reply.questions if question["command"] != PART]
    if asked and isinstance(command, TurnCommand | DoubtfulTurn):
        text = command.text if isinstance(command, TurnCommand) else command.line
        said = fold(text)
        for pattern, word in ((_YES, Command.YES), (_NO, Command.NO)):
            command = word if pattern.fullmatch(said) else command
    if invitation_meant(context) and not asked:
        command = answer_of(command)
    if command == LeaveCommand() and context.game is not None and context.game.started_at:
        return Command.RESIGN, context
    if command not in (Command.YES, Command.NO):
        return command, context
    if len(asked) == 1 and context.game is None and context.number is None:
        game = Game.objects.filter(pk=asked[0]["game"]).first()
        return command, replace(context, game=game, turn_number=asked[0]["turn_number"])
    event = context.reply.notice.event if context.reply.notice is not None else None
    if not asked and (invitation_meant(context) or (event and event.details.get("offer"))):
        return (Command.ACCEPT if command == Command.YES else Command.DECLINE), context
    return command, context


def answer_of(command: MailCommand | NotUnderstood) -> MailCommand | NotUnderstood:
    """Return the answer to an invitation that a line is in friendly words, or the command it is."""
    if not isinstance(command, TurnCommand | NotUnderstood):
        return command
    meant = read_friendly_answer(command.text)
    return command if meant is None else (Command.YES if meant else Command.NO)


def execution_of(
    command: MailCommand | NotUnderstood, message: str, context: CommandContext
) -> Execution:
    """Return what is to be executed: for a “yes” what was asked, for the rest of a turn all of it.

    Raises NothingAsked, WhichQuestion, AskedTwice, AnsweredAlready, MovedOnSinceAsked and
    PartForgotten, and NoSuchGame for a game that the person may not see any more.
    """
    if isinstance(command, TurnCommand | DoubtfulTurn):
        return _with_first_part(command, message, context)
    if command != Command.YES:
        return Execution(command, message, context)
    meant = _questions_meant(context)
    if len({question["game"] for _index, question in meant}) > 1:
        raise mail_errors.WhichQuestion(number=meant[0][1]["number"])
    if len(meant) > 1:
        raise mail_errors.AskedTwice
    ((index, question),) = meant
    if question["command"] == ORDER:
        order, _nothing = parse_command(question["text"].split("\n"))
        if isinstance(order, JoinCommand | LeaveCommand):
            lock_games([order.number])
        elif question["game"]:
            context = replace(_locked(context), turn_number=question["turn_number"])
        _close(context.reply, [index], "yes")
        return Execution(order, "", replace(context, answered=question))
    context = _locked(context)
    game = context.require_game()
    _close(context.reply, [index], "yes")
    message = "\n".join(filter(None, [question["message"], message]))
    context = replace(context, turn_number=question["turn_number"], answered=question)
    if question["command"] == TURN:
        return Execution(TurnCommand(question["text"]), message, context)
    if not game.is_over and game.turn_number != question["turn_number"]:
        raise mail_errors.MovedOnSinceAsked
    return Execution(FINAL[question["command"]], message, context)


@handles(Command.NO)
def handle_no(command: MailCommand, context: CommandContext) -> CommandResult:
    """Close what was asked: nothing was changed, and a later “yes” changes nothing either."""
    meant = _questions_meant(context)
    lock_games(question["game"] for _index, question in meant)
    _close(context.reply, [index for index, _question in meant], "no")
    return CommandResult(True, (_("Nothing was changed."),), context.game)


def _questions_meant(context: CommandContext) -> list[tuple[int, Question]]:
    """Return the questions that a “yes” or “no” can mean, each with its index in the letter's.

    Raises NothingAsked, and NoSuchGame if the person may not see the game any more.
    """
    known = [
        (index, question)
        for index, question in enumerate(context.reply.questions)
        if question["command"] != PART
    ]
    orders = [
        one for one in known if one[1]["command"] == ORDER and one[1]["number"] == context.number
    ]
    if context.game is not None:
        known = [one for one in known if one[1]["game"] == context.game.pk] or orders
    elif orders:
        known = orders
    elif len(known) == 1 or context.number is not None or context.reply.game_id is not None:
        raise errors.NoSuchGame
    if not known:
        raise mail_errors.NothingAsked
    return known


def _close(reply: ReplyAddress, indexes: Iterable[int], answer: Literal["yes", "no"]) -> None:
    """Mark questions of a letter as answered. Raises AnsweredAlready.

    Their games are locked before: every transaction that locks both does it in this order. Who has
    said no can say so again.
    """
    row = ReplyAddress.objects.select_for_update(no_key=True).get(pk=reply.pk)
    for index in indexes:
        if row.questions[index]["answer"] and {row.questions[index]["answer"], answer} != {"no"}:
            raise mail_errors.AnsweredAlready
        row.questions[index]["answer"] = answer
    row.save(update_fields=["questions"])


def _with_first_part(
    command: TurnCommand | DoubtfulTurn, message: str, context: CommandContext
) -> Execution:
    """Return a turn with the first part that the answered letter keeps, if it is the rest of it."""
    game = context.game
    parts = [
        question
        for question in context.reply.questions
        if question["command"] == PART and game is not None and question["game"] == game.pk
    ]
    if game is None or not parts or game.turn_number != parts[-1]["turn_number"]:
        return Execution(command, message, context)
    part, rules, position = parts[-1], game.rules, position_at(game)

    def can_begin(text: str) -> bool:
        try:
            rules.parse_actions(position, text)
        except MoveError:
            return False
        return True

    joined = f"{part['text']}, {command.text}"
    whole = canonical_turn(rules, position, command.text)
    if can_begin(command.text) and not can_begin(joined):
        return Execution(command, message, context)
    if context.received_at > context.reply.created_at + PART_LASTS:
        if whole is not None or not can_begin(joined):
            return Execution(command, message, context)
        raise mail_errors.PartForgotten(turn=joined)
    message = "\n".join(filter(None, [part["message"], message]))
    return Execution(replace(command, text=joined), message, context)
