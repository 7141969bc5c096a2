"""Two people, one at a desk in English, one on a phone in French, by clicks on the board."""

import pytest

from tests.axe import violations
from tests.journeys import story
from tests.journeys.conftest import PHONE
from tests.journeys.taquet_line import LINE

pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]


def grave(page):
    """Return what axe finds serious or critical on a page, by day and by night."""
    return [found for found in violations(page) if found[2] in ("serious", "critical")]


def test_two_people_play_a_whole_game_by_mail_and_clicks(newcomer):
    ada = newcomer("ada")
    blaise = newcomer("blaise", "fr", **PHONE)

    story.meet(ada, blaise)
    ada.is_to_move()
    story.begin(ada, blaise)

    mover, other = ada, blaise
    for number, turn in enumerate(LINE):
        mover.play(turn)
        assert mover.sideways() <= 0
        if number == 0:
            story.reload_shows_the_same(ada)
            blaise.is_to_move()
        if number == 2:
            assert grave(blaise.page) == []
            assert grave(ada.page) == []
        if turn != LINE[-1]:
            story.read_turn_letter(other, mover, turn)
            mover, other = other, mover

    story.end(winner=ada, loser=blaise)
    story.play_again(winner=ada, loser=blaise)

    for person in (ada, blaise):
        person.page.goto("/")
        assert person.sideways() <= 0
        assert grave(person.page) == []
