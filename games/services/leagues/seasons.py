"""What a season does by itself: its start, its games, its final day, and the season after it.

Each step looks at the rows and does what is not done: it can run at any time, any number of times
at once, and go on after a process that was killed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q

from accounts.models import User
from games.competition.divisions import FEWEST, Place, form_divisions, next_places
from games.competition.pairings import all_pairs
from games.models import (
    Division,
    Game,
    KindResults,
    LeagueGame,
    Season,
    SeasonEntry,
    Seat,
    Turn,
)
from games.queries.leagues import division_tables
from games.services.batches import BATCH, process_rows, process_together
from games.services.competition_games import begin_between, begin_together, decide_on_last_day
from games.services.leagues.entries import add_season, leave_entry, resign_games_of
from games.services.leagues.teams import carry_teams, end_team, form_teams
from games.services.site_status import is_closed
from games.services.suspensions import is_suspended


def run_leagues(*, now: datetime) -> int:
    """Do whatever is due in all leagues; return how many seasons, games and players changed.

    Nothing begins during maintenance. What must be over on a final day is ended all the same.
    """
    done = 0
    if not is_closed():
        waiting = Season.objects.filter(started_at=None, ended_at=None, starts_at__lte=now)
        done += process_rows(_keys(waiting), lambda key: start_season(key, now=now))
        unbegun = LeagueGame.objects.filter(game=None, annulled_at=None)
        while keys := _keys(unbegun):
            together = process_together(keys, lambda them: begin_games(them, now=now))
            alone = [key for key in keys if key not in together]
            begun = len(together) + process_rows(alone, lambda key: begin_game(key, now=now))
            done += begun
            if not begun:
                break
    playing = SeasonEntry.objects.exclude(division=None).filter(season__ended_at=None)
    gone = Q(user__is_active=False) | Q(user__barred_until__gte=F("season__final_at"))
    done += process_rows(_keys(playing.filter(gone, left_at=None)), lambda key: _let_go(key, now))
    active = LeagueGame.objects.filter(game__status=Game.Status.ACTIVE)
    # They may have been left over by a process that was killed, or begun just afterwards.
    still_there = Seat.objects.filter(
        user=OuterRef("user"),
        left_at=None,
        game__status=Game.Status.ACTIVE,
        game__league_game__division=OuterRef("division"),
    )
    left = playing.filter(Exists(still_there), left_at__isnull=False)
    for entry in left.select_related("user").order_by("pk")[:BATCH]:
        resign_games_of(entry, now=now)
    due = active.filter(division__season__final_at__lte=now).values_list("game", flat=True)
    done += process_rows(due, lambda key: decide_on_last_day(key, now=now))
    running = Season.objects.filter(started_at__isnull=False, ended_at=None)
    return done + process_rows(_keys(running), lambda key: end_season(key, now=now))


def _keys(rows: object) -> list[int]:
    return list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])  # type: ignore[attr-defined]


# The start ---------------------------------------------------------------------------------------


def newcomers_in_order(entries: Sequence[SeasonEntry], rules_slug: str) -> list[int]:
    """Return the keys of players without a place in a league, the strongest first.

    Those who have finished more games of its kind come first, then those whose account is older.
    A team has the games of both, and the age of the older account; its key is that of the first.
    """
    people = [user.pk for entry in entries for user in entry.people]
    played = Counter(
        dict(
            KindResults.objects.filter(player__in=people, rules_slug=rules_slug).values_list(
                "player", "played"
            )
        )
    )

    def key(entry: SeasonEntry) -> tuple[int, datetime, int]:
        games = sum(played[user.pk] for user in entry.people)
        return (-games, min(user.date_joined for user in entry.people), entry.user_id)

    return [entry.user_id for entry in sorted(entries, key=key)]


@transaction.atomic
def start_season(season_id: int, *, now: datetime) -> bool:
    """Form the divisions of a season and the pairs that play; the games begin after that.

    Players who cannot act then do not play. In a league of teams those without a partner are put
    together, and who is left over is in the next season. With too few players or teams, or after
    its final day, the season is not played, and everybody is in the next one. Returns whether
    anything was done.
    """
    season = _free_season(season_id)
    if season is None or season.started_at or season.ended_at or season.starts_at > now:
        return False
    playing = season.entries.filter(state=SeasonEntry.State.PLAYS)
    for entry in playing.select_related("user").order_by("pk"):
        if is_suspended(entry.user, now) or entry.user.deletion_due_at is not None:
            end_team(entry)
            entry.partner_of, entry.state = None, SeasonEntry.State.DECLINED
            entry.save(update_fields=["partner_of", "state"])
    joined = playing.select_related("user", "partner").order_by("pk")
    league, entries, left_over = season.league, list(joined), None
    if league.has_teams:
        entries, left_over = form_teams(season, entries)
    if len(entries) < FEWEST or season.final_at <= now:
        _put_off(season, now)
        return True
    season.started_at = now
    season.save(update_fields=["started_at"])
    players = {entry.user_id: entry for entry in entries}
    earned = {key: had for key, entry in players.items() if (had := _place_of(entry))}
    new = [entry for key, entry in players.items() if key not in earned]
    order = newcomers_in_order(new, league.rules_slug)
    formed = form_divisions(earned, order, league.division_size)
    divisions = Division.objects.bulk_create(
        Division(season=season, number=number) for number in range(1, len(formed) + 1)
    )
    members, games = [], []
    for division, keys in zip(divisions, formed, strict=True):
        seated = [players[key] for key in keys]
        for place, entry in enumerate(seated, 1):
            entry.order = place
            for one in entry.members:
                one.division = division
                members.append(one)
        games += [
            LeagueGame(division=division, first=seated[one - 1], second=seated[two - 1], leg=leg)
            for leg, (one, two) in all_pairs(len(seated), league.legs)
        ]
    changed = ["partner_of", "division", "order"]
    SeasonEntry.objects.bulk_update(members, changed, batch_size=BATCH)
    LeagueGame.objects.bulk_create(games, batch_size=BATCH)
    following = add_season(season)
    if left_over is not None:
        left_over.state, left_over.untold = SeasonEntry.State.WAITS, SeasonEntry.News.WAITS
        left_over.save(update_fields=["state", "untold"])
        if following is not None:
            _keep_places([left_over], following)
    return True


def _put_off(season: Season, now: datetime) -> None:
    """Do not play a locked season: everybody who wants to play is in the next one."""
    season.ended_at = now
    season.save(update_fields=["ended_at"])
    following = add_season(season)
    while following is not None and following.starts_at <= now:  # after a long time without us
        following.ended_at = now
        following.save(update_fields=["ended_at"])
        following = add_season(following)
    if following is not None:
        _keep_places(season.entries.exclude(state=SeasonEntry.State.DECLINED), following)
        carry_teams(season, following)


def _place_of(entry: SeasonEntry) -> Place | None:
    """Return what an entry has earned: of a team the better place of the two; None: none."""
    places = [
        (one.level, one.rank)
        for one in entry.members
        if one.level is not None and one.rank is not None
    ]
    return min(places, default=None)


def _keep_places(entries: Iterable[SeasonEntry], following: Season) -> None:
    """Let players be in the following season as they would have been in this one."""
    copies = [
        SeasonEntry(
            season=following,
            user_id=entry.user_id,
            level=entry.level,
            rank=entry.rank,
            joined_at=entry.joined_at,
        )
        for entry in entries
    ]
    SeasonEntry.objects.bulk_create(copies, ignore_conflicts=True, batch_size=BATCH)


def _free_season(season_id: int) -> Season | None:
    """Return a season with its row locked; None if another process is at it."""
    free = Season.objects.select_for_update(of=("self",), skip_locked=True)
    return free.select_related("league").filter(pk=season_id).first()


@transaction.atomic
def begin_games(keys: Iterable[int], *, now: datetime) -> set[int]:
    """Begin games of seasons as `begin_game` does, all at once; return the keys of those it did."""
    free = LeagueGame.objects.select_for_update(of=("self",), skip_locked=True)
    joined = free.select_related("division", "first__partner", "second__partner")
    rows = list(joined.filter(pk__in=list(keys), game=None, annulled_at=None).order_by("pk"))
    seasons = Season.objects.select_related("league").in_bulk(
        {row.division.season_id for row in rows}
    )
    entries = [entry for row in rows for entry in (row.first, row.second)]
    users = User.objects.in_bulk({one.user_id for entry in entries for one in entry.members})
    of_season: defaultdict[Season, list[LeagueGame]] = defaultdict(list)
    annulled = []
    for row in rows:
        season = seasons[row.division.season_id]
        if row.first.gone_at or row.second.gone_at or season.final_at <= now:
            annulled.append(row.pk)
        else:
            of_season[season].append(row)
    LeagueGame.objects.filter(pk__in=annulled).update(annulled_at=now)
    for season, theirs in of_season.items():
        pairs = [
            (
                [users[one.user_id] for one in row.first.members],
                [users[one.user_id] for one in row.second.members],
            )
            for row in theirs
        ]
        games = begin_together(pairs, season.league, now=now)
        made = [key for row, game in zip(theirs, games, strict=True) for key in (row.pk, game.pk)]
        rows_of = ", ".join(["(CAST(%s AS bigint), CAST(%s AS bigint))"] * len(theirs))
        with connection.cursor() as cursor:
            cursor.execute(_BEGUN.format(rows=rows_of), made)
    return {row.pk for row in rows}


_BEGUN = """
WITH begun (row_id, game_id) AS (VALUES {rows})
UPDATE games_leaguegame SET game_id = begun.game_id FROM begun WHERE id = begun.row_id"""
"""In SQL: Django's `bulk_update` took a third of the time of all of it."""


