"""Lessons: a teacher is asked about a game that is over, or a position is played again.

What judges the turns is in `judging.py`.
"""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors, program_errors, wakeups
from games.clock.time_control import per_turn
from games.models import Game, Terms, Turn
from games.queries.lessons import first_entry_that_helps, may_be_judged, waits_for_new_day
from games.rules.entries import effective_entries, positions, withdrawn_seat
from games.services.clock.game_clock import mover
from games.services.guests import ALLOWANCE
from games.services.invitations import Opponent, propose
from games.services.locking import load_seats, locked_game_for
from games.services.turns import play_turn
from games.services.undo_window import end_undo

MOST_COPIED = 200
"""How many turns of another game are played again at once."""


@transaction.atomic
def ask_teacher(*, game_id: int, user: User, now: datetime) -> Game:
    """Have the turns of a game judged that is over; asking again changes nothing.

    It takes from the time that programs think for the user in a day. When that is used up, another
    player can ask too, and gives theirs.
    From then on its end cannot be undone: else a player could resign, ask, and play on.
    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, NoTeacherYet.
    """
    game = locked_game_for(user, game_id, now)
    if not game.seats.filter(user=user).exists():
        raise errors.NotAPlayer
    if not game.is_over or game.started_at is None:
        raise errors.NoTeacherYet
    end_undo([game.pk])
    is_waiting = game.judge_due_at is not None and not waits_for_new_day(game, now)
    if not is_waiting and game.judged_turns < game.turn_number:
        game.judge_due_at = now
        game.judge_asked_by = user
        game.save(update_fields=["judge_due_at", "judge_asked_by"])
        wakeups.notify_workers("bots")
    return game


@transaction.atomic
def play_again(*, game: Game, turn: int, user: User, level: int, now: datetime) -> Game:
    """Begin a lesson from the position after entry `turn` of a game's record; return it.

    The user, who may see the game, plays the seat to move; programs of this level play the others.
    The end of a game cannot be undone from then on.
    Raises AccountClosed, Barred, NoTeacherYet, HelpsElsewhere, NothingToPlayThere, NotPlayedAgain,
    and as `propose` and `play_turn` do.
    """
    game = locked_game_for(user, game.pk, now)
    load_seats(game)
    if not may_be_judged(game):
        raise errors.NoTeacherYet
    helping = first_entry_that_helps(game, user)
    if helping is not None and turn >= helping - 1:
        raise program_errors.HelpsElsewhere
    if game.is_over:
        end_undo([game.pk])
    found = game.turns.filter(number__lte=turn).order_by("number")
    entries = list(found.values_list("notation", flat=True))
    kept = [entries[number - 1] for number in effective_entries(entries)]
    if len(kept) > MOST_COPIED or any(withdrawn_seat(entry) is not None for entry in kept):
        raise errors.NotPlayedAgain(most=MOST_COPIED)
    seat = game.rules.to_move(positions(game.rules, game.options, kept)[-1])
    if seat is None:
        raise errors.NothingToPlayThere
    lesson = propose(
        creator=user,
        rules_slug=game.rules_slug,
        options=game.options,
        terms=Terms(per_turn(ALLOWANCE)),
        opponent=Opponent("partner", level=level),
        is_public=False,
        creator_seat=seat,
        is_lesson=True,
        now=now,
    )
    for number, entry in enumerate(kept):
        lesson = Game.objects.get(pk=lesson.pk)
        player = mover(lesson)
        assert player is not None  # noqa: S101  (every seat is taken)
        play_turn(
            game_id=lesson.pk,
            user=player,
            text=entry,
            expected_turn=number,
            via=Turn.Via.COPIED,
            now=now,
        )
    return Game.objects.get(pk=lesson.pk)
