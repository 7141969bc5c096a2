"""The refusals that are about the whole house: maintenance, outages and announcements."""

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from games.services.errors.refusal import Refusal


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
