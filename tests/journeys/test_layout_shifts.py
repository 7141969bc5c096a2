"""Nothing moves while a page is loaded: neither its words, nor its boards, nor when fonts come."""

import pytest
from django.utils import timezone

from tests.games.multiplayer import play_on
from tests.games.play import begin, table
from tests.journeys.conftest import PHONE
from tests.journeys.live_server import open_game

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

MOST = 0.02
"""The sum of a page's layout shifts, as the browser counts them (Layout Instability API)."""

OBSERVE = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const moved = entry.sources.map(({node}) => node?.outerHTML?.slice(0, 120) ?? "text");
    window.shifts.push([entry.value, ...moved]);
  }
}).observe({type: "layout-shift", buffered: true});
"""

SETTLE = """
async () => {
  window.scrollTo(0, document.body.scrollHeight);  // images that come when they are looked at
  for (const image of document.images) await image.decode().catch(() => {});
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
}
"""
READ = """
async () => {
  await document.fonts.ready;
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  return window.shifts;
}
"""
FONTS = "**/*.woff2"

ADDRESSES = ["/", "/next/", "/tables/", "/tables/new/?game=superpion", "/rules/super-morpion/"]
ADDRESSES += ["/people/ann/", "/settings/", "/settings/time/", "/help/time/"]


def shifts_of(page, address):
    """Open a page whose fonts come when all else is there; return its shifts, and what moved."""
    held = []

    def hold(route):
        held.append(route)

    page.route(FONTS, hold)
    page.goto(address, wait_until="domcontentloaded")
    if page.locator("[data-board]").count():
        page.locator("[data-board-svg] .cell[role]").first.wait_for()
    page.evaluate(SETTLE)
    assert held, "a font was asked for"
    for font in held:
        font.continue_()
    page.unroute(FONTS, hold)
    return page.evaluate(READ)


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desk", "phone"])
def test_nothing_moves_while_a_page_is_loaded(ann, bob, newcomer, live_server, screen):
    now = timezone.now()
    for slug in ("super-morpion", "morpiae"):
        play_on(begin(ann, bob, now=now, slug=slug), 4, now=now)
    table(bob, now=now, slug="taquet")
    game = begin(ann, bob, now=now, slug="super-morpion")
    someone = open_game(newcomer, live_server, ann, game, **screen)
    someone.page.add_init_script(OBSERVE)
    moved = {}
    for address in (game.get_absolute_url(), *ADDRESSES):
        shifts = shifts_of(someone.page, address)
        if sum(value for value, *_ in shifts) >= MOST:
            moved[address] = shifts
    assert moved == {}
