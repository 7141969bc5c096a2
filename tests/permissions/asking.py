"""Asking for an address as everybody, by every method, and taking back what was done."""

import time
from contextlib import contextmanager
from copy import deepcopy

from django.db import connection
from django.test import Client

from tests.games.play import undone

WHO = ("nobody", "cat", "ann", "bare", "mona", "hana", "root")
"""Signed out, a stranger to the games, their player, a moderator without a second factor, a
moderator, a host, a superuser (asked of the admin alone)."""

LOGIN, FACTOR, ONWARDS = "login", "factor", "onwards"
"""Where somebody is led: to sign in, to set up a second factor, or on, as when it is done."""

OTHER_METHODS = ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")

NOTED = (
    "django_session",
    "usersessions_usersession",
    "shared_cache",
    "games_gamepresence",
    "games_act",
)
"""The tables in which it is noted that somebody was here, how often, or read a private game."""


class Asker:
    """Everybody's browsers."""

    def __init__(self, site):
        self.clients = {who: Client(raise_request_exception=False) for who in WHO}
        for who in WHO[1:]:
            sign_in(self.clients[who], getattr(site, who))

    def ask(self, who, method, path, data=None):
        """Send a request; return its answer with what it wrote and logged, all of it undone."""
        client = self.clients[who]
        cookies = deepcopy(client.cookies)
        with undone(), _writes() as written:
            if method == "POST":
                answer = client.post(path, data or {})
            else:
                answer = client.generic(method, path)
            answer.written = written
            answer.logged = _logged(who) if who in WHO[4:] else set()
        client.cookies = cookies
        return answer


def outcome(answer):
    """Return the status of an answer, or where it leads."""
    if answer.status_code not in (301, 302):
        return answer.status_code
    where = answer["Location"]
    if where.startswith(("/accounts/login/", "/admin/login/")):
        return LOGIN
    return FACTOR if where == "/accounts/2fa/" else ONWARDS


def sign_in(client, person):
    """Sign somebody in as if they had just given their password, and were known to be here."""
    client.force_login(person)
    session = client.session
    given = {"method": "password", "at": time.time(), "reauthenticated": True}
    session["account_authentication_methods"] = [given]
    session["account_authentication_methods_user"] = str(person.pk)
    session.save()
    assert client.get("/rules/").status_code == 200


def _logged(who):
    """Return which private games the log says that somebody has read."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game_id FROM games_act JOIN accounts_user ON by_id = accounts_user.id "
            "WHERE what = 'read-private-game' AND username = %s",
            [who],
        )
        return {game for (game,) in cursor.fetchall()}


@contextmanager
def _writes():
    """Collect what is written into tables other than NOTED."""
    written = []

    def look(execute, sql, params, many, context):
        verb, _, rest = sql.lstrip().partition(" ")
        if verb in ("INSERT", "UPDATE", "DELETE") and not any(name in rest for name in NOTED):
            written.append(sql[:120])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield written
