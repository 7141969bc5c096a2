"""Players who end a running game, or leave it; and substitutes who take their seats over."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import User
from accounts.sql import time_from_sql, time_to_sql
from games import errors, wakeups
from games.clock.clock import StopReason
from games.league_errors import LeagueGamesGoOn
from games.models import (
    ClubMatchGame,
    Ending,
    Event,
    Game,
    Invitation,
    LadderChallenge,
    LeagueGame,
    Offer,
    PlannedTurn,
    Seat,
    Substitution,
    TournamentGame,
    Turn,
)
from games.models.game import CLOCK_COLUMNS
from games.models.undo import UNDO_COLUMNS
from games.rules.base import MoveError, Outcome
from games.rules.entries import effective_entries, withdrawal
from games.rules.registry import UnknownGame
from games.services.clock.game_clock import mover, seat_at
from games.services.clock.holds import stays_held
from games.services.levels import can_be_rated, free_program
from games.services.locking import locked_game, running_game
from games.services.result_counts import add_results
from games.services.turns import advance_game, append_entry, finish_game, start_next_turn
from games.services.undo_window import allow_undo_of_end, state_before_end

ENDED_COLUMNS = (
    *("status", "ending", "ended_at", "expires_at", "seat_to_move", "deadline", "reminder_at"),
    *("bot_due_at", "stop_reason", "stopped_at", "stopped_until", "wait_remaining"),
    *("stopped_before_hold", *UNDO_COLUMNS),
)
"""The columns of a game that its end changes."""


@transaction.atomic
def resign(*, game_id: int, user: User, now: datetime, received_at: datetime | None = None) -> Game:
    """Give up the game: the opponent wins; several opponents play on.

    That can be done while a moderator pauses the game, which stays paused for the others. `user`
    can undo it for a while (`undo_end`), unless a program plays their seat from now on.
    `received_at` is as for `running_game`, and raises as that does, but not HeldByModerator.
    """
    game, seat = running_game(game_id, user, now, received_at, while_held=True)
    before = state_before_end(game)
    with stays_held(game, now=now):
        forfeit(game, seat, Ending.RESIGNED, now=now, actor=user)
    allow_undo_of_end(game, before, user, now=now)
    return game


@transaction.atomic
def resign_for(game_id: int, person: User, now: datetime) -> None:
    """Resign a running game for the user; abort it if its rules are no longer installed."""
    game = locked_game(game_id)
    seats = game.seats.select_related("user", "played_by_partner")
    seat = seats.filter(user=person, left_at=None).first()
    if game.status != Game.Status.ACTIVE or seat is None:
        return
    try:
        with transaction.atomic(), stays_held(game, now=now):
            forfeit(game, seat, Ending.RESIGNED, now=now, actor=person)
    except (MoveError, UnknownGame):
        finish_game(locked_game(game_id), Ending.ABORTED, now=now, actor=person)


@transaction.atomic
def abort(*, game_id: int, user: User, now: datetime) -> Game:
    """End a game without a result while a player has not yet played a turn.

    `user` can undo that for a while (`undo_end`).
    Raises as `running_game` does, LeagueGamesGoOn, CannotAbort, AbortedEnough.
    """
    game, _ = running_game(game_id, user, now)
    turns = list(game.turns.order_by("number"))
    if not can_abort(game, turns):
        raise LeagueGamesGoOn if is_competition_game(game.pk) else errors.CannotAbort
    again = may_abort_again_at(game, user, now, turns)
    if again is not None:
        when = date_format(timezone.localtime(again, user.zone), "DATETIME_FORMAT")
        days = settings.ABORTS_COUNTED_FOR.days
        raise errors.AbortedEnough(most=settings.ABORTS_BEFORE_PLAYING, days=days, when=when)
    before = state_before_end(game)
    finish_game(game, Ending.ABORTED, now=now, actor=user)
    allow_undo_of_end(game, before, user, now=now)
    return game


def can_abort(game: Game, turns: Sequence[Turn] | None = None) -> bool:
    """Return whether one of the players of this running game has not played a turn yet.

    A game of a competition (`is_competition_game`) cannot be aborted. Its record, `turns`, is read
    if it is not given.
    """
    if turns is None:
        turns = list(game.turns.order_by("number"))
    played = {turn.seat for turn in counting(turns)}
    waits = any(seat.left_at is None and seat.number not in played for seat in game.all_seats)
    return waits and not is_competition_game(game.pk)


COMPETITION_GAMES = (LeagueGame, LadderChallenge, TournamentGame, ClubMatchGame)
"""The models of games of a league, ladder, tournament or match of clubs."""


def is_competition_game(game_id: int) -> bool:
    """Return whether a game is one of a league, ladder, tournament or match of clubs.

    Such a game ends with a result.
    """
    rows = [
        model._default_manager.filter(game=game_id).order_by().values("game")
        for model in COMPETITION_GAMES
    ]
    return rows[0].union(*rows[1:]).exists()


_TOO_MANY_ABORTED = """
SELECT at FROM games_event AS ended
WHERE actor_id = %(user)s
  -- Found by the index of a user's events: their earlier ones are not read.
  AND id > COALESCE((
    SELECT id FROM games_event WHERE actor_id = %(user)s AND at <= %(since)s
    ORDER BY id DESC LIMIT 1
  ), 0)
  AND kind = 'ended' AND details ->> 'ending' = %(aborted)s
  AND NOT EXISTS (
    SELECT 1 FROM games_turn WHERE game_id = ended.game_id AND player_id = %(user)s
  )
  AND EXISTS (
    SELECT 1 FROM games_seat JOIN accounts_user ON accounts_user.id = games_seat.user_id
    WHERE games_seat.game_id = ended.game_id
      AND user_id <> %(user)s AND NOT accounts_user.is_program
  )
