"""A worker that has lost Redis neither returns nor acknowledges what it has taken."""

from types import SimpleNamespace

import pytest
from kombu.transport.redis import Channel, QoS

from config.celery import leave_taken_messages


@pytest.fixture
def acknowledged(monkeypatch):
    """Return the tags of messages that kombu acknowledged; its classes are restored later."""
    tags = []
    monkeypatch.setattr(Channel, "do_restore", True)
    monkeypatch.setattr(QoS, "ack", lambda qos, tag: tags.append(tag))
    leave_taken_messages()
    return tags


@pytest.mark.parametrize(("connection", "tags"), [(object(), ["tag"]), (None, [])])
def test_a_message_is_acknowledged_only_over_a_connection(acknowledged, connection, tags):
    # kombu reads do_restore when the process ends.
    channel = SimpleNamespace(connection=connection, do_restore=False)
    QoS(channel).ack("tag")
    assert acknowledged == tags


def test_messages_are_not_returned(acknowledged):
    assert Channel.do_restore is False
