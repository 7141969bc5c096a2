"""The refusals that are about agreements, stopped clocks and gifts of time."""

from django.utils.translation import gettext_noop as _

from games.services.errors.refusal import Refusal


class SeveralOffers(Refusal):
    """An answer that could mean one offer or another."""

    template = _("Several offers wait for an answer: say which one is meant.")


class ClockStands(Refusal):
    """What only makes sense while the clock runs."""

    template = _("The clock of this game stands already.")


class NotPaused(Refusal):
    """There is no pause to end."""

    template = _("This game is not paused.")


class BadPause(Refusal):
    """A pause of another length than those that can be agreed on."""

    status = 422
    template = _("A pause lasts 3, 7, 14 or 30 days.")


class OnlyForOpponents(Refusal):
    """Nobody gives time to themselves or to their own side."""

    status = 403
    template = _("Time can only be given to an opponent who is to move.")


class TimeEnough(Refusal):
    """More time than anybody needs for a turn."""

    template = _("That player has been given enough time for this turn.")
