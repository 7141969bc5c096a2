"""A turn from its text to the record: the only way in, and what follows from an entry.

`play_turn` checks who plays and lets the rules read the text, `append_entry` writes the record,
`advance_game` gives the turn to the next player or ends the game, and `finish_game` ends it.
`play_planned_turns` plays, through `play_turn`, what players have planned for the new position.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from itertools import takewhile
from typing import Any, ParamSpec

from django.db import transaction
from prometheus_client import Counter

from accounts.models import User
from games import errors, wakeups
from games.models import Event, Game, Seat, Turn
from games.models.game import CLOCK_COLUMNS
from games.rules.base import AnyRules, MoveError, Outcome, is_too_long
from games.rules.entries import replay
from games.services.clock.game_clock import (
    end_turn,
    interruptions_of,
    is_in_time,
    lock_player,
    seat_at,
    start_turn,
)
from games.services.clock.interruptions import Interruptions
from games.services.locking import (
    arrival,
    check_not_stopped,
    load_seats,
    locked_game_for,
    seat_held,
)
from games.services.planned_turns import planned_turn
from games.services.record import numbers_of_turn, turn_hash
from games.services.result_counts import add_results
from games.services.site_status import check_open
from games.services.undo_window import allow_undo, state_before

log = logging.getLogger(__name__)

RECORD_FIELDS = ("position", "previous_position", "turn_number", "head_hash")

TURNS = Counter("pli_turns", "Turns sent to the server, by way and result.", ["way", "result"])

P = ParamSpec("P")


@dataclass(frozen=True)
class PlayedTurn:
    """A turn of the record. `already`: it was there before this call.

    `answers` are the turns that players had planned for what came about. `game` is as it stands
    after them.
    """

    turn: Turn
    game: Game
    already: bool
    answers: tuple[Turn, ...] = ()


def count_turns(play: Callable[P, PlayedTurn]) -> Callable[P, PlayedTurn]:
    """Count each call of `play_turn` by its `via`: played, already, or the refusal's code.

    Turns count once they are committed: a mail is processed again if its transaction fails.
    """

    @wraps(play)
    def counted(*args: P.args, **kwargs: P.kwargs) -> PlayedTurn:
        way = str(kwargs["via"])
        try:
            played = play(*args, **kwargs)
        except errors.Refusal as refusal:
            TURNS.labels(way, refusal.code).inc()
            raise
        counter = TURNS.labels(way, "already" if played.already else "played")
        transaction.on_commit(counter.inc, robust=True)
        return played

    return counted


@count_turns
@transaction.atomic
def play_turn(
    *,
    game_id: int,
    user: User,
    text: str,
    expected_turn: int,
    via: Turn.Via,
    now: datetime,
    received_at: datetime | None = None,
) -> PlayedTurn:
    """Play a whole turn, in notation, for `user`; the only way a turn enters a game.

    `expected_turn` is the number of turns that the player saw played: a turn never lands in a
    position other than the one it was meant for, also where somebody left since and came back
    (`numbers_of_turn`). The same turn sent again is answered with
    `already`. `received_at` is when the turn reached this server, if that was before `now`: the
    player's time is counted until then, the next player's from now. What players have planned for
    the new position is played in the same transaction.
    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, HasLeft, TurnTooLong, GameNotRunning,
    HeldByModerator, ClosedForMaintenance, StaleTurn, NotYourTurn, TooLate, MoveRefused; nothing has
    changed then.
    """
    game = locked_game_for(user, game_id, now)
    load_seats(game)
    seat = _seat_played(game, user)
    if is_too_long(text):
        raise errors.TurnTooLong
    number = game.turn_number
    if expected_turn != number and expected_turn not in numbers_of_turn(game.pk, number):
        turn = _find_repeated_turn(game, user, text, expected_turn)
        later = game.turns.filter(number__gt=turn.number).select_related("player")
        planned = takewhile(lambda one: one.via == Turn.Via.PLAN, later.order_by("number"))
        return PlayedTurn(turn, game, already=True, answers=tuple(planned))
    check_not_stopped(game)
    if game.seat_to_move != seat.number:
        check_open()
        raise errors.NotYourTurn
    arrived = arrival(received_at, now)
    if not is_in_time(game, arrived):
        check_open()
        raise errors.TooLate
    rules = game.rules
    position = rules.load(game.position)
    try:
        actions = rules.parse_turn(position, text)
    except MoveError as error:
        check_open()  # else it is asked with everything that stops clocks
        raise errors.MoveRefused(error) from error
    after = rules.play_turn(position, actions)
    if seat.has_plans and via != Turn.Via.PLAN:
        _lock_players(game)
    # The next player is locked before what stops clocks is read: a vacation that is announced at
    # the same moment is then either read here or sees this turn.
    players = [seat.player]
    following = rules.to_move(after)
    if following is not None:
        next_seat = seat_at(game, following)
        lock_player(next_seat)
        players.append(next_seat.player)
    interruptions = interruptions_of(game, *players, now=now)
    if interruptions.is_closed:
        check_open()

    turn = append_entry(game, seat, rules.format_turn(position, actions), via=via, now=now)
    details: dict[str, object] = {"notation": turn.notation}
    game.record_event(Event.Kind.TURN_PLAYED, now=now, actor=turn.player, details=details)
    # A player who plays instead of answering an offer has answered it.
    if seat.has_offer:
        game.offers.answered_by_turn(seat.pk).lapse(now)
    before = state_before(game, seat) if via != Turn.Via.PLAN else None
    end_turn(game, seat, interruptions, now=arrived)
    advance_game(game, seat, after, interruptions, before, now=now, actor=turn.player)
    played = PlayedTurn(turn, game, already=False)
    if seat.has_plans and via != Turn.Via.PLAN:
        return play_planned_turns(played, now=now)
    return played


def _lock_players(game: Game) -> None:
    """Lock the players of a game, always in the same order.

    Planned turns lock several of them: in the order of their turns, two games of the same people
    could wait for each other.
    """
    players = {seat.player.pk: seat for seat in game.all_seats if seat.player is not None}
    for _, seat in sorted(players.items()):
        lock_player(seat)


def play_planned_turns(played: PlayedTurn, *, now: datetime) -> PlayedTurn:
    """Play what players have planned for the position after a turn, as many in a row as match.

    Returns the turn with its answers. A planned turn that is refused is not played, and neither is
    one that fails: the turn that it would have answered stands. Its player plays it themselves.
    """
    while (planned := planned_turn(played.game)) is not None:
        try:
            with transaction.atomic():
                planned.delete()
                answer = play_turn(
                    game_id=played.game.pk,
                    user=planned.user,
                    text=planned.notation,
                    expected_turn=played.game.turn_number,
                    via=Turn.Via.PLAN,
                    now=now,
                )
        except errors.Refusal as refusal:
            log.info("a planned turn at game %s was refused: %s", played.game.pk, refusal.code)
            break
        except Exception:
            log.exception("a planned turn at game %s failed", played.game.pk)
            break
        played = replace(played, game=answer.game, answers=(*played.answers, answer.turn))
    return played


def _seat_played(game: Game, user: User) -> Seat:
    """Return the seat to move if `user` plays it for a partner who left, else their own.

    Raises NotAPlayer, HasLeft.
    """
    if game.seat_to_move is not None:
        seat = seat_at(game, game.seat_to_move)
        if seat.played_by_partner_id == user.pk:
            seat.played_by_partner = user
            return seat
    seat = seat_held(game, user)
    seat.user = user  # it is loaded already
    return seat


def _find_repeated_turn(game: Game, user: User, text: str, expected_turn: int) -> Turn:
    """Return the turn after `expected_turn` turns if it is this very one. Raises StaleTurn."""
    if not 0 <= expected_turn < game.turn_number:
        raise errors.StaleTurn
    *before, turn = game.turns.filter(number__lte=expected_turn + 1)
    taken_back = game.turns.filter(number__gt=turn.number, via=Turn.Via.TAKEBACK).exists()
    if turn.player_id != user.pk or taken_back:
        raise errors.StaleTurn
    position = replay(game.rules, game.options, [earlier.notation for earlier in before])
    if canonical_turn(game.rules, position, text) != turn.notation:
        raise errors.StaleTurn
    return turn


def canonical_turn(rules: AnyRules, position: object, text: str) -> str | None:
    """Return the canonical notation of a whole turn, None if the rules refuse it."""
    try:
        return rules.format_turn(position, rules.parse_turn(position, text))
    except MoveError:
        return None


def append_entry(
    game: Game,
    seat: Seat,
    notation: str,
    *,
    via: Turn.Via,
    now: datetime,
    player: User | None = None,
) -> Turn:
    """Insert the next entry of a locked game's record; the game's columns are not saved yet.

    `player` is the user who did it, if that is not the player of the seat.
    """
    player = player or seat.player
    assert player is not None  # noqa: S101  (a game begins when every seat is taken)
    # The clocks of two machines differ by some milliseconds, the record never runs backwards.
    if game.has_loaded_seats:
        before = game.all_seats[0].newest_played_at
    else:
        newest = game.turns.filter(number=game.turn_number)
        before = newest.values_list("played_at", flat=True).first()
    played_at = max(now, before) if before else now
    turn = Turn.objects.create(
        game=game,
        number=game.turn_number + 1,
        seat=seat.number,
        player=player,
        notation=notation,
        played_at=played_at,
        via=via,
        hash=turn_hash(game.head_hash, seat.number, notation, played_at),
    )
    game.turn_number = turn.number
    game.head_hash = turn.hash
    return turn


def advance_game(
    game: Game,
    seat: Seat,
    position: Any,
    interruptions: Interruptions | None = None,
    before: Mapping[str, object] | None = None,
    *,
    now: datetime,
    actor: User | None,
) -> None:
    """Save a locked game in the position after `seat` played or left.

    The game is over, or the next player has all of a turn's time. If `seat` left while it was
    another seat's turn, that turn and its clock continue. `interruptions` as in `start_next_turn`.
    With `before`, the `state_before` of a turn, `actor` may be able to undo it.
    """
    game.previous_position = game.position
    game.position = game.rules.dump(position)
    outcome = game.rules.outcome(position)
    if outcome is not None:
        finish_game(game, outcome.reason, outcome=outcome, now=now, actor=actor)
        return
    if seat.number == game.seat_to_move or game.rules.to_move(position) != game.seat_to_move:
        start_next_turn(game, position, interruptions, now=now)
    if before is not None and actor is not None:
        next_player = seat_at(game, game.clock.seat_to_move).player
        allow_undo(game, before, actor, next_player, now=now)
    game.save(update_fields=[*RECORD_FIELDS, *CLOCK_COLUMNS])


def start_next_turn(
    game: Game, position: Any, interruptions: Interruptions | None = None, *, now: datetime
) -> None:
    """Give the turn, with all of its time, to the player to move in `position`.

    Sets CLOCK_COLUMNS without saving them. `interruptions` were read after `lock_player`; None: the
    player is locked and they are read here.
    """
    number = game.rules.to_move(position)
    assert number is not None  # noqa: S101  (a position without outcome has a seat to move)
    seat = seat_at(game, number)
    if interruptions is None:
        lock_player(seat)
        interruptions = interruptions_of(game, seat.player, now=now)
    start_turn(game, seat, interruptions, now=now)
    game.bot_due_at = None
    player = seat.player
    if player is not None and player.is_played_here:
        game.bot_due_at = now
        wakeups.notify_workers("bots")
    if game.is_lesson:
        # Not a column of the clock: a teacher moves it while others hold the game's lock.
        Game.objects.filter(pk=game.pk).update(judge_due_at=now)


def finish_game(
    game: Game,
    ending: str,
    *,
    now: datetime,
    actor: User | None,
    outcome: Outcome | None = None,
) -> None:
    """End a locked game; the only place where one ends.

    With an outcome it is finished. Without one a running game is aborted, and an open table is
    closed. Offers and invitations lapse.
    """
    if outcome is not None:
        game.status = Game.Status.FINISHED
    elif game.status == Game.Status.OPEN:
        game.status = Game.Status.CLOSED
    else:
        game.status = Game.Status.ABORTED
    game.ending = ending
    game.ended_at = now
    game.expires_at = None
    game.clear_clock()
    if game.is_lesson:
        game.judge_due_at = now
        wakeups.notify_workers("bots")
    game.save()
    if outcome is not None:
        seats = game.all_seats
        for seat in seats:
            seat.place = outcome.places[seat.number]
            seat.points = outcome.points[seat.number] if outcome.points else None
            seat.ended_at = now
        Seat.objects.bulk_update(seats, ["place", "points", "ended_at"])
        add_results([game.pk])
    elif game.status == Game.Status.ABORTED:
        game.seats.update(ended_at=now)
    game.offers.open().lapse(now)
    game.invitations.open().lapse(now)
    game.planned_turns.all().delete()
    kind = Event.Kind.CLOSED if game.status == Game.Status.CLOSED else Event.Kind.ENDED
    details: dict[str, object] = {"ending": str(ending), "status": str(game.status)}
    game.record_event(kind, now=now, actor=actor, details=details)
