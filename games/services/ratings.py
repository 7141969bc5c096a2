"""Ratings, computed from the finished games alone, in the order in which they ended.

Services that end a game, or remove its end, only write a mark (`result_counts`). The periodic task
takes the marks of a kind of game, deletes the changes of these games and rates all games of the
kind again from the earliest mark on: a player's strength before a game is their newest change
before it. So a game that is reopened, adjudicated or ends again counts as it then stands, and
`rebuild_ratings`, which begins with the first game, leads to the same numbers.

Games are rated in batches, each in a transaction that also writes how far it has come
(`RatingProgress`): a process that is killed has done whole batches, and the next one goes on.
"""

import hashlib
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Count, Q

from accounts.models import User
from accounts.sql import columns_of, select_rows, time_to_sql
from games.models import (
    Event,
    Game,
    Rating,
    RatingChange,
    RatingMark,
    RatingProgress,
    Seat,
    Substitution,
    Turn,
)
from games.models.rating import table_kind_of
from games.rules.registry import UnknownGame, rules_for
from games.services.rating_formula import (
    COUNTED_FOR,
    START_MU,
    START_SIGMA,
    Player,
    rate_game,
    weight_of,
)

BATCH = 500
"""How many games a transaction rates."""

SECONDS_A_RUN = 1.0
"""How long the periodic task goes on: its queue has other tasks."""

Who = tuple[int, str, int]
"""Whose rating: the user, the kind of table, the level of a program (0 for people)."""

_END_OF_TIME = datetime(9999, 12, 31, tzinfo=UTC)


def rate_due(*, seconds: float = SECONDS_A_RUN) -> int:
    """Rate what is due for so long; return how many games were rated."""
    until = time.monotonic() + seconds
    marked = RatingMark.objects.order_by().values_list("rules_slug", flat=True).distinct()
    begun = RatingProgress.objects.exclude(next_at=None).values_list("rules_slug", flat=True)
    done = 0
    for slug in sorted({*marked, *begun}):
        while (rated := rate_batch(slug)) is not None:
            done += rated
            if time.monotonic() >= until:
                return done
    return done


def rebuild_ratings(slugs: Iterable[str]) -> Iterable[int]:
    """Rate all games of these kinds anew; yield how many games each batch rated.

    Pages show no ratings of a kind of game until its games are rated.
    """
    for slug in slugs:
        RatingProgress.objects.get_or_create(rules_slug=slug)
        is_left = True
        while is_left:
            with transaction.atomic():
                progress = RatingProgress.objects.select_for_update().get(rules_slug=slug)
                newest = RatingChange.objects.filter(rules_slug=slug).order_by("-pk")[:10_000]
                keys = list(newest.values_list("pk", flat=True))
                RatingChange.objects.filter(pk__in=keys).delete()
                is_left = bool(keys)
                progress.next_at, progress.next_game = datetime.min.replace(tzinfo=UTC), 0
                progress.save(update_fields=["next_at", "next_game"])
                if not is_left:
                    Rating.objects.filter(rules_slug=slug).delete()
        while (rated := rate_batch(slug, waits=True)) is not None:
            yield rated


def kinds_with_rated_games() -> list[str]:
    """Return the kinds of game that have ratings or rated games, and whose rules are installed."""
    found = {
        *Game.objects.filter(is_rated=True, status=Game.Status.FINISHED)
        .order_by()
        .values_list("rules_slug", flat=True)
        .distinct(),
        *Rating.objects.order_by().values_list("rules_slug", flat=True).distinct(),
    }
    return sorted(slug for slug in found if _is_installed(slug))


def _is_installed(slug: str) -> bool:
    try:
        rules_for(slug)
    except UnknownGame:
        return False
    return True


