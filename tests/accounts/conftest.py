"""What the tests of accounts share."""

import pytest
from django.core.cache import cache
from django.test import Client


@pytest.fixture(autouse=True)
def _fresh_limits(db):
    """Rate limits live in the cache's table, which a flushed database keeps."""
    cache.clear()


@pytest.fixture
def another_browser():
    """A second browser, signed in nowhere."""
    return Client()
