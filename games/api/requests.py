"""What requests to the API say, as types: the reference is made of them."""

from typing import Annotated, Literal, Self

from ninja import Schema
from pydantic import AwareDatetime, ConfigDict, Field, model_validator

from games.api.schemas import OptionValue

TurnNumber = Annotated[int, Field(ge=1, le=1_000_000)]


class In(Schema):
    """What a request says. Anything that is not listed is refused, so that no mistype is lost."""

    model_config = ConfigDict(extra="forbid")


class NewAccepts(In):
    """What a program accepts from now on, all of it."""

    is_open: bool = True
    games: Annotated[list[str], Field(max_length=100)] = []
    options: dict[str, dict[str, Annotated[list[OptionValue], Field(max_length=100)]]] = {}
    shortest: Annotated[int, Field(ge=1, le=366 * 86_400)] = 300
    longest: Annotated[int, Field(ge=1, le=366 * 86_400)] = 30 * 86_400
    most_games: Annotated[int, Field(ge=1, le=500)] = 20
    most_per_person: Annotated[int, Field(ge=1, le=500)] = 3


class NewTurn(In):
    """A turn: `turn` is `next_turn` of the position it is meant for, `text` is its notation."""

    turn: TurnNumber
    text: Annotated[str, Field(max_length=2000)]


class NewPace(In):
    """How much time a seat has, in seconds: see Pace. What a kind does not use is zero."""

    kind: Literal["turn", "fischer", "total"] = "turn"
    allowance: Annotated[int, Field(ge=0, le=366 * 86_400)] = 0
    bank: Annotated[int, Field(ge=0, le=366 * 86_400)] = 0
    cap: Annotated[int, Field(ge=0, le=366 * 86_400)] = 0


class NewOffer(In):
    """An offer: `days` for a pause (3, 7, 14 or 30), `pace` for a new pace."""

    kind: Literal["agreed-end", "pause", "pace", "takeback"]
    days: Annotated[int, Field(ge=1, le=30)] | None = None
    pace: NewPace | None = None


class OfferAnswer(In):
    """Others accept or decline an offer; who made it withdraws it."""

    answer: Literal["accept", "decline", "withdraw"]


class NewMessage(In):
    """A message, plain text."""

    text: Annotated[str, Field(max_length=10_000)]


class NewPlans(In):
    """Plans, one a line, as in docs/mail-grammar.md: “if 74 then 43”.

    `turn` is `next_turn` of the position that you saw.
    """

    turn: TurnNumber
    lines: Annotated[
        list[Annotated[str, Field(max_length=4000)]], Field(min_length=1, max_length=100)
    ]


class DroppedPlan(In):
    """The planned turn to drop, with what follows it; null: all of them."""

    id: Annotated[int, Field(ge=1, le=2**62)] | None = None


class NewNote(In):
    """A note; no text removes it."""

    after: Annotated[int, Field(ge=0, le=1_000_000)]
    text: Annotated[str, Field(max_length=20_000)]


class NewTable(In):
    """A table. `opponent` is a user name; without one, anybody can join, and the table is public.

    With a `level`, programs of this site take all other seats, and the game begins at once.
    """

    game: Annotated[str, Field(max_length=40)]
    options: dict[str, OptionValue] = {}
    pace: NewPace
    opponent: Annotated[str, Field(max_length=60)] | None = None
    level: Annotated[int, Field(ge=1, le=5)] | None = Field(
        default=None, description="At which the site's programs play; without `opponent`."
    )
    your_seat: Annotated[int, Field(ge=0, le=20)] | None = None
    is_public: bool = True
    allows_vacations: bool = True
    allows_days_off: bool = True
    on_timeout: Literal["withdraw", "substitute", "partner"] = "withdraw"
    is_rated: bool | None = Field(default=None, description="null: as the host chose.")

    @model_validator(mode="after")
    def _one_kind_of_opponent(self) -> Self:
        if self.level is not None and self.opponent is not None:
            raise ValueError("give a level or an opponent, not both")
        return self


class NewWish(In):
    """The game and pace to find opponents for, the range of their ratings, how many at once."""

    game: Annotated[str, Field(max_length=40)]
    options: dict[str, OptionValue] = {}
    pace: NewPace
    lowest: Annotated[int, Field(ge=0, le=5000)] | None = None
    highest: Annotated[int, Field(ge=0, le=5000)] | None = None
    at_once: Annotated[int, Field(ge=1, le=10)] = 1


class NewChallenge(In):
    """Whom to invite."""

    username: Annotated[str, Field(max_length=60)]


class Decline(In):
    """Why: the challenger is told by the API."""

    reason: Literal["", "later", "game", "options", "pace", "busy"] = ""


class PuzzleAnswer(In):
    """An answer to a puzzle: a whole turn in the notation of its game.

    `line` holds your own turns before it, as `line` of the answer before says; none for the first.
    """

    text: Annotated[str, Field(max_length=2000)]
    line: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=20)] = []


class LinkKey(In):
    """The key of a tournament's link, for one that is only for those who have it."""

    key: Annotated[str, Field(max_length=40)] = ""


class NewTournament(In):
    """A tournament; what its `form` does not use is ignored.

    With `by_link` it is in no list, and only who has its `link` can see and join it.
    """

    game: Annotated[str, Field(max_length=40)]
    options: dict[str, OptionValue] = {}
    pace: NewPace
    allows_vacations: bool = True
    allows_days_off: bool = True
    name: Annotated[str, Field(max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    form: Literal["round-robin", "swiss", "knockout", "groups"]
    most_players: Annotated[int, Field(ge=3, le=64)]
    starts_at: AwareDatetime
    starts_when_full: bool = False
    game_days: Annotated[int, Field(ge=1, le=120)] = 30
    legs: Annotated[int, Field(ge=1, le=2)] = 1
    best_of: Literal[1, 3, 5] = 1
    swiss_rounds: Annotated[int, Field(ge=2, le=9)] = 5
    group_size: Annotated[int, Field(ge=3, le=6)] = 4
    has_third_place: bool = False
    least_rating: Annotated[int, Field(ge=1, le=4000)] | None = None
    most_rating: Annotated[int, Field(ge=1, le=4000)] | None = None
    by_link: bool = False