@transaction.atomic
def rate_batch(slug: str, *, waits: bool = False) -> int | None:
    """Rate the next games of a kind; return how many, None if there is nothing to do.

    Nothing is done either if its rules are not installed or somebody else rates this kind just now,
    unless this `waits` for them.
    """
    if not _is_installed(slug):
        return None
    RatingProgress.objects.get_or_create(rules_slug=slug)
    progress = (
        RatingProgress.objects.select_for_update(skip_locked=not waits)
        .filter(rules_slug=slug)
        .first()
    )
    if progress is None:
        return None
    marks = list(RatingMark.objects.filter(rules_slug=slug).order_by("pk")[:BATCH])
    changed = _forget([mark.game_id for mark in marks])
    starts = [(mark.ended_at, mark.game_id) for mark in marks]
    if progress.next_at is not None and progress.next_game is not None:
        starts.append((progress.next_at, progress.next_game))
    if not starts:
        return None
    start = min(starts)
    games = list(
        Game.objects.filter(
            Q(ended_at__gt=start[0]) | Q(ended_at=start[0], pk__gte=start[1]),
            rules_slug=slug,
            is_rated=True,
            status=Game.Status.FINISHED,
            ended_at__gte=start[0],
        )
        .order_by("ended_at", "pk")
        .only("options", "rules_slug", "ended_at", "status")[: BATCH + 1]
    )
    following = games[BATCH] if len(games) > BATCH else None
    changed |= rate_in_order(slug, games[:BATCH])
    keep_newest_ratings(slug, changed)
    RatingMark.objects.filter(pk__in=[mark.pk for mark in marks]).delete()
    progress.next_at = following.ended_at if following else None
    progress.next_game = following.pk if following else None
    progress.save(update_fields=["next_at", "next_game"])
    return len(games[:BATCH])


def _forget(games: Sequence[int]) -> set[Who]:
    """Delete what games changed; return whose ratings these were."""
    if not games:
        return set()
    changes = RatingChange.objects.filter(game__in=games)
    whose = set(changes.values_list("player_id", "table_kind", "level"))
    changes.delete()
    return whose


@dataclass(frozen=True)
class _Former:
    """Who played a seat before somebody else took it over.

    `share` is their part of the seat's turns until then, so that it grows no smaller by those of
    others. Whom a moderator replaced has not left (`is_replaced`): the share is that of all turns.
    """

    who: Who
    share: float
    is_replaced: bool


@dataclass(frozen=True)
class _Seat:
    """Who played a seat of a game, with what the formula asks."""

    who: Who
    side: int
    place: int
    share: float
    has_left: bool
    former: tuple[_Former, ...] = ()


def rate_in_order(slug: str, games: Sequence[Game]) -> set[Who]:
    """Rate games that follow each other; return whose ratings changed."""
    if not games:
        return set()
    seated = {
        game.pk: seats for game, seats in zip(games, rated_seats(games), strict=True) if seats
    }
    people = {pk: people_key(slug, seats) for pk, seats in seated.items()}
    whose = {who for seats in seated.values() for seat in seats for who in _everybody(seat)}
    first = games[0]
    assert first.ended_at is not None  # noqa: S101  (the game is finished)
    before = {
        (one.player_id, one.table_kind, one.level): (one.mu, one.sigma, one.games)
        for one in _newest_changes(slug, whose, (first.ended_at, first.pk))
    }
    ended: dict[str, list[datetime]] = defaultdict(list)
    earlier = RatingChange.objects.filter(
        Q(ended_at__lt=first.ended_at) | Q(ended_at=first.ended_at, game__lt=first.pk),
        people__in=set(people.values()),
        ended_at__gte=first.ended_at - COUNTED_FOR,
    )
    for same, at, _game in earlier.values_list("people", "ended_at", "game").distinct():
        ended[same].append(at)
    changes = []
    for game in games:
        if game.pk not in seated or game.ended_at is None:
            continue
        same = people[game.pk]
        since = game.ended_at - COUNTED_FOR
        ended[same] = [at for at in ended[same] if at >= since]
        weight = weight_of(len(ended[same]))
        ended[same].append(game.ended_at)
        for who, after in strengths_after(seated[game.pk], before, weight).items():
            mu, sigma, number = before.get(who, (START_MU, START_SIGMA, 0))
            changes.append(
                RatingChange(
                    game_id=game.pk,
                    rules_slug=slug,
                    player_id=who[0],
                    table_kind=who[1],
                    level=who[2],
                    ended_at=game.ended_at,
                    people=same,
                    weight=weight,
                    mu_before=mu,
                    sigma_before=sigma,
                    mu=after[0],
                    sigma=after[1],
                    games=number + 1,
                )
            )
            before[who] = (*after, number + 1)
    # The games of this batch may have been rated before, with other strengths or not at all.
    stale = _forget([game.pk for game in games])
    RatingChange.objects.bulk_create(changes, batch_size=BATCH)
    return whose | stale


def _everybody(seat: _Seat) -> list[Who]:
    return [seat.who, *(one.who for one in seat.former)]


