"""Games by what the accessibility tree says alone, as a screen reader tells it."""

import random
import re
from dataclasses import dataclass
from itertools import chain

import pytest
from django.utils import timezone, translation
from django.utils.translation import gettext
from playwright.sync_api import expect

from games.rules.random_games import random_turn
from games.services.record import faults_of
from tests.games.play import begin, fresh, play
from tests.journeys.live_server import open_game
from tests.lanes import long

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(900),
]

OPTIONS = {"superpion": {"variant": "superduel", "quiet_rounds": 5}}
SEEDS = {"morpion": 4, "super-morpion": 53, "morpiae": 4, "taquet": 2, "superpion": 10}
"""Of games that random turns end soon."""

BEGINNING, END = 10, 4
"""Turns that are played by the tree at the beginning and at the end of a game. Those between show
nothing new, and each takes seconds."""

ENTRY = re.compile(
    r"- '?(?P<role>\w+)(?: \"(?P<name>(?:[^\"\\]|\\.)*)\")?(?P<states>(?: \[\w+[^]]*\])*)"
)


@dataclass(frozen=True)
class Entry:
    """An element as the tree tells it."""

    role: str
    name: str
    states: str

    @property
    def can_be_pressed(self):
        return self.role == "button" and "disabled" not in self.states


class Reader:
    """A player who knows only what the tree of a page says, and presses what it names."""

    def __init__(self, table):
        self.table, self.person, self.page = table, table.person, table.page

    def read(self, part):
        """Return the entries of the tree below a landmark of that name."""
        name = self.person.words(part)
        told = self.page.get_by_role("region", name=name, exact=True).aria_snapshot()
        return [
            Entry(found["role"], found["name"] or "", found["states"])
            for found in map(ENTRY.match, map(str.strip, told.splitlines()))
            if found
        ]

    def squares(self):
        """Return the entries of the board's squares."""
        return [entry for entry in self.read("The board") if entry.role == "button"]

    def press(self, entry):
        """Press a button by its name, as a screen reader does: no pointer, no place."""
        self.page.get_by_role("button", name=entry.name, exact=True).press("Enter")
        expect(self.page.locator("[aria-busy=true]")).to_have_count(0)

    def choose(self, notation, squares, words):
        """Press the squares of an action, and its words where the squares leave it open."""
        for square in squares:
            self.press(next(one for one in self.squares() if one.name.startswith(f"{square}, ")))
            if self.is_chosen(notation):
                return
        with translation.override(self.person.language):
            said = words.translated(gettext)
        named = {f"{notation} – {said}", said[0].upper() + said[1:]}
        self.press(next(one for one in self.read("Your turn") if one.name in named))
        assert self.is_chosen(notation)

    def is_chosen(self, notation):
        """Tell whether the page says that this is the last action of the turn so far."""
        chosen = self.page.locator("[data-board] [name=text]").input_value()
        return chosen.split(", ")[-1] == notation

    def play(self):
        """Press the button, and hear that the turn is played."""
        play = self.person.words("Play this turn")
        button = next(entry for entry in self.read("Your turn") if entry.name == play)
        assert button.can_be_pressed
        self.press(button)
        said = self.page.get_by_role("status")
        expect(said).to_contain_text(self.person.words("Your turn is played."))


def names_on(board, language):
    """Return how the squares of a board are called."""
    pieces = {piece.square: piece.name for piece in board.pieces}
    with translation.override(language):
        return {
            f"{cell.square}, {gettext(pieces.get(cell.square, 'empty'))}" for cell in board.cells
        }


@pytest.mark.parametrize(
    "slug", ["morpion", "superpion", *long("super-morpion", "morpiae", "taquet")]
)
def test_a_game_is_played_by_the_tree(ann, bob, newcomer, live_server, slug):
    now = timezone.now()
    game = begin(ann, bob, now=now, slug=slug, options=OPTIONS.get(slug, {}))
    readers = [Reader(open_game(newcomer, live_server, user, game)) for user in (ann, bob)]
    users, rules = [ann, bob], game.rules
    chance, position, turns = random.Random(SEEDS[slug]), rules.load(game.position), []
    while rules.to_move(position) is not None:
        text, position = random_turn(rules, position, chance)
        turns.append(text)
    for number, text in enumerate(turns):
        position = rules.load(game.position)
        mover = game.seats.get(number=game.seat_to_move).user
        if BEGINNING <= number < len(turns) - END:
            play(game, mover, text, now=now)
            game = fresh(game)
            continue
        reader = readers[users.index(mover)]
        reader.page.reload()
        expect(reader.person.main).to_contain_text(reader.person.words("It is your turn."))
        told = reader.squares()
        just_played = f", {reader.person.words('just played')}"
        board = rules.board(position, game.seat_to_move, ())
        named = {entry.name.removesuffix(just_played) for entry in told}
        assert named == names_on(board, reader.person.language)
        can = {entry.name.split(",")[0] for entry in told if entry.can_be_pressed}
        # Some squares can be pressed in any order; passing has none.
        paths = [rules.squares(position, action) for action in rules.legal_actions(position)]
        if rules.hides_legal_actions(position):
            assert len(can) == len(told)
        else:
            assert can <= set(chain.from_iterable(paths))
            assert all(can.intersection(path) for path in paths if path)
        for action in rules.parse_turn(position, text):
            words = rules.describe(position, action)
            reader.choose(rules.format(position, action), rules.squares(position, action), words)
            position = rules.play(position, action)
        reader.play()
        game = fresh(game)
    assert game.is_over
    assert faults_of(game) == []
    places = dict(game.seats.values_list("user_id", "place"))
    for reader, user in zip(readers, users, strict=True):
        reader.page.reload()
        if list(places.values()).count(1) != 1:
            said = reader.person.words("A draw.")
        elif places[user.pk] == 1:
            said = reader.person.words("You won.")
        else:
            lost = "You lost: %(names)s won."
            winner = bob.username if user == ann else ann.username
            said = reader.person.words_for_one(lost, lost, names=winner)
        expect(reader.person.main.get_by_text(said, exact=True)).to_be_visible()
        assert not any(entry.can_be_pressed for entry in reader.read("The board"))
