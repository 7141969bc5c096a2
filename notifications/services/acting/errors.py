"""Why an answer by mail cannot be acted on, when no service of the games says it."""

from django.utils.translation import gettext_noop as _

from games.services.errors import Refusal


class NotThere(Refusal):
    """An order for a game, given where there is none."""

    status = 422
    template = _("That is no answer to this mail.")


class AcceptOrDecline(Refusal):
    """Something else than what an invited address without an account can answer."""

    status = 422
    template = _("We cannot tell from this whether you want to play.")


class NoConditions(Refusal):
    """Turns for the case that the opponent plays something."""

    status = 422
    template = _("Turns with a condition (“if 74 then 43”) cannot be kept yet. Send one turn.")


class NoAnswerThere(Refusal):
    """An empty mail, or one of quotes alone."""

    status = 422
    template = _("Your mail said nothing above what it quotes.")


class StopWhat(Refusal):
    """A wish to be left alone that could mean the mail or the game."""

    status = 422
    template = _(
        "“quiet” leaves you only the mails that you cannot play without, “resign” gives this game "
        "up, and a link at the foot of our mails stops all mail of their kind."
    )


class TooManyParts(Refusal):
    """A mail of so many parts that no words were found among those that are looked at."""

    status = 422
    template = _(
        "Your mail has so many pictures or other parts that its words were not found. "
        "Please send it as plain text, with nothing attached."
    )


class NothingOffered(Refusal):
    """An answer to an offer where nobody else's stands."""

    template = _("None of the other players offers anything at this game now.")


class NoSuchNumber(Refusal):
    """A line of an answer to a digest whose number is none of the digest's."""

    status = 422
    template = _("There is no game number %(number)s in that mail.")


class WhichGame(Refusal):
    """An answer to a digest of several games that names none of them."""

    status = 422
    template = _("Say which game: begin the line with its number, as in “%(number)s board”.")


class LaterOffer(Refusal):
    """An answer to an offer that was made after the mail it answers."""

    template = _(
        "The offer that stands now was made after the mail that you answered. "
        "If you mean this one, answer this mail."
    )


class BadDelay(Refusal):
    """A reminder for when nobody can tell."""

    status = 422
    template = _("Say how much later, as in “later 8h” or “later 2 days”.")


class BadDays(Refusal):
    """A vacation of which nobody can tell the days."""

    status = 422
    template = _("Say how long, as in “vacation 10” or “vacation 2026-12-20 2027-01-03”.")
