"""How many queries lists and pages of competition ask, with session and user, for few and many.

Each is asked twice: of a game with few players, and of one with many, or before and after many rows
were added. It may ask `MOST` at most, and no more the second time.
"""

from datetime import timedelta
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import (
    Club,
    ClubMember,
    Game,
    Ladder,
    LadderChallenge,
    LadderPlace,
    League,
    Rating,
    RatingChange,
    Season,
    SeasonEntry,
    Tournament,
    Wish,
    WishGame,
)
from games.queries.ladders import PAGE
from games.services.leagues.seasons import run_leagues
from tests.api.client import Api, token_for
from tests.factories import PersonFactory
from tests.games.tournaments.simulation import DAY, started

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MOST = 7
FEW, MANY = "morpion", "taquet"
"""The games that few and many play."""

OTHERS = ("superpion", "morpiae", "super-morpion")
"""Games in which there is nothing at first."""


@pytest.fixture
def now():
    """The time of the pages."""
    return timezone.now()


@pytest.fixture
def crowd(ann):
    """Two hundred people, ann the first."""
    made = User.objects.bulk_create(User(username=f"crowd{number}") for number in range(199))
    return [ann, *made]


def made_games(creator, count, now):
    """Return so many tables, as rows alone."""
    return Game.objects.bulk_create(
        Game(
            rules_slug="morpion",
            creator=creator,
            allowance=3 * DAY,
            created_at=now,
            status="closed",
            ending="expired",
            ended_at=now,
        )
        for _ in range(count)
    )


def rate(people, slug, now):
    """Give people a rating that is listed."""
    Rating.objects.bulk_create(
        Rating(
            player=one,
            rules_slug=slug,
            table_kind="2",
            mu=1500 - number,
            sigma=40,
            games=9,
            of_program=one.is_bot,
            changed_at=now,
        )
        for number, one in enumerate(people)
    )


def change_rating(person, slug, games, now):
    """Write what games changed of a rating."""
    RatingChange.objects.bulk_create(
        RatingChange(
            game=game,
            player=person,
            ended_at=now + timedelta(minutes=number),
            rules_slug=slug,
            table_kind="2",
            mu=1500 + number,
            sigma=90 - number,
            mu_before=1490,
            sigma_before=100,
            games=number,
            people="x",
            weight=1,
        )
        for number, game in enumerate(games)
    )


def put_on_ladder(people, slug, now, club=None):
    """Put people on a ladder; ann, the first, is the last of them. Everybody is challenged."""
    ladder = Ladder.objects.create(rules_slug=slug, club=club, made_at=now)
    later = {"joined_at": now, "idle_from": now + 9 * DAY, "sinks_at": now + 9 * DAY}
    order = people[::-1]
    LadderPlace.objects.bulk_create(
        LadderPlace(ladder=ladder, user=one, place=place, **later)
        for place, one in enumerate(order, 1)
    )
    LadderChallenge.objects.bulk_create(
        LadderChallenge(
            ladder=ladder, challenger=below, challenged=above, made_at=now, due_at=now + 3 * DAY
        )
        for above, below in pairwise(order)
    )


def open_club(people, slug, now):
    """Open a club of people, who are on its ladder of a game."""
    club = Club.objects.create(name=slug, folded_name=slug, slug=slug, opened_at=now)
    ClubMember.objects.bulk_create(ClubMember(club=club, user=one, joined_at=now) for one in people)
    put_on_ladder(people, slug, now, club)


def start_season(people, slug, now):
    """Let people play a season that has just begun, after one that is over."""
    league = League.objects.create(rules_slug=slug, allowance=3 * DAY, opened_at=now - 60 * DAY)
    starts = [now - 40 * DAY, now - DAY]
    seasons = Season.objects.bulk_create(
        Season(league=league, number=number, starts_at=start, final_at=now + 20 * DAY)
        for number, start in enumerate(starts, 1)
    )
    SeasonEntry.objects.bulk_create(
        SeasonEntry(season=season, user=one, joined_at=season.starts_at)
        for season in seasons
        for one in people
    )
    for season in seasons:
        run_leagues(now=season.starts_at)
        first = Season.objects.filter(number=1, started_at__isnull=False)
        first.update(ended_at=now - 10 * DAY)


def copy_tournaments(count):
    """Let there be so many copies of every tournament."""
    made = []
    for one in Tournament.objects.all():
        for _ in range(count):
            one.pk = None
            made.append(
                Tournament(**{f.attname: getattr(one, f.attname) for f in one._meta.fields})
            )
    Tournament.objects.bulk_create(made)