def people_key(slug: str, seats: Sequence[_Seat]) -> str:
    """Return what is the same for games of one kind between the same people."""
    names = sorted({f"{who[0]}-{who[1]}-{who[2]}" for one in seats for who in _everybody(one)})
    return hashlib.sha256(" ".join([slug, *names]).encode()).hexdigest()


def strengths_after(
    seats: Sequence[_Seat], before: dict[Who, tuple[float, float, int]], weight: float
) -> dict[Who, tuple[float, float]]:
    """Return the new strength of everybody who played a game.

    Sides that have left are behind those that stayed, whatever place the rules give them. Who left
    a side that plays on, or a seat that somebody else took over, gets what the game would have made
    of them if their side were the last one: so nobody loses less by leaving than by playing to the
    end. Whom a moderator replaced gets their share of what the game made of the seat.
    """
    after = {}
    sides: dict[int, list[_Seat]] = {}
    for seat in seats:
        sides.setdefault(seat.side, []).append(seat)
    places = [
        min(seat.place for seat in side) + (len(seats) if _has_left(side) else 0)
        for side in sides.values()
    ]

    def strengths(instead: _Seat | None = None, of: Player | None = None) -> list[list[Player]]:
        return [
            [
                of
                if seat is instead and of is not None
                else Player(*_strength(before, seat.who), seat.share, seat.has_left)
                for seat in side
            ]
            for side in sides.values()
        ]

    rated = rate_game(strengths(), places, weight)
    for side, new in zip(sides.values(), rated, strict=True):
        after.update({seat.who: one for seat, one in zip(side, new, strict=True)})
    for seat in seats:
        own = sides[seat.side]
        number, at = list(sides).index(seat.side), own.index(seat)
        others = list(seat.former)
        if seat.has_left and not _has_left(own):
            others.append(_Former(seat.who, seat.share, is_replaced=False))
        for one in others:
            as_last = [*places]
            if not one.is_replaced:
                as_last[number] = max(places) + 1
            instead = Player(*_strength(before, one.who), one.share, has_left=True)
            after[one.who] = rate_game(strengths(seat, instead), as_last, weight)[number][at]
    return after


def _has_left(side: Sequence[_Seat]) -> bool:
    """Return whether everybody of a side has left the game."""
    return all(seat.has_left for seat in side)


def _strength(before: dict[Who, tuple[float, float, int]], who: Who) -> tuple[float, float]:
    mu, sigma, _games = before.get(who, (START_MU, START_SIGMA, 0))
    return mu, sigma


def rated_seats(games: Sequence[Game]) -> list[list[_Seat]]:
    """Return the seats of each game that change ratings; none if the game changes no rating.

    Who has not played a turn is left out, and a game of which less than two sides are left does not
    count, nor one in which somebody played for two sides.
    """
    keys = [game.pk for game in games]
    turns: dict[int, dict[tuple[int, int], int]] = defaultdict(dict)
    counted = Turn.objects.filter(game__in=keys).exclude(via__in=(Turn.Via.LEFT, Turn.Via.TAKEBACK))
    for game, number, player, count in (
        counted.order_by().values_list("game", "seat", "player").annotate(count=Count("pk"))
    ):
        turns[game][number, player] = count
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(game__in=keys).order_by("number"):
        seats[seat.game_id].append(seat)
    former: dict[int, list[int]] = defaultdict(list)
    taken_over = Substitution.objects.filter(seat__game__in=keys).order_by("pk")
    changed = set()
    for seat_id, game, player in taken_over.values_list("seat", "seat__game", "former"):
        former[seat_id].append(player)
        changed.add(game)
    levels = dict(
        User.objects.filter(pk__in={one for group in former.values() for one in group}).values_list(
            "pk", "is_bot"
        )
    )
    replaced = replaced_by_moderators(changed) if changed else set()
    return [
        seats_that_count(
            game, seats[game.pk], turns[game.pk], former, bots=levels, replaced=replaced
        )
        for game in games
    ]


def replaced_by_moderators(games: Iterable[int]) -> set[tuple[int, int, int]]:
    """Return game, seat and player of those whom a moderator replaced while they still played.

    Who had run out of time before had left.
    """
    kinds = (Event.Kind.MODERATED, Event.Kind.SEAT_VACANT)
    found, had_left = set(), set()
    events = Event.objects.filter(game__in=games, kind__in=kinds).order_by("pk")
    for game, kind, actor, told in events.values_list("game", "kind", "actor", "details"):
        if kind == Event.Kind.SEAT_VACANT:
            had_left.add((game, told.get("seat"), actor))
        elif told.get("what") == "substitute":
            found.add((game, told.get("seat"), told.get("player")))
    return found - had_left


