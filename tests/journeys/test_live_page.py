"""The open page of a game: it fits the window, and shows what happens without being loaded anew."""

import re
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import expect

from accounts.guests import create_guest
from games.rules.base import Outcome
from games.services.conduct.messages import say
from games.services.endings import resign
from games.services.guests import begin_practice
from games.services.offers import offer_end
from games.services.tables import join_table
from games.services.turns import finish_game
from tests.axe import violations
from tests.factories import PersonFactory
from tests.games.multiplayer import gather, play_on
from tests.games.play import begin, fresh, play, play_all
from tests.games.play import table as open_table
from tests.journeys.live_server import open_game
from tests.lanes import long

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

WINDOWS = {
    "laptop": {"viewport": {"width": 1280, "height": 650}},
    "larger": {"viewport": {"width": 1366, "height": 768}},
    "tablet": {"viewport": {"width": 768, "height": 1024}},
    "phone": {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True},
}
SHOWN = {
    "the board": "[data-board-svg] svg.board",
    "the players": ".players",
    "the clocks": ".player-time >> nth=-1",
    "whose turn it is": ".game-verdict",
    "what happened": ".game-last",
    "the button": "[data-board-confirm]",
    "the way to the next game": "[data-key=n]",
}
IS_WHOLE = "all => all.every(one => one.scrollWidth <= one.clientWidth)"
"""A script that tells whether no text of these elements is cut."""
ENDED = (
    *(".game-verdict", ".game-ending", ".game-again button"),
    *(".game-again a[href*='/tables/new/']", ".game-again a[href$='/card/']"),
)
"""What a player sees first of a game that is over, besides the board and the players."""
SOON = 60_000
"""Milliseconds that a busy machine may take: how often a page asks is held by its own clock."""


@pytest.fixture
def morpion(ann, bob):
    return begin(ann, bob, now=timezone.now())


@pytest.fixture
def people(ann, bob, cat):
    return [ann, bob, cat, PersonFactory(username="dan")]


def mark(page):
    """Remember in the page that it is this one: another one would have forgotten it."""
    page.evaluate("window.isTheSamePage = true")


def is_the_same(page):
    return page.evaluate("window.isTheSamePage === true")


@pytest.mark.parametrize("window", ["laptop", "phone", *long("larger", "tablet")])
@pytest.mark.parametrize("slug", ["morpion", "super-morpion", "morpiae", "taquet", "superpion"])
def test_what_a_player_needs_fits_the_window(people, newcomer, live_server, slug, window):
    now = timezone.now()
    game = (
        gather(people, now=now) if slug == "superpion" else begin(*people[:2], now=now, slug=slug)
    )
    game = play_on(game, 4, now=now)
    mover = game.seats.get(number=game.seat_to_move).user
    # One more game waits for them: the page leads there.
    other = next(one for one in people if one != mover)
    begin(mover, other, now=now)
    table = open_game(newcomer, live_server, mover, game, **WINDOWS[window])
    height = table.page.viewport_size["height"]
    for what, selector in SHOWN.items():
        box = table.page.locator(selector).bounding_box()
        assert box["y"] >= 0, what
        assert box["y"] + box["height"] <= height, what
    assert table.page.locator(".player-time").evaluate_all(IS_WHOLE)
    assert table.person.sideways() <= 0
    smallest = min(table.page.viewport_size.values())
    assert table.page.locator("[data-board-svg] .sheet").bounding_box()["height"] > smallest * 0.5
    assert violations(table.page) == []


