"""The five variants: which seat plays which colours, and what changes when a player leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from games.rules.base import N_, Option, Options, Seat
from games.rules.superpion.geometry import BACK_ROWS, EAST, NORTH, Squares, squares_leading_to

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
        help=N_("Its pawns stay on the board, and every player may capture them."),
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

_STEPS_IN_TWO = (
    (2 * NORTH, 2 * EAST),
    (2 * NORTH, 2 * EAST),
    (-2 * NORTH, -2 * EAST),
    (-2 * NORTH, -2 * EAST),
)
"""By colour: the shifts of a pawn in the variant `two`, towards the other player's camps."""


@dataclass(frozen=True)
class Seating:
    """Everything about a game that only a player's leaving can change.

    `left` holds the seats that have withdrawn, first to last. Indexed by colour: `holder` (the
    seat that plays it, None for an empty camp's), `side` (partners share one; None likewise),
    `prey` (the colours that it may capture), `friends` (the others, itself included), `goals` (the
    back rows where it is promoted), `steps` (the shifts of its pawns), `can_promote_from` (the
    squares from which a pawn could still be promoted if the board were empty).
    """

    variant: str
    empty: Colour
    quiet_rounds: int
    left: tuple[Seat, ...]
    holder: tuple[Seat | None, ...] = field(compare=False)
    side: tuple[int | None, ...] = field(compare=False)
    prey: tuple[tuple[Colour, ...], ...] = field(compare=False)
    friends: tuple[tuple[Colour, ...], ...] = field(compare=False)
    goals: tuple[Squares, ...] = field(compare=False)
    steps: tuple[tuple[int, ...], ...] = field(compare=False)
    can_promote_from: tuple[Squares, ...] = field(compare=False)

    @property
    def seats(self) -> int:
        """The number of seats, including those that have withdrawn."""
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
    owners, sides = _owners(variant, empty), _sides(variant)
    holder: list[Seat | None] = []
    friends: list[set[Colour]] = []
    for colour, seat in enumerate(owners):
        if seat is None:
            holder.append(None)
            friends.append({colour})
            continue
        # In teams a partner plays for the seat that has left.
        partner = (seat + 2) % 4
        alone = variant != "teams" or partner in left
        holder.append(seat if seat not in left else None if alone else partner)
        # Friends stay friends after they have left.
        same_side = (s is not None and sides[s] == sides[seat] for s in owners)
        friends.append({other for other, same in enumerate(same_side) if same})
    goals = tuple(sum(BACK_ROWS[camp] for camp in COLOURS if camp not in f) for f in friends)
    steps = _STEPS_IN_TWO if variant == "two" else _STEPS
    return Seating(
        variant=variant,
        empty=empty if variant == "three" else BLACK,
        quiet_rounds=quiet_rounds,
        left=left,
        holder=tuple(holder),
        side=tuple(None if seat is None else sides[seat] for seat in holder),
        prey=tuple(tuple(prey for prey in COLOURS if prey not in f) for f in friends),
        friends=tuple(tuple(sorted(f)) for f in friends),
        goals=goals,
        steps=steps,
        can_promote_from=tuple(
            0 if holder[c] is None else squares_leading_to(goals[c], steps[c]) for c in COLOURS
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
