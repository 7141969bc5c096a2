"""People whom moderators meet."""

import pytest

from tests.factories import PersonFactory


@pytest.fixture
def zoe(db):
    """Somebody who can be seated."""
    return PersonFactory(username="zoe")
