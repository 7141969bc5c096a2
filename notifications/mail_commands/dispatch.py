"""From a parsed mail to its answer: execute each command that it contains."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.users import lock_user
from games import errors
from games.models import Game, Message
from games.services.conduct.messages import say
from games.services.locking import lock_games
from games.services.suspensions import check_not_suspended
from notifications import errors as mail_errors
from notifications.incoming.results import MailResult
from notifications.kinds.registry import Kind
from notifications.mail_commands import (  # noqa: F401 (most of them: their handlers)
    account_settings,
    conduct,
    game_commands,
    handlers,
    ladders,
    leagues,
    my_games,
    questions,
    starting,
    tournaments,
    wishes,
)
from notifications.mail_commands.answers import (
    LONGEST_QUOTED,
    MailAnswer,
    explain_refusal,
    mail_result,
    write_answer,
)
from notifications.mail_commands.context import (
    CommandContext,
    CommandResult,
    handler_of,
)
from notifications.mail_commands.invited_addresses import answer_invitation
from notifications.mail_commands.message_lines import without_commands
from notifications.mail_commands.puzzles import answer_by_mail
from notifications.mail_commands.shown_games import with_seen_game, without_hidden_game
from notifications.mail_commands.turn_text import may_be_turn, split_turn, turn_below
from notifications.mail_parser import (
    Command,
    DoubtfulTurn,
    LadderAnswerCommand,
    MailCommand,
    NotUnderstood,
    ParsedMail,
    PauseCommand,
    SayCommand,
    SettingCommand,
    TurnCommand,
    VacationCommand,
    parse_command,
    parse_conditions,
    parse_numbered,
)
from notifications.mail_parser.commands import lines_below
from notifications.mail_parser.friendly_answers import language_asked_for
from notifications.mail_parser.signatures import without_signature
from notifications.models import IncomingMail, ReplyAddress

MOST_REFUSED = 20
"""Mails of one sender about one game in which nothing was done that are answered in a day."""

_FREE_WORDS = (Kind.GAME_OVER, Kind.MESSAGE)
"""The kinds of letters that words answer as they are."""

_AT_TABLE = (
    TurnCommand,
    VacationCommand,
    Command.RESIGN,
    Command.WIN,
    Command.ABORT,
    Command.OFFER_END,
    Command.ACCEPT,
    Command.DECLINE,
    Command.REMATCH,
    Command.TAKEBACK,
    Command.WITHDRAW,
    Command.MORE_TIME,
    Command.RESUME,
    PauseCommand,
)
"""The commands whose message is passed on. The others show or plan something: what stands below
"board" may be a turn, and opponents must not see it."""

_WITH_GAME = re.compile(r"#?([0-9]{1,9})[.):]?\s+(\S.*)")

_NOTHING_DONE = (MailResult.REFUSED, MailResult.ASKED)

DAY = timedelta(days=1)


def execute(
    mail: ParsedMail,
    reply: ReplyAddress,
    *,
    received_at: datetime,
    now: datetime,
    at_play_address: bool = False,
) -> MailAnswer:
    """Execute what a mail asks for and write its answer into the outbox.

    Everything happens in the caller's transaction, or nothing. `received_at` is when the mail came
    in: what was in time then is in time. After MOST_REFUSED mails about a game (or to
    letters of one purpose that are about no game) within a day in which nothing was done, a sender
    is answered only if something is done: two programs never write to each other for ever. Who
    wants no confirmations gets no answer to turns that were played as they were sent.
    Raises ClosedForMaintenance.
    """
    user = reply.user
    zone: tzinfo = user.zone if user else UTC
    with translation.override(reply.language), timezone.override(zone):
        context = CommandContext.for_reply(reply, received_at, now)
        results = (execute_unasked if at_play_address else execute_all)(mail, context)
        if mail_result(results) in _NOTHING_DONE:
            if user is not None:
                lock_user(user.pk)  # another process that reads a mail of theirs counts this one
            about: dict[str, object] = {"reply__game": reply.game}
            if reply.game is None:
                about["reply__purpose"] = reply.purpose
            earlier = IncomingMail.objects.filter(
                sender=", ".join(mail.senders),
                state=IncomingMail.State.DONE,
                result__in=_NOTHING_DONE,
                processed_at__gt=now - DAY,
                **about,
            ).count()
            if earlier >= MOST_REFUSED:
                return MailAnswer(None, MailResult.UNANSWERED)
            if earlier + 1 == MOST_REFUSED:
                results[-1] = results[-1].with_paragraph(_last_answer(reply))
        wants_all = user is None or user.mail_confirmations
        if not wants_all and all(result.only_confirms for result in results):
            return MailAnswer(None, MailResult.DONE)
    return write_answer(results, reply, mail, now=now)


def _last_answer(reply: ReplyAddress) -> str:
    """Return the sentences that announce that the next such mail gets no answer."""
    if reply.game is None or reply.user is None:
        last = _(
            "%(count)s of your mails could not be executed within a day, so the next such mail "
            "gets no answer. You find everything here: %(url)s"
        )
        url = settings.SITE_URL
    else:
        last = _(
            "%(count)s of your mails about this game could not be executed within a day, so the "
            "next such mail gets no answer. The game is here: %(url)s"
        )
        url = settings.SITE_URL + reply.game.get_absolute_url()
    still = _("A turn that can be played is still played and answered.")
    return f"{last % {'count': MOST_REFUSED, 'url': url}}\n{still}"


def execute_all(mail: ParsedMail, context: CommandContext) -> list[CommandResult]:
    """Execute the commands of a mail one after the other; return what became of each."""
    if context.reply.purpose == ReplyAddress.Purpose.DIGEST:
        lines = parse_numbered(mail.lines)
        known = {number for number, _game_id, _turns in context.reply.content}
        # In an answer to a digest of one game, a number that is not its own belongs to a turn.
        if lines and (context.game is None or any(line.number in known for line in lines)):
            named = {line.number for line in lines}
            lock_games(game for number, game, _turns in context.reply.content if number in named)
            return [
                execute_numbered(line.number, line.command, line.message, context) for line in lines
            ]
    command, message = parse_command(mail.lines)
    if mail.is_cut and not mail.lines:
        command = NotUnderstood("", "parts")
    if context.user is None:
        return [execute_for_invited_address(command, message, mail, context)]
    puzzle = context.reply.puzzle
    if puzzle is not None and isinstance(command, TurnCommand):
        try:
            with transaction.atomic():
                return [answer_by_mail(puzzle, command.text, context)]
        except errors.ClosedForMaintenance:
            raise
        except errors.Refusal as refusal:
            return [explain_refusal(command, context, refusal)]
    told_of = context.reply.notice.kind if context.reply.notice else None
    if told_of == Kind.LADDER and command in (Command.ACCEPT, Command.DECLINE):
        command = LadderAnswerCommand(command == Command.ACCEPT)
    if told_of in _FREE_WORDS and not may_be_turn(command, context.game):
        # In answer to a letter to which words are the only answer, words need no “say”.
        said = "\n".join(without_signature(mail.lines)).strip()
        command, message = SayCommand(said), ""
    context = replace(context, below=lines_below(mail.lines))
    result = execute_command(command, message, context)
    if isinstance(command, TurnCommand) and not result.done and result.question is None:
        visible = without_hidden_game(context)
        if turn := turn_below(mail.lines, visible.game, visible.turn_number):
            hint = _("“%(turn)s” could be played, but your turn must be the first line.")
            result = result.with_paragraph(hint % {"turn": turn})
    others = [condition for condition in parse_conditions(mail.lines) if condition != command]
    return [result, *(execute_command(condition, "", context) for condition in others)]


def execute_unasked(mail: ParsedMail, context: CommandContext) -> list[CommandResult]:
    """Execute the first line of a mail to the fixed address, which answers no mail of ours.

    “12 c3” is for game 12. What only reads is done, what changes anything is asked back or refused;
    no line below goes to anybody.
    """
    written = [line.strip() for line in mail.lines if line.strip()][:1]
    command, _below = parse_command(written)
    line = written[0] if written else ""
    numbered = _WITH_GAME.fullmatch(line)
    if numbered and isinstance(command, TurnCommand):
        game = Game.objects.filter(pk=int(numbered[1])).first()
        turns = game.turn_number if game is not None else None
        context = replace(context, game=game, turn_number=turns)
        context = without_hidden_game(context)
        line = numbered[2]
        command, _below = parse_command([line])
        if context.game is None:
            return [explain_refusal(command, context, errors.NoSuchGame())]
    if isinstance(command, TurnCommand) and context.game is not None:
        command, _said = split_turn(command, "", context.game, context.turn_number)
        if isinstance(command, TurnCommand):
            command = DoubtfulTurn(command.text, line)
    if isinstance(command, TurnCommand) or command in (Command.YES, Command.NO):
        return [explain_refusal(command, context, mail_errors.AnswerALetter())]
    return [execute_command(command, "", replace(context, unasked=line))]


def execute_numbered(
    number: int, command: MailCommand | NotUnderstood, message: str, context: CommandContext
) -> CommandResult:
    """Execute one line of an answer to a digest: for the game with this number there."""
    games = {known: (game_id, turns) for known, game_id, turns in context.reply.content}
    if number not in games:
        unknown = NotUnderstood(str(number), "number")
        refusal = mail_errors.NoSuchNumber(number=number)
        return replace(explain_refusal(unknown, context, refusal), number=number)
    game_id, turns = games[number]
    game = Game.objects.filter(pk=game_id).first()
    context = replace(context, game=game, turn_number=turns, number=number)
    return replace(execute_command(command, message, context), number=number)


def execute_command(
    command: MailCommand | NotUnderstood, message: str, context: CommandContext
) -> CommandResult:
    """Execute one command of a user, and pass its message on to the opponents if it was done.

    What must be confirmed first is asked, and its message kept with the question.
    """
    command, context = questions.read_answer(command, context)
    context = with_seen_game(without_hidden_game(context))
    below = context.below
    command, message = split_turn(command, message, context.game, context.turn_number, below)
    if isinstance(command, TurnCommand) and (language := language_asked_for(command.text)):
        command = SettingCommand("language", language)
    message, withheld = without_commands(message)
    result = _execute_one(command, message, context)
    if withheld:
        unsent = _(
            "Neither done nor passed on, because a command must be the first line of a mail: "
            "“%(lines)s”."
        )
        result = result.with_paragraph(unsent % {"lines": " / ".join(withheld)[:LONGEST_QUOTED]})
    return result


def _execute_one(
    command: MailCommand | NotUnderstood, message: str, context: CommandContext
) -> CommandResult:
    """Execute one command of a user and pass its message on; a refusal is explained."""
    try:
        with transaction.atomic():
            if context.user is not None:
                check_not_suspended(context.user, context.now)
            meant = questions.execution_of(command, message, context)
            command, message, context = meant.command, meant.message, meant.context
            asked = questions.question_for(command, message, context)
            result = asked or handler_of(command)(command, context)
    except errors.ClosedForMaintenance:
        raise  # nothing is answered: the mail is processed again when the site opens
    except errors.Refusal as refusal:
        if isinstance(refusal, errors.MoveRefused):
            kept = questions.keep_part(command, message, context)
            if kept is not None:
                return kept
        return explain_refusal(questions.as_refused(command), context, refusal)
    if result.question is not None or isinstance(command, SayCommand):
        return result
    if message and command not in _AT_TABLE and type(command) not in _AT_TABLE:
        unsent = _("The lines below your first one were not passed on; “say” sends words.")
        return result.with_paragraph(unsent)
    return pass_on(message, result, context)


def execute_for_invited_address(
    command: MailCommand | NotUnderstood, message: str, mail: ParsedMail, context: CommandContext
) -> CommandResult:
    """Execute the command of an address without an account: it can answer its invitation.

    Its message is passed on if it accepts: before that, the sender is nobody at the game.
    """
    try:
        with transaction.atomic():
            result = answer_invitation(command, mail, context)
    except errors.ClosedForMaintenance:
        raise
    except errors.Refusal as refusal:
        return explain_refusal(command, context, refusal)
    user = result.new_user
    message, _withheld = without_commands(message)
    if message and user is None:
        return result.with_paragraph(_("Your message was not passed on: you do not play."))
    with translation.override(user.language if user else context.reply.language):
        return pass_on(message, result, replace(context, user=user, game=result.game))


def pass_on(message: str, result: CommandResult, context: CommandContext) -> CommandResult:
    """Send a message to the opponents; if that is refused, what was done remains done."""
    if not message or context.game is None or context.user is None:
        return result
    game_id, user = context.game.pk, context.user
    try:
        say(game_id=game_id, user=user, text=message, via=Message.Via.MAIL, **context.times)
    except errors.ClosedForMaintenance:
        raise  # the turn waits with its message
    except errors.Refusal as refusal:
        return result.with_paragraph(refusal.sentence)
    return result.with_paragraph(_("Your message was passed on."), only_confirms=True)
