"""A player's own games, as their home page lists them: one statement, whatever their number.

It is written in SQL, and its rows do not become models: with them a page of fifty games takes twice
as long.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from accounts.models import User
from accounts.server_time import server_now
from accounts.sql import span_from_sql, time_from_sql
from games.clock.snoozes import active_snooze
from games.clock.time_control import PaceKind, TimeControl
from games.models import Game, Invitation
from games.models.undo import showing_ends_undo
from games.queries.seats import invitations_to
from games.services.undo_window import end_undo

FINISHED_SHOWN = 20
"""How many finished games the home page lists."""


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """A seat of a listed game. `mover` is the key of the user who plays it now, or None."""

    number: int
    user: int | None
    mover: int | None
    place: int | None
    username: str
    display_name: str
    is_bot: bool
    snoozed_until: datetime | None


@dataclass(frozen=True, slots=True)
class ListedGame:
    """What a list shows of a game.

    `has_offer` and `new_messages` are what waits for the user whose list it is.
    """

    pk: int
    rules_slug: str
    status: str
    turn_number: int
    seat_to_move: int | None
    pace: TimeControl
    deadline: datetime | None
    stop_reason: str
    stopped_until: datetime | None
    expires_at: datetime | None
    ended_at: datetime | None
    seats: tuple[ListedSeat, ...]
    has_offer: bool
    new_messages: int

    def seat_of(self, user: int) -> ListedSeat | None:
        """Return the seat that a user holds."""
        return next((seat for seat in self.seats if seat.user == user), None)

    def seat_played(self, user: int) -> ListedSeat | None:
        """Return the seat that a user plays: a partner's if it is to move, else their own."""
        for seat in self.seats:
            if seat.number == self.seat_to_move and seat.mover == user:
                return seat
        return self.seat_of(user)

    def is_mover(self, user: int) -> bool:
        """Return whether it is the turn of a user, on their own seat or a partner's."""
        return any(seat.number == self.seat_to_move and seat.mover == user for seat in self.seats)

    def snoozed_until(self, now: datetime) -> datetime | None:
        """Return until when the current turn is snoozed, None if it is not."""
        to_move = (seat for seat in self.seats if seat.number == self.seat_to_move)
        until = next((seat.snoozed_until for seat in to_move), None)
        return active_snooze(until, self.deadline, now=now)


@dataclass(frozen=True)
class HomePage:
    """Everything that a player's home page lists."""

    awaiting: Sequence[ListedGame]
    waiting: Sequence[ListedGame]
    challenges: Sequence[Invitation]
    tables: Sequence[ListedGame]
    finished: Sequence[ListedGame]


def home_page(user: User) -> HomePage:
    """Return the games of a player by deadline, and the newest that are over.

    Other players' newest turns in them, and ends, can no longer be undone then.
    """
    values = {"user": user.pk, "finished": FINISHED_SHOWN}
    rows = _read_rows(_OWN, values)
    if unseen := _unseen_turns(rows, user):
        end_undo(unseen)
        rows = _read_rows(_OWN, values)  # what was undone just before is not shown
    games = list(_games(rows))
    challenges = list(invitations_to(user)) if getattr(user, "has_invitation", True) else []
    running = [game for game in games if game.status == Game.Status.ACTIVE]
    return HomePage(
        awaiting=[game for game in running if game.is_mover(user.pk)],
        waiting=[game for game in running if not game.is_mover(user.pk)],
        challenges=challenges,
        tables=[game for game in games if game.status == Game.Status.OPEN],
        finished=[game for game in games if game.ended_at is not None],
    )


def finished_listed(user: User, keys: Sequence[int]) -> list[ListedGame]:
    """Return these finished games of a player, in the order of the keys.

    Their ends can no longer be undone by the others then.
    """
    if not keys:
        return []
    marks = [f"game{place}" for place in range(len(keys))]
    places = ", ".join(f"%({mark})s" for mark in marks)
    own = f"{_SEATS} WHERE user_id = %(user)s AND game_id IN ({places})"
    values = {"user": user.pk} | dict(zip(marks, keys, strict=True))
    rows = _read_rows(own, values)
    if unseen := _unseen_turns(rows, user):
        end_undo(unseen)
        rows = _read_rows(own, values)
    games = [game for game in _games(rows) if game.ended_at is not None]
    return sorted(games, key=lambda game: keys.index(game.pk))


_SEATS = "SELECT id, game_id, user_id, left_at FROM games_seat"

_OWN = f"""
{_SEATS} WHERE user_id = %(user)s AND ended_at IS NULL
UNION ALL
SELECT * FROM (
  {_SEATS} WHERE user_id = %(user)s AND ended_at IS NOT NULL
  ORDER BY ended_at DESC, game_id DESC LIMIT %(finished)s
) AS newest
"""  # noqa: S608
"""The seats of the home page's games, and some more."""


