"""Each order and the service that carries it out."""

from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from games import errors
from games.models import Game, Invitation, Message, Offer, Turn
from games.services import deadlines, endings, invitations, offers, rematches, turns
from games.services.clock import vacation_planning
from games.services.conduct.messages import say
from notifications import errors as mail_errors
from notifications import mail_parser
from notifications.emails.formatting import format_moment
from notifications.models import Cadence, Kind, ReplyAddress
from notifications.services.mail_commands.answers import CommandResult
from notifications.services.mail_commands.context import CommandContext
from notifications.services.mail_commands.explanations import misunderstood
from notifications.services.mail_commands.listings import commands, record_of, rulebook_of
from notifications.services.preferences import (
    cadence_of,
    switch_off_optional_mail,
    switch_on_all_mail,
)

Deed = Callable[[Any, CommandContext], CommandResult]


def carry_out(
    order: mail_parser.MailCommand | mail_parser.NotUnderstood, place: CommandContext
) -> CommandResult:
    """Do what one order says. Raises Refusal; nothing is changed then."""
    if isinstance(order, mail_parser.NotUnderstood):
        raise misunderstood(order)
    deed = HANDLERS[order if isinstance(order, mail_parser.Command) else type(order)]
    return deed(order, place)


def _game(place: CommandContext) -> Game:
    if place.game is not None:
        return place.game
    if place.names_game:
        raise errors.NoSuchGame
    raise (
        mail_errors.WhichGame(number=place.reply.content[0][0])
        if place.reply.content
        else mail_errors.NotThere()
    )


def _user(place: CommandContext) -> User:
    if place.user is None:
        raise errors.NotAPlayer
    return place.user


# At a game ---------------------------------------------------------------------------------------


def _turn(order: mail_parser.TurnCommand, place: CommandContext) -> CommandResult:
    game = _game(place)
    played = turns.play_turn(
        game_id=game.pk,
        user=_user(place),
        text=order.text,
        expected_turn=place.turn_number or 0,
        via=Turn.Via.MAIL,
        received_at=place.received_at,
        now=place.now,
    )
    if played.already:
        said = _("Your turn %(turn)s was already played. It was not played again.")
    else:
        said = _("Your turn %(turn)s is played.")
    return CommandResult(
        True, (said % {"turn": played.turn.notation}, *_what_now(played.game)), game
    )


def _what_now(game: Game) -> list[str]:
    """Return whether the game is over now."""
    game.refresh_from_db()
    return [_("That was the end of the game.")] if game.is_over else []


