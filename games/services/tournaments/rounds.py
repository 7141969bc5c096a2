"""What a tournament does by itself: its start, its rounds, its games and its end.

Each step looks at the rows and does what is not done: it can run at any time, any number of times
at once, and go on after a process that was killed. A round with all of its pairs is made in one
transaction under the lock of the tournament's row, each game in another under the lock of its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from accounts.models import Block
from games.competition.divisions import FEWEST
from games.competition.knockout import bracket, groups_of, seeds_after_groups
from games.competition.pairings import all_pairs, drawn_order, is_heads
from games.competition.swiss import SwissPlayer, swiss_round
from games.models import (
    Ending,
    Entrant,
    Game,
    Round,
    Seat,
    Tournament,
    TournamentGame,
    Turn,
)
from games.models.ending import ON_TIME
from games.models.tournament import GO_ON
from games.queries.tournaments import Form, TournamentState
from games.services.batches import BATCH, process_rows
from games.services.competition_games import begin_between, decide_on_last_day
from games.services.site_status import is_closed
from games.services.suspensions import is_suspended
from games.services.tournaments.entries import (
    abort_tournament_games,
    leave_entrant,
    resign_tournament_games,
)

Pair = tuple[Entrant, Entrant | None]

BOTH = 2
"""How many losers of semi-finals there must be for a match for the third place."""


def run_tournaments(*, now: datetime) -> int:
    """Do whatever is due in all tournaments; return how many of them, games and players changed.

    Nothing begins during maintenance. What must be over on its last day is ended all the same.
    """
    done = 0
    running = Tournament.objects.filter(started_at__isnull=False, ended_at=None)
    playing = Entrant.objects.filter(
        tournament__in=running, number__isnull=False, left_at=None, user__is_active=False
    )
    done += process_rows(_keys(playing), lambda key: _let_go(key, now))
    active = TournamentGame.objects.filter(game__status=Game.Status.ACTIVE)
    of_gone = Q(first__left_at__isnull=False) | Q(second__left_at__isnull=False)
    for row in active.filter(of_gone).select_related("first__user", "second__user")[:BATCH]:
        for entrant in (row.first, row.second):
            if entrant is not None and entrant.left_at:
                resign_tournament_games(entrant, now=now)
    # A game may have begun just as a moderator cancelled its tournament.
    for cancelled in Tournament.objects.filter(
        is_cancelled=True, rounds__games__game__status=Game.Status.ACTIVE
    ).distinct()[:BATCH]:
        abort_tournament_games(cancelled, now=now)
    due = active.filter(final_at__lte=now).values_list("game", flat=True)
    done += process_rows(due, lambda key: decide_on_last_day(key, now=now))
    if is_closed():
        return done
    waiting = Tournament.objects.filter(started_at=None, ended_at=None)
    waiting = waiting.filter(Q(starts_at__lte=now) | Q(starts_when_full=True))
    done += process_rows(_keys(waiting), lambda key: start_tournament(key, now=now))
    done += process_rows(_keys(running), lambda key: go_on(key, now=now))
    unbegun = TournamentGame.objects.filter(game=None, annulled_at=None, second__isnull=False)
    while keys := _keys(unbegun):
        begun = process_rows(keys, lambda key: begin_round_game(key, now=now))
        done += begun
        if not begun:
            break
    return done


def _keys(rows: object) -> list[int]:
    return list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])  # type: ignore[attr-defined]


def _free_tournament(tournament_id: int) -> Tournament | None:
    """Return a tournament with its row locked; None if another process is at it."""
    free = Tournament.objects.select_for_update(of=("self",), skip_locked=True)
    return free.filter(pk=tournament_id, ended_at=None).first()


def _let_go(key: int, now: datetime) -> bool:
    """Let a player whose account is closed leave the tournament."""
    entrant = Entrant.objects.select_related("user").get(pk=key)
    left = leave_entrant(entrant, Entrant.Left.ABSENT, now=now)
    resign_tournament_games(entrant, now=now)
    return left


@transaction.atomic
def start_tournament(tournament_id: int, *, now: datetime) -> bool:
    """Draw the order of the players and make the first round, if it is time.

    Players who cannot act then do not play. With too few players, or if it is not full when it
    should be, the tournament is not played.
    """
    tournament = _free_tournament(tournament_id)
    if tournament is None or tournament.started_at:
        return False
    entrants = list(tournament.entrants.filter(left_at=None).select_related("user"))
    is_full = len(entrants) >= tournament.most_players
    if not is_full and tournament.starts_at > now:
        return False
    players = {}
    for entrant in entrants:
        if is_suspended(entrant.user, now) or entrant.user.deletion_due_at is not None:
            leave_entrant(entrant, Entrant.Left.ABSENT, now=now)
        else:
            players[entrant.joined_as] = entrant
    if len(players) < FEWEST or (tournament.starts_when_full and not is_full):
        tournament.ended_at = now
        tournament.save(update_fields=["ended_at"])
        return True
    tournament.started_at = now
    tournament.save(update_fields=["started_at"])
    order = [players[number] for number in drawn_order(tournament.seed, players)]
    for number, entrant in enumerate(order, 1):
        entrant.number = number
    groups: list[list[Entrant]] = [order]
    if tournament.form == Form.GROUPS:
        places = groups_of(len(order), tournament.group_size)
        groups = [[order[place - 1] for place in group] for group in places]
        for group_number, group in enumerate(groups, 1):
            for entrant in group:
                entrant.group = group_number
    Entrant.objects.bulk_update(order, ["number", "group"])
    _make_first_round(tournament, groups, now)
    return True


def _make_first_round(
    tournament: Tournament, groups: Sequence[Sequence[Entrant]], now: datetime
) -> None:
    """Make the first round of the players of each group, in the order that was drawn."""
    order = groups[0]
    if tournament.form == Form.KNOCKOUT:
        pairs = [(order[a - 1], order[b - 1] if b else None) for a, b in bracket(len(order))]
        _make_knockout(tournament, 1, pairs, now)
    elif tournament.form == Form.SWISS:
        _make_swiss(TournamentState(tournament), now)
    else:
        boards = [
            (leg, (group[one - 1], group[two - 1]))
            for group in groups
            for leg, (one, two) in all_pairs(len(group), tournament.legs)
        ]
        numbers = {frozenset(pair): board for board, (_, pair) in enumerate(boards, 1)}
        rows = [(numbers[frozenset(pair)], leg, pair) for leg, pair in boards]
        _make_round(tournament, 1, rows, now, is_knockout=False)


def _make_round(
    tournament: Tournament,
    number: int,
    rows: Iterable[tuple[int, int, Pair]],
    now: datetime,
    *,
    is_knockout: bool,
    third_board: int = 0,
) -> None:
    """Make a round of games: board, leg and pair of each. It ends by the day that was promised.

    `third_board` is where they play for the third place; 0: nowhere.
    """
    assert tournament.started_at is not None  # noqa: S101  (only those that have started have rounds)
    times = tournament.round_times(tournament.entrants.exclude(number=None).count())
    promised = tournament.started_at + sum(times[:number], timedelta())
    made = Round.objects.create(
        tournament=tournament,
        number=number,
        is_knockout=is_knockout,
        started_at=now,
        final_at=min(promised, now + times[min(number, len(times)) - 1]),
    )
    TournamentGame.objects.bulk_create(
        TournamentGame(
            round=made,
            board=board,
            leg=leg,
            first=first,
            second=second,
            for_third_place=board == third_board,
        )
        for board, leg, (first, second) in rows
    )


def _make_knockout(
    tournament: Tournament,
    number: int,
    pairs: Iterable[Pair],
    now: datetime,
    *,
    third_board: int = 0,
) -> None:
    """Make a round of a knock-out with the first game of each match; a lot says who begins."""
    rows: list[tuple[int, int, Pair]] = []
    for board, (one, two) in enumerate(pairs, 1):
        if two is not None and not is_heads(tournament.seed, number, board):
            rows.append((board, 1, (two, one)))
        else:
            rows.append((board, 1, (one, two)))
    _make_round(tournament, number, rows, now, is_knockout=True, third_board=third_board)


def _make_swiss(state: TournamentState, now: datetime) -> bool:
    """Make the next round of a Swiss tournament; False if there is no complete pairing any more.

    Who has left or is suspended now is not paired. Players of whom one has blocked the other are
    kept apart as long as everybody else finds an opponent nevertheless.
    """
    tournament, number = state.tournament, len(state.rounds) + 1
    points = {row.player: row.points for _, table in state.tables for row in table.standings}
    met: dict[int, set[int]] = {pk: set() for pk in state.entrants}
    firsts: dict[int, list[bool]] = {pk: [] for pk in state.entrants}
    free = set()
    for one in state.games:
        first, second = one.row.first_id, one.row.second_id
        if second is None:
            free.add(first)
            continue
        met[first].add(second)
        met[second].add(first)
        if one.row.game_id is not None:
            firsts[first].append(True)
            firsts[second].append(False)
    here = {
        one.number or 0: one
        for one in state.entrants.values()
        if one.left_at is None and not is_suspended(one.user, now)
    }
    numbers = {pk: one.number or 0 for pk, one in state.entrants.items()}
    players = [
        SwissPlayer(
            number=place,
            points=points.get(one.pk, 0),
            firsts=firsts[one.pk],
            met=frozenset(numbers[pk] for pk in met[one.pk]),
            was_free=one.pk in free,
        )
        for place, one in here.items()
    ]
    found = None
    if len(players) > 1:
        apart = _kept_apart(here)
        kept = [replace(one, met=one.met | apart.get(one.number, set())) for one in players]
        found = swiss_round(kept, tournament.seed, number)
        found = found or swiss_round(players, tournament.seed, number)
    if found is None:
        return False
    pairs: list[Pair] = [(here[one], here[two]) for one, two in found[0]]
    if found[1] is not None:
        pairs.append((here[found[1]], None))
    rows = [(board, 1, pair) for board, pair in enumerate(pairs, 1)]
    _make_round(tournament, number, rows, now, is_knockout=False)
    return True


def _kept_apart(here: Mapping[int, Entrant]) -> dict[int, set[int]]:
    """Return by number whom each of these players should not meet: one has blocked the other."""
    numbers = {one.user_id: number for number, one in here.items()}
    apart: dict[int, set[int]] = {}
    blocks = Block.objects.filter(by__in=numbers, of__in=numbers)
    for by, of in blocks.values_list("by", "of"):
        apart.setdefault(numbers[by], set()).add(numbers[of])
        apart.setdefault(numbers[of], set()).add(numbers[by])
    return apart


@transaction.atomic
def begin_round_game(key: int, *, now: datetime) -> bool:
    """Begin a game of a round, once.

    It is annulled if a player has left, its last day is over, or the tournament is cancelled.
    """
    free = TournamentGame.objects.select_for_update(of=("self",), skip_locked=True)
    joined = free.select_related("round__tournament", "first__user", "second__user")
    row = joined.filter(pk=key, game=None, annulled_at=None).first()
    if row is None or row.second is None:
        return False
    tournament, last = row.round.tournament, row.round.final_at
    if row.first.left_at or row.second.left_at or last <= now or tournament.is_cancelled:
        row.annulled_at = now
        row.save(update_fields=["annulled_at"])
        return True
    first, second = row.first.people, row.second.people
    row.game = begin_between(first, second, tournament, is_public=not tournament.key, now=now)
    row.final_at = min(last, now + tournament.game_time)
    row.save(update_fields=["game", "final_at"])
    return True


@transaction.atomic
def go_on(tournament_id: int, *, now: datetime) -> bool:
    """Make the next games of matches; once all of a round is over, the next round, or the end."""
    tournament = _free_tournament(tournament_id)
    if tournament is None or tournament.started_at is None:
        return False
    state = TournamentState(tournament)
    last = state.rounds[-1]
    matches = state.matches(last)
    if last.is_knockout and last.final_at > now:
        undecided = [one for one in matches if one.goes_on is None and not one.runs]
        for match in undecided:
            sides = (match.first, match.second)
            count = len(match.games)
            first, second = sides if count % 2 == 0 else reversed(sides)
            assert first is not None  # noqa: S101  (who is free has no undecided match)
            TournamentGame.objects.create(
                round=last,
                board=match.board,
                leg=count + 1,
                first=first,
                second=second,
                for_third_place=match.for_third_place,
            )
        if undecided:
            return True
    if any(match.runs for match in matches):
        return False
    last.ended_at = now
    last.save(update_fields=["ended_at"])
    if tournament.form == Form.SWISS:
        _let_go_absent(last, now)
        state = TournamentState(tournament)
    if not _make_next_round(state, now):
        tournament.ended_at = now
        tournament.save(update_fields=["ended_at"])
    return True


def _let_go_absent(of: Round, now: datetime) -> None:
    """Let those leave who lost their game of this round on time without having played a turn."""
    late = [*ON_TIME, Ending.FINAL_DAY]
    rows = TournamentGame.objects.filter(round=of, game__ending__in=late)
    for row in rows.select_related("first", "second"):
        for seat, entrant in enumerate((row.first, row.second)):
            lost = Seat.objects.filter(game=row.game_id, number=seat, place=2).exists()
            played = Turn.objects.filter(game=row.game_id, seat=seat).exists()
            if entrant is not None and lost and not played:
                leave_entrant(entrant, Entrant.Left.ABSENT, now=now)


def _make_next_round(state: TournamentState, now: datetime) -> bool:
    """Make the round after the last one; False: there is none."""
    tournament, last = state.tournament, state.rounds[-1]
    number = last.number + 1
    if tournament.form == Form.SWISS:
        rounds = len(tournament.round_times(len(state.entrants)))
        return number <= rounds and _make_swiss(state, now)
    if tournament.form == Form.ROUND_ROBIN:
        return False
    if last.is_knockout:
        matches = [one for one in state.matches(last) if not one.for_third_place]
        winners = [one.goes_on for one in matches if one.goes_on is not None]
        if len(winners) == 1:  # the final is over
            return False
        pairs: list[Pair] = list(zip(winners[::2], winners[1::2], strict=True))
        losers = [one for match in matches if (one := match.loser) is not None]
        playing = [one for one in losers if one.left_at is None]
        if tournament.has_third_place and len(pairs) == 1 and len(playing) == BOTH:
            pairs.append((playing[0], playing[1]))
            _make_knockout(tournament, number, pairs, now, third_board=len(pairs))
            return True
    else:
        best = [
            [state.entrants[row.player] for row in table.standings] for _, table in state.tables
        ]
        here = [[one for one in group if one.left_at is None][:GO_ON] for group in best]
        firsts = [group[0].pk for group in here if group]
        seconds = [group[1].pk for group in here if len(group) == GO_ON]
        seeds = [state.entrants[pk] for pk in seeds_after_groups(firsts, seconds)]
        pairs = [(seeds[a - 1], seeds[b - 1] if b else None) for a, b in bracket(len(seeds))]
    if not pairs:
        return False
    _make_knockout(tournament, number, pairs, now)
    return True
