"""Each order and the service that carries it out."""

from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Game, Invitation, Message, Offer, Turn
from games.services import clock, endings, invitations, offers, rematches, turns
from games.services.conduct.messages import say
from games.services.errors import NoOffer, NoSuchGame, NotAPlayer
from games.services.time import absences
from notifications import reading
from notifications.models import Cadence, Kind, ReplyAddress
from notifications.services.acting.answers import Said
from notifications.services.acting.errors import (
    LaterOffer,
    NoConditions,
    NothingOffered,
    NotThere,
    WhichGame,
)
from notifications.services.acting.explanations import misunderstood
from notifications.services.acting.listings import commands, record_of, rulebook_of
from notifications.services.acting.place import Place
from notifications.services.letters.moments import moment_in_words
from notifications.services.preferences import be_loud, be_quiet, cadence_of

Deed = Callable[[Any, Place], Said]


def carry_out(order: reading.Order | reading.NotUnderstood, place: Place) -> Said:
    """Do what one order says. Raises Refusal; nothing is changed then."""
    if isinstance(order, reading.NotUnderstood):
        raise misunderstood(order)
    deed = _DEEDS[order if isinstance(order, reading.Command) else type(order)]
    return deed(order, place)


def _game(place: Place) -> Game:
    if place.game is not None:
        return place.game
    if place.names_game:
        raise NoSuchGame
    raise WhichGame(number=place.reply.content[0][0]) if place.reply.content else NotThere()


def _user(place: Place) -> User:
    if place.user is None:
        raise NotAPlayer
    return place.user


# At a game ---------------------------------------------------------------------------------------


def _turn(order: reading.Turn, place: Place) -> Said:
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
        said = _("Your turn %(turn)s stood already; it was not played twice.")
    else:
        said = _("Your turn %(turn)s is played.")
    return Said(True, (said % {"turn": played.turn.notation}, *_what_now(played.game)), game)


def _what_now(game: Game) -> list[str]:
    """Return whether the game is over now."""
    game.refresh_from_db()
    return [_("That was the end of the game.")] if game.is_over else []


def _resign(order: reading.Order, place: Place) -> Said:
    game = endings.resign(game_id=_game(place).pk, user=_user(place), now=place.now)
    return Said(True, (_("You have resigned, as you asked."), *_what_now(game)), game)


def _offer(order: reading.Order, place: Place) -> Said:
    offer = offers.offer_end(game_id=_game(place).pk, user=_user(place), now=place.now)
    return Said(True, (_("You have offered to end the game by agreement."),), offer.game)


def _accept(order: reading.Order, place: Place) -> Said:
    if asked := _invitation(place):
        game = invitations.accept(invitation_id=asked, user=_user(place), now=place.now)
        return begun(game, _user(place), _("You have accepted the invitation."))
    game = _answer_offer(offers.accept_offer, place)
    return Said(True, (_("You have accepted the offer."), *_what_now(game)), game)


def begun(game: Game, user: User, *said: str) -> Said:
    """Say what was done to somebody by whose answer a game may have begun.

    Its first letter tells the rest; who does not get that at once has the board here.
    """
    is_at_once = cadence_of(user, Kind.GAME_BEGUN) == Cadence.AT_ONCE
    if game.status != Game.Status.ACTIVE or not is_at_once:
        return Said(True, said, game)
    follows = _("The first letter of the game follows, with the board.")
    return Said(True, (*said, follows), game, letter_follows=True)


def _decline(order: reading.Order, place: Place) -> Said:
    if asked := _invitation(place):
        game = invitations.decline(invitation_id=asked, user=place.user, now=place.now)
        return Said(True, (_("You have declined the invitation."),), game)
    game = _answer_offer(offers.decline_offer, place)
    return Said(True, (_("You have declined the offer."),), game)


def _invitation(place: Place) -> int | None:
    """Return the invitation that is answered: the mail's, or the one to a digest's table."""
    if place.reply.purpose == ReplyAddress.Purpose.INVITATION:
        return place.reply.invitation_id
    if place.game is None or place.user is None or place.game.started_at is not None:
        return None
    asked = place.game.invitations.filter(user=place.user, state=Invitation.State.OPEN)
    return asked.values_list("pk", flat=True).first()


def _answer_offer(service: Callable[..., Game], place: Place) -> Game:
    try:
        return service(**_offer_meant(place), now=place.now)
    except NoOffer as error:
        raise NothingOffered from error


