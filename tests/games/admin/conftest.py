"""A moderator's browser."""

import pytest


@pytest.fixture
def judge(client, mo):
    """The moderator mo, signed in."""
    client.force_login(mo)
    return client