@transaction.atomic
def begin_game(key: int, *, now: datetime) -> bool:
    """Begin a game of a season, once; annul it if a player has left or the final day is over."""
    free = LeagueGame.objects.select_for_update(of=("self",), skip_locked=True)
    people = [f"{side}__{one}" for side in ("first", "second") for one in ("user", "partner__user")]
    joined = free.select_related("division__season__league", *people)
    row = joined.filter(pk=key, game=None, annulled_at=None).first()
    if row is None:
        return False
    season = row.division.season
    if row.first.gone_at or row.second.gone_at or season.final_at <= now:
        row.annulled_at = now
        row.save(update_fields=["annulled_at"])
        return True
    league = season.league
    row.game = begin_between(row.first.people, row.second.people, league, now=now)
    row.save(update_fields=["game"])
    return True


# The end -----------------------------------------------------------------------------------------


def _let_go(key: int, now: datetime) -> bool:
    """Let a player leave the season whose account is closed, or suspended past its final day."""
    entry = SeasonEntry.objects.select_related("user").get(pk=key)
    left = leave_entry(entry, SeasonEntry.Left.ABSENT, now=now)
    resign_games_of(entry, now=now)
    return left


@transaction.atomic
def end_season(season_id: int, *, now: datetime) -> bool:
    """End a season whose games are all over, and let its players into the next one.

    Everybody has the place there that the table gives them or their team; who has skipped this
    season, the one that they had. Left out is who has left, who played no turn, and who had
    declined. Teams go on as teams.
    """
    season = _free_season(season_id)
    if season is None or season.started_at is None or season.ended_at is not None:
        return False
    games = LeagueGame.objects.filter(division__season=season)
    waiting = games.filter(game=None, annulled_at=None)
    if waiting.exists() or games.filter(game__status=Game.Status.ACTIVE).exists():
        return False
    season.ended_at = now
    season.save(update_fields=["ended_at"])
    following = add_season(season)
    if following is None:
        return True
    Season.objects.select_for_update().get(pk=following.pk)  # partners may be changing there
    tables = division_tables(season)
    users = {pk: entry.user_id for table in tables for pk, entry in table.entries.items()}
    order = [[users[row.player] for row in table.standings] for table in tables]
    earned = next_places(order)
    seen = set(
        Turn.objects.filter(game__league_game__division__season=season)
        .order_by()
        .values_list("player", flat=True)
        .distinct()
    )
    placed = []
    for entry in season.entries.exclude(state=SeasonEntry.State.DECLINED).order_by("pk"):
        place = (entry.level, entry.rank)
        if entry.state == SeasonEntry.State.PLAYS:
            if entry.left_at is not None or entry.user_id not in seen:
                continue
            place = earned[users[entry.table_key]]
        new = {"level": place[0], "rank": place[1], "joined_at": now}
        placed.append(SeasonEntry(season=following, user_id=entry.user_id, **new))
    # Who has joined, skipped or declined it by now keeps that.
    SeasonEntry.objects.bulk_create(
        placed,
        update_conflicts=True,
        unique_fields=["season", "user"],
        update_fields=["level", "rank"],
        batch_size=BATCH,
    )
    carry_teams(season, following)
    return True
