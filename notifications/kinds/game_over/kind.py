"""The mail that tells that a game is over."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Event, Game
from games.queries.ratings import change_words, changes_at
from games.record_text import entries_of
from notifications.emails.formatting import format_result, format_standings
from notifications.kinds.base import Context
from notifications.kinds.game_mail import GameMail, players
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason


class GameOverMail(GameMail):
    """Tells every player the result, with the whole record."""

    kind = Kind.GAME_OVER
    events = frozenset({Event.Kind.ENDED})
    can_be_switched_off = True
    is_needed_to_play = True
    is_pushed = True
    lead_rank = 10

    def recipients(self, event: Event) -> list[User]:
        return players(event)

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason where the end was undone, or a moderator has reopened the game."""
        was_undone = notice.event is not None and notice.event.kind == Event.Kind.END_UNDONE
        is_over = notice.game is not None and notice.game.is_over
        return None if is_over and not was_undone else SkipReason.NOTHING_TO_TELL

    def context(self, notice: Notice) -> Context:
        game = notice.game
        assert game is not None  # noqa: S101  (made for an event)
        changes = changes_at(game, notice.user) if notice.user is not None else {}
        change = changes.get(notice.user.pk) if notice.user is not None else None
        return {
            "rating": change_words(change) if change is not None else "",
            "result": format_result(game, notice.user),
            "standings": format_standings(game),
            "entries": entries_of(game) if game.started_at else [],
        }

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        return _("Replay the game"), context["url"]

    def reply_help(self, context: Mapping[str, Any], game: Game) -> str:
        return _(
            "Reply to this mail with “rematch” to play again, "
            "or with “say” and some words to talk to the others."
        )


KIND = GameOverMail()
