"""Why something cannot be offered or answered."""

from django.utils.translation import gettext_noop as _

from games.services.errors.refusal import Refusal


class OfferStands(Refusal):
    """The same has been offered already."""

    template = _("That has been offered already.")


class OfferedAlready(Refusal):
    """An offer is not repeated in the same position: that would only be pestering."""

    template = _("You have offered that in this position already.")


class NoOffer(Refusal):
    """There is nothing to answer."""

    template = _("There is no such offer to answer.")


class BadOfferAnswer(Refusal):
    """An answer that is none of those that can be given."""

    status = 422
    template = _("An offer is accepted, declined or withdrawn.")


class GameNotOver(Refusal):
    """A rematch follows a game, not a part of one."""

    template = _("There can be a rematch when the game is over.")


class RematchMade(Refusal):
    """The rematch exists already."""

    template = _("There is a rematch of this game already.")
