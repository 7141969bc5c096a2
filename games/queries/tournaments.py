"""Tournaments as they stand: tables, matches, and what a page shows of them.

Nothing of this is stored: a `TournamentState` reads the games and computes it. The number of
queries depends neither on the players nor on the games.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.db.models import BigIntegerField, Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Block, User
from games import tournament_errors
from games.competition.knockout import decided
from games.competition.standings import WIN
from games.models import Entrant, Round, Seat, Tournament, TournamentGame
from games.models.tournament import GO_ON
from games.queries.cross_tables import CrossTable, PlayedGame, points_of_games
from games.queries.seats import Viewer

Form = Tournament.Form


@dataclass
class Match:
    """A pair of a round with its games so far. `first` had the first turn in the first game.

    `goes_on` is who goes on from a match of a knock-out; None: that is not decided, or it is none.
    Of a match `for_third_place` it is who has won it.
    """

    board: int
    first: Entrant
    second: Entrant | None
    games: list[PlayedGame] = field(default_factory=list)
    goes_on: Entrant | None = None
    for_third_place: bool = False

    @property
    def loser(self) -> Entrant | None:
        """Who is out after a match of a knock-out; None: nobody, or that is not decided."""
        if self.goes_on is None:
            return None
        return self.second if self.goes_on.pk == self.first.pk else self.first

    @property
    def points(self) -> list[int | None]:
        """The points of `first` in each game that counts; None while it is played."""
        return [
            one.points
            if one.points is None or one.row.first_id == self.first.pk
            else WIN - one.points
            for one in self.games
            if one.counts
        ]

    @property
    def score(self) -> tuple[int, int]:
        """The points of both in the games that are over."""
        over = [won for won in self.points if won is not None]
        return sum(over), sum(WIN - won for won in over)

    @property
    def runs(self) -> bool:
        """Whether one of its games is being played, or has yet to begin."""
        return any(
            one.counts and self.second is not None and one.status in ("", "active")
            for one in self.games
        )


class TournamentState:
    """A tournament with its players, rounds, tables and matches, as its games stand.

    With a `viewer` its players know whether that user has blocked them (`is_blocked`).
    """

    def __init__(self, tournament: Tournament, viewer: Viewer | None = None) -> None:
        self.tournament = tournament
        blocked = Block.objects.filter(by=viewer.pk if viewer else None, of=OuterRef("user"))
        rows = tournament.entrants.select_related("user").annotate(is_blocked=Exists(blocked))
        self.everybody = list(rows.order_by("number", "joined_as"))
        self.entrants = {one.pk: one for one in self.everybody if one.number is not None}
        self.games = _games_of(tournament) if tournament.started_at else []
        # Every round has games, so they bring the rounds along.
        self.rounds = list({_row(one).round_id: _row(one).round for one in self.games}.values())

    def games_in(self, of: Round) -> list[PlayedGame]:
        """Return the games of a round, by board."""
        return [one for one in self.games if _row(one).round_id == of.pk]

    def matches(self, of: Round) -> list[Match]:
        """Return the pairs of a round, in the order of their boards."""
        found: dict[int, Match] = {}
        for one in self.games_in(of):
            row = _row(one)
            if row.board not in found:
                second = self.entrants[row.second_id] if row.second_id else None
                found[row.board] = Match(
                    row.board,
                    self.entrants[row.first_id],
                    second,
                    for_third_place=row.for_third_place,
                )
            found[row.board].games.append(one)
        if of.is_knockout:
            # A result that changes after the next round has begun changes nobody's way.
            later = [one for one in self.rounds if one.number == of.number + 1]
            paired = {
                pk
                for one in (self.games_in(later[0]) if later else ())
                if not _row(one).for_third_place
                for pk in (one.row.first_id, one.row.second_id)
            }
            for match in found.values():
                sides = [one for one in (match.first, match.second) if one and one.pk in paired]
                is_over = of.ended_at is not None
                match.goes_on = sides[0] if sides else self._goes_on(match, is_over=is_over)
        return list(found.values())

    def _goes_on(self, match: Match, *, is_over: bool) -> Entrant | None:
        """Return who goes on from a match; None while that is open. `is_over`: its round is."""
        first, second = match.first, match.second
        if second is None:
            return first
        if not match.runs:
            result = decided(self.tournament.best_of, match.points)
            if result is None and (first.left_at or second.left_at):
                result = first.left_at is None
            if result is None and is_over:
                result = match.score[0] > match.score[1]
            if result is not None:
                return first if result else second
        return None

    @cached_property
    def tables(self) -> list[tuple[int | None, CrossTable]]:
        """The tables by number of the group (None: there is but one); none of a knock-out."""
        if self.tournament.form == Form.KNOCKOUT or not self.rounds:
            return []
        groups: defaultdict[int | None, list[Entrant]] = defaultdict(list)
        for one in self.entrants.values():
            groups[one.group].append(one)
        counted = {one.pk for one in self.rounds if not one.is_knockout}
        games = [one for one in self.games if _row(one).round_id in counted]
        free: defaultdict[int, int] = defaultdict(int)
        for played in games:
            if played.row.second_id is None:
                free[played.row.first_id] += WIN
        is_swiss = self.tournament.form == Form.SWISS
        to_come = 0
        if is_swiss and not self.tournament.ended_at:
            to_come = len(self.tournament.round_times(len(self.entrants))) - len(self.rounds)
        tables: list[tuple[int | None, CrossTable]] = []
        for group, players in sorted(groups.items(), key=lambda item: item[0] or 0):
            own = {one.pk for one in players}
            theirs = [one for one in games if one.row.first_id in own]
            table = CrossTable(players, theirs, free=free, to_come=to_come, forgets=not is_swiss)
            table.up = GO_ON if group is not None else 1
            tables.append((group, table))
        return tables

    def final_order(self) -> list[tuple[Entrant, int]]:
        """Return the players of a table with their points, or of a knock-out with their rounds won.

        The first place comes first. After groups that is the order of the knock-out, and then of
        the points in the groups.
        """
        points = {row.player: row.points for _, table in self.tables for row in table.standings}
        won: defaultdict[int, int] = defaultdict(int)
        plays: set[int] = set()
        for one in self.rounds:
            for match in self.matches(one) if one.is_knockout else ():
                if match.for_third_place:
                    continue
                plays |= {match.first.pk} | ({match.second.pk} if match.second else set())
                if match.goes_on is not None:
                    won[match.goes_on.pk] += 1
        if not plays and len(self.tables) == 1:
            order = [self.entrants[row.player] for row in self.tables[0][1].standings]
            return [(one, points[one.pk]) for one in order]
        third = self.third_place
        order = sorted(
            self.entrants.values(),
            key=lambda one: (
                one.pk not in plays,
                -won[one.pk],
                third is None or one.pk != third.pk,
                -points.get(one.pk, 0),
                one.number or 0,
            ),
        )
        return [(one, won[one.pk]) for one in order]

    @cached_property
    def third_place(self) -> Entrant | None:
        """Who has won the match for the third place, or has it without one.

        That is so if the other loser of the semi-finals has left. None: nobody, or not yet.
        """
        of_knockout = [one for one in self.rounds if one.is_knockout]
        if not self.tournament.has_third_place or len(of_knockout) <= 1:
            return None
        semifinals, last = of_knockout[-2:]
        matches = self.matches(last)
        for match in matches:
            if match.for_third_place:
                return match.goes_on
        if len(matches) != 1:
            return None
        losers = [one for match in self.matches(semifinals) if (one := match.loser) is not None]
        playing = [one for one in losers if one.left_at is None]
        return playing[0] if len(playing) == 1 else None

    @property
    def winner(self) -> Entrant | None:
        """Who has won a tournament that is over and was not cancelled."""
        if not self.tournament.ended_at or self.tournament.is_cancelled or not self.rounds:
            return None
        return self.final_order()[0][0]


def _row(one: PlayedGame) -> TournamentGame:
    assert isinstance(one.row, TournamentGame)  # noqa: S101  (`_games_of` makes no other)
    return one.row


def _games_of(tournament: Tournament) -> list[PlayedGame]:
    """Return the games of a tournament as they stand, by round and board; two queries."""
    rows = TournamentGame.objects.filter(round__tournament=tournament)
    seats = Seat.objects.filter(game__tournament_game__in=rows).order_by()
    columns = [one.attname for one in TournamentGame._meta.fields]
    columns += [f"round__{one.attname}" for one in Round._meta.fields]
    joined = rows.select_related("game", "round")
    joined = joined.only(*columns, "game__status", "game__ended_at")
    ordered = joined.order_by("round__number", "board", "leg")
    return points_of_games(ordered, seats.values_list("game", "number", "place"))


def tournament_list(viewer: Viewer) -> QuerySet[Tournament]:
    """Return the tournaments that a viewer sees, the newest first, with how many have joined."""
    seen = Q(key="")
    if isinstance(viewer, User):
        played = Entrant.objects.filter(user=viewer).order_by().values("tournament")
        seen |= Q(opened_by=viewer) | Q(pk__in=played)
    # Counted for each of those that are shown: a join would count for all of them first.
    entrants = Entrant.objects.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    counts = entrants.annotate(count=Count("pk")).values("count")
    joined = Coalesce(Subquery(counts.filter(left_at=None)), 0)
    drawn = Coalesce(Subquery(counts.filter(number__isnull=False)), 0)
    return Tournament.objects.filter(seen).annotate(joined=joined, drawn=drawn).order_by("-pk")


def may_see(tournament: Tournament, viewer: Viewer, key: str) -> bool:
    """Return whether somebody may see a tournament: it is open, or they have its link or play."""
    if not tournament.key or key == tournament.key:
        return True
    if not isinstance(viewer, User):
        return False
    if viewer.pk == tournament.opened_by_id or viewer.has_perm("games.moderate"):
        return True
    return tournament.entrants.filter(user=viewer).exists()


def visible_tournament(pk: int, viewer: Viewer, key: str) -> Tournament:
    """Return a tournament that a viewer may see. Raises NoSuchTournament."""
    found = None
    if pk <= BigIntegerField.MAX_BIGINT:
        found = Tournament.objects.select_related("opened_by").filter(pk=pk).first()
    if found is None or not may_see(found, viewer, key):
        raise tournament_errors.NoSuchTournament
    return found


def own_entrants(viewer: Viewer, tournaments: Sequence[Tournament]) -> dict[int, Entrant]:
    """Return a viewer's places in these tournaments, by tournament; at most one query."""
    if not isinstance(viewer, User):
        return {}
    found = Entrant.objects.filter(user=viewer, tournament__in=tournaments)
    return {one.tournament_id: one for one in found}
