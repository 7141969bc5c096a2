"""Those who look after a house, with the rights of their roles and no others."""

from accounts.roles import HOSTS, MODERATORS
from tests.factories import PersonFactory, StaffFactory

WHO = ("player", "moderator", "host")


def staffed(who):
    """Return a player, a moderator or a host."""
    if who == "player":
        return PersonFactory(username="paul")
    role = {"moderator": MODERATORS, "host": HOSTS}[who]
    return StaffFactory(username={"moderator": "mona", "host": "hana"}[who], role=role)


def signed_in(client, who):
    """Sign one of them in; return the person."""
    person = staffed(who)
    client.force_login(person)
    return person