ORDER BY id DESC LIMIT 1 OFFSET %(most)s - 1
"""


def may_abort_again_at(
    game: Game, user: User, now: datetime, turns: Sequence[Turn]
) -> datetime | None:
    """Return when a player may abort this game, if they have aborted too many; None: now.

    What counts is games against people that a player aborted before their own first turn: others
    came to play. Who has played a turn, and waits for somebody who has not, may always abort.
    """
    others = [seat.user for seat in game.all_seats if seat.user_id != user.pk]
    if all(other is None or other.is_bot for other in others):
        return None
    if any(turn.player_id == user.pk for turn in counting(turns)):
        return None
    lately = now - settings.ABORTS_COUNTED_FOR
    values = {
        "user": user.pk,
        "since": time_to_sql(lately),
        "aborted": Ending.ABORTED.value,
        "most": settings.ABORTS_BEFORE_PLAYING,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TOO_MANY_ABORTED, values)
        row = cursor.fetchone()
    at = time_from_sql(row[0]) if row else None
    return None if at is None else at + settings.ABORTS_COUNTED_FOR


def counting(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns of a record that count: without those taken back, and withdrawals."""
    kept = effective_entries([turn.notation for turn in turns])
    return [turn for turn in turns if turn.number in kept and turn.via != Turn.Via.LEFT]


def turns_played(game: Game) -> QuerySet[Turn]:
    """Return the turns that count: without those taken back, and without withdrawals."""
    turns = game.turns.exclude(via=Turn.Via.LEFT)
    if not game.turns.filter(via=Turn.Via.TAKEBACK).exists():
        return turns
    entries = list(game.turns.order_by("number").values_list("notation", flat=True))
    return turns.filter(number__in=effective_entries(entries))


def forfeit(game: Game, seat: Seat, why: Ending, *, now: datetime, actor: User | None) -> None:
    """Let a player of a locked running game lose.

    With two seats the game is over and the other wins; with more the player leaves.
    """
    if game.rules.seats(game.options) > 2:  # noqa: PLR2004  (others can play on)
        withdraw_player(game, seat, why, now=now, actor=actor)
        return
    sides = game.rules.sides(game.options)
    places = tuple(2 if side == sides[seat.number] else 1 for side in sides)
    finish_game(game, why, outcome=Outcome(places, None, why), now=now, actor=actor)


