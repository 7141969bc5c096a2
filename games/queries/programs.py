"""What a game's page says of the programs that play in it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import User
from games.clock.durations import span_in_words
from games.models import Game
from games.queries.seats import Viewer, seat_of
from games.services.levels import is_quick, level_with
from games.services.thinking_time import next_day, seconds_a_day, seconds_left


@dataclass(frozen=True)
class ProgramNote:
    """`answers_at` is set while a program waits for a new day of thinking time.

    `left` and `in_all` say for how long programs may still think for the viewer today.
    """

    is_to_move: bool
    answers_at: datetime | None
    left: str
    in_all: str


def program_note(game: Game, viewer: Viewer, *, now: datetime) -> ProgramNote | None:
    """Return what a player is told of the programs in a running game; None if there is nothing.

    Costs no query in games between people.
    """
    seat = seat_of(game, viewer)
    programs = [one for one in game.all_seats if one.level is not None and one.left_at is None]
    if not programs or seat is None or not isinstance(viewer, User):
        return None
    if game.status != Game.Status.ACTIVE:
        return None
    slow = any(not is_quick(level_with(game.rules_slug, one.level)) for one in programs)
    is_to_move = game.bot_due_at is not None
    if not (slow or is_to_move):
        return None
    left = seconds_left(viewer, now=now) if slow else 0.0
    waits = game.bot_due_at == next_day(now)
    return ProgramNote(
        is_to_move=is_to_move,
        answers_at=game.bot_due_at if waits else None,
        left=span_in_words(timedelta(seconds=left)) if slow else "",
        in_all=span_in_words(timedelta(seconds=seconds_a_day(viewer))),
    )
