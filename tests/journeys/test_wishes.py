"""Two people wish for an opponent in their browsers, and are paired by the periodic task."""

import pytest
from playwright.sync_api import expect

from games.models import Game, Wish
from games.tasks import pair_wishes
from tests.axe import violations
from tests.journeys.conftest import PHONE
from tests.journeys.live_server import open_page

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]


def wish_for_morpion(person, scripts):
    """Make a wish at the page as it is offered: three days for each turn, anybody."""
    person.open("Morpion")
    person.press("Look for an opponent")
    expect(person.main).to_contain_text(person.words("Your wishes"))
    if scripts:
        assert violations(person.page) == []
    assert person.sideways() <= 0


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_two_wish_and_are_paired(ann, bob, newcomer, live_server, scripts):
    bob.language = "fr"
    bob.save()
    more = {"scripts": scripts, **PHONE}
    one = open_page(newcomer, live_server, ann, "/wishes/", **more)
    wish_for_morpion(one, scripts)
    expect(one.main).to_contain_text("We have been looking for less than a minute.")
    expect(one.main).to_contain_text("Nobody else is waiting for the same yet.")
    pair_wishes()
    assert not Game.objects.exists()
    other = open_page(newcomer, live_server, bob, "/wishes/", **more)
    wish_for_morpion(other, scripts)
    expect(other.main).to_contain_text("Nous cherchons depuis moins d’une minute.")
    expect(other.main).to_contain_text("1 autre joueur")
    pair_wishes()
    game = Game.objects.get()
    for person in (one, other):
        person.page.reload()
        expect(person.main).to_contain_text(
            person.words(
                "You have as many games as you wished for. We look again when one is over."
            )
        )
        person.page.goto("/")
        expect(person.main.locator(f"a[href$='/games/{game.pk}/']").first).to_be_visible()
    one.page.goto("/wishes/")
    one.page.locator("details.disclosure summary").click()
    one.press("Withdraw the wish")
    expect(one.main).not_to_contain_text("Your wishes")
    assert [wish.user for wish in Wish.objects.filter(withdrawn_at=None)] == [bob]
    game.refresh_from_db()
    assert game.status == Game.Status.ACTIVE
