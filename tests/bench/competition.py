"""What competition costs with 100,000 rated players and 1,000,000 games.

`make bench-competition` runs it on a PostgreSQL server of its own. Lists and pages are asked in two
databases in turn, of few and of many players; each may ask `MOST_QUERIES` at most, and take
`MOST_RATIO` times as long in the large one. Then a season of 10,000 players is formed and all of
its games begin, it ends, its letters are written, and 10,000 wishes are paired. `--quick` does a
hundredth of it.
"""

import argparse
import os
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from tests.bench.admin import MeasuredSite, leave, measured, use
from tests.bench.web.sites import cpu_of, parent
from tests.servers import postgresql

MOST_QUERIES, MOST_RATIO = 7, 1.5
MOST_SECONDS = 60.0
"""Of the start of a season, from its divisions to the last of its games."""

PLAYERS = 10_000
SMALL = {"games": 10_000, "people": 1_000}
LARGE = {"games": 1_000_000, "people": 100_000}

DAY = timedelta(days=1)


def build(name: str, size: dict[str, int]) -> None:
    """Make a database with so many people and games, copied from the migrated one."""
    from django.db import connection

    from tests.bench import bulk_rows

    use("postgres")
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE pli")
    use(name)
    bulk_rows.fill(**size)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def site(name: str) -> MeasuredSite:
    """Return a database with the addresses of its lists, asked by somebody who plays there."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from accounts.models import User
    from games.models import Rating, Season

    use(name)
    client = Client()
    player = User.objects.get(username="p177x")
    client.force_login(player)
    listed = Rating.objects.filter(rules_slug="morpion", of_program=False).order_by("-mu", "-id")
    middle = listed[listed.count() // 2].pk
    season = Season.objects.filter(league__rules_slug="morpion").order_by("-number")[0]
    pages = {
        "ratings": "/ratings/morpion/",
        "ratings, from the middle": f"/ratings/morpion/?after={middle}",
        "a player": "/people/p177x/",
        "a player's rating": "/people/p177x/ratings/morpion/",
        "wishes": "/wishes/",
        "ladders": "/ladders/",
        "a ladder": "/ladders/morpion/",
        "a ladder, from the middle": f"/ladders/morpion/?page={listed.count() // 100}",
        "leagues": "/leagues/",
        "a league": "/leagues/morpion/",
        "a season": season.get_absolute_url(),
        "tournaments": "/tournaments/",
    }

    def ask(path: str) -> int:
        if path == "/admin/":
            path = "/rules/"  # what is remembered for some seconds is read by it
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(path)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        return sum("SAVEPOINT" not in one["sql"] for one in captured)

    return MeasuredSite(name, ask, pages)


def compare_lists(small: dict[str, int], large: dict[str, int]) -> int:
    """Print what lists cost with few and with many; return how many goals are missed."""
    began = time.perf_counter()
    build("few", small)
    build("many", large)
    print(f"few: {small}, many: {large}; filled in {time.perf_counter() - began:.0f} s")
    few, many = site("few"), site("many")
    found = measured(few, many, few.pages)
    again = [name for name, one in found.items() if one.ratio > MOST_RATIO]
    if again:
        found |= measured(few, many, again, 15)
    print("| page | few | many | ratio | queries |\n| --- | ---: | ---: | ---: | ---: |")
    missed = 0
    for name, one in found.items():
        is_good = one.ratio <= MOST_RATIO and one.queries <= MOST_QUERIES
        missed += not is_good
        said = f"{one.small:.1f} ms | {one.large:.1f} ms | {one.ratio:.2f} | {one.queries}"
        print(f"| {name} | {said} |{'' if is_good else ' MISSED'}", flush=True)
    return missed


@contextmanager
def measuring(what: str, count: int) -> Iterator[list[float]]:
    """Print the seconds of some work, and its processor time here and in PostgreSQL.

    The list has the seconds of processor time afterwards: what else the machine does counts not.
    """
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = parent(cursor.fetchone()[0])
    taken: list[float] = []
    before = time.perf_counter(), time.process_time(), cpu_of(server)
    yield taken
    after = time.perf_counter(), time.process_time(), cpu_of(server)
    wall, own, theirs = (late - early for early, late in zip(before, after, strict=True))
    taken.append(own + theirs)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    load = os.getloadavg()[0]
    print(
        f"| {what} | {count:,} | {wall:.1f} s | {own:.1f} + {theirs:.1f} s | {memory} MB | "
        f"{load:.1f} |",
        flush=True,
    )


def play_a_season(players: int) -> int:
    """Print what the start and the end of a season of so many cost; return the goals missed."""
    from django.utils import timezone

    from accounts.models import User
    from games.models import Division, Game, League, LeagueGame, Season, SeasonEntry
    from games.services.clock.outages import record_heartbeat
    from games.services.leagues import seasons
    from notifications.models import Notice
    from notifications.outbox.league_letters import tell_season

    use("many")
    now = timezone.now()
    record_heartbeat(now=now)
    # Games of the other leagues are decided when this one is over.
    Season.objects.update(final_at=now + 40 * DAY)
    while seasons.run_leagues(now=now):
        pass  # what else is due there
    league = League.objects.create(
        rules_slug="super-morpion", allowance=3 * DAY, allows_vacations=True, opened_at=now
    )
    season = Season.objects.create(
        league=league, number=1, starts_at=now - DAY, final_at=now + 20 * DAY
    )
    keys = User.objects.filter(email__startswith="p", is_active=True, barred_until=None)
    SeasonEntry.objects.bulk_create(
        (
            SeasonEntry(season=season, user_id=key, joined_at=now)
            for key in keys.values_list("pk", flat=True)[:players]
        ),
        batch_size=5_000,
    )
    with measuring("a season: divisions and pairs", players) as formed:
        assert seasons.start_season(season.pk, now=now)
    games = LeagueGame.objects.filter(division__season=season)
    with measuring("its games begin", games.count()) as begun:
        seasons.run_leagues(now=now)
    assert not games.filter(game=None).exists()
    assert Division.objects.filter(season=season).count() == -(-players // league.division_size)
    with measuring("the letters of its start", players):
        assert tell_season(season.pk, now=now)
    assert Notice.objects.filter(kind="league", state="waiting").count() >= players // 2
    Game.objects.filter(league_game__in=games).update(
        **(dict.fromkeys(("deadline", "reminder_at", "seat_to_move"))),
        status="finished",
        ending="resigned",
        ended_at=now,
    )
    with measuring("its end, and the places in the next one", players):
        assert seasons.end_season(season.pk, now=now)
    return int(formed[0] + begun[0] > MOST_SECONDS)


def pair_wishes_of(players: int, now: datetime) -> None:
    """Print what it costs to pair so many wishes of four kinds."""
    from accounts.models import User
    from games.models import Wish, WishGame
    from games.services.wishes import pair_wishes

    use("many")
    Wish.objects.filter(withdrawn_at=None).update(withdrawn_at=now, waits_since=None)
    people = User.objects.filter(email__startswith="p", is_active=True, barred_until=None)
    kinds = [(slug, days) for slug in ("morpion", "taquet") for days in (3, 5)]
    Wish.objects.bulk_create(
        (
            Wish(
                user_id=key,
                rules_slug=kinds[at % len(kinds)][0],
                allowance=kinds[at % len(kinds)][1] * DAY,
                via="web",
                made_at=now,
                changed_at=now,
                waits_since=now,
            )
            for at, key in enumerate(people.values_list("pk", flat=True)[:players])
        ),
        batch_size=5_000,
    )
    before = WishGame.objects.count()
    with measuring("a run that pairs wishes", players):
        begun = pair_wishes(now=now)
    paired = WishGame.objects.count() - before
    print(
        f"{begun} games began, {paired} of {players} wishes were paired: of each kind at most 300"
    )


def main() -> int:
    """Measure all, print the tables, and return 0 when no goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.competition", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a hundredth of all")
    for name, size in (LARGE | {"players": PLAYERS}).items():
        parser.add_argument(f"--{name}", type=int, default=size, help="how many are many")
    asked = parser.parse_args()
    part = 100 if asked.quick else 1
    large = {name: max(getattr(asked, name) // part, SMALL[name]) for name in LARGE}
    players = asked.players // part
    with postgresql() as server:
        os.environ["DATABASE_URL"] = server
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
        import django

        django.setup()
        import logging

        from django.core.management import call_command
        from django.db import connection
        from django.utils import timezone

        logging.disable(logging.WARNING)

        with connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE pli")
        connection.close()
        connection.settings_dict["NAME"] = "pli"
        call_command("migrate", verbosity=0)
        connection.close()
        missed = compare_lists(SMALL, large)
        print("| work | of | took | here + PostgreSQL | memory | load |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        missed += play_a_season(players)
        pair_wishes_of(players, timezone.now())
        leave()
    print(f"{missed} goals are missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