@pytest.mark.parametrize("window", WINDOWS)
def test_what_a_player_needs_after_their_turn_fits_the_window(
    people, newcomer, live_server, settings, window
):
    """The busy machine has time enough to undo; one more game waits."""
    settings.MAIL_HOLD *= 20
    ann, bob = people[:2]
    now = timezone.now()
    game = begin(ann, bob, now=now, slug="super-morpion")
    play(game, ann, "11", now=now)
    begin(ann, bob, now=now)
    table = open_game(newcomer, live_server, ann, game, **WINDOWS[window])
    expect(table.page.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
    for what, selector in SHOWN.items():
        if what != "the button":  # it is the other player's turn
            expect(table.page.locator(selector), what).to_be_in_viewport(ratio=1)
    assert table.person.sideways() <= 0
    assert violations(table.page) == []


@pytest.mark.parametrize("window", ["laptop", "phone"])
def test_what_a_guest_needs_fits_the_window(newcomer, live_server, window):
    """In French: the name of the practice partner is long there."""
    guest = create_guest(language="fr", now=timezone.now())
    game = begin_practice(user=guest, rules_slug="taquet", now=timezone.now())
    table = open_game(newcomer, live_server, guest, game, **WINDOWS[window])
    expect(table.page.locator(".guest-line")).to_be_visible()
    for selector in SHOWN.values():
        if table.page.locator(selector).count():
            expect(table.page.locator(selector), selector).to_be_in_viewport(ratio=1)
    expect(table.page.locator("[data-board-confirm]")).to_be_in_viewport(ratio=1)
    names = table.page.locator(".player-name")
    inside = "all => all.every(one => one.getBoundingClientRect().right <= innerWidth)"
    assert names.evaluate_all(inside)
    assert table.person.sideways() <= 0
    assert violations(table.page) == []


@pytest.mark.parametrize("window", ["laptop", "phone"])
@pytest.mark.parametrize("slug", ["super-morpion", "superpion"])
def test_the_end_of_a_game_fits_the_window(people, newcomer, live_server, slug, window):
    now = timezone.now()
    ann, bob = people[:2]
    if slug == "superpion":
        game = play_on(gather(people, now=now, variant="teams"), 4, now=now)
        outcome = Outcome((1, 2, 1, 2), (7, 6, 5, 3), "no-captures")
        said = "ann and cat have 12 points, bob and dan 9."
        lost = "Vous avez perdu\N{NO-BREAK SPACE}: ann et cat ont gagné."
        verdicts = {ann: "You and cat won.", bob: lost}
    else:
        game = play_on(begin(ann, bob, now=now, slug=slug), 20, now=now)
        outcome = Outcome((1, 2), (4, 4), "line")
        said = "ann has 4 points, bob 4. The line wins, whatever the points."
        lost = "Vous avez perdu\N{NO-BREAK SPACE}: ann a gagné."
        verdicts = {ann: "You won.", bob: lost}
    finish_game(game, outcome.reason, now=now, actor=None, outcome=outcome)
    for viewer, verdict in verdicts.items():
        table = open_game(newcomer, live_server, viewer, game, **WINDOWS[window])
        page = table.page
        expect(page.locator(".game-verdict")).to_have_text(verdict)
        if viewer == ann:
            expect(page.locator(".game-ending")).to_contain_text(said)
        for what in (*ENDED, "[data-board-svg] svg.board", ".players"):
            expect(page.locator(what), what).to_be_in_viewport(ratio=1)
        assert page.locator(".player-won").count() == outcome.places.count(1)
        assert table.person.sideways() <= 0
        assert violations(page) == []


def stop_the_clock(page):
    """Load the page again, with a clock that moves only when it is told to."""
    page.clock.install()
    page.reload()
    # The clock goes on until it is told: on a busy machine that may take a while.
    soon = page.evaluate("Date.now()") / 1000 + 60
    page.clock.pause_at(datetime.fromtimestamp(soon, UTC))


def test_the_turn_of_the_other_side_comes_by_itself(ann, bob, newcomer, live_server):
    game = begin(bob, ann, now=timezone.now())
    table = open_game(newcomer, live_server, ann, game)
    page = table.page
    icon, marked = page.locator("link[rel=icon]"), re.compile("favicon-turn")
    expect(icon).not_to_have_attribute("href", marked)
    stop_the_clock(page)
    mark(page)
    play(game, bob, "5", now=timezone.now())
    with page.expect_response(lambda answer: "/news/" in answer.url and answer.status == 200):
        page.clock.run_for(2000)
    page.clock.resume()
    expect(page.locator(".game-verdict")).to_have_text("It is your turn.")
    expect(page).to_have_title(f"● Morpion #{game.pk} · Pli")
    expect(icon).to_have_attribute("href", marked)
    announced = "bob plays in the centre. It is your turn."
    expect(page.locator("#game-announcement")).to_have_text(announced)
    expect(page.locator(".turn-list a")).to_have_text(["5"])
    assert "5" in table.pieces()
    table.cell("1").click()
    expect(page.locator("svg.previewed")).to_be_visible()
    page.locator("[data-board-confirm]").click()
    expect(page.locator(".game-verdict")).to_have_text("It is bob’s turn.")
    expect(page.locator(".game-verdict")).to_be_focused()
    expect(page.get_by_role("status")).to_have_text("Your turn is played.")
    expect(page).to_have_title(f"Morpion #{game.pk} · Pli")
    expect(icon).not_to_have_attribute("href", marked)
    assert is_the_same(page)
    assert fresh(game).turn_number == 2


def test_news_that_come_after_a_played_turn_are_dropped(morpion, ann, bob, newcomer, live_server):
    table = open_game(newcomer, live_server, ann, morpion)
    page = table.page
    table.click("5")
    held = []
    page.route("**/news/**", lambda route: held.append(route))  # noqa: PLW0108
    say(game_id=morpion.pk, user=bob, text="Well?", via="web", now=timezone.now())
    with page.expect_request("**/news/**", timeout=SOON):
        pass
    page.locator("[data-board-confirm]").click()
    expect(page.locator(".game-verdict")).to_have_text("It is bob’s turn.")
    with page.expect_event("requestfinished"):
        held[0].fulfill(response=held[0].fetch())
    page.unroute("**/news/**")
    for later in held[1:]:
        later.continue_()
    expect(page.locator("#said")).to_contain_text("Well?", timeout=SOON)
    expect(page.locator(".game-verdict")).to_have_text("It is bob’s turn.")
    # The browser's console has no complaint of parts without a place: `newcomer` looks for that.


def test_news_do_not_take_the_form_away_that_is_being_sent(morpion, ann, newcomer, live_server):
    table = open_game(newcomer, live_server, ann, morpion)
    page = table.page
    table.click("5")
    held = []
    page.route("**/play/", lambda route: held.append((route, route.fetch())))

    def brings_the_turn(answer):
        return "/news/" in answer.url and answer.status == 200

    with page.expect_response(brings_the_turn, timeout=SOON) as news:
        page.locator("[data-board-confirm]").click()
    news.value.finished()
    ((route, answer),) = held
    route.fulfill(response=answer)
    expect(page.get_by_role("status")).to_have_text("Your turn is played.")
    expect(page.locator(".game-verdict")).to_have_text("It is bob’s turn.")


def test_from_one_turn_straight_to_the_next(morpion, ann, bob, newcomer, live_server):
    second = begin(ann, bob, now=timezone.now(), days=7)
    table = open_game(newcomer, live_server, ann, morpion)
    page = table.page
    expect(page.get_by_role("link", name="My games, 2 waiting for you")).to_be_visible()
    expect(page.get_by_role("link", name="Skip (1)")).to_be_visible()
    mark(page)
    page.locator("#message-text").press("n")
    expect(page.locator("#message-text")).to_have_value("n")
    page.locator("#message-text").fill("")
    table.click("5")
    page.locator("[data-board-confirm]").click()
    expect(page.get_by_role("link", name="My games, 1 waiting for you")).to_be_visible()
    expect(page.get_by_role("link", name="Next game (1)", exact=True)).to_be_visible()
    assert is_the_same(page)
    assert page.url.endswith(morpion.get_absolute_url())
    assert violations(page) == []
    page.locator(".game-verdict").focus()
    page.keyboard.press("n")
    page.wait_for_url(f"**{second.get_absolute_url()}")
    expect(page.locator("[data-key=n]")).to_have_count(0)


def test_offers_messages_and_the_end_come_by_themselves(morpion, ann, bob, newcomer, live_server):
    table = open_game(newcomer, live_server, ann, morpion)
    page = table.page
    mark(page)
    offer_end(game_id=morpion.pk, user=bob, now=timezone.now())
    expect(page.locator("#game-record")).to_contain_text("bob offers to end", timeout=SOON)
    say(game_id=morpion.pk, user=bob, text="Well?", via="web", now=timezone.now())
    expect(page.locator("#said")).to_contain_text("Well?", timeout=SOON)
    resign(game_id=morpion.pk, user=bob, now=timezone.now())
    expect(page.locator(".game-verdict")).to_have_text("You won.", timeout=SOON)
    expect(page.locator("#game-announcement")).to_have_text("You won.")
    expect(page.locator(".player-won")).to_contain_text("winner")
    expect(page.get_by_role("button", name="Ask for a rematch")).to_be_in_viewport(ratio=1)
    assert is_the_same(page)


def test_a_turn_that_was_begun_and_words_that_were_typed_stay(
    morpion, ann, bob, newcomer, live_server
):
    table = open_game(newcomer, live_server, ann, morpion)
    page = table.page
    table.click("5")
    expect(page.locator("svg.previewed")).to_be_visible()
    page.locator("#message-text").fill("I think that")
    offer_end(game_id=morpion.pk, user=bob, now=timezone.now())
    expect(page.locator("#game-record")).to_contain_text("bob offers to end", timeout=SOON)
    expect(page.locator("svg.previewed")).to_be_visible()
    expect(page.locator("#message-text")).to_have_value("I think that")
    expect(page.locator("#message-text")).to_be_focused()
    page.locator("[data-board-confirm]").click()
    expect(page.get_by_role("status")).to_have_text("Your turn is played.")
    expect(page.locator("#message-text")).to_have_value("I think that")


def test_a_refused_turn_is_told_in_the_page(morpion, ann, newcomer, live_server):
    table = open_game(newcomer, live_server, ann, morpion)
    page = table.page
    mark(page)
    page.locator("[data-entry-switch]").click()
    expect(table.typed).to_be_focused()
    table.typed.fill("nowhere")
    page.locator("[data-board-confirm]").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(table.typed).to_have_value("nowhere")
    expect(table.typed).to_be_visible()
    assert is_the_same(page)
    assert fresh(morpion).turn_number == 0


def test_who_was_signed_out_is_led_to_sign_in(morpion, ann, newcomer, live_server):
    table = open_game(newcomer, live_server, ann, morpion)
    table.click("5")
    table.person.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    table.page.locator("[data-board-confirm]").click()
    expect(table.page.locator("[name=login]")).to_be_visible()
    assert fresh(morpion).turn_number == 0


def test_a_table_becomes_the_game_by_itself(ann, bob, newcomer, live_server):
    game = open_table(ann, now=timezone.now())
    page = open_game(newcomer, live_server, ann, game).page
    join_table(game_id=game.pk, user=bob, now=timezone.now())
    expect(page.locator(".game-verdict")).to_be_visible(timeout=SOON)


COUNTS_SOUNDS = """
const start = OscillatorNode.prototype.start;
let sounds = 0;
OscillatorNode.prototype.start = function (...when) {
  document.documentElement.dataset.sounds = ++sounds;
  start.apply(this, when);
};
"""


def test_a_sound_tells_of_ones_turn_if_one_wishes_it(ann, bob, newcomer, live_server):
    game = begin(ann, bob, now=timezone.now())
    play_all(game, ["5"], now=timezone.now())
    table = open_game(newcomer, live_server, ann, game)
    page, html = table.page, table.page.locator("html")
    page.add_init_script(COUNTS_SOUNDS)
    page.reload()
    switch = page.get_by_role("button", name="Sound when it is my turn")
    expect(switch).to_have_attribute("aria-pressed", "false")
    play_all(game, ["1"], now=timezone.now())
    expect(page.locator(".game-verdict")).to_have_text("It is your turn.", timeout=SOON)
    assert html.get_attribute("data-sounds") is None
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(html).to_have_attribute("data-sounds", "2")  # two notes, to hear what it is like
    play_all(game, ["9"], now=timezone.now())
    expect(page.locator(".game-verdict")).to_have_text("It is bob’s turn.", timeout=SOON)
    assert html.get_attribute("data-sounds") == "2"
    play_all(game, ["2"], now=timezone.now())
    expect(html).to_have_attribute("data-sounds", "4", timeout=SOON)
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert violations(page) == []
