"""Hints for moderators that a competition may not be fair: they prove nothing.

Three kinds are looked for, among the newest games and open sessions: accounts that one person may
share, pairs whose results against each other are improbable, and players who may lose on purpose to
be rated low. Each hint says figures and games. Nothing is stored, and only the admin shows it.

The number of queries depends on nothing, and each reads a bounded number of rows.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from allauth.usersessions.models import UserSession
from django.db.models import Count, F, Max, OuterRef, Q, Subquery, TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from games.models import (
    Ending,
    Entrant,
    Game,
    LadderPlace,
    RatingChange,
    SeasonEntry,
    Seat,
)
from games.services.rating_formula import win_probability

LOOKED_BACK = timedelta(days=180)
"""How far back is looked: a season and the one before it, and what a person may still remember."""

LOOKED_AT = 50_000
"""How many of the newest games, and sessions, a page looks at: it never reads all of a table."""

MOST_ROWS = 20_000
"""How many rows a query returns at most."""

MOST_CANDIDATES = 200
"""How many addresses, pairs and players of each kind are looked at closely."""

MOST_OF_AN_ADDRESS = 4
"""An address of more accounts is a school's, an office's or a mobile network's."""

QUICK_ENTRIES = 6
"""A game given up after so few turns of both was hardly played: three turns each."""

FEWEST_GIVEN = 4
"""So many quick losses to the same player are more than bad luck: three happen in one bad week."""

GIVEN_SHARE = 0.5
"""Who gives up everywhere gives nobody an advantage: so much of it must be to one player."""

FEWEST_ALTERNATING = 6
"""So many quick games in a row in which the two take turns in winning: by chance one in 32."""

FEWEST_OF_PAIR = 6
"""With fewer games nothing is improbable enough."""

UNDERDOG = 100
"""Only wins of who is rated lower by so many points are looked at: who rises quickly wins more than
their rating says against everybody."""

RARE_PAIR = 1e-4
"""Of 200 pairs that are looked at one is shown by chance in 50 looks."""

FEWEST_QUICK = 5
"""So many games given up quickly, whoever the opponents are."""

FAR_BELOW = 150
"""So many points below the own earlier rating: seven games of ten become three of ten."""

SURE_ENOUGH = 125.0
"""The greatest uncertainty of that earlier rating: the fall is more than a standard deviation."""

STRONGER = 100
"""Opponents who are rated higher by so many points."""

RARE_RISE = 1e-3
"""How improbable the wins after quick losses must be; few players are looked at."""


class HintKind(TextChoices):
    """What a hint is about."""

    SHARED = "shared", gettext_lazy("one person with two accounts?")
    COLLUSION = "collusion", gettext_lazy("results agreed on?")
    SANDBAGGING = "sandbagging", gettext_lazy("lost on purpose?")


@dataclass(frozen=True)
class Hint:
    """What may not be fair, about whom: figures in the active language, and games by number."""

    kind: HintKind
    people: tuple[User, ...]
    figures: tuple[str, ...]
    games: tuple[int, ...]


@dataclass(frozen=True)
class _Raw:
    """A hint whose people are keys."""

    kind: HintKind
    people: tuple[int, ...]
    figures: tuple[str, ...]
    games: tuple[int, ...]


def fair_play_hints(viewer: User, *, now: datetime) -> list[Hint]:
    """Return all hints, but those about the viewer, who must not judge them."""
    newest = Game.objects.aggregate(newest=Max("pk"))["newest"] or 0
    first, since = newest - LOOKED_AT, now - LOOKED_BACK
    quick = quick_games(first, since)
    raw = [*shared_accounts(first, since), *given_games(quick), *alternating_games(quick)]
    raw += [*improbable_results(first, since), *losses_on_purpose(quick, first, since)]
    raw = [one for one in raw if viewer.pk not in one.people]
    users = User.objects.in_bulk({pk for one in raw for pk in one.people})
    return [
        Hint(one.kind, tuple(users[pk] for pk in one.people), one.figures, one.games[:50])
        for one in raw
    ]


# Shared accounts ---------------------------------------------------------------------------------


