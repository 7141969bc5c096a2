"""Until when the newest turn of a game can be undone.

The player of the newest turn can undo it while nobody else was told of it or has seen it. The
others are told when `settings.MAIL_HOLD` is over, or half of the time of the player to move, if
that is less; undoing ends MARGIN earlier, so that it is done before a mail leaves. It ends at once
when another player of the game is shown the game with this turn: on its page or in its news, in
their list of games or their calendar, or in any mail. It also ends with the next entry of the
record, and whenever the game's clock is changed (`Game.set_clock`). Against a bot, which answers
at once, and after a turn that ends the game, there is nothing to undo.

A player who has ended a game without playing, or has left it, can undo that in the same way
(`ending_undo`). Lists of running games show an end by leaving the game out: who makes one calls
`end_undo_of_ends` first.

Whoever shows a game to another player calls `end_undo` first and then reads the game, or shows what
it has read only if `end_undo` finds it unchanged. `end_undo` and undoing wait for each other at the
game's row, so a turn that was seen is never undone.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Field
from django.utils.dateparse import parse_duration
from django.utils.duration import duration_string

from accounts.models import User
from games.models import Game, Offer, Seat
from games.models.game import CLOCK_COLUMNS
from games.models.undo import MARGIN, UNDO_COLUMNS


def state_before(game: Game, seat: Seat) -> dict[str, object]:
    """Return what undoing the turn that `seat` is about to play restores, as data for JSON."""
    clock = {
        field.name: None if value is None else field.value_to_string(game)
        for field in _clock_fields()
        for value in [getattr(game, field.name)]
    }
    return {
        "clock": clock,
        "time_left": duration_string(seat.time_left),
        "deadline": game.deadline.isoformat() if game.deadline else None,
    }


def restore_state(game: Game, seat: Seat, before: Mapping[str, Any]) -> None:
    """Write what `state_before` returned back to a game and its seat, without saving them.

    Nothing else can be undone then.
    """
    for field in _clock_fields():
        value = before["clock"][field.name]
        setattr(game, field.name, None if value is None else field.to_python(value))
    game.clear_undo()
    time_left = parse_duration(before["time_left"])
    assert time_left is not None  # noqa: S101  (`state_before` wrote it)
    seat.time_left = time_left


def _clock_fields() -> "list[Field[Any, Any]]":
    fields = Game._meta.concrete_fields
    return [
        field for field in fields if field.name in CLOCK_COLUMNS and field.name not in UNDO_COLUMNS
    ]


def allow_undo(
    game: Game,
    before: Mapping[str, object],
    player: User,
    next_player: User | None,
    *,
    now: datetime,
) -> None:
    """Let `player` undo the newest turn of a locked game for a while. Does not save the game.

    The clock of `next_player` has been started; `before` is the `state_before` of the newest turn.
    """
    if player.is_bot or next_player is None or next_player.is_bot:
        return
    hold = settings.MAIL_HOLD
    if game.deadline is not None:
        hold = min(hold, (game.deadline - now) / 2)
    until = now + hold - MARGIN
    if before["deadline"] is not None:
        until = min(until, datetime.fromisoformat(str(before["deadline"])))
    if until > now:
        game.undo_until, game.undo_by = until, player
        played = {"number": game.turn_number, "played_at": now.isoformat()}
        game.before_turn = {**before, **played}


def state_before_end(game: Game, accepted: Offer | None = None) -> dict[str, Any]:
    """Return what undoing the end of a locked running game restores, as data for JSON.

    `accepted` is the offer to end it whose acceptance ends it.
    """
    plans = [
        {
            "user_id": plan.user_id,
            "begins_after": plan.begins_after,
            "line": plan.line,
            "notation": plan.notation,
            "key": plan.key,
            "planned_at": plan.planned_at.isoformat(),
        }
        for plan in game.planned_turns.all()
    ]
    return {
        **state_before(game, game.all_seats[game.clock.seat_to_move]),
        "number": game.turn_number,
        "offers": list(game.offers.open().values_list("pk", flat=True)),
        "accepted": accepted.pk if accepted else None,
        "plans": plans,
    }


def allow_undo_of_end(
    game: Game, before: Mapping[str, Any], player: User, *, now: datetime
) -> None:
    """Let `player` undo for a while that they ended a locked game or left it (`ending_undo`).

    `before` is the `state_before_end`. The only entries since are those of seats that left. Nothing
    can be undone if nothing has ended, or if a bot is to move now.
    """
    has_left = game.turn_number != before["number"]
    if not game.is_over and not has_left:
        return
    hold = settings.MAIL_HOLD
    if not game.is_over:
        mover = Seat.objects.select_related("user", "played_by_partner").get(
            game=game, number=game.clock.seat_to_move
        )
        if mover.player is None or mover.player.is_bot:
            return
        if game.deadline is not None:
            hold = min(hold, (game.deadline - now) / 2)
    until = now + hold - MARGIN
    if before["deadline"] is not None:
        until = min(until, datetime.fromisoformat(before["deadline"]))
    if until > now:
        game.undo_until, game.undo_by, game.before_turn = until, player, dict(before)
        if has_left:
            game.before_turn["departed"] = game.turn_number
        game.save(update_fields=UNDO_COLUMNS)


def end_undo(game_ids: Iterable[int]) -> None:
    """End the undoing of the newest turns of these games, before another player is shown them."""
    Game.objects.filter(pk__in=list(game_ids)).update(undo_until=None)


def end_undo_of_ends(user: User, *, now: datetime) -> None:
    """End the undoing of the ends of a user's games, before they are shown what awaits them."""
    since = now - settings.MAIL_HOLD
    ended = Seat.objects.filter(user=user, ended_at__gt=since).values("game")
    unseen = Game.objects.filter(pk__in=ended, undo_until__isnull=False).exclude(undo_by=user)
    end_undo(unseen.values_list("pk", flat=True))


def end_undo_if_unchanged(game: Game) -> bool:
    """End undoing at a game; return False if its turn or end was undone since `game` was read.

    Another player is shown what was read.
    """
    read = {"turn_number": game.turn_number, "status": game.status, "ended_at": game.ended_at}
    return Game.objects.filter(pk=game.pk, **read).update(undo_until=None) > 0
