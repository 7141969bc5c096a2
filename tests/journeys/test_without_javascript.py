"""The same journey in browsers that run no JavaScript: list and text field, looking first."""

import pytest

from tests.journeys import story
from tests.journeys.conftest import PHONE
from tests.journeys.taquet_line import LINE

pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]


def test_two_people_play_a_whole_game_without_javascript(newcomer):
    emma = newcomer("emma", scripts=False)
    victor = newcomer("victor", "fr", scripts=False, **PHONE)

    story.meet(emma, victor)
    story.begin(emma, victor)

    mover, other = emma, victor
    for turn in LINE:
        mover.play(turn)
        if turn != LINE[-1]:
            story.read_turn_letter(other, mover, turn)
            mover, other = other, mover
    story.reload_shows_the_same(mover)

    story.end(winner=emma, loser=victor)
    story.play_again(winner=emma, loser=victor)
