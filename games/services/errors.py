"""Every refusal a person can meet: named, with a sentence, changing nothing.

`sentence` is read in the language active when it is read. `status` is the HTTP status that a
page or the API answers with.
"""

from typing import ClassVar

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from games.rules.base import MoveError, OptionError


class Refusal(Exception):
    """Something that cannot be done now, and why."""

    status: ClassVar[int] = 409
    template: ClassVar[str] = _("That is not possible now.")

    def __init__(self, **values: object) -> None:
        self.values = values
        super().__init__()

    @property
    def code(self) -> str:
        """The refusal's name for programs."""
        return type(self).__name__

    @property
    def sentence(self) -> str:
        """Why, in the active language."""
        return gettext(self.template) % self.values

    def __str__(self) -> str:
        return self.sentence


class NoSuchGame(Refusal):
    """There is no such game, or none that this person may see."""

    status = 404
    template = _("There is no such game.")


class UnknownRules(Refusal):
    """Nobody taught this house the game."""

    status = 422
    template = _("This house does not know that game.")


class BadOption(Refusal):
    """An option that the game does not have, or a value it does not take."""

    status = 422

    def __init__(self, error: OptionError) -> None:
        super().__init__()
        self._sentence = error.sentence

    @property
    def sentence(self) -> str:
        """Why, in the active language."""
        return self._sentence.translated(gettext)


class BadAllowance(Refusal):
    """A time for a turn that no game could be played in."""

    status = 422
    template = _("The time for a turn must lie between a minute and a year.")


class BadSeat(Refusal):
    """A seat that this game does not have."""

    status = 422
    template = _("This game has no such seat.")


class NoSuchPlayer(Refusal):
    """Nobody plays here under that name."""

    status = 422
    template = _("Nobody here is called “%(name)s”.")


class BadAddress(Refusal):
    """Not an e-mail address."""

    status = 422
    template = _("“%(address)s” is not an e-mail address.")


# At the table ------------------------------------------------------------------------------------


class TableNotOpen(Refusal):
    """The game has begun, or will never."""

    template = _("This table is not waiting for players any more.")


class TableFull(Refusal):
    """Every seat is taken or kept for somebody."""

    template = _("Every seat at this table is taken or kept for somebody.")


class PrivateTable(Refusal):
    """Only who is invited may sit down."""

    status = 403
    template = _("This table is private: one needs an invitation.")


class AlreadySeated(Refusal):
    """Nobody sits on two seats of one game."""

    template = _("%(name)s already sits at this table.")


class AlreadyInvited(Refusal):
    """An invitation to the same person stands."""

    template = _("%(name)s is already invited.")


class TooManyInvitations(Refusal):
    """Nobody may make this house write to strangers without end."""

    status = 429
    template = _("You have invited %(most)s addresses within a day: try again tomorrow.")


class NotTheMaker(Refusal):
    """Only who made the table may do this."""

    status = 403
    template = _("Only the player who made this table can do that.")


class MakerStays(Refusal):
    """The maker cannot leave, only withdraw the table."""

    template = _("You made this table: withdraw it instead of leaving it.")


class BadAnswer(Refusal):
    """An answer that is neither of those that can be given."""

    status = 422
    template = _("An invitation is accepted or declined.")


class BadLink(Refusal):
    """A link that was changed on its way, or is too old."""

    status = 404
    template = _("This link does not work: it is incomplete, changed or too old.")


class InvitationAnswered(Refusal):
    """The invitation does not stand any more."""

    template = _("This invitation does not stand any more.")


class NotInvited(Refusal):
    """The invitation is for somebody else."""

    status = 403
    template = _("This invitation is for somebody else.")


# In the game -------------------------------------------------------------------------------------


class NotAPlayer(Refusal):
    """Only who plays this game may do this."""

    status = 403
    template = _("You do not play in this game.")


class HasLeft(Refusal):
    """Who has left a game does nothing there any more."""

    template = _("You have left this game: the others play on.")


class GameNotRunning(Refusal):
    """The game has not begun, or is over."""

    template = _("This game is not being played: it has not begun, or it is over.")


class NotYourTurn(Refusal):
    """Another seat is to move."""

    template = _("It is not your turn.")


class StaleTurn(Refusal):
    """The turn was meant for a position that has changed since."""

    template = _("The game has moved on since: look at the position again.")


class TooLate(Refusal):
    """The deadline has passed: the game is as good as over, whether or not a sweep has run."""

    template = _("The time for this turn is over.")


class TurnTooLong(Refusal):
    """No turn is that long."""

    status = 413
    template = _("That is too long to be a turn.")


class MoveRefused(Refusal):
    """The rules refuse the turn. `kind` is unreadable, illegal or ambiguous.

    `legal` lists what would be legal, when that is little and no secret.
    """

    status = 422

    def __init__(self, error: MoveError) -> None:
        super().__init__()
        self._sentence = error.sentence
        self.kind = error.kind
        self.legal = error.legal

    @property
    def sentence(self) -> str:
        """Why, in the active language."""
        return self._sentence.translated(gettext)


class CannotAbort(Refusal):
    """Everybody has played: the game counts."""

    template = _("Everybody has played a turn: this game can be resigned, not aborted.")


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


class PartnerCannotPlay(Refusal):
    """The practice partner has nothing to do here."""

    template = _("The practice partner cannot sit down here.")
