"""People who read one language, and their game."""

import pytest
from django.utils import timezone

from tests.factories import PersonFactory
from tests.games.play import begin
from tests.house.languages import LANGUAGES, House


@pytest.fixture(params=LANGUAGES)
def house(request, client):
    """Zoe, who reads French or English, is to move against Max; her browser is signed in."""
    now = timezone.now()
    reader, other = (
        PersonFactory(username=name, language=request.param, time_zone="Europe/Paris")
        for name in ("zoe", "max")
    )
    client.force_login(reader)
    return House(request.param, reader, other, client, now, begin(reader, other, now=now))
