"""A game at the time that pages take for the present."""

import pytest
from django.utils import timezone

from tests.games.play import begin


@pytest.fixture
def game(ann, bob):
    """Morpion, ann (crosses) to move, begun just now."""
    return begin(ann, bob, now=timezone.now())
