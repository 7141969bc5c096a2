"""Refusals in words, with what helps to answer better."""

import re
from collections.abc import Mapping

from django.utils.translation import gettext as _

from games import errors
from games.models import Game, Offer
from games.rules.base import MAX_SHOWN
from notifications import errors as mail_errors
from notifications.emails.formatting import format_legal_moves, format_result, plain
from notifications.mail_parser import MailCommand, NotUnderstood, TurnCommand
from notifications.services.mail_commands.answers import CommandResult
from notifications.services.mail_commands.context import CommandContext
from notifications.services.mail_commands.listings import commands, since

LONGEST_QUOTED = 80

FEWEST_WORDS = 2
"""From so many words on a line that is no turn may have been meant for the other players."""

_WORDS = re.compile(r"[^\W\d_]{2,}")

_MISUNDERSTOOD: Mapping[str, type[errors.Refusal]] = {
    "empty": mail_errors.NoAnswerThere,
    "later": mail_errors.BadDelay,
    "vacation": mail_errors.BadDays,
    "say": errors.NothingSaid,
    "parts": mail_errors.TooManyParts,
    "stop": mail_errors.StopWhat,
}


def misunderstood(order: NotUnderstood) -> errors.Refusal:
    """Return why an order was not understood."""
    if order.reason == "number":
        return mail_errors.NoSuchNumber(number=order.text)
    return _MISUNDERSTOOD.get(order.reason, mail_errors.NoAnswerThere)()


def explain(
    order: MailCommand | NotUnderstood, place: CommandContext, refusal: errors.Refusal
) -> CommandResult:
    """Return a refusal in words: why, what is legal, what has happened since."""
    said = [refusal.sentence]
    game = place.game
    if isinstance(order, TurnCommand) and order.text:
        said.insert(0, _("You wrote: %(text)s") % {"text": order.text[:LONGEST_QUOTED]})
    listing = ""
    if game is not None:
        game.refresh_from_db()
        said += [_how_it_ended(game, place)] if game.is_over and game.started_at else []
    if isinstance(refusal, errors.StaleTurn) and game is not None:
        said.append(_("This has happened since the mail that you answered:"))
        listing = since(game, place.turn_number or 0)
    elif isinstance(refusal, errors.MoveRefused) and game is not None:
        said += _legal(refusal, game)
    elif isinstance(refusal, mail_errors.LaterOffer) and game is not None:
        said += _standing(game)
    if place.user is not None and _may_be_said(order):
        said.append(_("To say that to the other players, begin the line with “say”."))
    if isinstance(order, NotUnderstood) and order.reason == "empty" and place.user is not None:
        said.append(_("This is what you can answer."))
        listing = commands(game)
    return CommandResult(False, tuple(said), game, listing)


def _may_be_said(order: MailCommand | NotUnderstood) -> bool:
    """Tell whether what was taken for a turn may have been meant for the other players."""
    return isinstance(order, TurnCommand) and len(_WORDS.findall(order.text)) >= FEWEST_WORDS


def _how_it_ended(game: Game, place: CommandContext) -> str:
    result = format_result(game, place.user)
    said = {"result": result.headline, "reason": result.reason}
    return _("The game is over. %(result)s. %(reason)s") % said


def _standing(game: Game) -> list[str]:
    """Return what is offered at a game now."""
    standing = game.offers.filter(state=Offer.State.OPEN).select_related("seat__user")
    return [
        _("%(name)s offers: %(what)s.")
        % {"name": plain(offer.seat.user or ""), "what": offer.get_kind_display()}
        for offer in standing.order_by("pk")
    ]


def _legal(refusal: errors.MoveRefused, game: Game) -> list[str]:
    """Return what could be played instead, where that is little and no secret.

    Of a turn of several actions that is what could follow those before the one that is refused;
    of one that was over before its end, what could begin it.
    """
    legal = refusal.legal or format_legal_moves(game)
    if not 0 < len(legal) <= MAX_SHOWN:
        return []
    return [_("Legal now: %(turns)s") % {"turns": ", ".join(legal)}]