def forfeit_together(games: Sequence[Game], why: Ending, *, now: datetime) -> None:
    """Let the player to move lose each of these locked running games of two, as `forfeit` does.

    All rows are written at once; only the games' keys are still right afterwards.
    """
    places: dict[int, list[int]] = {1: [], 2: []}
    events = []
    details = {"ending": str(why), "status": str(Game.Status.FINISHED)}
    for game in games:
        sides = game.rules.sides(game.options)
        for seat in game.seats.all():
            loses = sides[seat.number] == sides[game.clock.seat_to_move]
            places[2 if loses else 1].append(seat.pk)
        ended = {"kind": Event.Kind.ENDED, "at": now, "details": details}
        events.append(Event(game_id=game.pk, turn_number=game.turn_number, **ended))
        game.status, game.ending, game.ended_at = Game.Status.FINISHED, why, now
        game.expires_at = None
        game.clear_clock()
    keys = [game.pk for game in games]
    # They end alike: what is written is the same in all.
    ended = {name: getattr(games[0], name) for name in ENDED_COLUMNS}
    Game.objects.filter(pk__in=keys).update(**ended)
    for place, seats in places.items():
        Seat.objects.filter(pk__in=seats).update(place=place, points=None, ended_at=now)
    add_results(keys)
    Offer.objects.open().filter(game__in=keys).lapse(now)
    Invitation.objects.open().filter(game__in=keys).lapse(now)
    PlannedTurn.objects.filter(game__in=keys).delete()
    Event.objects.bulk_create(events)
    wakeups.notify_workers("events")


def end_unreachable(game: Game, *, now: datetime) -> None:
    """End the wait for the player to move of a locked game, whom no mail reached.

    With two seats the game is aborted, since nobody won it; with more the player leaves.
    """
    if game.rules.seats(game.options) > 2:  # noqa: PLR2004  (others can play on)
        seat = game.seats.get(user=mover(game))
        withdraw_player(game, seat, Ending.UNREACHABLE, now=now, actor=None)
    else:
        finish_game(game, Ending.UNREACHABLE, now=now, actor=None)


# Ending the wait for a player whom no mail reaches -----------------------------------------------


@transaction.atomic
def win_unreached(*, game_id: int, user: User, now: datetime) -> Game:
    """Win against an opponent whom no mail has reached for long; several opponents play on.

    Raises as `running_game` does, and StillWaiting.
    """
    game, seat = running_game(game_id, user, now)
    _check_may_end(game, seat, now)
    unreached = game.seats.get(user=mover(game))
    forfeit(game, unreached, Ending.UNREACHABLE, now=now, actor=user)
    return game


@transaction.atomic
def abort_unreached(*, game_id: int, user: User, now: datetime) -> Game:
    """End the wait for such an opponent: without a result, or with several seats without them.

    Raises as `running_game` does, and StillWaiting.
    """
    game, seat = running_game(game_id, user, now)
    _check_may_end(game, seat, now)
    end_unreachable(game, now=now)
    return game


def may_end_wait(game: Game, seat: Seat, now: datetime) -> bool:
    """Tell whether the player of a seat may end the wait for the one to move."""
    if game.stop_reason != StopReason.UNDELIVERED or game.stopped_at is None:
        return False
    sides = game.rules.sides(game.options)
    if sides[seat.number] == sides[game.clock.seat_to_move]:
        return False
    waited = seat_at(game, game.clock.seat_to_move).undelivered + (now - game.stopped_at)
    return waited >= settings.OPPONENTS_WAIT


def _check_may_end(game: Game, seat: Seat, now: datetime) -> None:
    if not may_end_wait(game, seat, now):
        raise errors.StillWaiting(days=settings.OPPONENTS_WAIT.days)


# Leaving a game that the others continue ---------------------------------------------------------


def withdraw_player(
    game: Game, seat: Seat, why: Ending, *, now: datetime, actor: User | None
) -> None:
    """Let a player leave a locked running game, with every seat that they play for a partner.

    A turn of another seat and its clock continue. A vacant seat leaves too if only one player
    would wait for a substitute. Where the table's terms say so, a program takes the seat over.
    """
    if game.on_timeout == Game.OnTimeout.PROGRAM and seat_program(game, seat, why, now=now):
        return
    mark_left(game, seat, why, now=now)
    if game.is_substitute_sought and game.seats.still_playing().count() < 2:  # noqa: PLR2004
        apply_withdrawal(game, vacant_seat(game), now=now, actor=actor)
    for partner_seat in game.seats.filter(played_by_partner=seat.user):
        if not game.is_over:
            apply_withdrawal(game, partner_seat, now=now, actor=actor, is_announced=False)
    if not game.is_over:
        apply_withdrawal(game, seat, now=now, actor=actor)


