"""Ways to keep somebody out, for tests that ask what they can still do."""

from datetime import timedelta

from accounts.models import User
from games.moderation import people, roles
from games.moderation.people import Running

WHY = "Three insults."


def free(person, now):
    """Leave them alone: what a test expects to be refused must be possible without."""


def suspended(person, now):
    """Suspend them for a month."""
    until = now + timedelta(days=30)
    people.suspend_user(person_id=person.pk, by=_host(), why=WHY, until=until, now=now)


def banned(person, now):
    """Ban them; their running games are left to the clock."""
    people.ban_user(person_id=person.pk, by=_host(), why=WHY, running=Running.CLOCK, now=now)


def closed(person, now):
    """Close their account."""
    changes = {"is_active": False}
    roles.change_account(person_id=person.pk, by=_host(), changes=changes, why=WHY, now=now)


KEPT_OUT = [suspended, banned, closed]


def _host():
    return User.objects.get(username="host")
