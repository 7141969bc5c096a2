"""People who are away, for the tests."""

import subprocess
import sys

from games.services.time.absences import announce
from games.services.time.recounting import recount_due
from tests.games.play import DAY
from tests.notifications.post import environment


def go_away(user, begins_at, days=3, *, now):
    """Announce a vacation and count the person's games anew, as the next round does."""
    vacation = announce(user=user, begins_at=begins_at, ends_at=begins_at + days * DAY, now=now)
    recount_due(now=now)
    user.refresh_from_db()
    return vacation


_DYING = """
import os, signal, sys
import django
django.setup()
from django.utils.dateparse import parse_datetime
from accounts.models import User
from games.services.time import recounting
from games.services.time.absences import announce

counted = []
count = recounting._count

def dying(game_id, now):
    if len(counted) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    counted.append(game_id)
    return count(game_id, now)

recounting._count = dying
times = dict(zip(("begins_at", "ends_at", "now"), map(parse_datetime, sys.argv[3:])))
announce(user=User.objects.get(username=sys.argv[2]), **times)
"""


def die_announcing(user, begins_at, ends_at, *, now, after):
    """Announce in a process that is killed once it has counted `after` games; return its end."""
    times = [moment.isoformat() for moment in (begins_at, ends_at, now)]
    command = [sys.executable, "-c", _DYING, str(after), user.username, *times]
    return subprocess.run(command, env=environment(), timeout=60, check=False).returncode
