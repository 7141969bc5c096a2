"""Webhooks of players at a server of our own, and what it was sent."""

import json

import pytest

from notifications.outbox.recipients import make_notices
from notifications.webhooks.endpoints import add_webhook
from tests import push_service
from tests.notifications.outgoing_mail import play


@pytest.fixture
def server(settings):
    """Bob's program; only this server may be on this machine."""
    with push_service.running() as server:
        settings.PUBLIC_HTTP_TEST_SERVER = server.origin
        yield server


@pytest.fixture
def webhook(server, bob, now):
    """The webhook by which bob's program is told."""
    return add_webhook(owner=bob, username="bob", url=f"{server.origin}/bob?key=1", now=now)[0]


@pytest.fixture
def played(told, webhook, ann, now):
    """Ann has played, and bob's program was not told yet."""
    play(told, ann, "5", now)
    make_notices(now=now)
    told.refresh_from_db()
    return told


def messages_at(server):
    """Return what the server was sent, oldest first."""
    return [json.loads(request.body) for request in server.requests]


def ids_at(server):
    return [header(request, "webhook-id") for request in server.requests]


def header(request, name):
    return {key.lower(): value for key, value in request.headers.items()}[name]