def shared_accounts(first: int, since: datetime) -> Iterator[_Raw]:
    """Yield pairs of accounts with sessions at one address that play each other or in one event."""
    people = {"user__is_bot": False, "user__guest_until": None, "user__is_active": True}
    newest = UserSession.objects.order_by("-pk").values("pk")[:1]
    sessions = UserSession.objects.filter(
        pk__gt=Subquery(newest) - LOOKED_AT, last_seen_at__gte=since, **people
    )
    shared = (
        sessions.values("ip")
        .annotate(accounts=Count("user", distinct=True))
        .filter(accounts__range=(2, MOST_OF_AN_ADDRESS))
        .order_by("-accounts", "ip")
    )
    places = list(shared.values_list("ip", flat=True)[:MOST_CANDIDATES])
    at: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    found = sessions.filter(ip__in=places).order_by("-last_seen_at")
    for ip, user, browser in found.values_list("ip", "user", "user_agent")[:MOST_ROWS]:
        at[ip][user].add(browser)
    addresses: Counter[tuple[int, int]] = Counter()
    browsers: Counter[tuple[int, int]] = Counter()
    for accounts in at.values():
        for one, other in combinations(sorted(accounts), 2):
            addresses[one, other] += 1
            browsers[one, other] += len(accounts[one] & accounts[other] - {""})
    games = games_between(addresses, first)
    events = common_events(addresses, since)
    for pair, count in addresses.most_common():
        if not games[pair] and not events[pair]:
            continue
        figures = [
            ngettext(
                "They have sessions at %(count)s common address.",
                "They have sessions at %(count)s common addresses.",
                count,
            )
            % {"count": count},
            ngettext(
                "The browser is described alike in %(count)s case.",
                "The browser is described alike in %(count)s cases.",
                browsers[pair],
            )
            % {"count": browsers[pair]},
            ngettext(
                "They have %(count)s game against or with each other.",
                "They have %(count)s games against or with each other.",
                len(games[pair]),
            )
            % {"count": len(games[pair])},
            ngettext(
                "They take part in %(count)s season, tournament or ladder together.",
                "They take part in %(count)s seasons, tournaments or ladders together.",
                events[pair],
            )
            % {"count": events[pair]},
        ]
        yield _Raw(HintKind.SHARED, pair, tuple(figures), tuple(games[pair]))


def games_between(
    pairs: Iterable[tuple[int, int]], first: int
) -> defaultdict[tuple[int, int], list[int]]:
    """Return the games in which both of a pair have a seat, the newest first."""
    wanted = set(pairs)
    people = {pk for pair in wanted for pk in pair}
    rows = Seat.objects.filter(
        game__gte=first,
        user__in=people,
        game__seats__user__in=people,
        game__seats__user__gt=F("user"),
    ).order_by("-game")
    found: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for game, one, other in rows.values_list("game", "user", "game__seats__user")[:MOST_ROWS]:
        if (one, other) in wanted:
            found[one, other].append(game)
    return found


def common_events(pairs: Iterable[tuple[int, int]], since: datetime) -> Counter[tuple[int, int]]:
    """Return in how many seasons, tournaments and ladders both of a pair take part."""
    wanted = set(pairs)
    people = {pk for pair in wanted for pk in pair}
    seasons = SeasonEntry.objects.filter(user__in=people, division__isnull=False)
    tournaments = Entrant.objects.filter(user__in=people, joined_at__gte=since)
    ladders = LadderPlace.objects.filter(user__in=people, place__isnull=False)
    together: dict[tuple[str, int], set[int]] = defaultdict(set)
    for kind, rows in (
        ("season", seasons.filter(joined_at__gte=since).values_list("season", "user")),
        ("tournament", tournaments.values_list("tournament", "user")),
        ("ladder", ladders.values_list("ladder", "user")),
    ):
        for event, user in rows[:MOST_ROWS]:
            together[kind, event].add(user)
    counts: Counter[tuple[int, int]] = Counter()
    for users in together.values():
        counts.update(pair for pair in combinations(sorted(users), 2) if pair in wanted)
    return counts


# Games that were given up quickly ----------------------------------------------------------------


@dataclass(frozen=True)
class _Quick:
    """A game of two that its loser gave up, or lost on time, after a few turns."""

    game: int
    loser: int
    winner: int


