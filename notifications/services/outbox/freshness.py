"""Whether a notice is still worth sending, asked just before it is sent."""

from collections.abc import Callable, Mapping

from django.db.models import Q
from django.utils.translation import gettext_noop as _

from games.models import Event, Game, Invitation, Message, Offer
from games.queries import player_at, seen_at
from games.queries.silence import heard_by
from games.services.conduct.blocks import is_unwelcome
from games.services.moderation.rights import moderates
from notifications.models import Cadence, Kind, Notice
from notifications.services.addresses import is_suspended
from notifications.services.outbox.readers import address_of
from notifications.services.outbox.told import untold
from notifications.services.preferences import cadence_of, can_stop

NO_ADDRESS = _("This person has no verified address.")
SWITCHED_OFF = _("This person switched such mail off.")
NOT_THEIR_TURN = _("It was not this player's turn any more.")
OVER = _("The game was over already.")
NOT_ASKED = _("The invitation did not stand any more.")
CAME_BACK = _("Mail to this address came back.")
NO_OFFER = _("The offer did not stand any more.")
UNHEARD_OF = _("This person had not heard of the offer.")
TOLD_TOGETHER = _("It was told in another mail.")
TOLD_IN_DIGEST = _("It was told in the digest.")
SEEN = _("This person saw it on the page.")
ANSWERED = _("This person has answered already.")
NOT_STAFF = _("This person does not look after this house any more.")
NOTHING_TO_TELL = _("There was nothing to tell any more.")

NO_WAY = frozenset({NO_ADDRESS, CAME_BACK})
"""The reasons that mean: this mail cannot reach its reader."""


def why_not(notice: Notice) -> str:
    """Return why a notice should not be sent now, an English source string; empty if it should."""
    if _switched_off(notice):
        return SWITCHED_OFF
    address = address_of(notice)
    if not address:
        return NO_ADDRESS
    if notice.kind != Kind.ACCOUNT and is_suspended(address):
        return CAME_BACK
    if _was_seen(notice):
        return SEEN
    check = _CHECKS.get(notice.kind)
    return check(notice) if check else ""


def _switched_off(notice: Notice) -> bool:
    if notice.user is None or not can_stop(notice):
        return False
    return cadence_of(notice.user, notice.kind) == Cadence.OFF


def _was_seen(notice: Notice) -> bool:
    """Tell whether a mail that may come later is not needed: its reader was at the page since."""
    if notice.user is None or notice.game is None or notice.event is None:
        return False
    if cadence_of(notice.user, notice.kind) != Cadence.LATER:
        return False
    seen = seen_at(notice.user, notice.game)
    return seen is not None and seen >= notice.event.at


def _their_turn(notice: Notice) -> str:
    game = notice.game
    if game is None or game.seat_to_move is None or game.turn_number != notice.turn_number:
        return NOT_THEIR_TURN
    return "" if player_at(game, game.seat_to_move) == notice.user else NOT_THEIR_TURN


def _running(notice: Notice) -> str:
    return "" if notice.game and notice.game.status == Game.Status.ACTIVE else OVER


def _asked(notice: Notice) -> str:
    invitation = notice.event.invitation if notice.event else None
    if invitation is None or invitation.state != Invitation.State.OPEN:
        return NOT_ASKED
    return NOT_ASKED if is_unwelcome(invitation) else ""


def _offered(notice: Notice) -> str:
    event = notice.event
    if event is None:
        return NO_OFFER
    if event.kind != Event.Kind.OFFER_MADE:
        return _running(notice) or ("" if _knows_offer(notice, event) else UNHEARD_OF)
    stands = Offer.objects.filter(pk=event.details.get("offer"), state=Offer.State.OPEN).exists()
    return "" if stands else NO_OFFER


def _knows_offer(notice: Notice, event: Event) -> bool:
    """Tell whether the reader made the offer that was answered, or was told of it by mail."""
    offer = Offer.objects.select_related("seat").filter(pk=event.details.get("offer")).first()
    if offer is None or notice.user is None or offer.seat.user_id == notice.user.pk:
        return True
    made = Notice.objects.filter(user=notice.user, event__kind=Event.Kind.OFFER_MADE)
    made = made.filter(event__details__offer=offer.pk)
    return not made.exists() or made.filter(_TOLD).exists()


def _says_something(notice: Notice) -> str:
    """Say why a message is not told: it was already, or its reader answered it on the page."""
    if notice.user is None or notice.game is None:
        return NOTHING_TO_TELL
    fresh = untold(notice.user, notice.game)
    if not fresh:
        key = notice.event.details.get("message") if notice.event else None
        to_read = heard_by(notice.user, Message.objects.filter(pk=key or 0, hidden_at=None))
        return TOLD_TOGETHER if to_read.exists() else NOTHING_TO_TELL
    said = Message.objects.filter(game=notice.game, author=notice.user, via=Message.Via.WEB)
    return ANSWERED if said.filter(pk__gt=fresh[-1].pk).exists() else ""


def _has_something(notice: Notice) -> bool:
    if notice.content.get("news"):
        return True
    games = notice.content.get("games", ())
    return any(awaits(notice, game_id, turns) for _, game_id, turns in games)


def _digest(notice: Notice) -> str:
    return "" if _has_something(notice) else NOTHING_TO_TELL


def _looks_after(notice: Notice) -> str:
    return "" if notice.user is not None and moderates(notice.user) else NOT_STAFF


def awaits(notice: Notice, game_id: int, turns: int) -> bool:
    """Tell whether a game still awaits the notice's reader as it did when it was numbered."""
    game = Game.objects.filter(pk=game_id, turn_number=turns).first()
    if game is None or game.seat_to_move is None:
        return False
    return player_at(game, game.seat_to_move) == notice.user


_TOLD = Q(state=Notice.State.SENT) | Q(state=Notice.State.DROPPED, reason=TOLD_TOGETHER)

_CHECKS: Mapping[str, Callable[[Notice], str]] = {
    Kind.YOUR_TURN: _their_turn,
    Kind.REMINDER: _their_turn,
    Kind.GAME_BEGUN: _running,
    Kind.PLAYER_LEFT: _running,
    Kind.CHALLENGE: _asked,
    Kind.INVITATION: _asked,
    Kind.OFFER: _offered,
    Kind.MESSAGE: _says_something,
    Kind.DIGEST: _digest,
    Kind.CLOCK: _running,
    Kind.STAFF_DIGEST: _looks_after,
}
