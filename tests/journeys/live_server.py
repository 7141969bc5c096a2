"""Games made by the services and shown by Django's live server: a journey from their middle."""

from django.conf import settings
from django.test import Client
from playwright.sync_api import expect


class Here:
    """The service inside the tests, as far as a journey knows one."""

    def __init__(self, site):
        self.site, self.processes = site, self

    def words(self):
        return "The service ran inside the tests."


def open_page(newcomer, live_server, user, path, **more):
    """Let a user look at a page, signed in, in a browser of their own; return the person."""
    site = live_server.url.replace("127.0.0.1", "localhost")
    signed_in = Client()
    signed_in.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    person = newcomer(user.username, user.language, service=Here(site), **more)
    cookie = {"name": name, "value": signed_in.cookies[name].value, "url": site}
    person.context.add_cookies([cookie])
    person.page.goto(path)
    return person


def open_game(newcomer, live_server, user, game, **more):
    """Let a player of a game look at its page, signed in, in a browser of their own."""
    person = open_page(newcomer, live_server, user, game.get_absolute_url(), **more)
    return Table(person, game)


class Table:
    """A player's page of a game, on which a turn is chosen action by action."""

    def __init__(self, person, game):
        self.person, self.page, self.game = person, person.page, game
        self.chosen = []
        self.says = self.page.locator("[data-board-status]")
        self.typed = self.page.locator("[data-board] [name=text]")
        self.choices = self.page.locator("[data-board-choices] button")
        self.play = self.page.locator("[data-board-confirm]")

    def cell(self, square):
        return self.page.locator(f'[data-board-svg] [data-square="{square}"]')

    def click(self, square):
        """Click a square, or touch it on a phone, and wait until the page has asked about it."""
        touch = self.page.evaluate("navigator.maxTouchPoints") > 0
        (self.cell(square).tap if touch else self.cell(square).click)()
        expect(self.page.locator("[data-board][aria-busy]")).to_have_count(0)

    def pieces(self):
        """Return the squares that are not empty on the board shown, whatever the language."""
        empty = self.person.words("empty")
        labels = self.page.locator("[data-board-svg] [data-label]").evaluate_all(
            "all => all.map(one => [one.dataset.square, one.dataset.label])"
        )
        return {square for square, label in labels if f", {empty}" not in label}

    def height(self, square):
        """Return how far down the page a square lies."""
        return self.cell(square).bounding_box()["y"]

    def legal(self):
        """Return what can be chosen next: each action's text with the squares to click."""
        rules = self.game.rules
        position = rules.load(self.game.position)
        if self.chosen:
            _, position = rules.parse_actions(position, ", ".join(self.chosen))
        return {
            rules.format(position, a): rules.squares(position, a)
            for a in rules.legal_actions(position)
        }

    def choose(self, action):
        """Choose one more action by its squares, and by its button where those are not enough."""
        legal = self.legal()
        whole = ", ".join([*self.chosen, action])
        for square in legal[action]:
            if self.typed.input_value() != whole:
                self.click(square)
        if list(legal.values()).count(legal[action]) > 1:
            self.choices.filter(has_text=f"{action} – ").click()
        self.chosen.append(action)
        self.shows_chosen()

    def take_back(self):
        self.person.press("Take back")
        self.chosen.pop()
        self.shows_chosen()

    def shows_chosen(self):
        """The field holds what is chosen, and the drawing is the one it would lead to."""
        expect(self.typed).to_have_value(", ".join(self.chosen))
        previewed = self.page.locator("[data-board-svg] svg.previewed")
        expect(previewed).to_have_count(1 if self.chosen else 0)

    def shows_in_the_list(self, number):
        """Tell whether a turn can be seen in the list of turns without scrolling the list."""
        turns = self.page.locator(".turn-list")
        inside, entry = turns.bounding_box(), turns.locator("li").nth(number - 1).bounding_box()
        above = entry["y"] >= inside["y"] - 1
        return above and entry["y"] + entry["height"] <= inside["y"] + inside["height"] + 1
