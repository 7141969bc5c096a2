"""What a letter about a game knows: everything its templates may say."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import prefetch_related_objects
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from accounts.absence import away_until
from accounts.models import User
from games.models import Event, Game, Message, Offer
from games.queries import board_of, opponents_of, player_at, seat_of, seat_played
from games.record_text import entries_of
from games.render.text import board_text
from games.services.agreements import pace_in
from games.services.invitations import link_token
from games.spans import pace_in_words, span_in_words
from games.times import Standing, times_of
from notifications.models import Kind, Notice
from notifications.services.letters.moments import day_and_time, left_in_words, moment_in_words
from notifications.services.letters.names import plain
from notifications.services.letters.results import last_turn, result_of, standings_of
from notifications.services.outbox.told import MOST, untold

Facts = dict[str, Any]


def facts_of(notice: Notice, *, now: datetime) -> Facts:
    """Return what the letter of a notice about a game may say, in the active language and zone."""
    game, event = notice.game, notice.event
    assert game is not None and event is not None  # noqa: S101, PT018  (all kinds but account)
    prefetch_related_objects([game], "seats__user")
    facts = game_facts(game, notice.user, now) | _of_event(event)
    facts |= _OF_KIND.get(notice.kind, _nothing_more)(notice)
    return facts


def game_facts(game: Game, reader: User | None, now: datetime) -> Facts:
    """Return what any letter about a game may say, its seats' people loaded."""
    facts = _of_game(game, reader) | _of_clock(game, reader, now)
    return facts | _of_absences(game, reader, now) | _of_messages(game, reader)


def _of_game(game: Game, reader: User | None) -> Facts:
    viewer = reader or AnonymousUser()
    begun = game.started_at is not None
    board = board_of(game, viewer) if begun else None
    return {
        "game_name": gettext(game.rules.name),
        "number": game.pk,
        "reader": plain(reader) if reader else "",
        "opponents": ", ".join(plain(user) for user in opponents_of(game, viewer)),
        "pace": pace_in_words(game.terms.pace),
        "url": settings.SITE_URL + game.get_absolute_url(),
        "board": board,
        "board_text": board_text(board, translate=gettext) if board else "",
        "last_turn": last_turn(game) if begun else "",
    }


def _of_clock(game: Game, reader: User | None, now: datetime) -> Facts:
    times = times_of(game, now=now)
    if times is None or game.seat_to_move is None:
        return {"my_turn": False}
    mover = player_at(game, game.seat_to_move)
    seat = seat_played(game, reader) if reader else None
    is_held = game.stopped_for == Game.Stop.MODERATOR  # nobody can play then
    stands_in = seat is not None and seat.stand_in_id is not None and mover == reader
    return {
        "my_turn": mover is not None and mover == reader and not is_held,
        "mover": plain(mover or ""),
        "plays_for": plain(seat.user) if seat and stands_in else "",
        "deadline": moment_in_words(times.deadline) if times.deadline else "",
        "left": left_in_words(times.deadline - now) if times.deadline else "",
        "times": [
            _("%(name)s: %(time)s") % {"name": plain(time.seat.user), "time": time.words}
            for time in times.seats
        ],
        "remark": times.remark,
        **_of_standing(times.standing),
    }


def _of_standing(standing: Standing | None) -> Facts:
    """Return why the clock stands, and until when, where it does."""
    if standing is None:
        return {"standing": "", "stands_until": ""}
    until = moment_in_words(standing.until) if standing.until else ""
    return {"standing": plain(standing.sentence), "stands_until": until}


def _of_messages(game: Game, reader: User | None) -> Facts:
    """Return what the others said since the reader's last mail about the game: the newest."""
    said = untold(reader, game) if reader else []
    return {
        "messages": [message_facts(message) for message in said[-MOST:]],
        "messages_left_out": max(0, len(said) - MOST),
        "newest_message": said[-1].pk if said else 0,
    }


def message_facts(message: Message) -> Facts:
    """Return what a letter says of a message, in the active language and zone."""
    return {
        "author": plain(message.author),
        "when": day_and_time(message.said_at),
        "turn": message.turn_number,
        "text": message.text,
        "lines": message.text.splitlines(),
    }


def _of_absences(game: Game, reader: User | None, now: datetime) -> Facts:
    """Return a sentence for each of the others who is away."""
    if game.is_over:
        return {"away": []}
    others = opponents_of(game, reader or AnonymousUser())
    until = away_until([other.pk for other in others], now)
    return {
        "away": [
            _("%(name)s is away until %(when)s.")
            % {"name": plain(other), "when": moment_in_words(until[other.pk])}
            for other in others
            if other.pk in until
        ]
    }