def seats_that_count(
    game: Game,
    seats: Sequence[Seat],
    turns: dict[tuple[int, int], int],
    former: dict[int, list[int]],
    *,
    bots: dict[int, bool],
    replaced: set[tuple[int, int, int]],
) -> list[_Seat]:
    """Return the seats of one game that change ratings, as `rated_seats` does."""
    kind, sides = table_kind_of(game.rules, game.options), game.rules.sides(game.options)
    found = []
    for seat in seats:
        if seat.user_id is None or seat.place is None:
            return []  # it was reopened just now: another mark tells of it
        before, until_then = [], 0
        all_turns = sum(count for (number, _), count in turns.items() if number == seat.number)
        for player in dict.fromkeys(former[seat.pk]):
            own = turns.get((seat.number, player), 0)
            if player == seat.user_id or not own:
                continue
            until_then += own
            is_replaced = (game.pk, seat.number, player) in replaced
            # A program that gave its seat up is not rated for it: its level is not in the record.
            if not bots[player]:
                share = own / (all_turns if is_replaced else until_then)
                before.append(_Former((player, kind, 0), share, is_replaced))
        own = turns.get((seat.number, seat.user_id), 0)
        if own:
            found.append(
                _Seat(
                    (seat.user_id, kind, seat.level or 0),
                    sides[seat.number],
                    seat.place,
                    own / (until_then + own),  # a partner's turns for them are not theirs
                    seat.left_at is not None,
                    tuple(before),
                )
            )
    everybody = [who[0] for seat in found for who in _everybody(seat)]
    is_fair = len(everybody) == len(set(everybody))
    return found if is_fair and len({seat.side for seat in found}) > 1 else []


def _newest_changes(
    slug: str, whose: Iterable[Who], before: tuple[datetime, int]
) -> list[RatingChange]:
    """Return the newest change of each of these ratings before a game, by index."""
    rows = sorted(whose)
    if not rows:
        return []
    row = "(CAST(%s AS bigint), CAST(%s AS varchar(8)), CAST(%s AS integer))"
    statement = _NEWEST.format(columns=columns_of(RatingChange), rows=", ".join([row] * len(rows)))
    values = [value for who in rows for value in who]
    moment = time_to_sql(before[0])
    return select_rows(RatingChange, statement, [*values, slug, moment, moment, before[1]])


_NEWEST = """
WITH whose (player, table_kind, level) AS (VALUES {rows})
SELECT {columns} FROM whose JOIN games_ratingchange ON games_ratingchange.id = (
  SELECT id FROM games_ratingchange AS one
  WHERE one.player_id = whose.player AND one.rules_slug = %s
    AND one.table_kind = whose.table_kind AND one.level = whose.level
    AND one.ended_at <= %s AND (one.ended_at < %s OR one.game_id < %s)
  ORDER BY one.ended_at DESC, one.game_id DESC LIMIT 1
)"""


def keep_newest_ratings(slug: str, whose: set[Who]) -> None:
    """Let these ratings be what their newest changes say."""
    if not whose:
        return
    newest = _newest_changes(slug, whose, (_END_OF_TIME, 0))
    users = User.objects.only("username", "is_bot").in_bulk({who[0] for who in whose})
    ratings = [
        Rating(
            player_id=one.player_id,
            rules_slug=slug,
            table_kind=one.table_kind,
            level=one.level,
            mu=one.mu,
            sigma=one.sigma,
            games=one.games,
            of_program=users[one.player_id].is_bot,
            changed_at=one.ended_at,
        )
        for one in newest
        if not users[one.player_id].is_former
    ]
    unique = ["player", "rules_slug", "table_kind", "level"]
    Rating.objects.bulk_create(
        ratings,
        update_conflicts=True,
        unique_fields=unique,
        update_fields=["mu", "sigma", "games", "of_program", "changed_at"],
        batch_size=BATCH,
    )
    kept = {(one.player_id, one.table_kind, one.level) for one in ratings}
    for player, kind, level in whose - kept:
        Rating.objects.filter(player=player, rules_slug=slug, table_kind=kind, level=level).delete()
