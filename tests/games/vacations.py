"""People who are away, for the tests."""

import subprocess
import sys

from accounts.models import User
from games.services.clock.availability import announce_vacation
from games.services.clock.recalculation import recount_due
from tests.games.play import DAY
from tests.notifications.outgoing_mail import environment


def go_away(user, begins_at, days=3, *, now):
    """Announce a vacation and count the person's games anew, as the next round does."""
    vacation = announce_vacation(
        user=user, begins_at=begins_at, ends_at=begins_at + days * DAY, now=now
    )
    recount_due(now=now)
    user.refresh_from_db()
    return vacation


def off_on(person, **off):
    """Give a person days off or quiet hours, or another zone."""
    User.objects.filter(pk=person.pk).update(**off)


_DYING = """
import os, signal, sys
import django
django.setup()
from django.utils.dateparse import parse_datetime
from accounts.models import User
from games.services.clock import recalculation
from accounts.models import User
from games.services.clock.availability import announce_vacation

counted = []
count = recalculation.recount_game

def dying(game_id, now):
    if len(counted) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    counted.append(game_id)
    return count(game_id, now)

recalculation.recount_game = dying
times = dict(zip(("begins_at", "ends_at", "now"), map(parse_datetime, sys.argv[3:])))
announce_vacation(user=User.objects.get(username=sys.argv[2]), **times)
"""


def die_announcing(user, begins_at, ends_at, *, now, after):
    """Announce in a process that is killed once it has counted `after` games; return its end."""
    times = [moment.isoformat() for moment in (begins_at, ends_at, now)]
    command = [sys.executable, "-c", _DYING, str(after), user.username, *times]
    return subprocess.run(command, env=environment(), timeout=60, check=False).returncode
