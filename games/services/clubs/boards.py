"""What clubs do by themselves: matches start and end, and owners who cannot act are replaced.

Each step looks at the rows and does what is not done: it can run at any time, any number of times
at once, and go on after a process that was killed. All boards of a match are made in one
transaction under the lock of its row, each game in another under the lock of its own.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from games.models import (
    Club,
    ClubMatch,
    ClubMatchGame,
    ClubMember,
    ClubNews,
    ClubRequest,
    Game,
    MatchPlayer,
    Rating,
)
from games.models.rating import table_kind_of
from games.services.batches import BATCH, process_due_rows, process_rows
from games.services.clubs.base import Role, managers_of, tell
from games.services.clubs.clubs import LONG_SUSPENSION, replace_owner, take_out
from games.services.clubs.matches import FEWEST_BOARDS, NotPlayed, call_off, match_readers
from games.services.competition_games import begin_between, decide_on_last_day
from games.services.site_status import is_closed


def run_clubs(*, now: datetime) -> int:
    """Do whatever is due in clubs; return how many matches, games and members changed.

    Nothing begins during maintenance. What must be over on its last day is ended all the same.
    """
    active = ClubMatchGame.objects.filter(game__status=Game.Status.ACTIVE)
    due = active.filter(match__final_at__lte=now).values_list("game", flat=True)
    done = process_rows(due, lambda key: decide_on_last_day(key, now=now))
    if is_closed():
        return done
    ClubRequest.objects.filter(again_at__lte=now).delete()
    gone = ClubMember.objects.filter(user__is_active=False)
    done += process_rows(_keys(gone), lambda key: _take_out(key, now))
    owners = ClubMember.objects.filter(
        role=Role.OWNER, user__barred_until__gte=now + LONG_SUSPENSION
    )
    clubs = owners.order_by("pk").values_list("club", flat=True)[:BATCH]
    done += process_rows(clubs, lambda key: replace_owner(key, now=now))
    waiting = ClubMatch.objects.filter(started_at=None, ended_at=None, starts_at__lte=now)
    done += process_due_rows(waiting, "starts_at", lambda key: start_match(key, now=now))
    unbegun = ClubMatchGame.objects.filter(game=None, annulled_at=None)
    while keys := _keys(unbegun):
        begun = process_rows(keys, lambda key: begin_board(key, now=now))
        done += begun
        if not begun:
            break
    running = ClubMatch.objects.filter(started_at__isnull=False, ended_at=None)
    return done + process_rows(_keys(running), lambda key: end_match(key, now=now))


def _keys(rows: QuerySet) -> list[int]:
    return list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])


def _take_out(key: int, now: datetime) -> bool:
    member = ClubMember.objects.select_related("user").get(pk=key)
    return take_out(member.club_id, member.user, now=now)


def _free_match(match_id: int) -> ClubMatch | None:
    """Return a match that is not over, locked; None if another process is at it."""
    free = ClubMatch.objects.select_for_update(of=("self",), skip_locked=True)
    return free.filter(pk=match_id, ended_at=None).first()


@transaction.atomic
def start_match(match_id: int, *, now: datetime) -> bool:
    """Pair the players of an accepted match board by board; call off one that is not played."""
    match = _free_match(match_id)
    if match is None or match.started_at or match.starts_at > now:
        return False
    if match.accepted_at is None:
        call_off(match, NotPlayed.UNANSWERED, now=now)
        return True
    teams = [players_of(match, club, now) for club in (match.home, match.away)]
    count = min(match.most_boards, *map(len, teams))
    if count < FEWEST_BOARDS:
        call_off(match, NotPlayed.TOO_FEW, now=now)
        return True
    match.started_at = now
    match.final_at = match.last_day
    match.save(update_fields=["started_at", "final_at"])
    home, away = (by_strength(match, team[:count]) for team in teams)
    ClubMatchGame.objects.bulk_create(
        # The challenging club has the first turn on the odd boards.
        ClubMatchGame(
            match=match,
            board=board,
            first=one if board % 2 else two,
            second=two if board % 2 else one,
        )
        for board, (one, two) in enumerate(zip(home, away, strict=True), 1)
    )
    for club in (match.home, match.away):
        tell(club, sorted(match_readers(match, club)), ClubNews.Tells.MATCH_BEGINS, match=match)
    return True


def players_of(match: ClubMatch, club: Club, now: datetime) -> list[MatchPlayer]:
    """Return who can play for a club, in the order in which they said that they want to.

    Those are left out who are no longer members, are suspended, or have asked to delete their
    account.
    """
    here = Q(user__barred_until=None) | Q(user__barred_until__lte=now)
    found = match.players.filter(
        here,
        club=club,
        user__in=club.members.values("user"),
        user__is_active=True,
        user__deletion_due_at=None,
    )
    return list(found.order_by("wanted_at", "pk"))


def by_strength(match: ClubMatch, team: list[MatchPlayer]) -> list[MatchPlayer]:
    """Return players in the order of their boards: the highest rating in this game first.

    Who has no rating comes after them, in the order of joining the club.
    """
    users = [player.user_id for player in team]
    kind = table_kind_of(match.rules, match.options)
    rated = Rating.objects.filter(
        player__in=users, rules_slug=match.rules_slug, table_kind=kind, level=0
    )
    strength = dict(rated.values_list("player", "mu"))
    members = ClubMember.objects.filter(user__in=users, club=team[0].club_id)
    joined = {user: place for place, user in enumerate(members.values_list("user", flat=True))}
    return sorted(
        team,
        key=lambda one: (
            one.user_id not in strength,
            -strength.get(one.user_id, 0.0),
            joined.get(one.user_id, len(joined)),
        ),
    )


@transaction.atomic
def begin_board(key: int, *, now: datetime) -> bool:
    """Begin the game of a board, once; annul it if an account is closed or its time is over."""
    free = ClubMatchGame.objects.select_for_update(of=("self",), skip_locked=True)
    joined = free.select_related("match", "first__user", "second__user")
    row = joined.filter(pk=key, game=None, annulled_at=None).first()
    if row is None:
        return False
    first, second, match = row.first.user, row.second.user, row.match
    is_late = match.final_at is None or match.final_at <= now
    if is_late or not (first.is_active and second.is_active):
        row.annulled_at = now
    else:
        row.game = begin_between([first], [second], match, now=now)
    row.save(update_fields=["game", "annulled_at"])
    return True


@transaction.atomic
def end_match(match_id: int, *, now: datetime) -> bool:
    """Note that a match is over, once all of its games are and no end can be undone any more."""
    match = _free_match(match_id)
    if match is None or match.started_at is None:
        return False
    counting = match.boards.filter(annulled_at=None)
    runs = Q(game=None) | Q(game__status=Game.Status.ACTIVE) | Q(game__undo_until__gt=now)
    if counting.filter(runs).exists():
        return False
    match.ended_at = now
    match.save(update_fields=["ended_at"])
    told: set[int] = set()
    for club in (match.home, match.away):
        readers = (match_readers(match, club) | set(managers_of(club))) - told
        tell(club, sorted(readers), ClubNews.Tells.MATCH_ENDS, match=match)
        told |= readers
    return True