def _of_vacation(notice: Notice) -> Facts:
    event, user = notice.event, notice.user
    if event is None or user is None:
        return {}
    # Another vacation may follow without a gap: then they are away until the end of that.
    back = away_until([user.pk], event.at).get(user.pk)
    until = back or datetime.fromisoformat(event.details["until"])
    return {
        "until": moment_in_words(until),
        "your_time_url": settings.SITE_URL + reverse("your_time"),
    }


def _of_event(event: Event) -> Facts:
    return {"actor": plain(event.actor) if event.actor else "", "event": str(event.kind)}


def _nothing_more(notice: Notice) -> Facts:
    return {}


def _of_beginning(notice: Notice) -> Facts:
    game, reader = notice.game, notice.user
    seat = seat_of(game, reader) if game and reader else None
    if game is None or seat is None:
        return {}
    return {"seat_name": game.rules.seat_name(game.options, seat.number).translated(gettext)}


def _of_offer(notice: Notice) -> Facts:
    offer = (
        Offer.objects.filter(pk=notice.event.details.get("offer")).first() if notice.event else None
    )
    if offer is None:
        return {}
    facts: Facts = {"offered": str(offer.kind)}
    if offer.kind == Offer.Kind.PAUSE:
        facts["span"] = span_in_words(timedelta(days=offer.details["days"]))
    if offer.kind == Offer.Kind.PACE:
        facts["pace"] = pace_in_words(pace_in(offer.details))
    return facts


def _of_clock_news(notice: Notice) -> Facts:
    details = notice.event.details if notice.event else {}
    seconds = details.get("seconds")
    return {
        "why": details.get("why", ""),
        "span": span_in_words(timedelta(seconds=seconds)) if seconds else "",
    }


def _of_end(notice: Notice) -> Facts:
    assert notice.game is not None  # noqa: S101  (facts_of has checked)
    game = notice.game
    return {
        "result": result_of(game, notice.user),
        "standings": standings_of(game),
        "entries": entries_of(game) if game.started_at else [],
    }


def _of_departure(notice: Notice) -> Facts:
    event, reader = notice.event, notice.user
    if event is None:
        return {}
    pk = event.details.get("former", event.actor_id)
    people = User.objects.in_bulk([pk, event.details.get("stand_in")])
    former, stand_in = people.get(pk), people.get(event.details.get("stand_in"))
    return {
        "timed_out": event.details.get("because") == Game.Ending.TIMEOUT,
        "unreached": event.details.get("because") == Game.Ending.UNREACHABLE,
        "former": plain(former or ""),
        "i_left": former is not None and former == reader,
        "stand_in": plain(stand_in or ""),
        "i_stand_in": stand_in is not None and stand_in == reader,
    }


def _of_judgement(notice: Notice) -> Facts:
    details = notice.event.details if notice.event else {}
    game = notice.game
    seat = seat_of(game, notice.user) if game and notice.user else None
    people = User.objects.in_bulk([details.get("player"), details.get("substitute")])
    return {
        "what": details.get("what"),
        "why": plain(details.get("why", "")),
        "turn": details.get("turn"),
        "player": plain(people.get(details.get("player"), "")),
        "substitute": plain(people.get(details.get("substitute"), "")),
        "plays": seat is not None and seat.left_at is None,
        "more": span_in_words(timedelta(seconds=details.get("seconds", 0))),
        "running": game is not None and game.deadline is not None,
    }


def _of_invitation(notice: Notice) -> Facts:
    invitation = notice.event.invitation if notice.event else None
    if invitation is None:
        return {}
    expires = notice.game.expires_at if notice.game else None
    path = reverse("invitation", args=[link_token(invitation)])
    return {
        "inviter": plain(invitation.by),
        "invitation_url": settings.SITE_URL + path,
        "until": moment_in_words(expires) if expires else "",
    }


def _of_table(notice: Notice) -> Facts:
    event = notice.event
    if event is None:
        return {}
    invited = event.invitation.email if event.invitation else ""
    closed = event.kind == Event.Kind.CLOSED or bool(event.details.get("closed"))
    return {
        "who": plain(event.actor or invited or _("Somebody")),
        "closed": closed,
        "expired": event.details.get("ending") == Game.Ending.EXPIRED,
        "new_table_url": settings.SITE_URL + reverse("new_table"),
    }


_OF_KIND: Mapping[str, Callable[[Notice], Facts]] = {
    Kind.GAME_BEGUN: _of_beginning,
    Kind.GAME_OVER: _of_end,
    Kind.OFFER: _of_offer,
    Kind.CLOCK: _of_clock_news,
    Kind.VACATION: _of_vacation,
    Kind.PLAYER_LEFT: _of_departure,
    Kind.MODERATED: _of_judgement,
    Kind.CHALLENGE: _of_invitation,
    Kind.INVITATION: _of_invitation,
    Kind.TABLE_NEWS: _of_table,
}
