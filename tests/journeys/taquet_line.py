"""A short game of Taquet that both players help to end: a man's step makes the first line."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Turn:
    """A turn: its notation, the squares to click, and the sentence that tells it."""

    notation: str
    squares: tuple[str, ...]
    sentence: str

    def in_words(self, person):
        """Return what the turn does, in a person's language."""
        values = {"start": self.squares[0], "end": self.squares[-1], "square": self.squares[-1]}
        return person.words(self.sentence, **values)


def _places(square):
    return Turn(square, (square,), "places a man on %(square)s")


LINE = (
    _places("a1"),
    _places("c3"),
    _places("a2"),
    Turn("Tb1", ("b2", "b1"), "slides the taquet from %(start)s to %(end)s"),
    _places("c2"),
    _places("b3"),
    Turn("a1-b2", ("a1", "b2"), "moves a man from %(start)s to %(end)s"),
)
"""Played alternately; the beginner (discs) ends it with a2, b2, c2."""

LAST_BOARD = """\
3  . A A
2  O[O]O
1 [.]T .
"""
