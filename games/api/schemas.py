"""What the API answers, as types: the reference is made of them.

Times are RFC 3339 in UTC, spans are seconds. New members may be added within v1: ignore those that
you do not know. `turn` is always the number of an entry in the record, which counts from 1.
"""

from datetime import datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

OptionValue = bool | int | str | None


class Out(Schema):
    """An answer."""


# Problems ----------------------------------------------------------------------------------------


class Problem(Out):
    """Why a request was refused (RFC 9457). More members depend on the code."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(description="The address of a page that explains the code.")
    title: str
    status: int
    detail: str = Field(description="A sentence for a person, in the language asked for.")
    code: str


# People ------------------------------------------------------------------------------------------


class Player(Out):
    """Somebody who plays. `owner` is the user name of the person whose program it is."""

    username: str
    name: str
    is_program: bool
    owner: str | None = None


class Accepts(Out):
    """What a program accepts: `options` names values of a game's options, {slug: {key: [value]}}.

    An empty list of games stands for all of them. A game's first turn must have between
    `shortest` and `longest` seconds.
    """

    is_open: bool
    games: list[str]
    options: dict[str, dict[str, list[OptionValue]]]
    shortest: int
    longest: int
    most_games: int
    most_per_person: int


class Me(Out):
    """The account for which the token acts, and what the token allows."""

    username: str
    name: str
    is_program: bool
    owner: str | None
    language: str
    time_zone: str
    scopes: list[str]
    expires_at: datetime | None
    accepts: Accepts | None


# Games -------------------------------------------------------------------------------------------


class Seat(Out):
    """A place at a game. `side` is shared by partners. `place` and `points` are the result.

    Seats count from 0. `level` is that at which a program of this site plays.
    """

    number: int
    name: str
    side: int
    player: Player | None
    level: int | None
    is_to_move: bool
    has_left: bool = Field(description="The player has left a game that the others go on with.")
    time_left: float | None = Field(description="Seconds for the seat's turn, while it waits.")
    place: int | None = Field(description="1 for who won, alone or with others.")
    points: int | None = Field(description="As the game's rules count them; null without points.")


class Pace(Out):
    """How much time a seat has, in seconds.

    turn: `allowance` for each turn. fischer: `bank` at first, `allowance` more after each turn, up
    to `cap`. total: `bank` for the whole game.
    """

    kind: Literal["turn", "fischer", "total"]
    allowance: float
    bank: float
    cap: float


class Game(Out):
    """A game or an open table, as the token's user sees it."""

    id: int
    url: str
    game: str = Field(description="The game's slug, as in /rules.")
    game_name: str
    options: dict[str, OptionValue]
    status: Literal["open", "active", "finished", "aborted", "closed"]
    ending: str = Field(
        description="Why it is over: a reason of the game's rules, or one of the words in "
        "docs/api.md, “How a game ends”. Empty until then."
    )
    is_public: bool = Field(description="Everybody can look on, people without an account too.")
    is_rated: bool
    created_at: datetime
    started_at: datetime | None = Field(description="When the last seat was taken.")
    ended_at: datetime | None
    expires_at: datetime | None = Field(description="When an open table closes.")
    pace: Pace
    turns_played: int
    next_turn: int | None = Field(description="The number to send with the next turn.")
    seat_to_move: int | None
    deadline: datetime | None
    clock_stopped: str = Field(description="Why the clock is stopped; empty while it runs.")
    seats: list[Seat]
    your_seat: int | None
    is_your_turn: bool
    record_hash: str = Field(description="The hash of the newest entry, or of the opening.")


class Games(Out):
    """A part of a list. `next` is the cursor of the part that follows, null at the end."""

    games: list[Game]
    next: str | None


class Cell(Out):
    """A place of the board, one square large, named as in the notation."""

    square: str
    x: float
    y: float
    shade: str = Field(description="light, dark or point (a crossing of squared paper).")
    label: str = Field(description="What is shown faintly while the cell is empty.")
    used: bool = Field(description="Whether there can be pieces.")


class Piece(Out):
    """A piece on a cell; `crown` is the side of a second piece on top."""

    square: str
    shape: str
    side: int | None
    symbol: str
    name: str
    crown: int | None
    crown_shape: str


class Line(Out):
    """A stroke between the centres of two cells; `win` marks the one that decided the game."""

    start: str
    end: str
    side: int | None
    win: bool


class Area(Out):
    """A framed part of the board; `target` says that play must go there."""

    x: float
    y: float
    width: float
    height: float
    label: str
    target: bool
    closed: bool
    shape: str | None
    side: int | None


class Heap(Out):
    """A number of like pieces off the board."""

    shape: str
    side: int | None
    symbol: str
    name: str
    count: int


class Tray(Out):
    """A seat's pieces beside the board."""

    seat: int
    label: str
    heaps: list[Heap]


class Board(Out):
    """The drawing of a position as data. Lengths are in squares, from the top left corner."""

    width: float
    height: float
    cells: list[Cell]
    pieces: list[Piece]
    lines: list[Line]
    areas: list[Area]
    trays: list[Tray]
    last: list[str] = Field(description="The squares of the turn just played.")


