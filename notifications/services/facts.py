"""What a letter about a game knows: everything its templates may say."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import prefetch_related_objects
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Event, Game
from games.queries import board_of, opponents_of, player_at, seat_of
from games.render.text import board_text
from games.services.invitations import link_token
from notifications.models import Kind, Notice
from notifications.services.moments import left_in_words, moment_in_words, span_in_words
from notifications.services.names import plain
from notifications.services.results import last_turn, result_of, standings_of

Facts = dict[str, Any]


def facts_of(notice: Notice, *, now: datetime) -> Facts:
    """Return what the letter of a notice about a game may say, in the active language and zone."""
    game, event = notice.game, notice.event
    assert game is not None and event is not None  # noqa: S101, PT018  (all kinds but account)
    prefetch_related_objects([game], "seats__user")
    facts = _of_game(game, notice.user)
    facts |= _of_clock(game, notice.user, now)
    facts |= _of_event(event)
    facts |= _OF_KIND.get(notice.kind, _nothing_more)(notice)
    return facts


def _of_game(game: Game, reader: User | None) -> Facts:
    viewer = reader or AnonymousUser()
    begun = game.started_at is not None
    board = board_of(game, viewer) if begun else None
    return {
        "game_name": gettext(game.rules.name),
        "number": game.pk,
        "reader": plain(reader) if reader else "",
        "opponents": ", ".join(plain(user) for user in opponents_of(game, viewer)),
        "allowance": span_in_words(game.allowance),
        "url": settings.SITE_URL + game.get_absolute_url(),
        "board": board,
        "board_text": board_text(board, translate=gettext) if board else "",
        "last_turn": last_turn(game) if begun else "",
    }


def _of_clock(game: Game, reader: User | None, now: datetime) -> Facts:
    if game.deadline is None or game.seat_to_move is None:
        return {"my_turn": False}
    mover = player_at(game, game.seat_to_move)
    return {
        "my_turn": mover == reader,
        "mover": plain(mover),
        "deadline": moment_in_words(game.deadline),
        "left": left_in_words(game.deadline - now),
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


def _of_end(notice: Notice) -> Facts:
    assert notice.game is not None  # noqa: S101  (facts_of has checked)
    return {"result": result_of(notice.game, notice.user), "standings": standings_of(notice.game)}


def _of_departure(notice: Notice) -> Facts:
    because = notice.event.details.get("because") if notice.event else None
    return {"timed_out": because == Game.Ending.TIMEOUT}


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
    Kind.PLAYER_LEFT: _of_departure,
    Kind.CHALLENGE: _of_invitation,
    Kind.INVITATION: _of_invitation,
    Kind.TABLE_NEWS: _of_table,
}
