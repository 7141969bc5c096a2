"""Wishes for opponents: what pages, mails and the API show of them, and what pairing asks."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import BigIntegerField, Count, F, Q, QuerySet, Sum, Value

from accounts.models import Block, User
from accounts.models.vacation import away_until
from games.clock.time_control import PaceKind, TimeControl
from games.competition.matching import AGAIN_WITHIN, Seeker, may_be_paired
from games.models import Ending, Game, KindResults, Rating, Seat, Wish, WishGame
from games.models.rating import table_kind_of
from games.queries.answering import answering_times
from games.rules.base import Options
from games.rules.registry import all_rules, rules_for
from games.services.rating_formula import START_MU

FEWEST_WAITS, WAITS_COUNTED = 3, 51
"""How long it usually takes is the median of the newest so many waits of a game and pace."""

MOST_COUNTED = 100
"""At most so many of the players who wait for the same game are counted."""

RELIABLE_GAMES = 10
"""A player's share of games lost on time is counted as if so many more had ended in time: one game
lost on time of one says little."""


def open_wishes() -> QuerySet[Wish]:
    """Return the wishes that are not withdrawn, for games whose rules are installed.

    Each has how many of its games run (`running`) and how many it has had (`begun`).
    """
    installed = [rules.slug for rules in all_rules()]
    counts = {
        "begun": Count("games"),
        "running": Count("games", filter=Q(games__game__ended_at=None)),
    }
    return Wish.objects.filter(withdrawn_at=None, rules_slug__in=installed).annotate(**counts)


def usual_waits(
    kinds: Iterable[tuple[str, TimeControl]],
) -> dict[tuple[str, TimeControl], timedelta]:
    """Return how long wishes for a game at a pace usually waited, by both; one query.

    Those of which too few are known are left out.
    """
    newest = []
    for slug, pace in kinds:
        waits = WishGame.objects.filter(
            rules_slug=slug,
            pace=pace.kind,
            allowance=pace.allowance,
            bank=pace.bank,
            cap=pace.cap,
        )
        keys = waits.order_by("-pk").values("pk")[:WAITS_COUNTED]
        # SQLite takes no limit in a part of a union, but one within its condition.
        newest.append(WishGame.objects.filter(pk__in=keys))
    if not newest:
        return {}
    waited: dict[tuple[str, TimeControl], list[timedelta]] = defaultdict(list)
    rows = newest[0].union(*newest[1:], all=True) if len(newest) > 1 else newest[0]
    for slug, kind, allowance, bank, cap, wait in rows.values_list(
        "rules_slug", "pace", "allowance", "bank", "cap", "waited"
    ):
        waited[slug, TimeControl(PaceKind(kind), allowance, bank, cap)].append(wait)
    return {
        kind: sorted(found)[len(found) // 2]
        for kind, found in waited.items()
        if len(found) >= FEWEST_WAITS
    }


def usual_wait(rules_slug: str, pace: TimeControl) -> timedelta | None:
    """Return how long wishes for a game at a pace usually waited; None if too few are known."""
    return usual_waits([(rules_slug, pace)]).get((rules_slug, pace))


@dataclass(frozen=True)
class ShownWish:
    """A wish of a player as it is shown to them.

    `running` counts its running games, `others` the other players who wait for the same, up to
    `MOST_COUNTED`.
    """

    wish: Wish
    running: int
    others: int
    usual_wait: timedelta | None
    is_away: bool

    @property
    def counts_all_others(self) -> bool:
        """Whether no more players than `others` can be waiting for the same."""
        return self.others < MOST_COUNTED

    @property
    def state(self) -> str:
        """What the wish does: it "waits", "rests", has "enough" games, or its player is "away"."""
        if self.wish.rests_since is not None:
            return "rests"
        if self.is_away:
            return "away"
        return "enough" if self.running >= self.wish.at_once else "waits"


def shown_wishes(user: User, *, now: datetime) -> list[ShownWish]:
    """Return a player's wishes, the oldest first; four queries."""
    own = list(open_wishes().filter(user=user).order_by("pk"))
    if not own:
        return []
    is_away = bool(away_until([user.pk], now))
    others = _others_waiting(own)
    waits = usual_waits({(wish.rules_slug, wish.time_control) for wish in own})
    return [
        ShownWish(
            wish,
            wish.running,
            others[wish.pk],
            waits.get((wish.rules_slug, wish.time_control)),
            is_away,
        )
        for wish in own
    ]


def _others_waiting(wishes: Sequence[Wish]) -> Counter[int]:
    """Return how many other players wait for the same as each of a player's wishes; one query.

    Counted up to `MOST_COUNTED`, so that it costs the same however many wait.
    """
    waiting = Wish.objects.filter(waits_since__isnull=False).order_by()
    parts = []
    for wish in wishes:
        same = waiting.filter(
            rules_slug=wish.rules_slug,
            options=wish.options,
            pace=wish.pace,
            allowance=wish.allowance,
            bank=wish.bank,
            cap=wish.cap,
        )
        counted = same.exclude(user=wish.user_id).values("pk")[:MOST_COUNTED]
        # SQLite takes no limit in a part of a union, but one within its condition.
        own = Value(wish.pk, BigIntegerField())
        parts.append(Wish.objects.filter(pk__in=counted).order_by().values_list(own, flat=True))
    return Counter(parts[0].union(*parts[1:], all=True) if len(parts) > 1 else parts[0])


