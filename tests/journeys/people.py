"""People at their browsers: what they do on Pli's pages, in their own language."""

import re

from django.utils import translation
from django.utils.translation import gettext, ngettext
from playwright.sync_api import expect

from tests.journeys.dev_inbox import Letterbox

PASSWORD = "a long walk home"

FROM_OUTSIDE = re.compile(r"Blocked script execution in '\S+/letterbox/\S+/html/'")
"""What the browser says when we look into a letter's sandbox; no page of ours runs one there."""


class Person:
    """Somebody with a browser of their own, who plays by clicking on the board."""

    def __init__(self, context, name, language):
        self.context, self.name, self.language = context, name, language
        self.address = f"{name}@example.org"
        self.page = context.new_page()
        self.letterbox = Letterbox(context, self.address)
        self.complaints = []
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("response", self._look_at)
        context.on("console", self._listen)

    def _look_at(self, response):
        if response.status >= 500:
            self.complaints.append(f"{response.status} {response.url}")

    def _listen(self, said):
        if said.type == "error" and not FROM_OUTSIDE.match(said.text):
            self.complaints.append(f"{said.text} ({self.page.url})")

    def words(self, sentence, **values):
        """Return a sentence of ours as this person reads it."""
        with translation.override(self.language):
            return gettext(sentence) % values if values else gettext(sentence)

    def words_for_one(self, singular, plural, **values):
        """Return the singular of a sentence that has a plural, as this person reads it."""
        with translation.override(self.language):
            return ngettext(singular, plural, 1) % values

    # Pages ---------------------------------------------------------------------------------------

    @property
    def main(self):
        return self.page.get_by_role("main")

    def press(self, sentence):
        self.main.get_by_role("button", name=self.words(sentence), exact=True).click()

    def open(self, sentence):
        self.main.get_by_role("link", name=self.words(sentence), exact=True).first.click()

    def sideways(self):
        """Return by how many pixels the page is wider than the window."""
        page = "document.documentElement"
        return self.page.evaluate(f"{page}.scrollWidth - {page}.clientWidth")

    # Mail ----------------------------------------------------------------------------------------

    def read_letter(self, kind):
        """Open the next letter: it must be of this kind and in this person's language."""
        letter = self.letterbox.next()
        assert letter.header("X-Pli-Kind") == kind, letter.subject
        assert letter.language == self.language
        return letter

    def follow(self, letter):
        """Press the letter's button, and go on where it leads."""
        page = letter.follow()
        letter.page.close()
        self.page.close()
        self.page = page

    # Accounts ------------------------------------------------------------------------------------

    def sign_up(self):
        """Fill in the form of the page that is open, then the code from the letterbox."""
        self.fill_in_sign_up()
        letter = self.read_letter("account")
        self.enter_code(letter.code)
        letter.page.close()

    def fill_in_sign_up(self):
        self.page.locator("[name=username]").fill(self.name)
        self.page.locator("[name=email]").fill(self.address)
        self.page.locator("[name=password1]").fill(PASSWORD)
        self.page.locator("form:has([name=password1]) [type=submit]").click()
        self.page.locator("[name=code]").wait_for()

    def enter_code(self, code):
        self.page.locator("[name=code]").fill(code)
        self.page.locator("form:has([name=code]) [type=submit]").first.click()
        expect(self.page.locator(".nav-name")).to_contain_text(self.name)

    # A game --------------------------------------------------------------------------------------

    def invite(self, address):
        """Make a table of Taquet, sit down to begin, and invite somebody who has no account."""
        self.page.goto("/")
        self.open("New game")
        self.open("Taquet")
        self.page.locator("[name=whom][value=address]").check()
        self.page.locator("[name=name]").fill(address)
        self.page.locator("[name=creator_seat]").select_option("0")
        self.press("Create the table")
        expect(self.main).to_contain_text(address)

    def sees(self):
        """Return what the page of a game shows: squares, turns, and the board as text."""
        labels = (
            "all => Object.fromEntries(all.map(one => [one.dataset.square, one.dataset.label]))"
        )
        return (
            self.page.locator("[data-board-svg] [data-square]").evaluate_all(labels),
            self.page.locator(".turn-list a").all_text_contents(),
            self.text_board(),
        )

    def text_board(self):
        return self.page.locator(".text-board").text_content()

    def choose(self, turn):
        """Click the squares of a turn and see what it would lead to."""
        for square in turn.squares:
            self.page.locator(f'[data-board-svg] [data-square="{square}"]').click()
        expect(self.page.locator("[data-board-svg] svg.previewed")).to_be_visible()
        expect(self.page.locator("[data-board-status]")).to_contain_text(turn.in_words(self))

    def play(self, turn):
        """Choose a turn, look at it, and play it."""
        self.choose(turn)
        expect(self.page.locator("[data-board] [name=text]")).to_have_value(turn.notation)
        self.press("Play this turn")
        expect(self.page.get_by_role("status")).to_contain_text(self.words("Your turn is played."))
        expect(self.page.locator(".turn-list a").last).to_have_text(turn.notation)

    def is_to_move(self):
        """Wait until the open page says so by itself."""
        verdict = self.page.locator(".game-verdict")
        expect(verdict).to_have_text(self.words("It is your turn."), timeout=30_000)

    def number_of_game(self):
        return re.search(r"/games/(\d+)/", self.page.url)[1]

    def players(self):
        """Return the names at the game, in the order of the seats."""
        return [name.strip() for name in self.page.locator(".players bdi").all_text_contents()]


class PersonWithoutScripts(Person):
    """Somebody whose browser runs no JavaScript, who plays from the list or by typing."""

    def choose(self, turn):
        """Take a turn from the list (or type it when it moves something), and look first."""
        if len(turn.squares) == 1:
            self.page.locator("[name=choice]").select_option(turn.notation)
        else:
            self.page.locator("[data-board] [name=text]").fill(turn.notation)
        self.press("Preview")
        expect(self.page.locator("[data-board-svg].preview svg")).to_be_visible()
        expect(self.page.locator("[data-board-status]")).to_contain_text(turn.in_words(self))


MONTHS = {
    "en": "January February March April May June July August September October November December",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}


def day_in(language):
    """Return a pattern of a day as it is written in this language."""
    months = MONTHS[language].replace(" ", "|")
    return re.compile(rf"\b\d{{1,2}} ({months}) 20\d\d\b")