def quick_games(first: int, since: datetime) -> list[_Quick]:
    """Return the quick games of people that count, the oldest first: rated, or of a competition."""
    counts = Q(is_rated=True) | Q(league_game__isnull=False) | Q(tournament_game__isnull=False)
    games = Game.objects.filter(
        counts,
        pk__gte=first,
        status=Game.Status.FINISHED,
        ending__in=(Ending.RESIGNED, Ending.TIMEOUT),
        turn_number__lte=QUICK_ENTRIES,
        ended_at__gte=since,
    ).order_by("-pk")
    seats = Seat.objects.filter(game__in=games.values("pk")[: MOST_ROWS // 2])
    rows = seats.order_by("game").values_list("game", "user", "place", "user__is_bot")
    found: dict[int, list[tuple[int, int | None]]] = defaultdict(list)
    for game, user, place, is_bot in rows:
        if user is not None and not is_bot:
            found[game].append((user, place))
    quick = []
    for game, players in found.items():
        places = {place: user for user, place in players}
        if len(players) == len(places) == 2 and set(places) == {1, 2}:  # noqa: PLR2004
            quick.append(_Quick(game, places[2], places[1]))
    return quick


def given_games(quick: Sequence[_Quick]) -> Iterator[_Raw]:
    """Yield pairs of which one gives up quickly against the other again and again."""
    lost = Counter(one.loser for one in quick)
    games: dict[tuple[int, int], list[int]] = defaultdict(list)
    for one in quick:
        games[one.loser, one.winner].append(one.game)
    for (loser, winner), given in games.items():
        if len(given) >= FEWEST_GIVEN and len(given) >= GIVEN_SHARE * lost[loser]:
            said = _(
                "The first lost %(count)s games to the second after at most %(turns)s turns, by "
                "resigning or on time, of %(all)s such losses in all."
            ) % {"count": len(given), "turns": QUICK_ENTRIES, "all": lost[loser]}
            yield _Raw(HintKind.COLLUSION, (loser, winner), (said,), tuple(given))


def alternating_games(quick: Sequence[_Quick]) -> Iterator[_Raw]:
    """Yield pairs that give up quickly in turns."""
    games: dict[tuple[int, int], list[_Quick]] = defaultdict(list)
    for one in quick:
        low, high = sorted((one.loser, one.winner))
        games[low, high].append(one)
    for pair, played in games.items():
        run: list[_Quick] = []
        best: list[_Quick] = []
        for one in played:
            run = [*run, one] if run and run[-1].winner != one.winner else [one]
            best = max(best, run, key=len)
        if len(best) >= FEWEST_ALTERNATING:
            said = _(
                "%(count)s games in a row ended after at most %(turns)s turns, by resigning or on "
                "time, and the two took turns in winning."
            ) % {"count": len(best), "turns": QUICK_ENTRIES}
            yield _Raw(HintKind.COLLUSION, pair, (said,), tuple(one.game for one in best))


# Results that ratings do not explain -------------------------------------------------------------


@dataclass(frozen=True)
class _Rated:
    """A rated game of two, from the side of one of them, with the ratings before it."""

    game: int
    slug: str
    own: tuple[float, float]
    other: tuple[float, float]
    points: float
    """1 for a win, 0.5 for a draw."""
    opponent: int
    after: float

    @property
    def chance(self) -> float:
        """How likely a win was."""
        return win_probability(self.own, self.other)


def _rated_games(games: Any, first: int) -> dict[int, list[_Rated]]:
    """Return the rated games of two among these by player, the oldest first; one query."""
    place = Seat.objects.filter(game=OuterRef("game"), user=OuterRef("player")).values("place")
    rows = RatingChange.objects.filter(
        game__in=games, game__gte=first, table_kind="2", level=0, player__is_bot=False
    ).annotate(place=Subquery(place[:1]))
    of_game: dict[int, list[RatingChange]] = defaultdict(list)
    for row in rows.order_by("-ended_at", "-game")[:MOST_ROWS]:
        of_game[row.game_id].append(row)
    found: dict[int, list[_Rated]] = defaultdict(list)
    for game, sides in reversed(of_game.items()):
        if len(sides) != 2:  # noqa: PLR2004  (the other is a program, or was cut off)
            continue
        for one, other in (sides, sides[::-1]):
            mine, theirs = one.place, other.place  # type: ignore[attr-defined]
            if mine is None or theirs is None:
                continue
            points = 0.5 if mine == theirs else float(mine < theirs)
            strengths = (one.mu_before, one.sigma_before), (other.mu_before, other.sigma_before)
            rated = _Rated(game, one.rules_slug, *strengths, points, other.player_id, one.mu)
            found[one.player_id].append(rated)
    return found


def chance_of_at_least(wins: int, chances: Sequence[float]) -> float:
    """Return how likely so many of these games or more are won, each with its own chance."""
    exactly = [1.0]
    for chance in chances:
        kept = [one * (1 - chance) for one in exactly]
        gained = [one * chance for one in exactly]
        exactly = [a + b for a, b in zip([*kept, 0.0], [0.0, *gained], strict=True)]
    return sum(exactly[wins:])


def improbable_results(first: int, since: datetime) -> Iterator[_Raw]:
    """Yield pairs of which the lower rated one wins more often than ratings explain."""
    pairs = (
        RatingChange.objects.filter(game__gte=first, ended_at__gte=since, table_kind="2", level=0)
        .values("people")
        .annotate(count=Count("game", distinct=True))
        .filter(count__gte=FEWEST_OF_PAIR)
        .order_by("-count", "people")
    )
    chosen = list(pairs.values_list("people", flat=True)[:MOST_CANDIDATES])
    games = RatingChange.objects.filter(people__in=chosen, ended_at__gte=since).values("game")
    for player, rated in _rated_games(games, first).items():
        for opponent in sorted({one.opponent for one in rated}):
            played = [one for one in rated if one.opponent == opponent and one.points != 0.5]  # noqa: PLR2004
            if len(played) < FEWEST_OF_PAIR:
                continue
            behind = sum(one.other[0] - one.own[0] for one in played) / len(played)
            wins = round(sum(one.points for one in played))
            chance = chance_of_at_least(wins, [one.chance for one in played])
            if behind < UNDERDOG or chance > RARE_PAIR:
                continue
            said = _(
                "The first won %(wins)s of %(count)s games against the second, who was rated "
                "higher by %(points)s points on average: by ratings %(expected).1f wins were to be "
                "expected, and so many happen once in %(once)s times."
            ) % {
                "wins": wins,
                "count": len(played),
                "points": round(behind),
                "expected": sum(one.chance for one in played),
                "once": round(1 / max(chance, 1e-12)),
            }
            numbers = tuple(one.game for one in played)
            yield _Raw(HintKind.COLLUSION, (player, opponent), (said,), numbers)


def losses_on_purpose(quick: Sequence[_Quick], first: int, since: datetime) -> Iterator[_Raw]:
    """Yield players who gave many games up quickly, and then play below or above their rating."""
    lost: dict[int, list[int]] = defaultdict(list)
    for one in quick:
        lost[one.loser].append(one.game)
    often = sorted(lost, key=lambda user: (-len(lost[user]), user))[:MOST_CANDIDATES]
    chosen = [user for user in often if len(lost[user]) >= FEWEST_QUICK]
    games = RatingChange.objects.filter(player__in=chosen, ended_at__gte=since).values("game")
    rated = _rated_games(games, first)
    for player in chosen:
        slugs = sorted({one.slug for one in rated.get(player, ())})
        for slug in slugs:
            own = [one for one in rated[player] if one.slug == slug]
            figures = figures_of_losses(own, set(lost[player]))
            if figures:
                given = tuple(one.game for one in own if one.game in lost[player])
                yield _Raw(HintKind.SANDBAGGING, (player,), tuple(figures), given)


def figures_of_losses(own: Sequence[_Rated], lost: set[int]) -> list[str]:
    """Return what is suspicious of a player's games of one kind, the oldest first; mostly nothing.

    Who plays no more after the quick losses gains nothing by them.
    """
    given = [number for number, one in enumerate(own) if one.game in lost]
    if len(given) < FEWEST_QUICK or given[-1] == len(own) - 1:
        return []
    said = [
        _("%(count)s rated games were given up after at most %(turns)s turns.")
        % {"count": len(given), "turns": QUICK_ENTRIES}
    ]
    settled = [one.own[0] for one in own[: given[-1] + 1] if one.own[1] <= SURE_ENOUGH]
    low = own[given[-1]].after
    if settled and max(settled) - low >= FAR_BELOW:
        said.append(
            _("The rating fell from %(high)s to %(low)s.")
            % {"high": round(max(settled)), "low": round(low)}
        )
    later = [
        one
        for one in own[given[FEWEST_QUICK - 1] + 1 :]
        if one.game not in lost and one.points != 0.5 and one.other[0] - one.own[0] >= STRONGER  # noqa: PLR2004
    ]
    wins = round(sum(one.points for one in later))
    chance = chance_of_at_least(wins, [one.chance for one in later])
    if later and chance <= RARE_RISE:
        said.append(
            _(
                "Afterwards %(wins)s of %(count)s games were won against opponents who were rated "
                "higher by %(points)s points or more; %(expected).1f were to be expected."
            )
            % {
                "wins": wins,
                "count": len(later),
                "points": STRONGER,
                "expected": sum(one.chance for one in later),
            }
        )
    return said if len(said) > 1 else []
