"""The refusals that are about agreements, stopped clocks, gifts of time and maintenance."""

from django.utils.translation import gettext
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


class ClosedForMaintenance(Refusal):
    """The house is closed for a while: nothing is lost, and no time runs."""

    status = 503
    template = _(
        "This house is closed for maintenance: everything can be read, nothing can be changed. "
        "Nobody’s time runs until it opens again."
    )
    explained = _(
        "This house is closed for maintenance (%(note)s): everything can be read, nothing can be "
        "changed. Nobody’s time runs until it opens again."
    )

    @property
    def sentence(self) -> str:
        """Why, in the active language, with what the host says about it."""
        return gettext(self.explained if self.values["note"] else self.template) % self.values


class NotAHost(Refusal):
    """Only hosts may do this."""

    status = 403
    template = _("Only a host of this house can do that.")


class BadOutage(Refusal):
    """An outage that cannot have been."""

    status = 422
    template = _(
        "An outage has begun before it ended, is over, lasted at most %(most)s days, and its note "
        "has at most 200 characters."
    )


class ClosedAlready(Refusal):
    """Maintenance has begun already."""

    template = _("This house is closed for maintenance already.")


class NotClosed(Refusal):
    """There is no maintenance to end."""

    template = _("This house is not closed for maintenance.")


class BadAnnouncement(Refusal):
    """An announcement that nobody could read."""

    status = 422
    template = _(
        "An announcement says something in both languages, in at most %(most)s characters each, "
        "ends after it begins, and is not over yet."
    )


class NoSuchAnnouncement(Refusal):
    """Somebody else was first."""

    status = 404
    template = _("There is no such announcement any more.")
