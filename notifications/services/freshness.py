"""Whether a notice is still worth sending, asked just before it is sent."""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext_noop as _

from games.models import Event, Game, Invitation, Offer
from games.queries import player_at
from notifications.models import Cadence, Kind, Notice
from notifications.services.preferences import cadence_of, can_stop
from notifications.services.readers import address_of

NO_ADDRESS = _("This person has no verified address.")
SWITCHED_OFF = _("This person switched such mail off.")
NOT_THEIR_TURN = _("It was not this player's turn any more.")
OVER = _("The game was over already.")
NOT_ASKED = _("The invitation did not stand any more.")
NO_OFFER = _("The offer did not stand any more.")


def why_not(notice: Notice) -> str:
    """Return why a notice should not be sent now, an English source string; empty if it should."""
    if not address_of(notice):
        return NO_ADDRESS
    if _switched_off(notice):
        return SWITCHED_OFF
    check = _CHECKS.get(notice.kind)
    return check(notice) if check else ""


def _switched_off(notice: Notice) -> bool:
    if notice.user is None or not can_stop(notice):
        return False
    return cadence_of(notice.user, notice.kind) == Cadence.OFF


def _their_turn(notice: Notice) -> str:
    game = notice.game
    if game is None or game.seat_to_move is None or game.turn_number != notice.turn_number:
        return NOT_THEIR_TURN
    return "" if player_at(game, game.seat_to_move) == notice.user else NOT_THEIR_TURN


def _running(notice: Notice) -> str:
    return "" if notice.game and notice.game.status == Game.Status.ACTIVE else OVER


def _asked(notice: Notice) -> str:
    invitation = notice.event.invitation if notice.event else None
    stands = invitation is not None and invitation.state == Invitation.State.OPEN
    return "" if stands else NOT_ASKED


def _offered(notice: Notice) -> str:
    event = notice.event
    if event is None or event.kind != Event.Kind.OFFER_MADE:
        return _running(notice)
    stands = Offer.objects.filter(pk=event.details.get("offer"), state=Offer.State.OPEN).exists()
    return "" if stands else NO_OFFER


_CHECKS: Mapping[str, Callable[[Notice], str]] = {
    Kind.YOUR_TURN: _their_turn,
    Kind.REMINDER: _their_turn,
    Kind.GAME_BEGUN: _running,
    Kind.PLAYER_LEFT: _running,
    Kind.CHALLENGE: _asked,
    Kind.INVITATION: _asked,
    Kind.OFFER: _offered,
}