def _offer_meant(place: Place) -> dict[str, Any]:
    """Return game, user and the offer that the person can have read of. Raises LaterOffer."""
    game, user = _game(place), _user(place)
    standing = game.offers.filter(state=Offer.State.OPEN).exclude(seat__user=user)
    seen = list(standing.filter(made_at__lte=place.reply.created_at).values_list("pk", flat=True))
    if not seen and standing.exists():
        raise LaterOffer
    told = _told_offer(place.reply)
    meant = told if told in seen else next(iter(seen), None) if len(seen) == 1 else None
    return {"game_id": game.pk, "user": user, "offer_id": meant}


def _told_offer(reply: ReplyAddress) -> int | None:
    """Return the offer that the mail was about."""
    event = reply.notice.event if reply.notice is not None else None
    return event.details.get("offer") if event is not None else None


def _say(order: reading.Say, place: Place) -> Said:
    game = _game(place)
    say(game_id=game.pk, user=_user(place), text=order.text, via=Message.Via.MAIL, now=place.now)
    return Said(True, (_("Your message was passed on."),), game)


def _rematch(order: reading.Order, place: Place) -> Said:
    game = rematches.ask_rematch(game_id=_game(place).pk, user=_user(place), now=place.now)
    if game.status == Game.Status.ACTIVE:
        return begun(game, _user(place), _("The rematch begins."))
    return Said(True, (_("You have asked for a rematch."),), game)


def _later(order: reading.Later, place: Place) -> Said:
    game = clock.snooze(
        game_id=_game(place).pk, user=_user(place), delay=order.delay, now=place.now
    )
    assert game.reminder_at is not None  # noqa: S101  (it was set just now)
    when = moment_in_words(game.reminder_at)
    return Said(True, (_("You will be reminded on %(when)s.") % {"when": when},), game)


# Only to look at ---------------------------------------------------------------------------------


def _board(order: reading.Order, place: Place) -> Said:
    return Said(True, (_("Here is the board."),), _game(place), title=_("The board"))


def _history(order: reading.Order, place: Place) -> Said:
    game = _game(place)
    here = (_("Here is the record of the game."),)
    return Said(True, here, game, record_of(game), _("The record of the game"))


def _rules(order: reading.Order, place: Place) -> Said:
    game = _game(place)
    return Said(True, (_("Here are the rules."),), game, rulebook_of(game), _("The rules"))


def _help(order: reading.Order, place: Place) -> Said:
    here = (_("This is what you can answer."),)
    return Said(True, here, place.game, commands(place.game), _("What you can answer"))


# About oneself -----------------------------------------------------------------------------------


def _vacation(order: reading.Vacation, place: Place) -> Said:
    begins, ends = _days(order, place)
    vacation = absences.announce(user=_user(place), begins_at=begins, ends_at=ends, now=place.now)
    words = {
        "begin": moment_in_words(vacation.begins_at),
        "end": moment_in_words(vacation.ends_at),
    }
    said = _("You are away from %(begin)s until %(end)s: your time does not run then.")
    return Said(True, (said % words,), place.game)


def _days(order: reading.Vacation, place: Place) -> tuple[datetime, datetime]:
    """Return from when until when; both days of a span are days of the vacation."""
    if order.days is not None:
        return place.now, place.now + timedelta(days=order.days)
    assert order.first is not None and order.last is not None  # noqa: S101, PT018  (the grammar)
    zone = timezone.get_current_timezone()
    begins = datetime.combine(order.first, time.min, tzinfo=zone)
    ends = datetime.combine(order.last + timedelta(days=1), time.min, tzinfo=zone)
    is_today = order.first == timezone.localdate(place.now)
    return (place.now if is_today else begins), ends


def _quiet(order: reading.Order, place: Place) -> Said:
    be_quiet(user=_user(place))
    said = _("From now on you get mail only when it is your turn, time runs low, or a game ends.")
    return Said(True, (said,), place.game)


def _loud(order: reading.Order, place: Place) -> Said:
    be_loud(user=_user(place))
    return Said(True, (_("From now on you get all mail again, at once."),), place.game)


def _condition(order: reading.Order, place: Place) -> Said:
    raise NoConditions


_DEEDS: Mapping[type | reading.Command, Deed] = {
    reading.Turn: _turn,
    reading.Command.RESIGN: _resign,
    reading.Command.OFFER_END: _offer,
    reading.Command.ACCEPT: _accept,
    reading.Command.DECLINE: _decline,
    reading.Command.BOARD: _board,
    reading.Command.HISTORY: _history,
    reading.Command.RULES: _rules,
    reading.Later: _later,
    reading.Vacation: _vacation,
    reading.Say: _say,
    reading.Command.REMATCH: _rematch,
    reading.Command.QUIET: _quiet,
    reading.Command.LOUD: _loud,
    reading.Command.HELP: _help,
    reading.Condition: _condition,
}
