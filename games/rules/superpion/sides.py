"""Who holds which colours: the five variants, and what changes when somebody leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from games.rules.base import N_, Option, Options, Seat
from games.rules.superpion.geometry import BACK_ROWS, EAST, NORTH, WHITE, Squares, each, reachable

Colour = int

BLUE, RED, YELLOW, BLACK = COLOURS = (0, 1, 2, 3)
"""The colours clockwise from the south."""

BOX = 4
"""The colour of pawns from the box: none."""

LETTERS = "BRYK0"
COLOUR_NAMES = (N_("Blue"), N_("Red"), N_("Yellow"), N_("Black"))

OPTIONS = (
    Option(
        "variant",
        N_("Variant"),
        "four",
        choices=(
            ("four", N_("Four players")),
            ("teams", N_("Four players in two teams")),
            ("three", N_("Three players")),
            ("two", N_("Two players with neighbouring camps")),
            ("superduel", N_("Two super players with opposite camps")),
        ),
    ),
    Option(
        "empty",
        N_("The camp that nobody plays"),
        "K",
        choices=tuple(zip(LETTERS, COLOUR_NAMES, strict=False)),
        help=N_("Its pawns stay on the board, and anybody may capture them."),
        only_with=("variant", "three"),
    ),
    Option(
        "quiet_rounds",
        N_("Rounds without a capture or a promotion until the end"),
        10,
        minimum=5,
        maximum=50,
    ),
)

_HOLDERS: dict[str, tuple[Seat, ...]] = {
    "four": (0, 1, 2, 3),
    "teams": (0, 1, 2, 3),
    "two": (0, 0, 1, 1),
    "superduel": (0, 1, 0, 1),
}
"""The seat that holds each colour at the start."""

_STEPS = (
    (2 * NORTH, 2 * EAST, -2 * EAST),
    (2 * EAST, 2 * NORTH, -2 * NORTH),
    (-2 * NORTH, 2 * EAST, -2 * EAST),
    (-2 * EAST, 2 * NORTH, -2 * NORTH),
)
"""By colour: the shifts of a pawn, straight ahead and to either side."""

_NORTH_AND_EAST = (2 * NORTH, 2 * EAST)
_SOUTH_AND_WEST = (-2 * NORTH, -2 * EAST)


@dataclass(frozen=True)
class Seating:
    """Everything about a game that only a player's leaving can change.

    `left` holds the seats that have withdrawn, first to last. Indexed by colour: `holder` (the
    seat that plays it, None for an empty camp's), `side` (partners share one; None likewise),
    `prey` (the colours that it may capture), `goals` (the back rows where it is promoted), `steps`
    (the shifts of its pawns), `promising` (where a pawn of it could still be promoted from, were
    the board empty).
    """

    variant: str
    empty: Colour
    quiet_rounds: int
    left: tuple[Seat, ...]
    holder: tuple[Seat | None, ...] = field(compare=False)
    side: tuple[int | None, ...] = field(compare=False)
    prey: tuple[tuple[Colour, ...], ...] = field(compare=False)
    goals: tuple[Squares, ...] = field(compare=False)
    steps: tuple[tuple[int, ...], ...] = field(compare=False)
    promising: tuple[Squares, ...] = field(compare=False)

    @property
    def seats(self) -> int:
        """The number of seats, of those who left too."""
        return seats(self.variant)

    @property
    def sides(self) -> tuple[int, ...]:
        """Each seat's side; partners share a number."""
        return _sides(self.variant)

    def colours(self, seat: Seat) -> tuple[Colour, ...]:
        """Return the colours that are the seat's own from the start."""
        owners = _owners(self.variant, self.empty)
        return tuple(colour for colour in COLOURS if owners[colour] == seat)

    def without(self, seat: Seat) -> Seating:
        """Return the seating after this seat has withdrawn."""
        return seating(self.variant, self.empty, self.quiet_rounds, (*self.left, seat))


def seats(variant: str) -> int:
    """Return the number of seats."""
    return {"three": 3, "two": 2, "superduel": 2}.get(variant, 4)


def from_options(options: Options) -> Seating:
    """Return the seating at the start under these (checked) options."""
    return seating(
        str(options["variant"]),
        LETTERS.index(str(options["empty"])),
        int(options["quiet_rounds"] or 0),
        (),
    )


@cache
def seating(variant: str, empty: Colour, quiet_rounds: int, left: tuple[Seat, ...]) -> Seating:
    """Return the one seating with these values; `empty` means something in `three` alone."""
    owners = _owners(variant, empty)
    holder = tuple(_stand_in(variant, seat, left) for seat in owners)
    steps = tuple(_steps(variant, colour) for colour in COLOURS)
    friends = tuple(_friends(variant, owners, colour) for colour in COLOURS)
    goals = tuple(sum(BACK_ROWS[camp] for camp in COLOURS if camp not in f) for f in friends)
    return Seating(
        variant=variant,
        empty=empty if variant == "three" else BLACK,
        quiet_rounds=quiet_rounds,
        left=left,
        holder=holder,
        side=tuple(None if seat is None else _sides(variant)[seat] for seat in holder),
        prey=tuple(tuple(prey for prey in COLOURS if prey not in f) for f in friends),
        goals=goals,
        steps=steps,
        promising=tuple(
            0 if holder[c] is None else _promising(goals[c], steps[c]) for c in COLOURS
        ),
    )


def _owners(variant: str, empty: Colour) -> tuple[Seat | None, ...]:
    """Return the seat of each colour; in `three` the seats go clockwise past the empty camp."""
    if variant != "three":
        return _HOLDERS[variant]
    played = [colour for colour in COLOURS if colour != empty]
    return tuple(None if colour == empty else played.index(colour) for colour in COLOURS)


def _sides(variant: str) -> tuple[int, ...]:
    return (0, 1, 0, 1) if variant == "teams" else tuple(range(seats(variant)))


def _stand_in(variant: str, seat: Seat | None, left: tuple[Seat, ...]) -> Seat | None:
    """Return who plays for a seat: itself, its partner once it has left, or nobody."""
    if seat is None or seat not in left:
        return seat
    partner = (seat + 2) % 4
    return partner if variant == "teams" and partner not in left else None


def _friends(variant: str, owners: tuple[Seat | None, ...], colour: Colour) -> tuple[Colour, ...]:
    """Return the colours on the same side for good, whoever has left."""
    if owners[colour] is None:
        return (colour,)
    side: dict[int | None, int] = dict(enumerate(_sides(variant)))
    return tuple(
        other
        for other in COLOURS
        if owners[other] is not None and side[owners[other]] == side[owners[colour]]
    )


def _steps(variant: str, colour: Colour) -> tuple[int, ...]:
    if variant == "two":
        return _NORTH_AND_EAST if colour in (BLUE, RED) else _SOUTH_AND_WEST
    return _STEPS[colour]


@cache
def _promising(goals: Squares, steps: tuple[int, ...]) -> Squares:
    return sum(1 << square for square in each(WHITE) if reachable(square, steps) & goals)
