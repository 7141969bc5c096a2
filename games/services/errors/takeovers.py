"""Why a seat cannot be taken over, or not yet."""

from django.utils.translation import gettext_noop as _

from games.services.errors.refusal import Refusal


class SeatIsSought(Refusal):
    """Nothing is agreed while it is open who plays."""

    template = _("A seat of this game waits for somebody to take it over: wait until then.")


class NoSeatSought(Refusal):
    """Somebody was quicker, or the search is over."""

    template = _("No seat of this game waits for somebody any more.")


class SeatWasYours(Refusal):
    """Who ran out of time cannot come back to the same game for more."""

    status = 403
    template = _("You have played in this game already: the seat is for somebody else.")
