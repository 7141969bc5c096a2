"""How people treat each other, by mail: hide a player's messages, block them, report a game."""

from django.utils.translation import gettext as _

from accounts.models import User
from games import errors
from games.models import Game, Message, Report
from games.queries.conversations import said_at
from games.queries.seats import opponents_of
from games.services.conduct import blocks, mutes, reports
from notifications import errors as mail_errors
from notifications.emails.formatting import plain
from notifications.kinds.registry import Kind
from notifications.mail_commands.context import (
    CommandContext,
    CommandResult,
    handles,
    person_named,
)
from notifications.mail_commands.questions import ASKS, order_question, try_out
from notifications.mail_parser import BlockCommand, MuteCommand, ReportCommand
from notifications.mail_parser.phrases import fold

LONGEST_QUOTED = 200
"""Characters of a reported message that a question shows."""

_REASONS = {
    "stalling": Report.Reason.STALLING,
    "traine": Report.Reason.STALLING,
    "spam": Report.Reason.SPAM,
    "publicite": Report.Reason.SPAM,
    "cheat": Report.Reason.CHEATING,
    "trich": Report.Reason.CHEATING,
    "abuse": Report.Reason.ABUSE,
    "insult": Report.Reason.ABUSE,
}
"""The reasons that a report can begin with; anything else is another reason."""


@handles(MuteCommand)
def handle_mute(command: MuteCommand, context: CommandContext) -> CommandResult:
    """Hide a player's messages in the game of the letter, or show them again.

    Raises WhoIsMeant if several could be, NoSuchPlayer, and as the service does.
    """
    game, user = context.require_game(), context.require_user()
    seats = game.all_seats
    others = [(seat.number, seat.user) for seat in seats if seat.user and seat.user_id != user.pk]
    if command.name:
        name = fold(command.name)
        others = [one for one in others if name in (fold(one[1].username), fold(plain(one[1])))]
        if not others:
            raise errors.NoSuchPlayer(name=command.name)
    if len(others) != 1:
        raise mail_errors.WhoIsMeant(names=", ".join(plain(person) for _number, person in others))
    ((number, person),) = others
    service = mutes.unmute if command.ends else mutes.mute
    service(game_id=game.pk, user=user, seat_number=number, now=context.now)
    if command.ends:
        said = _("You get the messages of %(name)s in this game again.")
    else:
        said = _("You get no more messages of %(name)s in this game. “unmute” ends this.")
    return CommandResult(True, (said % {"name": plain(person)},), game)


@handles(BlockCommand)
def handle_block(command: BlockCommand, context: CommandContext) -> CommandResult:
    """Block a player, or end that. Raises NoSuchPlayer, CannotBlock."""
    user, person = context.require_user(), person_named(command.name)
    if command.ends:
        blocks.unblock(by=user, of=person, now=context.now)
        said = _("%(name)s can challenge you and write to you again.")
    else:
        blocks.block(by=user, of=person, now=context.now)
        said = _("You will get no more challenges or messages from %(name)s.")
    return CommandResult(True, (said % {"name": plain(person)},), context.game)


def ask_to_block(command: BlockCommand, context: CommandContext) -> CommandResult | None:
    """Return the question whether to block; ending a block is not asked about."""
    if command.ends:
        return None
    try_out(command, context, lambda result: None)
    would = _("%(name)s could no longer challenge you or write to you, and would not be told.")
    name = plain(person_named(command.name))
    undone = _("“unblock %(name)s” would end it.") % {"name": command.name}
    return order_question(f"block {command.name}", context, would % {"name": name}, undone)


@handles(ReportCommand)
def handle_report(command: ReportCommand, context: CommandContext) -> CommandResult:
    """Report the message that the letter told of, or the game, to the moderators."""
    game, user = context.require_game(), context.require_user()
    first = fold(command.text)
    reason = next(
        (reason for word, reason in _REASONS.items() if first.startswith(word)), Report.Reason.OTHER
    )
    message = reported_message(game, user, context)
    text, now = command.text, context.now
    if message is not None:
        reports.report_message(
            message_id=message.pk, reporter=user, reason=reason, text=text, now=now
        )
    else:
        reports.report_game(game_id=game.pk, reporter=user, reason=reason, text=text, now=now)
    return CommandResult(True, (_("Thank you. A moderator will look at it."),), game)


def ask_to_report(command: ReportCommand, context: CommandContext) -> CommandResult:
    """Return the question with what would be reported. Raises what reporting raises."""
    game, user = context.require_game(), context.require_user()
    try_out(command, context, lambda result: None)
    names = ", ".join(plain(opponent) for opponent in opponents_of(game, user))
    message = reported_message(game, user, context)
    if message is not None:
        would = _("You would report this message of %(name)s to the moderators: “%(message)s”")
        would %= {"name": plain(message.author), "message": plain(message.text)[:LONGEST_QUOTED]}
    else:
        would = _("You would report your game with %(names)s to the moderators.") % {"names": names}
    wrote = _("They would read: “%(text)s”") % {"text": plain(command.text)}
    asked = order_question(f"report {command.text}", context, would, wrote, game=game)
    if message is not None and asked.question is not None:
        asked.question["reported"] = message.pk
    return asked


def reported_message(game: Game, user: User, context: CommandContext) -> Message | None:
    """Return the message that is reported; None: the whole game is.

    In answer to a letter that tells of messages that is the newest one of others.
    """
    said = said_at(game, user).exclude(author=user).filter(hidden_at=None)
    if context.answered is not None:
        return said.filter(pk=context.answered.get("reported", 0)).first()
    notice = context.reply.notice
    if notice is None or notice.kind != Kind.MESSAGE:
        return None
    return said.order_by("-pk").first()


ASKS[BlockCommand] = ask_to_block
ASKS[ReportCommand] = ask_to_report
