"""The table of players who play each other, with the games between any two of them.

Leagues and tournaments have the same. It is computed from the games as they stand.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TypeAlias

from games.competition.standings import (
    DRAW,
    LOSS,
    WIN,
    PairingResult,
    Standing,
    standings,
    sure_of_first,
    sure_of_last,
)
from games.models import ClubMatchGame, Entrant, Game, LeagueGame, SeasonEntry, TournamentGame

Entry: TypeAlias = SeasonEntry | Entrant
GameRow: TypeAlias = LeagueGame | TournamentGame | ClubMatchGame


@dataclass(frozen=True)
class PlayedGame:
    """A game as it stands; `points` are those of `first`, None if there are none."""

    row: GameRow
    status: str
    ended_at: datetime | None
    points: int | None

    @property
    def counts(self) -> bool:
        """Whether it is in the table: it may still be played. One without a result is not."""
        return self.row.annulled_at is None and self.status not in ("aborted", "closed")


@dataclass(frozen=True)
class TableCell:
    """A game in the cross table, from the side of the row's player.

    `points` are None while it is being played, and of one that does not count (`is_void`).
    """

    game_id: int | None
    points: int | None
    is_first: bool
    is_void: bool


@dataclass(frozen=True)
class TableRow:
    """A player in a table, with the games against each of the others in its order."""

    entry: Entry
    standing: Standing
    cells: Sequence[Sequence[TableCell] | None]
    is_void: bool
    fate: str
    """"up" or "down" (would move), "sure-up" or "sure-down" (will for certain), or ""."""

    @property
    def running(self) -> int:
        """How many games the player still plays in the table."""
        cells = (cell for cells in self.cells for cell in cells or ())
        return sum(
            one.game_id is not None and one.points is None for one in cells if not one.is_void
        )


class CrossTable:
    """A table of these players in the order of the start.

    The first `up` and the last `down` of them move at the end. `free` are the points that players
    have without a game, `to_come` how many more games each gets, beside those that are known.
    With `forgets` nothing counts of who left before half of their games were over.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        games: Sequence[PlayedGame],
        *,
        free: Mapping[int, int] | None = None,
        to_come: int = 0,
        forgets: bool = True,
    ) -> None:
        self.entries: dict[int, Entry] = {entry.pk: entry for entry in entries}
        self.games = games
        self.free, self.to_come, self.forgets = free or {}, to_come, forgets
        self.up = self.down = 0

    @cached_property
    def void(self) -> set[int]:
        """The players who left before half of their games were over: none of them counts."""
        found = set()
        for entry in self.entries.values():
            gone_at = entry.gone_at
            if gone_at is None or not self.forgets:
                continue
            own = [one for one in self.games if entry.pk in (one.row.first_id, one.row.second_id)]
            over = [one for one in own if one.ended_at and one.ended_at < gone_at]
            if 2 * len(over) < len(own):
                found.add(entry.pk)
        return found

    @cached_property
    def standings(self) -> list[Standing]:
        """The table, first place first; players whose games do not count are last."""
        players = [pk for pk in self.entries if pk not in self.void]
        results = [
            PairingResult(one.row.first_id, one.row.second_id, one.points)
            for one in self.games
            if one.counts and one.row.second_id is not None
        ]
        table = [
            row
            if self.entries[row.player].gone_at
            else replace(row, most=row.most + WIN * self.to_come)
            for row in standings(players, results, self.free)
        ]
        last = [pk for pk in self.entries if pk in self.void]
        return table + [
            Standing(pk, len(table) + place, 0, 0, 0, 0, 0, 0.0, 0)
            for place, pk in enumerate(last, 1)
        ]

    @cached_property
    def rows(self) -> list[TableRow]:
        """The rows of the table for a page."""
        sure_up = sure_of_first(self.standings, self.up)
        sure_down = sure_of_last(self.standings, self.down)
        cells: defaultdict[tuple[int, int], list[TableCell]] = defaultdict(list)
        for one in self.games:
            first, second = one.row.first_id, one.row.second_id
            if second is None:
                continue
            is_void = not one.counts or first in self.void or second in self.void
            points = None if is_void else one.points
            other = None if points is None else WIN - points
            game_id = one.row.game_id
            cells[first, second].append(TableCell(game_id, points, True, is_void))
            cells[second, first].append(TableCell(game_id, other, False, is_void))
        order = [row.player for row in self.standings]
        rows = []
        for row in self.standings:
            fate = ""
            if row.place > len(order) - self.down:
                fate = "sure-down" if row.player in sure_down else "down"
            elif row.place <= self.up:
                fate = "sure-up" if row.player in sure_up else "up"
            against = [None if pk == row.player else cells[row.player, pk] for pk in order]
            is_void = row.player in self.void
            rows.append(TableRow(self.entries[row.player], row, against, is_void, fate))
        return rows


def points_of_games(
    rows: Iterable[GameRow], seats: Iterable[tuple[int, int, int | None]]
) -> list[PlayedGame]:
    """Return games as they stand: `seats` are game, number and place of all of their seats.

    The points are those of the side with the first turn, which has seat 0. There are two sides,
    and partners share their place.
    """
    places: dict[int, dict[int, int | None]] = defaultdict(dict)
    for game, number, place in seats:
        places[game][number] = place
    found = []
    for row in rows:
        status, ended_at, points = "", None, None
        if row.game is not None:
            status, ended_at = row.game.status, row.game.ended_at
            if status == Game.Status.FINISHED:
                by_seat = places[row.game.pk]
                is_drawn = len(set(by_seat.values())) == 1
                points = DRAW if is_drawn else WIN if by_seat.get(0) == 1 else LOSS
        found.append(PlayedGame(row, status, ended_at, points))
    return found
