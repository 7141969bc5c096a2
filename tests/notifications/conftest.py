"""A game between ann (to move) and bob, and a mail server."""

from datetime import timedelta

import pytest

from games.clock.time_control import per_turn
from games.models import Terms
from games.services import invitations, tables
from notifications.models import DAILY
from notifications.outbox.recipients import make_notices
from notifications.services.preferences import save_digest_schedule
from tests import smtp
from tests.games.play import begin
from tests.games.play import play as play_turn
from tests.notifications.incoming_mail import turn_token
from tests.notifications.mail_parts import sent_to
from tests.notifications.outgoing_mail import forget, play, use_server


@pytest.fixture
def allowance():
    """Four days a turn: a quarter of it is one day."""
    return timedelta(days=4)


@pytest.fixture
def table(ann, now, allowance):
    """A private table of ann's, which waits for somebody."""
    return tables.open_table(
        creator=ann,
        rules_slug="morpion",
        options={},
        terms=Terms(per_turn(allowance)),
        now=now,
        is_public=False,
        creator_seat=0,
    )


@pytest.fixture
def challenge(table, ann, bob, now):
    """Ann has asked bob to that table."""
    return invitations.challenge(game_id=table.pk, by=ann, user=bob, now=now)


@pytest.fixture
def game(challenge, bob, now):
    """Bob has come: the game runs, ann is to move."""
    return invitations.accept(invitation_id=challenge.pk, user=bob, now=now)


@pytest.fixture
def sink(settings):
    """A mail server that takes everything, already the one we send to."""
    server = smtp.Sink()
    with smtp.running(server) as port:
        use_server(settings, port)
        yield server


@pytest.fixture
def to_bob(game, ann, bob, now):
    """Writes the mail, in English, that tells bob of ann's first turn."""
    bob.language = "en"
    bob.save()

    def write():
        play(game, ann, "5", now)
        return sent_to(bob, now, "your-turn")

    return write


@pytest.fixture
def told(game, bob, now):
    """The game; everybody knows that it has begun. Both read English."""
    bob.language = "en"
    bob.save()
    make_notices(now=now)
    forget()
    return game


@pytest.fixture
def games(ann, bob, cat, now):
    """Three games; ann is to move in the first (later) and the third (sooner)."""
    first = begin(ann, bob, now=now, days=5)
    second = begin(bob, ann, now=now)
    third = begin(cat, ann, now=now, slug="taquet", days=3)
    play_turn(third, cat, "b3", now=now)
    return first, second, third


@pytest.fixture
def due(ann, now):
    """Ann wants a digest at eight in London; return when the next is due."""
    plan = save_digest_schedule(user=ann, later_hours=8, digest_every=DAILY, digest_hour=8, now=now)
    return plan.digest_due_at


@pytest.fixture
def token(game, ann, now):
    """Of the mail that tells ann that it is her turn."""
    return turn_token(ann, now)
