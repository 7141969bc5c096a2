"""The mail about an offer, to end a game or to pause it, and about the answer."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from games.clock.durations import pace_in_words, span_in_words
from games.models import Event, Game, Turn
from games.models import Offer as GameOffer
from games.services.offers import pace_in
from notifications.emails.formatting import accept_help, turn_help
from notifications.kinds.base import Context
from notifications.kinds.game_mail import GameMail, details_of, skip_unless_running, still_playing
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason

TOLD = Q(state=Notice.State.SENT) | (
    Q(state=Notice.State.DROPPED) & SkipReason.TOLD_TOGETHER.as_condition()
)
"""Notices that were brought by a mail."""


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
    is_caused_by_players = True
    is_needed_to_play = True
    lead_rank = 60

    def recipients(self, event: Event) -> list[User]:
        return still_playing(event)

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        event = notice.event
        if event is None:
            return SkipReason.OFFER_CLOSED
        offers = GameOffer.objects.select_related("seat")
        offer = offers.filter(pk=details_of(event).get("offer", 0)).first()
        if event.kind == Event.Kind.OFFER_MADE:
            is_open = offer is not None and offer.state == GameOffer.State.OPEN
            return None if is_open else SkipReason.OFFER_CLOSED
        if not_running := skip_unless_running(notice):
            return not_running
        if offer is None or notice.user is None or offer.seat.user_id == notice.user.pk:
            return None
        # An answer is of no use to a reader who was never told of the offer.
        made = Notice.objects.filter(
            user=notice.user,
            event__kind=Event.Kind.OFFER_MADE,
            event__details__offer=offer.pk,
        )
        was_told = made.filter(TOLD).exists() or not made.exists()
        return None if was_told else SkipReason.OFFER_UNKNOWN

    def asks_for_answer(self, notice: Notice) -> bool:
        return notice.event is not None and notice.event.kind == Event.Kind.OFFER_MADE

    def context(self, notice: Notice) -> Context:
        offer = GameOffer.objects.filter(pk=details_of(notice.event).get("offer", 0)).first()
        if offer is None:
            return {}
        context: Context = {"offered": str(offer.kind)}
        if offer.kind == GameOffer.Kind.PAUSE:
            context["span"] = span_in_words(timedelta(days=offer.details["days"]))
        if offer.kind == GameOffer.Kind.PACE:
            context["pace"] = pace_in_words(pace_in(offer.details))
        if offer.kind == GameOffer.Kind.TAKEBACK:
            context["turn"] = Turn.objects.get(game=offer.game_id, number=offer.details["turn"])
        return context

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        if context["event"] == Event.Kind.OFFER_MADE:
            return _("Answer the offer"), context["url"]
        return super().button(context)

    def reply_help(self, context: Mapping[str, Any], game: Game) -> str:
        made = context["event"] == Event.Kind.OFFER_MADE
        return accept_help() if made else turn_help(context, game)


KIND = OfferMail()
