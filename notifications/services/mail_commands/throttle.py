"""How long nonsense is answered: a program that answers our answers must end somewhere."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from notifications.mail_parser import ParsedMail
from notifications.models import IncomingMail
from notifications.services.mail_commands.answers import CommandResult

MOST_REFUSED = 20
"""Mails of one sender in which nothing could be done that are answered in a day."""

DAY = timedelta(days=1)


def refusals_today(mail: ParsedMail, now: datetime) -> int:
    """Return how many mails of this sender were answered within a day with refusals alone."""
    theirs = IncomingMail.objects.filter(sender=", ".join(mail.senders))
    answered = theirs.filter(state=IncomingMail.State.DONE, result="refused")
    return answered.filter(processed_at__gt=now - DAY).count()


def with_warning(said: Sequence[CommandResult]) -> list[CommandResult]:
    """Return the same, and that this was the last answer of its kind for a while."""
    *rest, last = said
    warning = _(
        "Nothing could be done of %(count)s of your mails within a day, so the next such mail gets "
        "no answer. A turn that can be played is played and answered as ever."
    )
    return [*rest, last.and_also(warning % {"count": MOST_REFUSED})]
