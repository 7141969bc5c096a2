"""Morpiae as one would play it by hand: slow, from the reading alone, with nothing of our engine.

A circle is a pair (column, row), both from 1; a line is the tuple of its five circles from the one
with the smaller column, in a column from the lower one.
"""

from itertools import product

LETTERS = "abcdefghijklmnopqrstuvwxyz"
DIRECTIONS = {"E-W": (1, 0), "N-S": (0, 1), "NE-SW": (1, 1), "NW-SE": (1, -1)}
CROSS = {
    (9 + x, 18 - y)
    for y, row in enumerate(
        [
            "   oooo   ",
            "   o  o   ",
            "   o  o   ",
            "oooo  oooo",
            "o        o",
            "o        o",
            "oooo  oooo",
            "   o  o   ",
            "   o  o   ",
            "   oooo   ",
        ]
    )
    for x, circle in enumerate(row)
    if circle == "o"
}


def name(circle):
    return f"{LETTERS[circle[0] - 1]}{circle[1]}"


def circle(square):
    return LETTERS.index(square[0]) + 1, int(square[1:])


def five(start, direction):
    (x, y), (across, up) = start, DIRECTIONS[direction]
    return tuple((x + at * across, y + at * up) for at in range(5))


ALL_LINES = [
    (direction, line)
    for direction in DIRECTIONS
    for start in product(range(1, 27), repeat=2)
    if set(line := five(start, direction)) <= set(product(range(1, 27), repeat=2))
]


def text(line):
    return f"{name(line[0])}-{name(line[-1])}"


BY_TEXT = {text(line): (direction, line) for direction, line in ALL_LINES}


class Sheet:
    """The circles, the directions in which each is crossed, and who coloured which."""

    def __init__(self, circles=CROSS):
        self.circles = set(circles)
        self.crossed = {direction: set() for direction in DIRECTIONS}
        self.coloured = {}

    def lines(self):
        """Return the texts of all lines that can be drawn."""
        return {
            text(line)
            for direction, line in ALL_LINES
            if len(set(line) - self.circles) == 1 and not set(line) & self.crossed[direction]
        }

    def new(self, notation):
        _, line = BY_TEXT[notation]
        return next(iter(set(line) - self.circles))

    def draw(self, seat, notation):
        """Draw a line and return the circles that take the player's colour."""
        direction, line = BY_TEXT[notation]
        self.circles |= set(line)
        self.crossed[direction] |= set(line)
        gained = {c for c in line if all(c in crossed for crossed in self.crossed.values())}
        self.coloured |= dict.fromkeys(gained, seat)
        return gained
