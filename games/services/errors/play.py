"""Why somebody cannot play here, or not now, or not that turn."""

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from games.rules.base import MoveError
from games.services.errors.refusal import Refusal


class NoSuchGame(Refusal):
    """There is no such game, or none that this person may see."""

    status = 404
    template = _("There is no such game.")


class BadSeat(Refusal):
    """A seat that this game does not have."""

    status = 422
    template = _("This game has no such seat.")


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
