"""What one person may do so often holds, too, when they do it in eight places at once."""

import pytest

from games import errors
from games.models import Game, Invitation, Message, Report
from games.services.conduct.messages import say
from games.services.conduct.reports import report_person
from games.services.endings import resign
from games.services.invitations import ask_rematch, invite
from tests.factories import PersonFactory
from tests.games.play import begin, table
from tests.racing import at_once

# On SQLite every transaction that writes has the whole database: nothing is to be raced there.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

THREADS = 8
EACH = 4
"""How often each of the threads tries: far more often than is allowed, all together."""


def tried(attempt):
    """Let threads try something by turns of numbers; return by which names it was refused."""
    numbers = iter(range(THREADS * EACH))

    def work():
        refused = set()
        for _ in range(EACH):
            try:
                attempt(next(numbers))
            except errors.Refusal as refusal:
                refused.add(refusal.code)
        return refused

    return set().union(*at_once(work, times=THREADS))


def test_addresses_invited_within_a_day(ann, now, settings):
    settings.MAILED_INVITATIONS_A_DAY = 5
    tables = [table(ann, now=now) for _ in range(THREADS * EACH)]

    def attempt(number):
        invite(game_id=tables[number].pk, by=ann, email=f"{number}@example.org", now=now)

    assert tried(attempt) == {"TooManyInvitations"}
    assert Invitation.objects.count() == 5


def test_tables_made_within_a_day(ann, now, settings):
    settings.TABLES_A_DAY = 5
    assert tried(lambda number: table(ann, now=now)) == {"TooManyTables"}
    assert Game.objects.count() == 5


def test_rematches_among_them(ann, now, settings):
    settings.TABLES_A_DAY = THREADS * EACH
    bob = PersonFactory(username="bob")
    games = [begin(bob, ann, now=now) for _ in range(THREADS * EACH)]
    for game in games:
        resign(game_id=game.pk, user=bob, now=now)
    settings.TABLES_A_DAY = 5

    def attempt(number):
        ask_rematch(game_id=games[number].pk, user=ann, now=now)

    assert tried(attempt) == {"TooManyTables"}
    assert Game.objects.filter(creator=ann).count() == 5


def test_messages_said_within_an_hour(ann, bob, now, settings):
    settings.MESSAGES_AN_HOUR = 5
    games = [begin(ann, bob, now=now) for _ in range(THREADS)]

    def attempt(number):
        where = games[number % THREADS].pk
        say(game_id=where, user=ann, text=f"Word {number}", via=Message.Via.WEB, now=now)

    assert tried(attempt) == {"TooManyMessages"}
    assert Message.objects.count() == 5


def test_reports_made_within_a_day(ann, now, settings):
    settings.REPORTS_A_DAY = 5
    people = [PersonFactory() for _ in range(THREADS * EACH)]

    def attempt(number):
        report_person(person=people[number], reporter=ann, reason="spam", text="x", now=now)

    assert tried(attempt) == {"TooManyReports"}
    assert Report.objects.count() == 5
