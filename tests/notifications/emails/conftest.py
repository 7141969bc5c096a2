"""People for a table of four."""

import pytest

from tests.factories import PersonFactory


@pytest.fixture
def people(ann, bob, cat):
    """Four people, in the order in which they sit; all read English."""
    bob.language = "en"
    bob.save()
    return [ann, bob, cat, PersonFactory(username="dan", language="en")]