# What pairing asks -------------------------------------------------------------------------------


def wish_kind(wish: Wish) -> tuple[object, ...]:
    """Return what is the same for wishes that fit each other: game, options and pace."""
    return wish.rules_slug, json.dumps(wish.options, sort_keys=True), wish.time_control


def ready_wishes(now: datetime, among: Collection[int] | None = None) -> list[Wish]:
    """Return the open wishes (among these keys) whose players can be paired and want more games.

    Left out is who cannot act, leaves the site, is on vacation, or gets no mail.
    """
    here = Q(user__barred_until=None) | Q(user__barred_until__lte=now)
    found = open_wishes().filter(
        here,
        rests_since=None,
        user__is_active=True,
        user__deletion_due_at=None,
        user__unreachable_since=None,
    )
    if among is not None:
        found = found.filter(pk__in=among)
    wishes = list(found.order_by("pk"))
    away = away_until({wish.user_id for wish in wishes}, now)
    return [wish for wish in wishes if wish.user_id not in away and wish.running < wish.at_once]


def wishes_of_absent() -> list[int]:
    """Return the keys of wishes whose players let a game run out of time since they changed them.

    A game that never began counts against who played no turn of it.
    """
    lost = Q(game__ending=Ending.TIMEOUT, game__seats__place__gt=1)
    never_played = Q(game__ending=Ending.NEVER_BEGUN, game__seats__number=F("game__turn_number"))
    found = WishGame.objects.filter(
        lost | never_played,
        wish__withdrawn_at=None,
        wish__rests_since=None,
        game__ended_at__gte=F("wish__changed_at"),
        game__seats__user=F("wish__user"),
    )
    return list(found.values_list("wish", flat=True).distinct())


def seekers_for(wishes: Sequence[Wish], now: datetime) -> list[Seeker]:
    """Return wishes of one kind, which wait, as pairing wants them.

    Answering times, which cost a query a player, are read only of those who may find somebody.
    """
    users = {wish.user_id for wish in wishes}
    slug, options = wishes[0].rules_slug, wishes[0].options
    ratings = ratings_by_player(users, slug, options)
    lost = shares_lost_on_time(users)
    avoids, played = _earlier_games(users, slug, now)
    for by, of in Block.objects.filter(by__in=users, of__in=users).values_list("by", "of"):
        avoids[by].add(of)
    seekers = [
        Seeker(
            wish=wish.pk,
            user=wish.user_id,
            rating=ratings.get(wish.user_id, START_MU),
            waited=now - (wish.waits_since or now),
            lowest=wish.lowest,
            highest=wish.highest,
            usual=None,
            lost_on_time=lost[wish.user_id],
            avoids=frozenset(avoids[wish.user_id]),
            played=played[wish.user_id],
        )
        for wish in wishes
    ]
    found = []
    for one in seekers:
        if any(may_be_paired(one, other) for other in seekers):
            times = answering_times(one.user)
            found.append(replace(one, usual=times.median if times else None))
    return found


def ratings_by_player(users: Collection[int], slug: str, options: Options) -> dict[int, float]:
    """Return the rating of those of these players who have one in a game with these options."""
    kind = table_kind_of(rules_for(slug), options)
    found = Rating.objects.filter(player__in=users, rules_slug=slug, table_kind=kind, level=0)
    return dict(found.values_list("player", "mu"))


def shares_lost_on_time(users: Collection[int]) -> dict[int, float]:
    """Return for each player the share of their games, of any kind, that they lost on time."""
    rows = KindResults.objects.filter(player__in=users).values("player").order_by()
    sums = {
        row["player"]: row["late"] / (row["all"] + RELIABLE_GAMES)
        for row in rows.annotate(late=Sum("out_of_time"), all=Sum("played"))
    }
    return {user: sums.get(user, 0.0) for user in users}


def _earlier_games(
    users: Collection[int], slug: str, now: datetime
) -> tuple[dict[int, set[int]], dict[int, dict[int, timedelta]]]:
    """Return for each player with whom they play a game of a kind, and how long ago they began one.

    Games that began longer ago than pairing asks about are left out, unless they still run.
    """
    running = Q(game__status=Game.Status.ACTIVE)
    rows = Seat.objects.filter(
        running | Q(game__started_at__gte=now - AGAIN_WITHIN),
        user__in=users,
        game__rules_slug=slug,
        game__seats__user__in=users,
    )
    avoids: dict[int, set[int]] = defaultdict(set)
    played: dict[int, dict[int, timedelta]] = defaultdict(dict)
    found = rows.values_list("user", "game__seats__user", "game__status", "game__started_at")
    for user, other, status, began in found:
        if user == other:
            continue
        if status == Game.Status.ACTIVE:
            avoids[user].add(other)
        if began is not None:
            ago = now - began
            played[user][other] = min(ago, played[user].get(other, ago))
    return avoids, played
