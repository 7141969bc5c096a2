"""Why days off, vacations and reminders are refused."""

from django.utils.translation import gettext_noop as _

from games.services.errors.refusal import Refusal


class NoVacations(Refusal):
    """The host gives no days."""

    status = 403
    template = _("There are no vacations in this house.")


class VacationTooShort(Refusal):
    """Less than a day."""

    status = 422
    template = _("A vacation is at least a day long.")


class VacationTooLate(Refusal):
    """It would begin in the past."""

    status = 422
    template = _("A vacation begins now or later: what is past stays as it was.")


class DeadlinePassed(VacationTooLate):
    """Time that has run out cannot be saved any more."""

    status = 409
    template = _(
        "Your time in game %(game)s has run out: no vacation can save it. Try again once that "
        "game is over."
    )


class VacationTooFar(Refusal):
    """Nobody knows what they will do then."""

    status = 422
    template = _("A vacation begins within a year from now, and ends within two.")


class VacationOverlaps(Refusal):
    """There is one already."""

    template = _("You have announced a vacation for some of these days already.")


class VacationOverdrawn(Refusal):
    """More than the year's days."""

    template = _("That is more than you have left in %(year)s: %(left)s of %(allowed)s days.")


class NoSuchVacation(Refusal):
    """There is none, or it is somebody else's, or it is over."""

    status = 404
    template = _("There is no such vacation of yours to end.")


class VacationBegun(Refusal):
    """It can only be ended."""

    template = _("This vacation has begun: it can be ended, not taken back.")


class VacationNotBegun(Refusal):
    """It can only be taken back."""

    template = _("This vacation has not begun: it can be taken back, not ended.")


class TooManyDaysOff(Refusal):
    """Somebody waits at the other side."""

    status = 422
    template = _("At most %(most)s days of the week can be off.")


class NoSuchDay(Refusal):
    """A week has seven days."""

    status = 422
    template = _("A week has the days from Monday to Sunday.")


class QuietHoursHalf(Refusal):
    """A beginning without an end, or the other way round."""

    status = 422
    template = _("Quiet hours have a beginning and an end: fill in both, or neither.")


class QuietHoursTooLong(Refusal):
    """More than half of a day."""

    status = 422
    template = _("Quiet hours are at most %(most)s hours a day.")


class TooManyReminders(Refusal):
    """More than anybody reads."""

    status = 422
    template = _("Choose at most %(most)s reminders.")


class NoSuchReminder(Refusal):
    """A mark that cannot be chosen."""

    status = 422
    template = _("There is no such reminder.")


class SnoozedTooLong(Refusal):
    """A reminder that would come too late, or that no clock runs to."""

    status = 422
    template = _("A reminder must come before your time for this turn is over.")
