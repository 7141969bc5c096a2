"""From a mail that was read to its answer."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from django.db import transaction
from django.utils import timezone, translation

from accounts.users import lock_user
from games import errors
from games.models import Game
from games.queries import may_see_as_player
from games.services.clock.undelivered_turns import record_contact
from games.services.locking import lock_games
from games.services.suspensions import check_not_suspended
from notifications.mail_parser import (
    MailCommand,
    NotUnderstood,
    Numbered,
    ParsedMail,
    SayCommand,
    TurnCommand,
    conditions,
    numbered,
)
from notifications.mail_parser import orders as orders_in
from notifications.models import ReplyAddress
from notifications.services.mail_commands.answers import (
    REFUSED,
    UNANSWERED,
    CommandResult,
    MailAnswer,
    mail_result,
    write_answer,
)
from notifications.services.mail_commands.context import CommandContext
from notifications.services.mail_commands.explanations import explain, misunderstood
from notifications.services.mail_commands.handlers import carry_out
from notifications.services.mail_commands.invitees import answer_invitation
from notifications.services.mail_commands.messages import with_message
from notifications.services.mail_commands.throttle import MOST_REFUSED, refusals_today, with_warning
from notifications.services.mail_commands.turn_text import split_turn, turn_below

Purpose = ReplyAddress.Purpose


def execute(
    mail: ParsedMail, reply: ReplyAddress, *, received_at: datetime, now: datetime
) -> MailAnswer:
    """Do what a mail asks for and write its answer into the outbox.

    Everything happens in the caller's transaction, or nothing. `received_at` is when the mail
    was taken in: a turn that was in time then is in time. A sender of whose mails nothing could be
    done again and again is not answered any more that day, unless something is done: two programs
    never write to each other for ever. Raises ClosedForMaintenance.
    """
    user = reply.user
    if user is not None:
        record_contact(user, now=now)
    zone: tzinfo = user.zone if user else UTC
    with translation.override(reply.language), timezone.override(zone):
        said = _all_said(mail, reply, received_at, now)
        if mail_result(said) == REFUSED:
            if user is not None:
                lock_user(user.pk)  # who else reads mail of theirs waits, and counts this one
            before = refusals_today(mail, now)
            if before >= MOST_REFUSED:
                return MailAnswer(None, UNANSWERED)
            said = with_warning(said) if before + 1 == MOST_REFUSED else said
    return write_answer(said, reply, mail, language=reply.language, now=now)


def _all_said(
    mail: ParsedMail, reply: ReplyAddress, received_at: datetime, now: datetime
) -> list[CommandResult]:
    place = CommandContext.of(reply, received_at, now)
    if lines := _numbered_lines(mail, place):
        named = {line.number for line in lines}
        lock_games(game for number, game, _ in place.reply.content if number in named)
        return [_numbered(line, place) for line in lines]
    order, message = orders_in(mail.lines)
    if mail.is_cut and not mail.lines:
        order = NotUnderstood("", "parts")
    if reply.user is None:
        return [answer_invitation(order, message, mail, place)]
    also = [condition for condition in conditions(mail.lines) if condition != order]
    first = _one(order, message, place)
    if isinstance(order, TurnCommand) and not first.done:
        first = _with_turn_below(first, mail.lines, _as_seen(place))
    return [first, *(_one(condition, "", place) for condition in also)]


def _with_turn_below(
    said: CommandResult, lines: Sequence[str], place: CommandContext
) -> CommandResult:
    """Point out that what was meant stood further below."""
    turn = turn_below(lines, place)
    if not turn:
        return said
    found = translation.gettext("“%(turn)s” could be played, but your turn must be the first line.")
    return said.and_also(found % {"turn": turn})


def _numbered_lines(mail: ParsedMail, place: CommandContext) -> Sequence[Numbered]:
    """Return the lines of an answer to a digest that name a game by its number.

    Where the digest had only one, a number that is not its own belongs to a turn.
    """
    if place.reply.purpose != Purpose.DIGEST:
        return ()
    lines = numbered(mail.lines)
    known = {number for number, _, _ in place.reply.content}
    is_named = any(line.number in known for line in lines)
    return lines if is_named or place.game is None else ()


def _numbered(line: Numbered, place: CommandContext) -> CommandResult:
    """Act on one line of an answer to a digest."""
    meant = {number: (game, turns) for number, game, turns in place.reply.content}
    if line.number not in meant:
        unknown = NotUnderstood(str(line.number), "number")
        return replace(explain(unknown, place, misunderstood(unknown)), number=line.number)
    game_id, turns = meant[line.number]
    game = Game.objects.filter(pk=game_id).first()
    here = replace(place, game=game, turn_number=turns, number=line.number)
    return replace(_one(line.order, line.message, here), number=line.number)


def _one(order: MailCommand | NotUnderstood, message: str, place: CommandContext) -> CommandResult:
    """Carry out one order, and pass its message on when it was done."""
    place = _as_seen(place)
    order, message = split_turn(order, message, place)
    try:
        with transaction.atomic():
            if place.user is not None:
                check_not_suspended(place.user, place.now)
            said = carry_out(order, place)
    except errors.ClosedForMaintenance:
        raise  # nothing is answered: the mail is read again when the house opens
    except errors.Refusal as refusal:
        return explain(order, place, refusal)
    return said if isinstance(order, SayCommand) else with_message(said, message, place)


def _as_seen(place: CommandContext) -> CommandContext:
    """Return the place without its game where the person may not look at that any more.

    Staff powers do not count: a mail shows no second factor.
    """
    if place.game is None or place.user is None or may_see_as_player(place.game, place.user):
        return place
    return replace(place, game=None)