def seat_program(game: Game, seat: Seat, why: Ending, *, now: datetime) -> bool:
    """Let a program of the level in the table's terms take a seat over that a person leaves.

    Returns False, and changes nothing, if no other person would play on, if a program holds the
    seat already, or if every program plays in the game.
    """
    others = game.seats.still_playing().filter(level=None).exclude(pk=seat.pk)
    program = free_program(game)
    if seat.level is not None or program is None or not others.exists():
        return False
    details: dict[str, object] = {
        "seat": seat.number,
        "former": seat.user_id,
        "because": str(why),
    }
    time, level = game.terms.pace.for_another, game.substitute_level
    hand_over(game, seat, program, now, time=time, level=level)
    game.record_event(Event.Kind.SEAT_TAKEN_OVER, now=now, actor=program, details=details)
    return True


def mark_left(game: Game, seat: Seat, why: Ending, *, now: datetime) -> None:
    """Record that the player of a seat is gone; open offers lapse."""
    seat.left_at = now
    seat.left_because = why
    seat.save(update_fields=["left_at", "left_because"])
    game.offers.open().lapse(now)


def apply_withdrawal(
    game: Game, seat: Seat, *, now: datetime, actor: User | None, is_announced: bool = True
) -> None:
    """Add the withdrawal of a seat to the record, and advance the game without it."""
    position = game.rules.load(game.position)
    append_entry(game, seat, withdrawal(seat.number), via=Turn.Via.LEFT, now=now)
    if is_announced:
        record_withdrawal(game, seat, now=now)
    advance_game(game, seat, game.rules.withdraw(position, seat.number), now=now, actor=actor)


def record_withdrawal(game: Game, seat: Seat, *, now: datetime) -> None:
    """Write the event that the player of a seat has left the game."""
    details: dict[str, object] = {"seat": seat.number, "because": str(seat.left_because)}
    if seat.played_by_partner_id is not None:
        details["stand_in"] = seat.played_by_partner_id
    game.record_event(Event.Kind.DEPARTED, now=now, actor=seat.user, details=details)


def vacant_seat(game: Game) -> Seat:
    """Return the seat that waits for a substitute: it is the one to move."""
    return seat_at(game, game.clock.seat_to_move)


def hand_over(
    game: Game,
    seat: Seat,
    user: User,
    now: datetime,
    *,
    time: timedelta,
    level: int | None = None,
) -> None:
    """Let `user` play a seat of a locked running game from now on, with so much time.

    `level` is that of a program. Each turn stays its player's; the result is the new player's.
    Seats that the former player played for a partner, the new player plays. If one of these seats
    is to move, the turn starts again. The game may no longer be rated then (`can_be_rated`).
    """
    assert seat.user is not None  # noqa: S101  (the game has begun)
    Substitution.objects.create(seat=seat, former=seat.user, by=user, at=now)
    taken_over = [seat.number]
    for partner_seat in game.seats.filter(played_by_partner=seat.user):
        partner_seat.played_by_partner = user
        partner_seat.time_left = max(partner_seat.time_left, game.terms.pace.for_another)
        partner_seat.save(update_fields=["played_by_partner", "time_left"])
        taken_over.append(partner_seat.number)
    seat.user, seat.level = user, level
    seat.played_by_partner = None
    seat.left_at, seat.left_because = None, ""
    seat.time_left, seat.snoozed_until = time, None
    changed = ("left_at", "left_because", "time_left", "snoozed_until")
    seat.save(update_fields=["user", "level", "played_by_partner", *changed])
    game.offers.open().lapse(now)
    if game.is_rated and not can_be_rated(game, game.seats.select_related("user")):
        game.is_rated = False
        game.save(update_fields=["is_rated"])
    if game.seat_to_move in taken_over:
        start_next_turn(game, game.rules.load(game.position), now=now)
        game.save(update_fields=CLOCK_COLUMNS)
