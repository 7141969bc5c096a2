"""A game that runs."""

import pytest

from accounts.models import User
from tests.factories import BotFactory, PersonFactory, StaffFactory
from tests.games.moderating import a_moderator
from tests.games.multiplayer import gather
from tests.games.permission_tables import DONE, LOGIN, WHO
from tests.games.play import begin, database, undone


@pytest.fixture
def game(ann, bob, now):
    """Morpion, ann (crosses) to move, bob (noughts) waiting, two days for a turn."""
    return begin(ann, bob, now=now)


@pytest.fixture
def dan(db):
    """One more person, for tables of three."""
    return PersonFactory(username="dan")


@pytest.fixture
def partner(db, settings):
    """The practice partner's account."""
    return BotFactory(username=settings.PRACTICE_PARTNER_USERNAME)


@pytest.fixture
def three_seats(monkeypatch):
    """Morpion for three: nobody could play it, but tables and offers do not know that."""
    from games.rules.morpion.rules import Morpion

    monkeypatch.setattr(Morpion, "seats", lambda self, options: 3)


@pytest.fixture
def people(ann, bob, cat, dan):
    """Four people, in the order in which they sit."""
    return [ann, bob, cat, dan]


@pytest.fixture
def bots(partner):
    """The practice partner and the two more bots that there are from the start."""
    others = User.objects.filter(is_bot=True).exclude(pk=partner.pk).order_by("pk")
    assert len(others) == 2
    return [partner, *others]


@pytest.fixture
def four(people, now):
    """Four play, each for themselves; ann is to move."""
    return gather(people, now=now)


@pytest.fixture
def teams(people, now):
    """Ann and cat play against bob and dan; ann is to move."""
    return gather(people, now=now, variant="teams")


@pytest.fixture
def as_ann(client, ann):
    """Ann's browser, signed in."""
    client.force_login(ann)
    return client


@pytest.fixture
def everybody(ann, bob, cat, moderator):
    """Everybody of the tables of permissions who is signed in, by name."""
    return {"ann": ann, "bob": bob, "cat": cat, "moderator": moderator}


@pytest.fixture
def ask(client, everybody):
    """Return what sends a request as somebody, tells how it was answered, and takes it back."""

    def send(who, method, path, data=None):
        client.logout()
        if who != "nobody":
            client.force_login(everybody[who])
        before = database()
        with undone():
            answer = getattr(client, method)(path, data or {})
            outcome = answer.status_code
            if outcome == 302:
                outcome = LOGIN if answer["Location"].startswith("/accounts/login/") else DONE
            if outcome != DONE:
                assert database() == before
        return outcome

    return send


@pytest.fixture
def ask_all(ask):
    """Return what lets everybody send the same request, and tells how each was answered."""

    def send(method, path, data=None):
        return {who: ask(who, method, path, data) for who in WHO}

    return send


@pytest.fixture
def mo(db):
    """A moderator, who plays nowhere."""
    return a_moderator("mo")


@pytest.fixture
def meg(db):
    """Another moderator."""
    return a_moderator("meg")


@pytest.fixture
def mod(db):
    """A moderator with the rights that the role gives."""
    return StaffFactory(username="mod", role="Moderators")
