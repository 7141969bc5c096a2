"""Every refusal of the notifications app: a name, a sentence for the user, an HTTP status.

Most commands in mails are refused by the games app (games/errors.py).
"""

from django.utils.translation import gettext_noop as _

from games.errors import Refusal

# One declaration a line reads as the table that it is.
# fmt: off

# Commands in mails ------------------------------------------------------------------------------

class NotThere(Refusal, status=422, text=_("That is not an answer to this mail.")): ...
class AcceptOrDecline(Refusal, status=422, text=_(
    "We could not tell whether you want to play. Please answer with “yes” or “no”."
)): ...
class NoConditions(Refusal, status=422, text=_(
    "Turns with a condition (“if 74 then 43”) are not possible yet. Please send one turn."
)): ...
class NoAnswerThere(Refusal, status=422, text=_(
    "We found no text of your own above the quoted mail."
)): ...
class StopWhat(Refusal, status=422, text=_(
    "“quiet” leaves you only the mails that you need in order to play, “resign” gives up this "
    "game, and a link at the end of our mails stops all mails of that kind."
)): ...
class TooManyParts(Refusal, status=422, text=_(
    "Your mail has so many pictures or other parts that we could not find its text. Please send "
    "it as plain text, with nothing attached."
)): ...
class NoSuchNumber(Refusal, status=422, text=_("That mail has no game number %(number)s.")): ...
class WhichGame(Refusal, status=422, text=_(
    "Please say which game you mean: begin the line with its number, as in “%(number)s board”."
)): ...
class LaterOffer(Refusal, text=_(
    "The open offer was made after the mail that you answered. If you mean this offer, answer "
    "this mail."
)): ...
class BadDelay(Refusal, status=422, text=_(
    "Please say how much later, as in “later 8h” or “later 2 days”."
)): ...
class BadDays(Refusal, status=422, text=_(
    "Please say how long, as in “vacation 10” or “vacation 2026-12-20 2027-01-03”."
)): ...

# Processing mails again -------------------------------------------------------------------------

class NothingToRetry(Refusal, text=_(
    "None of these mails can be tried again: they were dealt with, or their text was deleted."
)): ...
