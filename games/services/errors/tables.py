"""What a table cannot be, and why nobody can sit down at it."""

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from games.rules.base import OptionError
from games.services.errors.refusal import Refusal


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


class BadPace(Refusal):
    """Times that no game could be played in."""

    status = 422
    template = _(
        "Nobody could play at this pace: each time must lie between a minute and a year, and the "
        "most that may be saved up cannot be less than the time at the start."
    )


class NoPartners(Refusal):
    """A partner is to take over where everybody plays alone."""

    status = 422
    template = _("Nobody has a partner in this game: no partner can play for somebody.")


class StrangersAtPrivateTable(Refusal):
    """A substitute is to be sought for a game that nobody else may see."""

    status = 422
    template = _("Nobody can be sought for a seat of a private game: let everybody watch it.")


class TableNotOpen(Refusal):
    """The game has begun, or will never."""

    template = _("This table is not waiting for players any more.")


class TooManyTables(Refusal):
    """Nobody may fill the list of tables, or bury one player under challenges."""

    status = 429
    template = _("You have made %(most)s tables within a day: try again tomorrow.")


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


class NotTheMaker(Refusal):
    """Only who made the table may do this."""

    status = 403
    template = _("Only the player who made this table can do that.")


class MakerStays(Refusal):
    """The maker cannot leave, only withdraw the table."""

    template = _("You made this table: withdraw it instead of leaving it.")


class PartnerCannotPlay(Refusal):
    """The practice partner has nothing to do here."""

    template = _("The practice partner cannot sit down here.")


class TooFewPartners(Refusal):
    """Every program of this house sits at the table already, or is asked to."""

    template = _("There are not enough practice partners for this table.")
