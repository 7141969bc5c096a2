"""From a mail that was read to its answer."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from django.db import transaction
from django.utils import timezone, translation

from games.models import Game
from games.queries import may_see
from games.services.errors import Barred, Refusal
from games.services.errors.house import ClosedForMaintenance
from games.services.time.freezes import contact
from notifications.models import ReplyAddress
from notifications.reading import (
    Mail,
    NotUnderstood,
    Numbered,
    Order,
    Say,
    Turn,
    conditions,
    numbered,
)
from notifications.reading import orders as orders_in
from notifications.services.acting.answers import (
    REFUSED,
    UNANSWERED,
    Answer,
    Said,
    result_of,
    write_answer,
)
from notifications.services.acting.deeds import carry_out
from notifications.services.acting.entrants import enter
from notifications.services.acting.explanations import explain, misunderstood
from notifications.services.acting.messages import with_message
from notifications.services.acting.patience import MOST_REFUSED, refused_lately, with_warning
from notifications.services.acting.place import Place
from notifications.services.acting.prefixes import split_turn, turn_below

Purpose = ReplyAddress.Purpose


def act(mail: Mail, reply: ReplyAddress, *, received_at: datetime, now: datetime) -> Answer:
    """Do what a mail asks for and write its answer into the outbox.

    Everything happens in the caller's transaction, or nothing. `received_at` is when the mail
    was taken in: a turn that was in time then is in time. A sender of whose mails nothing could be
    done again and again is not answered any more that day, unless something is done: two programs
    never write to each other for ever. Raises ClosedForMaintenance.
    """
    user = reply.user
    if user is not None:
        contact(user, now=now)
    zone: tzinfo = user.zone if user else UTC
    with translation.override(reply.language), timezone.override(zone):
        said = _all_said(mail, reply, received_at, now)
        if result_of(said) == REFUSED:
            before = refused_lately(mail, now)
            if before >= MOST_REFUSED:
                return Answer(None, UNANSWERED)
            said = with_warning(said) if before + 1 == MOST_REFUSED else said
    return write_answer(said, reply, mail, language=reply.language, now=now)


def _all_said(mail: Mail, reply: ReplyAddress, received_at: datetime, now: datetime) -> list[Said]:
    place = Place.of(reply, received_at, now)
    if lines := _numbered_lines(mail, place):
        return [_numbered(line, place) for line in lines]
    order, message = orders_in(mail.lines)
    if mail.is_cut and not mail.lines:
        order = NotUnderstood("", "parts")
    if reply.user is None:
        return [enter(order, message, mail, place)]
    also = [condition for condition in conditions(mail.lines) if condition != order]
    first = _one(order, message, place)
    if isinstance(order, Turn) and not first.done:
        first = _with_turn_below(first, mail.lines, _as_seen(place))
    return [first, *(_one(condition, "", place) for condition in also)]


def _with_turn_below(said: Said, lines: Sequence[str], place: Place) -> Said:
    """Point out that what was meant stood further below."""
    turn = turn_below(lines, place)
    if not turn:
        return said
    found = translation.gettext("“%(turn)s” could be played, but your turn must be the first line.")
    return said.and_also(found % {"turn": turn})


def _numbered_lines(mail: Mail, place: Place) -> Sequence[Numbered]:
    """Return the lines of an answer to a digest that name a game by its number.

    Where the digest had only one, a number that is not its own belongs to a turn.
    """
    if place.reply.purpose != Purpose.DIGEST:
        return ()
    lines = numbered(mail.lines)
    known = {number for number, _, _ in place.reply.content}
    is_named = any(line.number in known for line in lines)
    return lines if is_named or place.game is None else ()


def _numbered(line: Numbered, place: Place) -> Said:
    """Act on one line of an answer to a digest."""
    meant = {number: (game, turns) for number, game, turns in place.reply.content}
    if line.number not in meant:
        unknown = NotUnderstood(str(line.number), "number")
        return replace(explain(unknown, place, misunderstood(unknown)), number=line.number)
    game_id, turns = meant[line.number]
    game = Game.objects.filter(pk=game_id).first()
    here = replace(place, game=game, turn_number=turns, number=line.number)
    return replace(_one(line.order, line.message, here), number=line.number)


def _one(order: Order | NotUnderstood, message: str, place: Place) -> Said:
    """Carry out one order, and pass its message on when it was done."""
    place = _as_seen(place)
    order, message = split_turn(order, message, place)
    try:
        with transaction.atomic():
            _check_person(place)
            said = carry_out(order, place)
    except ClosedForMaintenance:
        raise  # nothing is answered: the mail is read again when the house opens
    except Refusal as refusal:
        return explain(order, place, refusal)
    return said if isinstance(order, Say) else with_message(said, message, place)


def _as_seen(place: Place) -> Place:
    """Return the place without its game where the person may not look at that any more."""
    if place.game is None or place.user is None or may_see(place.game, place.user):
        return place
    return replace(place, game=None)


def _check_person(place: Place) -> None:
    """Raise Barred when a moderator keeps the person out: the pages would not let them in."""
    if place.user is not None and place.user.is_barred(place.now):
        raise Barred
