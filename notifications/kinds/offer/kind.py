"""The mail about an offer, to end a game or to pause it, and about the answer."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from games.clock.durations import pace_in_words, span_in_words
from games.models import Event, Game
from games.models import Offer as GameOffer
from games.services.offers import pace_in
from notifications.kinds.base import Context
from notifications.kinds.game_mail import GameMail
from notifications.kinds.recipients import still_playing
from notifications.kinds.registry import Kind
from notifications.kinds.relevance import skip_unless_running
from notifications.kinds.reply_help import accept_help, turn_help
from notifications.models import Notice, SkipReason

TOLD = Q(state=Notice.State.SENT) | (
    Q(state=Notice.State.DROPPED) & SkipReason.TOLD_TOGETHER.as_condition()
)
"""The notices that their readers have read in a mail."""


class OfferMail(GameMail):
    """Asks the others to answer an offer, or tells them what became of it."""

    kind = Kind.OFFER
    events = frozenset(
        {
            Event.Kind.OFFER_MADE,
            Event.Kind.OFFER_DECLINED,
            Event.Kind.OFFER_WITHDRAWN,
            Event.Kind.OFFER_ACCEPTED,
        }
    )
    can_be_switched_off = True
    is_needed_to_play = True
    lead_rank = 60

    def recipients(self, event: Event) -> list[User]:
        """Return everybody else who plays."""
        return still_playing(event)

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason once an offer is closed, or for an answer to an offer never told."""
        event = notice.event
        if event is None:
            return SkipReason.OFFER_CLOSED
        if event.kind != Event.Kind.OFFER_MADE:
            over = skip_unless_running(notice)
            return over or (None if self._knows_offer(notice, event) else SkipReason.OFFER_UNKNOWN)
        is_open = GameOffer.objects.open().filter(pk=event.details.get("offer")).exists()
        return None if is_open else SkipReason.OFFER_CLOSED

    def _knows_offer(self, notice: Notice, event: Event) -> bool:
        """Tell whether the reader made the offer that was answered, or was told of it by mail."""
        pk = event.details.get("offer")
        offer = GameOffer.objects.select_related("seat").filter(pk=pk).first()
        if offer is None or notice.user is None or offer.seat.user_id == notice.user.pk:
            return True
        made = Notice.objects.filter(user=notice.user, event__kind=Event.Kind.OFFER_MADE)
        made = made.filter(event__details__offer=offer.pk)
        return not made.exists() or made.filter(TOLD).exists()

    def asks_for_answer(self, notice: Notice) -> bool:
        """Tell whether the offer is made, not answered."""
        return notice.event is not None and notice.event.kind == Event.Kind.OFFER_MADE

    def context(self, notice: Notice) -> Context:
        """Return what is offered."""
        details = notice.event.details if notice.event else {}
        offer = GameOffer.objects.filter(pk=details.get("offer") or 0).first()
        if offer is None:
            return {}
        context: Context = {"offered": str(offer.kind)}
        if offer.kind == GameOffer.Kind.PAUSE:
            context["span"] = span_in_words(timedelta(days=offer.details["days"]))
        if offer.kind == GameOffer.Kind.PACE:
            context["pace"] = pace_in_words(pace_in(offer.details))
        return context

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        """Return the way to answer the offer, or to the game."""
        if context["event"] == Event.Kind.OFFER_MADE:
            return _("Answer the offer"), context["url"]
        return super().button(context)

    def reply_help(self, context: Mapping[str, Any], game: Game) -> str:
        """Return how to answer the offer, or to play."""
        made = context["event"] == Event.Kind.OFFER_MADE
        return accept_help() if made else turn_help(context, game)


KIND = OfferMail()
