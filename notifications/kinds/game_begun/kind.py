"""The mail that tells that a game begins."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Event, Game
from games.queries.seats import seat_of
from notifications.emails.formatting import command_help, turn_help
from notifications.kinds.base import Context, Purpose
from notifications.kinds.game_mail import GameMail, details_of, players, skip_unless_running
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason


class GameBegunMail(GameMail):
    """Tells every player which seat is theirs and who begins."""

    kind = Kind.GAME_BEGUN
    events = frozenset({Event.Kind.STARTED})
    tells_to_move = True
    can_be_switched_off = True
    is_needed_to_play = True
    is_pushed = True
    lead_rank = 40
    reply_purpose = Purpose.TURN

    def recipients(self, event: Event) -> list[User]:
        return players(event)

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        return skip_unless_running(notice)

    def context(self, notice: Notice) -> Context:
        game, reader = notice.game, notice.user
        seat = seat_of(game, reader) if game and reader else None
        if game is None or seat is None:
            return {}
        return {
            "seat_name": game.rules.seat_name(game.options, seat.number).translated(gettext),
            "by_wish": details_of(notice.event).get("by_wish", False),
        }

    def reply_help(self, context: Mapping[str, Any], game: Game) -> str:
        may_reply = _("You can reply to each of these mails.")
        return turn_help(context, game) or f"{may_reply} {command_help()}"


KIND = GameBegunMail()
