"""What a moderator can be refused."""

from django.utils.translation import gettext_noop as _

from games.services.errors import Refusal


class MayNotModerate(Refusal):
    """Only moderators moderate."""

    status = 403
    template = _("Only moderators can do that.")


class OwnGame(Refusal):
    """Nobody judges a game of their own."""

    status = 403
    template = _("You play in this game, or did: leave it to another moderator.")


class SeatForOneself(Refusal):
    """Nobody seats themselves at a game that they judge."""

    status = 403
    template = _("You cannot give a seat to yourself.")


class ActedMeanwhile(Refusal):
    """The moderator saw it as it was before somebody else's act, or before their own."""

    template = _("Meanwhile %(name)s did this here: %(what)s. Look again first.")


class AlreadyHeld(Refusal):
    """The game is stopped by a moderator already."""

    template = _("A moderator has paused this game already.")


class NotStopped(Refusal):
    """Nothing stands that could go on."""

    template = _("This game is not paused: its clock runs.")


class SeatIsEmpty(Refusal):
    """A seat waits for somebody to take it over."""

    template = _("A seat of this game waits for somebody to take it over: seat a substitute.")


class BadTime(Refusal):
    """More or less time than anybody can have for a turn."""

    status = 422
    template = _("Give between a minute and as much as makes a year in all.")


class BadResult(Refusal):
    """Places that no game ends with."""

    status = 422
    template = _("Give every seat a place from 1 to %(seats)s, and at least one the first.")


class TwoSeats(Refusal):
    """A game of two is over when one leaves."""

    template = _("With two seats nobody plays on: decide the game instead.")


class SeatHasLeft(Refusal):
    """The seat plays no more."""

    template = _("That seat has left the game already.")


class CannotSubstitute(Refusal):
    """Not somebody who can be given a seat."""

    status = 422
    template = _("%(name)s cannot be given this seat.")


class NoSuchTurn(Refusal):
    """A turn that the game has not, or that is the newest."""

    status = 422
    template = _("This game can be taken back to a turn from 0 to %(last)s.")


class BeforeDeparture(Refusal):
    """Whoever has left does not come back."""

    template = _(
        "A player has left meanwhile: the game can be taken back to turn %(first)s at the earliest."
    )


class NothingToChange(Refusal):
    """It is so already."""

    template = _("It is so already.")


class SanctionStands(Refusal):
    """There is one of that kind, which may end otherwise."""

    template = _("Such a sanction stands already: lift it first to give another.")


class NotThemselves(Refusal):
    """Nobody judges themselves."""

    status = 403
    template = _("Nobody moderates themselves.")


class StaffIsSafe(Refusal):
    """Only a host judges moderators."""

    status = 403
    template = _("Only a host can act on a moderator.")


class BadEnd(Refusal):
    """A sanction that would be over before it began."""

    status = 422
    template = _("Say until when: a moment that is still to come.")


class BadNewName(Refusal):
    """A name that nobody can have."""

    status = 422
    template = _("That name cannot be given: %(why)s")


class OnlyHosts(Refusal):
    """Only a host says who moderates."""

    status = 403
    template = _("Only a host can do that.")


class BadAnchor(Refusal):
    """Nothing that a digest said of the log."""

    status = 422
    template = _(
        "That is not what a digest says of the log: a number, a hyphen, and sixteen letters and "
        "digits."
    )
