"""Plans: what a player answers by itself if another player plays a certain turn.

A plan is kept as one `PlannedTurn` for each position in which its player would play. The position
is named by all turns that led to it, so a planned turn is never played in any other one. This is
what a player does; `planned_turns` finds what has come about, and `turns` plays it. Only their
player is shown plans: nothing else that is stored, shown or sent depends on them.

An undone turn leaves the plans of the others as they were, since nobody has seen that turn; the
player who undoes loses theirs. Any other takeback drops all plans of the game.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games import errors, planning_errors
from games.models import Game, PlannedTurn, Turn
from games.plan_text import PlanStep
from games.rules.base import MoveError, is_too_long
from games.services.clock.game_clock import seat_at
from games.services.locking import load_seats, running_game
from games.services.planned_turns import entries_that_count, position_key, turns_in_reach
from games.services.record import numbers_of_turn

MOST_STEPS = 40
"""Turns of one plan, of all players together."""

MOST_PLANNED = 100
"""Turns that a player can have planned in one game."""


@transaction.atomic
def lay_plans(
    *,
    game_id: int,
    user: User,
    lines: Sequence[Sequence[PlanStep]],
    expected_turn: int,
    now: datetime,
    received_at: datetime | None = None,
) -> list[PlannedTurn]:
    """Plan the answers among the steps of each line; return them.

    A line follows the newest position. A new answer in a position replaces the one that was
    planned there, with all that followed it. `expected_turn` is the number of turns that the player
    saw played; only their own may have been played since.
    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, HeldByModerator,
    ClosedForMaintenance, TooLate, StaleTurn, PlanUnreadable (no line), PlanTooLong, TurnTooLong,
    MoveRefused, PlanOfAnotherPlayer, PlanOfOwnTurn, PlanAfterEnd, TooManyPlans; nothing has
    changed then.
    """
    game, _ = running_game(game_id, user, now, received_at)
    load_seats(game)
    by_others = ~Q(player=user) | Q(via=Turn.Via.TAKEBACK)
    newer = game.turns.filter(by_others, number__gt=expected_turn)
    is_stale = expected_turn > game.turn_number or newer.exists()
    if is_stale and expected_turn not in numbers_of_turn(game.pk, game.turn_number):
        raise errors.StaleTurn
    if not lines:
        raise planning_errors.PlanUnreadable
    if not all(lines):
        raise planning_errors.PlanOfOwnTurn
    if len(lines) > MOST_PLANNED:
        raise planning_errors.TooManyPlans(most=MOST_PLANNED)
    entries = entries_that_count(game)
    planned = [turn for steps in lines for turn in _read_steps(game, user, steps, entries, now)]
    own = game.planned_turns.filter(user=user)
    in_reach = [turn.pk for _, turn in turns_in_reach(entries, own.all())]
    own.exclude(pk__in=in_reach).delete()
    for turn in planned:
        earlier = own.filter(key=turn.key).first()
        if earlier is None:
            turn.save()
        elif earlier.notation != turn.notation:
            _drop_with_what_follows(earlier, entries)
            turn.save()
    if own.count() > MOST_PLANNED:
        raise planning_errors.TooManyPlans(most=MOST_PLANNED)
    # Who plans has seen the newest turn.
    if game.undo_until is not None and game.undo_by_id != user.pk:
        game.undo_until = None
        game.save(update_fields=["undo_until"])
    return planned


def _read_steps(
    game: Game, user: User, steps: Sequence[PlanStep], entries: list[str], now: datetime
) -> list[PlannedTurn]:
    """Return the answers among `steps`, not saved, after the rules have read every turn."""
    if len(steps) > MOST_STEPS:
        raise planning_errors.PlanTooLong(most=MOST_STEPS)
    line: list[str] = []
    planned = []
    follows_another = False
    turns = turns_with_players(game, [step.text for step in steps])
    for step, (notation, player) in zip(steps, turns, strict=True):
        if step.is_answer and player != user:
            raise planning_errors.PlanOfAnotherPlayer(name=player)
        if step.is_answer and not follows_another:
            raise planning_errors.PlanOfOwnTurn
        if step.is_answer:
            turn = PlannedTurn(
                game=game,
                user=user,
                begins_after=len(entries),
                line=list(line),
                notation=notation,
                key=position_key([*entries, *line]),
                planned_at=now,
            )
            planned.append(turn)
        line.append(notation)
        follows_another = player != user
    return planned


def plan_of_line(game: Game, user: User, turns: Iterable[str]) -> list[PlanStep]:
    """Return the plan that has `user` answer as in a line of turns from the newest position.

    Every turn of theirs that follows another player's is an answer; what follows the last one is
    left out. Empty: there is none. Raises as `turns_with_players`.
    """
    steps: list[PlanStep] = []
    last_answer, follows_another = 0, False
    for number, (notation, player) in enumerate(turns_with_players(game, turns), start=1):
        steps.append(PlanStep(notation, player == user and follows_another))
        if steps[-1].is_answer:
            last_answer = number
        follows_another = player != user
    return steps[:last_answer]


def turns_with_players(game: Game, turns: Iterable[str]) -> Iterator[tuple[str, User | None]]:
    """Yield each turn of a line from the newest position, as the rules write it, and its player.

    Raises PlanAfterEnd, TurnTooLong, MoveRefused.
    """
    rules, position = game.rules, game.rules.load(game.position)
    for text in turns:
        number = rules.to_move(position)
        if number is None:
            raise planning_errors.PlanAfterEnd(turn=text[:80])
        if is_too_long(text):
            raise errors.TurnTooLong
        try:
            actions = rules.parse_turn(position, text)
        except MoveError as error:
            raise errors.MoveRefused(error) from error
        yield rules.format_turn(position, actions), seat_at(game, number).player
        position = rules.play_turn(position, actions)


@transaction.atomic
def drop_plan(*, game_id: int, user: User, planned_id: int, now: datetime) -> None:
    """Drop one planned turn with all that was planned after it.

    Raises what `running_game` raises, and NothingPlanned.
    """
    game, _ = running_game(game_id, user, now, while_held=True)
    turn = game.planned_turns.filter(user=user, pk=planned_id).first()
    if turn is None:
        raise planning_errors.NothingPlanned
    _drop_with_what_follows(turn, entries_that_count(game))


@transaction.atomic
def drop_plans(
    *, game_id: int, user: User, now: datetime, received_at: datetime | None = None
) -> Game:
    """Drop all that a player has planned in a game. Raises as `drop_plan`."""
    game, _ = running_game(game_id, user, now, received_at, while_held=True)
    dropped, _ = game.planned_turns.filter(user=user).delete()
    if not dropped:
        raise planning_errors.NothingPlanned
    return game


def _drop_with_what_follows(turn: PlannedTurn, entries: Sequence[str]) -> None:
    """Delete a planned turn and those that are planned for positions after it."""
    others = PlannedTurn.objects.filter(game=turn.game_id, user=turn.user_id)
    in_reach = turns_in_reach(entries, others)
    lines = [[*missing, turn.notation] for missing, other in in_reach if other.pk == turn.pk]
    followers = [
        other.pk for line in lines for missing, other in in_reach if missing[: len(line)] == line
    ]
    others.filter(pk__in=[turn.pk, *followers]).delete()
