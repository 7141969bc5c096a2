"""Staff with the permissions of their roles and no others."""

from accounts.roles import ADMINISTRATORS, MODERATORS
from tests.factories import PersonFactory, StaffFactory

WHO = ("player", "moderator", "host")


def staffed(who):
    """Return a player, a moderator or an administrator (“host”)."""
    if who == "player":
        return PersonFactory(username="paul")
    role = {"moderator": MODERATORS, "host": ADMINISTRATORS}[who]
    return StaffFactory(username={"moderator": "mona", "host": "hana"}[who], role=role)


def signed_in(client, who):
    """Sign one of them in; return the person."""
    person = staffed(who)
    client.force_login(person)
    return person
