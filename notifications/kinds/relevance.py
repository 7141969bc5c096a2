"""Reasons not to send a notice that several kinds of mail have in common."""

from games.models import Game, Invitation
from games.queries import player_at
from games.services.conduct.blocks import is_from_blocked_user
from notifications.models import Notice, SkipReason


def skip_unless_their_turn(notice: Notice) -> SkipReason | None:
    """Return a reason unless the reader is still to play the turn that the notice is about."""
    game = notice.game
    if game is None or game.seat_to_move is None or game.turn_number != notice.turn_number:
        return SkipReason.NOT_THEIR_TURN
    return None if player_at(game, game.seat_to_move) == notice.user else SkipReason.NOT_THEIR_TURN


def skip_unless_running(notice: Notice) -> SkipReason | None:
    """Return a reason unless the game is running."""
    is_running = notice.game is not None and notice.game.status == Game.Status.ACTIVE
    return None if is_running else SkipReason.GAME_OVER


def skip_unless_invited(notice: Notice) -> SkipReason | None:
    """Return a reason unless the invitation can still be answered."""
    invitation = notice.event.invitation if notice.event else None
    if invitation is None or invitation.state != Invitation.State.OPEN:
        return SkipReason.INVITATION_CLOSED
    return SkipReason.INVITATION_CLOSED if is_from_blocked_user(invitation) else None
