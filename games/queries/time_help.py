"""How time is counted, in short sentences, with the numbers that this service uses."""

from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext as _

from games.clock.clock import LEAST_AFTER_STOP, LEAST_WAKING_TIME
from games.clock.durations import span_in_words
from games.models.outage import LONGEST_SILENCE
from games.services.clock.game_clock import LONGEST_AUTOMATIC, ONE_ABSENCE
from games.services.clock.interruptions import NIGHT
from games.services.clock.outages import AFTER_START
from games.services.reminders import APART, TOGETHER, USEFUL

Parts = list[tuple[str, list[str]]]


def time_help() -> Parts:
    """Return the titles and sentences in the active language."""
    return [
        (_("Before you sit down"), _before()),
        (_("Days off and vacations"), _absences()),
        (_("When a clock was stopped"), _stops()),
        (_("Reminders"), _reminders()),
        (_("When no mail arrives"), _mail()),
    ]


def _before() -> list[str]:
    return [
        _(
            "Every table, invitation and challenge says how long a turn of each player lasts at "
            "most."
        ),
        _("Days off and quiet hours let a turn last at most twice its time."),
        _("“Why then?” on the page of your game says what its deadline consists of."),
        _("Reply “clock” to a mail about the game, and you get the same by mail."),
    ]


def _absences() -> list[str]:
    allowed = timedelta(days=settings.VACATION_DAYS_A_YEAR)
    sentences = [_("A change of your days off or quiet hours counts from your next turn on.")]
    if not allowed:
        return [*sentences, _("Vacations are not available here.")]
    return [
        *sentences,
        _("Your time does not run during a vacation. You may still play."),
        _("You may be away for %(time)s in a calendar year.") % {"time": span_in_words(allowed)},
        _(
            "Vacations less than %(gap)s apart count as one absence, with the days between them. "
            "An absence lasts at most %(time)s."
        )
        % {"gap": span_in_words(ONE_ABSENCE), "time": span_in_words(allowed)},
        _(
            "When your time would run out, a vacation of at most %(time)s begins automatically, as "
            "long as days are left. Another one begins only if you came by in between. New "
            "accounts begin with this; your settings switch it off."
        )
        % {"time": span_in_words(timedelta(days=LONGEST_AUTOMATIC))},
    ]


def _stops() -> list[str]:
    least, waking = span_in_words(LEAST_AFTER_STOP), span_in_words(LEAST_WAKING_TIME)
    return [
        _(
            "No time runs while this service is closed or down for more than %(seconds)s seconds, "
            "nor while its pages or its server for incoming mail do not answer."
        )
        % {"seconds": int(LONGEST_SILENCE.total_seconds())},
        _("Nobody loses on time then, nor in the first %(time)s after it was down.")
        % {"time": span_in_words(AFTER_START)},
        _("After that you have at least %(time)s, not counting your night.") % {"time": waking},
        _(
            "After a vacation, and when somebody else ended a stop, you have at least %(least)s, "
            "with %(waking)s outside of your night."
        )
        % {"least": least, "waking": waking},
        _("Who ends the pause of their own turn has what was left."),
        _("Your night is your quiet hours. If you have none, it lasts from %(from)s to %(until)s.")
        % {"from": f"{NIGHT[0]:%H:%M}", "until": f"{NIGHT[1]:%H:%M}"},
    ]


def _reminders() -> list[str]:
    return [
        _("Your settings say when you are reminded of a turn."),
        _(
            "One mail tells of all turns of which you would be reminded within %(time)s. You can "
            "answer all of them in one reply."
        )
        % {"time": span_in_words(TOGETHER)},
        _(
            "After a reminder you get no other for %(time)s, unless less than %(least)s would be "
            "left for a turn by then."
        )
        % {"time": span_in_words(APART), "least": span_in_words(USEFUL)},
        _(
            "No reminder comes at night, unless your settings ask for it: it comes before the "
            "night, or as it ends."
        ),
        _("The last reminder of a turn says when your time ends, and what else you can do."),
    ]


def _mail() -> list[str]:
    wait = span_in_words(settings.UNREACHABLE_FOR)
    return [
        _(
            "Nobody loses on time who was not told of the turn: if no mail about it was taken, or "
            "it is delayed or came back, the clock is stopped."
        ),
        _("Whoever saw the page of the game, or switched that mail off, counts as told."),
        _("The clock resumes when the player visits. They have what was left, at least a day."),
        _("A game waits for a player so for %(time)s in all.") % {"time": wait},
        _("After %(time)s the opponents may also abort the game, or win it.")
        % {"time": span_in_words(settings.OPPONENTS_WAIT)},
        _("A suspended player’s time runs on: nobody waits for a sanction."),
    ]
