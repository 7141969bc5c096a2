"""One function for each command: it calls the service that executes the command.

A handler raises Refusal if the command is refused; nothing is changed then.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Vacation
from games import errors, planning_errors
from games.clock.clock import StopReason
from games.models import Game, Message, Turn
from games.plan_text import parse_plan
from games.queries.deadline_explanation import explain_deadline
from games.services import endings, invitations, offers, plans, reminders, turns
from games.services.clock import availability
from games.services.conduct.messages import say
from notifications import errors as mail_errors
from notifications.emails.formatting import format_moment, plain
from notifications.mail_commands.context import (
    CommandContext,
    CommandResult,
    handles,
    invitation_meant,
)
from notifications.mail_commands.help_text import list_commands
from notifications.mail_commands.listings import (
    list_plans,
    record_of,
    rulebook_of,
)
from notifications.mail_commands.shown_games import result_with_board
from notifications.mail_parser import (
    Command,
    Condition,
    LaterCommand,
    MailCommand,
    NotUnderstood,
    SayCommand,
    TurnCommand,
    VacationCommand,
)
from notifications.services.preferences import (
    switch_off_optional_mail,
    switch_on_all_mail,
)

# At a game ---------------------------------------------------------------------------------------


@handles(TurnCommand)
def handle_turn(command: TurnCommand, context: CommandContext) -> CommandResult:
    """Play a turn; one that was played already is not refused."""
    if invitation_meant(context):
        raise mail_errors.AcceptOrDecline
    game = context.require_game()
    played = turns.play_turn(
        game_id=game.pk,
        user=context.require_user(),
        text=command.text,
        expected_turn=context.turn_number or 0,
        via=Turn.Via.MAIL,
        **context.times,
    )
    if played.already:
        said = _("Your turn %(turn)s was already played. It was not played again.")
    else:
        said = _("Your turn %(turn)s is played.")
    result = _result_with_end(played.game, said % {"turn": played.turn.notation})
    result = replace(result, only_confirms=not (played.already or played.game.is_over))
    answered = _("%(player)s had planned the answer %(turn)s, which was played at once.")
    for answer in played.answers:
        names = {"player": plain(answer.player), "turn": answer.notation}
        result = result.with_paragraph(answered % names)
    return result


@handles(Command.RESIGN)
def handle_resign(command: MailCommand, context: CommandContext) -> CommandResult:
    """Resign the game."""
    game_id, user = context.require_game().pk, context.require_user()
    game = endings.resign(game_id=game_id, user=user, **context.times)
    return _result_with_end(game, _("You have resigned, as you asked."))


@handles(Command.WIN)
def handle_win(command: MailCommand, context: CommandContext) -> CommandResult:
    """Win against an opponent whom no mail has reached for long."""
    game_id, user = context.require_game().pk, context.require_user()
    game = endings.win_unreached(game_id=game_id, user=user, now=context.now)
    return _result_with_end(game, _("You no longer wait for your opponent, as you asked."))


@handles(Command.ABORT)
def handle_abort(command: MailCommand, context: CommandContext) -> CommandResult:
    """End a game without a result, or the wait for an opponent whom no mail reaches."""
    game, user = context.require_game(), context.require_user()
    if game.stop_reason == StopReason.UNDELIVERED:
        game = endings.abort_unreached(game_id=game.pk, user=user, now=context.now)
    else:
        game = endings.abort(game_id=game.pk, user=user, now=context.now)
    return _result_with_end(game, _("You have aborted the game, as you asked."))


@handles(Command.OFFER_END)
def handle_offer_end(command: MailCommand, context: CommandContext) -> CommandResult:
    """Offer to end the game by agreement."""
    game_id, user = context.require_game().pk, context.require_user()
    offer = offers.offer_end(game_id=game_id, user=user, **context.times)
    return CommandResult(True, (_("You have offered to end the game by agreement."),), offer.game)


@handles(Command.ACCEPT)
def handle_accept(command: MailCommand, context: CommandContext) -> CommandResult:
    """Accept the invitation, or the offer, that the mail told of."""
    if invitation_id := invitation_meant(context):
        user = context.require_user()
        game = invitations.accept(invitation_id=invitation_id, user=user, **context.times)
        return result_with_board(game, user, _("You have accepted the invitation."))
    game = _answer_offer(offers.accept_offer, context)
    return _result_with_end(game, _("You have accepted the offer."))


@handles(Command.DECLINE)
def handle_decline(command: MailCommand, context: CommandContext) -> CommandResult:
    """Decline the invitation, or the offer, that the mail told of."""
    if invitation_id := invitation_meant(context):
        game = invitations.decline(invitation_id=invitation_id, user=context.user, **context.times)
        return CommandResult(True, (_("You have declined the invitation."),), game)
    game = _answer_offer(offers.decline_offer, context)
    return CommandResult(True, (_("You have declined the offer."),), game)


@handles(SayCommand)
def handle_say(command: SayCommand, context: CommandContext) -> CommandResult:
    """Send a message to the other players."""
    game, user = context.require_game(), context.require_user()
    say(game_id=game.pk, user=user, text=command.text, via=Message.Via.MAIL, **context.times)
    return CommandResult(True, (_("Your message was passed on."),), game)


@handles(Command.REMATCH)
def handle_rematch(command: MailCommand, context: CommandContext) -> CommandResult:
    """Ask for a rematch; it begins if everybody else has asked for it."""
    game_id, user = context.require_game().pk, context.require_user()
    game = invitations.ask_rematch(game_id=game_id, user=user, now=context.now)
    if game.status == Game.Status.ACTIVE:
        return result_with_board(game, user, _("The rematch begins."))
    return CommandResult(True, (_("You have asked for a rematch."),), game)


@handles(LaterCommand)
def handle_later(command: LaterCommand, context: CommandContext) -> CommandResult:
    """Remind the player again after a while."""
    game_id, user = context.require_game().pk, context.require_user()
    game = reminders.snooze(game_id=game_id, user=user, delay=command.delay, **context.times)
    when = format_moment(game.reminder_at or context.received_at + command.delay)
    return CommandResult(True, (_("You will be reminded on %(when)s.") % {"when": when},), game)


@handles(Condition)
def handle_condition(command: Condition, context: CommandContext) -> CommandResult:
    """Plan a turn for what another player may play."""
    game, user = context.require_game(), context.require_user()
    planned = plans.lay_plans(
        game_id=game.pk,
        user=user,
        lines=[parse_plan(command.text)],
        expected_turn=context.turn_number or 0,
        **context.times,
    )
    said = ngettext("Your turn is planned.", "Your turns are planned.", len(planned))
    return CommandResult(True, (said,), game, list_plans(game, user), _("Your plans"))


@handles(Command.PLANS, only_reads=True)
def handle_plans(command: MailCommand, context: CommandContext) -> CommandResult:
    """Send what the player has planned."""
    game, user = context.require_game(), context.require_user()
    listing = list_plans(game, user)
    if not listing:
        raise planning_errors.NothingPlanned
    return CommandResult(
        True, (_("This is what you have planned."),), game, listing, _("Your plans")
    )


@handles(Command.DROP_PLANS)
def handle_drop_plans(command: MailCommand, context: CommandContext) -> CommandResult:
    """Drop all that the player has planned."""
    game_id, user = context.require_game().pk, context.require_user()
    game = plans.drop_plans(game_id=game_id, user=user, **context.times)
    return CommandResult(True, (_("Your plans are dropped."),), game)


# Only to read ------------------------------------------------------------------------------------


@handles(Command.BOARD, only_reads=True)
def handle_board(command: MailCommand, context: CommandContext) -> CommandResult:
    """Show the board; every answer about one game has it."""
    here = (_("Here is the board."),)
    return CommandResult(True, here, context.require_game(), title=_("The board"))


@handles(Command.HISTORY, only_reads=True)
def handle_history(command: MailCommand, context: CommandContext) -> CommandResult:
    """Show all turns."""
    game = context.require_game()
    here = (_("Here is the record of the game."),)
    return CommandResult(True, here, game, record_of(game), _("The record of the game"))


@handles(Command.CLOCK, only_reads=True)
def handle_clock(command: MailCommand, context: CommandContext) -> CommandResult:
    """Show why the deadline is when it is. Raises GameNotRunning."""
    game = context.require_game()
    if game.status != Game.Status.ACTIVE:
        raise errors.GameNotRunning
    lines = "\n".join(map(plain, explain_deadline(game, now=context.now)))
    here = (_("Here is the time of this turn."),)
    return CommandResult(True, here, game, lines, _("The time of this turn"))


@handles(Command.RULES, only_reads=True)
def handle_rules(command: MailCommand, context: CommandContext) -> CommandResult:
    """Show the rulebook of the game."""
    game = context.require_game()
    return CommandResult(True, (_("Here are the rules."),), game, rulebook_of(game), _("The rules"))


@handles(Command.HELP, only_reads=True)
def handle_help(command: MailCommand, context: CommandContext) -> CommandResult:
    """List the commands."""
    here, game, user = (_("This is what you can answer."),), context.game, context.require_user()
    said: tuple[str, ...] = here
    if settings.AUTHSERV_IDS:
        also = _("You can also write to %(address)s at any time: “tables”, or “12 c3” for game 12.")
        said = (*here, also % {"address": settings.PLAY_ADDRESS})
    return CommandResult(
        True, said, game, list_commands(game, user, context.now), _("What you can answer")
    )


@handles(NotUnderstood)
def handle_not_understood(command: NotUnderstood, context: CommandContext) -> CommandResult:
    """Refuse what is no command, with the reason."""
    refusals: Mapping[str, type[errors.Refusal]] = {
        "later": mail_errors.BadDelay,
        "vacation": mail_errors.BadDays,
        "say": errors.NothingSaid,
        "parts": mail_errors.TooManyParts,
        "join": mail_errors.JoinWhich,
        "new": mail_errors.NewHow,
        "stop": mail_errors.StopWhat,
        "bare": mail_errors.NotBareWord,
    }
    raise refusals.get(command.reason, mail_errors.NoAnswerThere)


# About the sender --------------------------------------------------------------------------------


@handles(VacationCommand)
def handle_vacation(command: VacationCommand, context: CommandContext) -> CommandResult:
    """Announce a vacation; both days of a span are days of it, in the user's time zone.

    One that begins today begins when the mail came in.
    """
    if command.days is not None:
        begins = context.received_at
        ends = begins + timedelta(days=command.days)
    else:
        zone = timezone.get_current_timezone()
        today = timezone.localdate(context.received_at)
        try:
            first, last = command.dates(today)
        except ValueError:
            raise mail_errors.BadDays from None
        first_midnight = datetime.combine(first, time.min, tzinfo=zone)
        begins = context.received_at if first == today else first_midnight
        ends = datetime.combine(last + timedelta(days=1), time.min, tzinfo=zone)
    vacation = availability.announce_vacation(
        user=context.require_user(), begins_at=begins, ends_at=ends, **context.times
    )
    said = _("You are away from %(begin)s until %(end)s: your time does not run then.") % {
        "begin": format_moment(vacation.begins_at),
        "end": format_moment(vacation.ends_at),
    }
    return CommandResult(True, (said,), context.game)


@handles(Command.END_VACATION)
def handle_end_vacation(command: MailCommand, context: CommandContext) -> CommandResult:
    """End the vacation that the user is on, or cancel the next one. Raises NoVacationNow."""
    user = context.require_user()
    unfinished = Vacation.objects.filter(user=user, ends_at__gt=context.now).order_by("begins_at")
    vacation = unfinished.first()
    if vacation is None:
        raise mail_errors.NoVacationNow
    if vacation.begins_at <= context.now:
        availability.end_vacation_early(user=user, vacation_id=vacation.pk, now=context.now)
        return CommandResult(True, (_("Your vacation is over: your time runs."),), context.game)
    availability.cancel_vacation(user=user, vacation_id=vacation.pk, now=context.now)
    said = _("Your vacation from %(begin)s is cancelled.")
    said %= {"begin": format_moment(vacation.begins_at)}
    return CommandResult(True, (said,), context.game)


@handles(Command.QUIET)
def handle_quiet(command: MailCommand, context: CommandContext) -> CommandResult:
    """Send only the mail that is needed to play."""
    switch_off_optional_mail(user=context.require_user())
    said = _("From now on you get mail only when it is your turn, time runs low, or a game ends.")
    return CommandResult(True, (said,), context.game)


@handles(Command.LOUD)
def handle_loud(command: MailCommand, context: CommandContext) -> CommandResult:
    """Send all mail again."""
    switch_on_all_mail(user=context.require_user())
    return CommandResult(True, (_("From now on you get all mail again, at once."),), context.game)


# What several of them need -----------------------------------------------------------------------


def _result_with_end(game: Game, said: str) -> CommandResult:
    """Return what was done, and whether it ended the game."""
    game.refresh_from_db()
    end = (_("That was the end of the game."),) if game.is_over else ()
    return CommandResult(True, (said, *end), game)


def _answer_offer(service: Callable[..., Game], context: CommandContext) -> Game:
    """Answer the offer that the mail told of, or the only one made before it.

    Raises LaterOffer if the only open offers were made after the mail.
    """
    game, user = context.require_game(), context.require_user()
    is_open = game.offers.open().exclude(seat__user=user)
    if context.answered is not None:
        offer_id = context.answered["offer"]
        return service(game_id=game.pk, user=user, offer_id=offer_id, **context.times)
    known = is_open.filter(made_at__lte=context.reply.created_at)
    known_ids = list(known.values_list("pk", flat=True))
    if not known_ids and is_open.exists():
        raise mail_errors.LaterOffer
    event = context.reply.notice.event if context.reply.notice is not None else None
    offer_id = event.details.get("offer") if event is not None else None
    if offer_id not in known_ids:
        offer_id = known_ids[0] if len(known_ids) == 1 else None
    return service(game_id=game.pk, user=user, offer_id=offer_id, **context.times)
