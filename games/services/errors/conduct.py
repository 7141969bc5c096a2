"""What people can be refused about blocks, mutes and reports."""

from django.utils.translation import gettext_noop as _

from games.services.errors.refusal import Refusal


class TakesNoChallenges(Refusal):
    """Somebody has blocked who challenges them; that is not said."""

    status = 403
    template = _("This player takes no challenges from you now.")


class NotWelcome(Refusal):
    """Somebody who sits there has blocked whoever wants to sit down; that is not said."""

    status = 403
    template = _("You cannot sit down at this table: choose another one.")


class CannotBlock(Refusal):
    """Oneself, or a program."""

    status = 422
    template = _("%(name)s cannot be blocked.")


class OwnSeat(Refusal):
    """Nobody mutes themselves."""

    status = 422
    template = _("That is your own seat.")


class NoSuchMessage(Refusal):
    """There is no such message, or none that this person may read."""

    status = 404
    template = _("There is no such message.")


class OwnConduct(Refusal):
    """Nobody reports what they did themselves."""

    status = 422
    template = _("You cannot report yourself.")


class BadReport(Refusal):
    """A report without a reason or without words, or with too many."""

    status = 422
    template = _("Choose a reason, and say in at most %(most)s characters what happened.")


class ReportedAlready(Refusal):
    """The same person's report of the same thing waits still."""

    template = _("You have reported this already: a moderator will look at it.")


class TooManyReports(Refusal):
    """Nobody may bury the moderators under reports."""

    status = 429
    template = _("You have reported %(most)s things within a day: try again tomorrow.")


class NoSuchReport(Refusal):
    """There is no such report."""

    status = 404
    template = _("There is no such report.")


class ReportClosed(Refusal):
    """Somebody has decided already."""

    template = _("%(name)s has closed this report already.")


class InOtherHands(Refusal):
    """Another moderator looks after it."""

    template = _("%(name)s has this report in hand: have it handed over first.")


class OwnReport(Refusal):
    """Nobody judges a report of their own, about themselves or about a game of theirs."""

    status = 403
    template = _("This report is yours, or about you or a game of yours: leave it to another.")


class NoAnswer(Refusal):
    """The reporter is told what became of it."""

    status = 422
    template = _("Write an answer for the reporter.")


class NotAModerator(Refusal):
    """A report can be given to moderators only."""

    status = 422
    template = _("“%(name)s” is no moderator.")