class Legal(Out):
    """Whole legal turns; without `is_complete` there are more than these."""

    turns: list[str]
    is_complete: bool


class Position(Out):
    """A position of a game after so many entries of its record.

    `legal` is there for the player to move only; in games in which finding it is part of the game,
    only for programs.
    """

    after: int
    next_turn: int | None = Field(description="As in Game; null for all but the player to move.")
    seat_to_move: int | None
    text: str = Field(description="All of the position, as the game's rules write it.")
    board: Board
    points: list[int] | None = Field(description="Of each seat; null where none are counted.")
    legal: Legal | None


class Entry(Out):
    """One entry of the record: a turn, `withdraw N` or `takeback N`."""

    turn: int
    seat: int
    player: str = Field(description="The user name.")
    notation: str
    played_at: datetime
    via: str = Field(
        description="How it came about: web, mail, api, plan (a planned turn), program (one of "
        "this site), left (the player left), takeback, or copied (from another game)."
    )
    hash: str


class Entries(Out):
    """Entries in their order. `next` is the number to ask after for more, null at the end."""

    entries: list[Entry]
    next: int | None


class RecordEntry(Out):
    """One entry of the record as its hash covers it."""

    seat: int
    notation: str
    played_at: str = Field(description="With microseconds: the hash covers this very text.")
    hash: str


class Record(Out):
    """The record of a game, which anybody can verify (docs/record-files.md)."""

    format: str
    site: str
    game: int
    rules: str
    options: dict[str, OptionValue]
    players: list[str]
    status: str
    ending: str
    places: list[int | None]
    entries: list[RecordEntry]


# What is due -------------------------------------------------------------------------------------


class Due(Out):
    """A turn to play."""

    game: int
    url: str
    turn: int
    rules: str
    deadline: datetime | None
    opponents: list[str]


class Challenge(Out):
    """An invitation to a table, to be accepted or declined."""

    id: int
    game: int
    rules: str
    options: dict[str, OptionValue]
    pace: Pace
    by: Player
    seat: int | None = Field(description="The seat that you would take; null: any that is free.")
    is_rated: bool
    created_at: datetime
    expires_at: datetime | None = Field(description="When the table closes.")


class Offer(Out):
    """What somebody proposes. `details` has a pause's days, a pace, or the turn to take back."""

    id: int
    game: int
    kind: Literal["agreed-end", "pause", "pace", "takeback"]
    seat: int
    details: dict[str, Any]
    made_at: datetime
    is_yours: bool
    accepted_by: list[int]


class Turns(Out):
    """All that waits for the token's user: turns (oldest deadline first), challenges, offers."""

    turns: list[Due]
    challenges: list[Challenge]
    offers: list[Offer]


class Offers(Out):
    """Open offers."""

    offers: list[Offer]


class Challenges(Out):
    """Open challenges."""

    challenges: list[Challenge]


# Acting ------------------------------------------------------------------------------------------


class PlayedTurn(Out):
    """The turn in the record. `already`: it was there before this request.

    `answers` are the turns that players had planned for what came about.
    """

    turn: int
    notation: str
    hash: str
    already: bool
    answers: list[Entry]
    game: Game


class CheckedTurn(Out):
    """What a turn, or its beginning, would do. `continuations` are the actions that can follow."""

    notation: str
    words: str
    is_complete: bool
    continuations: list[str] | None
    board: Board


class Message(Out):
    """A message. `text` is empty if a moderator has hidden it or its author is gone."""

    id: int
    author: str
    text: str
    said_at: datetime
    turns_played: int = Field(description="How many entries the record had then.")


class Messages(Out):
    """Messages, oldest first. `next` is the number to ask after for more, null at the end."""

    messages: list[Message]
    next: int | None


class Plan(Out):
    """A planned turn. `step` is what is missing since the one before it: “if 74 then 43”."""

    id: int
    depth: int
    step: str
    words: str


class Plans(Out):
    """One's own planned turns."""

    plans: list[Plan]


class Note(Out):
    """A private note on a position of the game, after so many entries of its record."""

    after: int
    text: str


class Notes(Out):
    """One's own notes."""

    notes: list[Note]


# Tables ------------------------------------------------------------------------------------------


class Answered(Out):
    """What became of an invitation to one's own table."""

    player: str
    state: str = Field(description="open, accepted, declined or lapsed (no seat is left).")
    reason: str = Field(description="What was sent as the `reason` when it was declined.")


class Left(Out):
    """The table that was left."""

    game: int


class Invitations(Out):
    """The invitations to a table."""

    invitations: list[Answered]


# Rules -------------------------------------------------------------------------------------------


class Option(Out):
    """What can be chosen for a table."""

    key: str
    label: str
    default: OptionValue
    choices: list[str]
    minimum: int | None
    maximum: int | None


class Level(Out):
    """How well a program of this site can play: `name` is what it does, 1 the weakest."""

    level: int
    name: str
    summary: str


class Rules(Out):
    """A game that can be played here, and the levels of this site's programs."""

    game: str
    name: str
    summary: str
    options: list[Option]
    levels: list[Level]
    rulebook: str


class AllRules(Out):
    """The games that can be played here."""

    games: list[Rules]