def wish(people, slugs, now, days):
    """Let people wish for opponents at some paces, and have waited for games of these kinds."""
    games = made_games(people[0], 60, now)
    for slug in slugs:
        for allowance in days:
            kind = {
                "rules_slug": slug,
                "allowance": allowance * DAY,
                "bank": timedelta(),
                "cap": timedelta(),
            }
            made = Wish.objects.bulk_create(
                Wish(user=one, via="web", made_at=now, changed_at=now, waits_since=now, **kind)
                for one in people
            )
            WishGame.objects.bulk_create(
                WishGame(
                    wish=made[-1], game=game, pace="turn", began_at=now, waited=number * DAY, **kind
                )
                for number, game in enumerate(games)
            )


@pytest.fixture
def cost(client, ann, now):
    """Return the number of queries of a page as ann, or of a route of the API."""
    client.force_login(ann)
    api = Api(token_for(ann, now=now))

    def count(path):
        client.get("/rules/")  # writes the list of visits, and reads what is remembered for seconds
        with CaptureQueriesContext(connection) as captured:
            answer = api.get(path.removeprefix("api:")) if path[0] == "a" else client.get(path)
        assert answer.status_code == 200, path
        statements = [one["sql"] for one in captured if "SAVEPOINT" not in one["sql"]]
        return len(statements), "\n".join(statements)

    return count


def check(cost, pairs, most=MOST):
    """Fail unless no page of the first ones, and of the others, asks more than it may."""
    wrong = {}
    for few, many in pairs:
        (before, _), (after, statements) = cost(few), cost(many)
        if after > most or after > before:
            wrong[many] = f"{before}, then {after}:\n{statements}"
    assert not wrong, "\n\n".join(f"{path}: {said}" for path, said in wrong.items())


def test_pages_of_few_and_of_many(cost, crowd, ann, now):
    few = crowd[:4]
    for people, slug in ((few, FEW), (crowd, MANY)):
        rate(people, slug, now)
        change_rating(ann, slug, made_games(ann, len(people), now), now)
        put_on_ladder(people, slug, now)
        open_club(people, slug, now)
        start_season(people[:15], slug, now)
    first, middle = (
        Rating.objects.get(rules_slug=slug, player=crowd[at]).pk
        for slug, at in ((FEW, 1), (MANY, 100))
    )
    tournaments = []
    for form in ("swiss", "round-robin", "knockout", "groups"):
        small, _ = started([PersonFactory(), *few], now - 2 * DAY, form)
        large, _ = started([PersonFactory(), *crowd[:11]], now - 2 * DAY, form)
        tournaments.append((small.get_absolute_url(), large.get_absolute_url()))
    pages = [
        (path.format(slug=FEW), path.format(slug=MANY))
        for path in (
            "/ratings/{slug}/",
            "/ratings/{slug}/?of=programs",
            "/people/ann/ratings/{slug}/",
            "/ladders/{slug}/",
            "/leagues/{slug}/",
            "/leagues/{slug}/1/",
            "/leagues/{slug}/2/",
            "api:/ratings/{slug}",
            "api:/players/ann/ratings/{slug}",
            "api:/leagues/{slug}/seasons/1",
            "api:/leagues/{slug}/seasons/2",
        )
    ]
    deep = [
        (f"/ratings/{FEW}/?after={first}", f"/ratings/{MANY}/?after={middle}"),
        (f"/ladders/{FEW}/", f"/ladders/{MANY}/?page={len(crowd) // PAGE}"),
    ]
    assert Season.objects.get(league__rules_slug=MANY, number=2).divisions.count() == 2
    check(cost, pages + deep + tournaments)
    of_clubs = f"/clubs/{FEW}/ladders/{FEW}/", f"/clubs/{MANY}/ladders/{MANY}/"
    check(cost, [of_clubs, (of_clubs[0], f"{of_clubs[1]}?page=2")], MOST + 1)  # is it a member?


def test_lists_with_few_and_with_many_rows(cost, crowd, ann, now):
    paths = ["/wishes/", "/ladders/", "/leagues/", "/tournaments/"]
    paths += [f"api:{path}" for path in ("/wishes", "/leagues", "/players/ann/ratings")]
    rate(crowd[:1], FEW, now)
    wish(crowd[:1], [FEW], now, days=[3])
    put_on_ladder(crowd[:3], FEW, now)
    start_season(crowd[:3], FEW, now)
    started(crowd[:3], now - 2 * DAY)
    before = {path: cost(path)[0] for path in paths}
    rate(crowd, MANY, now)
    for slug in OTHERS:
        rate([ann], slug, now)
    wish(crowd[:30], [MANY, "super-morpion"], now, days=range(1, 10))
    put_on_ladder(crowd, MANY, now)
    for slug in (MANY, "super-morpion"):
        start_season(crowd[:12], slug, now)
    started(crowd[:12], now - 2 * DAY, "round-robin")
    copy_tournaments(15)
    after = {path: cost(path) for path in paths}
    wrong = {
        path: f"{before[path]}, then {count}:\n{said}"
        for path, (count, said) in after.items()
        if count > MOST or count > before[path]
    }
    assert not wrong, "\n\n".join(f"{path}: {said}" for path, said in wrong.items())