def _read_rows(own: str, values: Mapping[str, Any]) -> list[Sequence[Any]]:
    """Return a row for each seat at the games of the seats that the statement `own` selects."""
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT % {"own": own}, values)
        return list(cursor.fetchall())


def _unseen_turns(rows: Iterable[Sequence[Any]], user: User) -> set[int]:
    """Return the keys of games whose newest turn or end can be undone until the user sees it."""
    now = server_now()
    return {
        row[0]
        for row in rows
        if row[25] is not None
        and showing_ends_undo(time_from_sql(row[25]), row[26], user.pk, now=now)
    }


_STATEMENT = """
SELECT game.id, game.rules_slug, game.status, game.turn_number, game.seat_to_move, game.pace,
  game.allowance, game.bank, game.cap, game.deadline, game.stopped_for, game.stopped_until,
  game.expires_at, game.ended_at,
  seat.number, seat.user_id, seat.stand_in_id, seat.left_at, seat.place,
  player.username, player.display_name, player.is_program, seat.snoozed_until,
  CASE WHEN seat.id = own.id AND game.status = 'active' THEN (
    SELECT COUNT(*) FROM games_offer AS offer
    WHERE offer.game_id = game.id AND offer.state = 'open' AND offer.seat_id <> own.id
      AND (game.stopped_for <> 'moderator' OR offer.kind = 'agreed-end')
      AND NOT EXISTS (
        SELECT 1 FROM games_offeranswer AS answer
        WHERE answer.offer_id = offer.id AND answer.seat_id = own.id
      )
  ) ELSE 0 END,
  CASE WHEN seat.id = own.id THEN (
    SELECT COUNT(*) FROM games_message AS said
    WHERE said.game_id = game.id AND said.author_id <> own.user_id AND said.hidden_at IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM games_gamepresence AS look
        WHERE look.game_id = game.id AND look.user_id = own.user_id AND look.seen_at >= said.said_at
      )
      AND NOT EXISTS (
        SELECT 1 FROM accounts_block AS block
        WHERE block.by_id = own.user_id AND block.of_id = said.author_id
      )
      AND NOT EXISTS (
        SELECT 1 FROM games_mute AS mute JOIN games_seat AS muted ON muted.id = mute.seat_id
        WHERE mute.user_id = own.user_id AND muted.game_id = game.id AND (
          muted.user_id = said.author_id OR EXISTS (
            SELECT 1 FROM games_takeover AS takeover
            WHERE takeover.seat_id = muted.id AND takeover.former_id = said.author_id
          )
        )
      )
  ) ELSE 0 END,
  game.undo_until, game.undo_by_id
FROM (%(own)s) AS own
JOIN games_game AS game ON game.id = own.game_id
JOIN games_seat AS seat ON seat.game_id = game.id
LEFT JOIN accounts_user AS player ON player.id = seat.user_id
WHERE (game.status = 'active' AND own.left_at IS NULL)
  OR game.status IN ('open', 'finished', 'aborted')
ORDER BY game.deadline NULLS LAST, game.ended_at DESC NULLS LAST, game.id, seat.number
"""


def _games(rows: Iterable[Sequence[Any]]) -> Iterable[ListedGame]:
    """Yield the games of rows that have a seat each, those of one game one after the other."""
    seats: list[ListedSeat] = []
    about: Sequence[Any] = ()
    offers = new_messages = 0  # only the row of the user's own seat counts them
    for row in rows:
        if about and row[0] != about[0]:
            yield _game(about, seats, has_offer=offers > 0, new_messages=new_messages)
            seats, offers, new_messages = [], 0, 0
        about = row
        seats.append(_seat(row[14:23]))
        offers += row[23]
        new_messages += row[24]
    if about:
        yield _game(about, seats, has_offer=offers > 0, new_messages=new_messages)


def _seat(row: Sequence[Any]) -> ListedSeat:
    number, user, partner, left_at, place, username, display_name, is_bot, snoozed_until = row
    mover = partner or (user if left_at is None else None)
    names = (username or "", display_name or "")
    return ListedSeat(
        number, user, mover, place, *names, bool(is_bot), time_from_sql(snoozed_until)
    )


def _game(
    row: Sequence[Any], seats: Sequence[ListedSeat], *, has_offer: bool, new_messages: int
) -> ListedGame:
    """Return a game from the first columns of a row."""
    pk, slug, status, turn_number, seat_to_move, pace = row[:6]
    deadline, stop_reason, stopped_until, expires_at, ended_at = row[9:14]
    return ListedGame(
        pk=pk,
        rules_slug=slug,
        status=status,
        turn_number=turn_number,
        seat_to_move=seat_to_move,
        pace=TimeControl(PaceKind(pace), *map(span_from_sql, row[6:9])),
        deadline=time_from_sql(deadline),
        stop_reason=stop_reason,
        stopped_until=time_from_sql(stopped_until),
        expires_at=time_from_sql(expires_at),
        ended_at=time_from_sql(ended_at),
        seats=tuple(seats),
        has_offer=has_offer,
        new_messages=new_messages,
    )