def _resign(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    game = endings.resign(game_id=_game(place).pk, user=_user(place), now=place.now)
    return CommandResult(True, (_("You have resigned, as you asked."), *_what_now(game)), game)


def _offer(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    offer = offers.offer_end(game_id=_game(place).pk, user=_user(place), now=place.now)
    return CommandResult(True, (_("You have offered to end the game by agreement."),), offer.game)


def _accept(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    if asked := _invitation(place):
        game = invitations.accept(invitation_id=asked, user=_user(place), now=place.now)
        return start_game_notice(game, _user(place), _("You have accepted the invitation."))
    game = _answer_offer(offers.accept_offer, place)
    return CommandResult(True, (_("You have accepted the offer."), *_what_now(game)), game)


def start_game_notice(game: Game, user: User, *said: str) -> CommandResult:
    """Say what was done to somebody by whose answer a game may have begun.

    Its first letter tells the rest; who does not get that at once has the board here.
    """
    is_at_once = cadence_of(user, Kind.GAME_BEGUN) == Cadence.AT_ONCE
    if game.status != Game.Status.ACTIVE or not is_at_once:
        return CommandResult(True, said, game)
    follows = _("The first letter of the game follows, with the board.")
    return CommandResult(True, (*said, follows), game, letter_follows=True)


def _decline(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    if asked := _invitation(place):
        game = invitations.decline(invitation_id=asked, user=place.user, now=place.now)
        return CommandResult(True, (_("You have declined the invitation."),), game)
    game = _answer_offer(offers.decline_offer, place)
    return CommandResult(True, (_("You have declined the offer."),), game)


def _invitation(place: CommandContext) -> int | None:
    """Return the invitation that is answered: the mail's, or the one to a digest's table."""
    if place.reply.purpose == ReplyAddress.Purpose.INVITATION:
        return place.reply.invitation_id
    if place.game is None or place.user is None or place.game.started_at is not None:
        return None
    asked = place.game.invitations.filter(user=place.user, state=Invitation.State.OPEN)
    return asked.values_list("pk", flat=True).first()


def _answer_offer(service: Callable[..., Game], place: CommandContext) -> Game:
    try:
        return service(**_offer_meant(place), now=place.now)
    except errors.NoOffer as error:
        raise mail_errors.NothingOffered from error


def _offer_meant(place: CommandContext) -> dict[str, Any]:
    """Return game, user and the offer that the person can have read of. Raises LaterOffer."""
    game, user = _game(place), _user(place)
    standing = game.offers.filter(state=Offer.State.OPEN).exclude(seat__user=user)
    seen = list(standing.filter(made_at__lte=place.reply.created_at).values_list("pk", flat=True))
    if not seen and standing.exists():
        raise mail_errors.LaterOffer
    told = _told_offer(place.reply)
    meant = told if told in seen else next(iter(seen), None) if len(seen) == 1 else None
    return {"game_id": game.pk, "user": user, "offer_id": meant}


def _told_offer(reply: ReplyAddress) -> int | None:
    """Return the offer that the mail was about."""
    event = reply.notice.event if reply.notice is not None else None
    return event.details.get("offer") if event is not None else None


def _say(order: mail_parser.SayCommand, place: CommandContext) -> CommandResult:
    game = _game(place)
    say(game_id=game.pk, user=_user(place), text=order.text, via=Message.Via.MAIL, now=place.now)
    return CommandResult(True, (_("Your message was passed on."),), game)


def _rematch(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    game = rematches.ask_rematch(game_id=_game(place).pk, user=_user(place), now=place.now)
    if game.status == Game.Status.ACTIVE:
        return start_game_notice(game, _user(place), _("The rematch begins."))
    return CommandResult(True, (_("You have asked for a rematch."),), game)


def _later(order: mail_parser.LaterCommand, place: CommandContext) -> CommandResult:
    game = deadlines.snooze(
        game_id=_game(place).pk, user=_user(place), delay=order.delay, now=place.now
    )
    assert game.reminder_at is not None  # noqa: S101  (it was set just now)
    when = format_moment(game.reminder_at)
    return CommandResult(True, (_("You will be reminded on %(when)s.") % {"when": when},), game)


# Only to look at ---------------------------------------------------------------------------------


def _board(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    return CommandResult(True, (_("Here is the board."),), _game(place), title=_("The board"))


def _history(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    game = _game(place)
    here = (_("Here is the record of the game."),)
    return CommandResult(True, here, game, record_of(game), _("The record of the game"))


def _rules(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    game = _game(place)
    return CommandResult(True, (_("Here are the rules."),), game, rulebook_of(game), _("The rules"))


def _help(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    here = (_("This is what you can answer."),)
    return CommandResult(True, here, place.game, commands(place.game), _("What you can answer"))


# About oneself -----------------------------------------------------------------------------------


def _vacation(order: mail_parser.VacationCommand, place: CommandContext) -> CommandResult:
    begins, ends = _days(order, place)
    vacation = vacation_planning.announce_vacation(
        user=_user(place), begins_at=begins, ends_at=ends, now=place.now
    )
    words = {
        "begin": format_moment(vacation.begins_at),
        "end": format_moment(vacation.ends_at),
    }
    said = _("You are away from %(begin)s until %(end)s: your time does not run then.")
    return CommandResult(True, (said % words,), place.game)


def _days(order: mail_parser.VacationCommand, place: CommandContext) -> tuple[datetime, datetime]:
    """Return from when until when; both days of a span are days of the vacation."""
    if order.days is not None:
        return place.now, place.now + timedelta(days=order.days)
    assert order.first is not None and order.last is not None  # noqa: S101, PT018  (the grammar)
    zone = timezone.get_current_timezone()
    begins = datetime.combine(order.first, time.min, tzinfo=zone)
    ends = datetime.combine(order.last + timedelta(days=1), time.min, tzinfo=zone)
    is_today = order.first == timezone.localdate(place.now)
    return (place.now if is_today else begins), ends


def _quiet(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    switch_off_optional_mail(user=_user(place))
    said = _("From now on you get mail only when it is your turn, time runs low, or a game ends.")
    return CommandResult(True, (said,), place.game)


def _loud(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    switch_on_all_mail(user=_user(place))
    return CommandResult(True, (_("From now on you get all mail again, at once."),), place.game)


def _condition(order: mail_parser.MailCommand, place: CommandContext) -> CommandResult:
    raise mail_errors.NoConditions


HANDLERS: Mapping[type | mail_parser.Command, Deed] = {
    mail_parser.TurnCommand: _turn,
    mail_parser.Command.RESIGN: _resign,
    mail_parser.Command.OFFER_END: _offer,
    mail_parser.Command.ACCEPT: _accept,
    mail_parser.Command.DECLINE: _decline,
    mail_parser.Command.BOARD: _board,
    mail_parser.Command.HISTORY: _history,
    mail_parser.Command.RULES: _rules,
    mail_parser.LaterCommand: _later,
    mail_parser.VacationCommand: _vacation,
    mail_parser.SayCommand: _say,
    mail_parser.Command.REMATCH: _rematch,
    mail_parser.Command.QUIET: _quiet,
    mail_parser.Command.LOUD: _loud,
    mail_parser.Command.HELP: _help,
    mail_parser.Condition: _condition,
}
