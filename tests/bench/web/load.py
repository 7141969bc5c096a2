"""What is asked of a site, and what the answers cost."""

import html
import os
import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from tests.bench.web.sites import CSRF, HERE, HOST, Bench, Site

PLAYERS = 20
"""So many players open pages, in turn."""
MOST_TURNS = 28
"""How many turns of each game may be played."""


@dataclass(frozen=True)
class Case:
    """Something that is asked of Pli, and what of the bare project it is measured against."""

    name: str
    title: str
    kind: str
    floor: str
    clients: int
    status: int


CASES = (
    Case("turn-16", "a turn by POST, 16 clients", "turn", "turn", 16, 302),
    Case("turn-1", "a turn by POST, 1 client", "turn", "turn", 1, 302),
    Case("home-16", "home of 50 games, 16 clients", "home", "home", 16, 200),
    Case("home-1", "home of 50 games, 1 client", "home", "home", 1, 200),
    Case("game-16", "a game's page, 16 clients", "game", "home", 16, 200),
    Case("game-1", "a game's page, 1 client", "game", "home", 1, 200),
    Case("news-16", "nothing new at a game, 16 clients", "news", "home", 16, 204),
    Case("news-1", "nothing new at a game, 1 client", "news", "home", 1, 204),
)


@dataclass(frozen=True)
class Answers:
    """What a load came to: requests a second, and milliseconds a request."""

    rate: float
    p50: float
    p99: float
    web: float
    database: float
    size: float
    statuses: str

    @property
    def cpu(self) -> float:
        """Milliseconds of processor time a request, of the web server and PostgreSQL."""
        return self.web + self.database


def requests_of(site: Site, kind: str) -> list[str]:
    """Return the requests of a kind, as requests.lua reads them."""
    if kind == "turn":
        return _turns(site)
    games = {players[0]: pk for pk, players, _ in reversed(site.seeded["games"])}
    found = []
    for user, game in sorted(games.items())[:PLAYERS]:
        path = {"home": "/", "game": f"/games/{game}/"}.get(kind) or _news(site, game, user)
        found.append(f"{path}\t{site.cookies(user)}\t")
    return found


def _turns(site: Site) -> list[str]:
    """Return the next turns: each game's first, then each game's second, and so on."""
    numbers, found, ahead = site.turn_numbers(), [], site.seeded["ahead"]
    for pk, players, line in site.seeded["games"]:
        turns = site.seeded["lines"][line]
        for number in range(numbers[pk] - ahead, MOST_TURNS):
            form = {
                "csrfmiddlewaretoken": CSRF,
                "text": turns[number],
                "expected_turn": number + ahead,
            }
            cookies = site.cookies(players[number % 2])
            request = f"/games/{pk}/play/\t{cookies}\t{urlencode(form)}"
            found.append((number + ahead - numbers[pk], request))
    return [request for _, request in sorted(found, key=lambda one: one[0])]


def _news(site: Site, game: int, user: int) -> str:
    """Return the address at which a page of a game that is open asks for news."""
    status, page = site.get(f"/games/{game}/", user)
    found = re.search(r'data-news-url="([^"]*)"', page)
    assert status == 200, f"/games/{game}/ answers {status}"
    assert found is not None, "the page does not ask for news"
    return f"{html.unescape(found[1])}&said=0&looking=1"


def load(bench: Bench, site: Site, case: Case, seconds: float) -> Answers:
    """Ask for so long; exit if an answer is not the expected one, or a turn was not played."""
    is_bare = site.name == "bare"
    kind, status = (case.floor, case.status) if is_bare else (case.kind, case.status)
    if is_bare and kind != "turn":
        status = 200
    site.beat()
    file = site.folder / "requests"
    file.write_text("\n".join(requests_of(site, kind)) + "\n", "utf-8")
    played = sum(site.turn_numbers().values()) if kind == "turn" else 0
    env = dict(os.environ) | {
        "BENCH_REQUESTS": str(file),
        "BENCH_HOST": HOST,
        "BENCH_ORIGIN": site.origin,
    }
    command = ["wrk", "-t1", f"-c{case.clients}", f"-d{seconds:g}s", "--latency", "--timeout", "30"]
    command += ["-s", str(HERE / "requests.lua"), f"http://127.0.0.1:{site.port}"]
    web, database = bench.cpu(site)
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    web_after, database_after = bench.cpu(site)
    lines = run.stdout.splitlines()
    statuses = next((line[9:].strip() for line in lines if line.startswith("STATUSES")), "")
    result = next((line.split()[1:] for line in lines if line.startswith("RESULT")), None)
    if result is None or "USED UP" in lines:
        raise SystemExit(f"{site.name}, {case.title}: {run.stdout}{run.stderr}")
    numbers = {name: float(value) for name, value in (one.split("=") for one in result)}
    counts = dict(one.split("=") for one in statuses.split())
    if set(counts) != {str(status)} or numbers["errors"]:
        said = statuses or "no answer"
        raise SystemExit(f"{site.name}, {case.title}: {said}, {numbers['errors']:g} errors")
    count = int(counts[str(status)])
    if kind == "turn":
        time.sleep(0.5)  # what was under way when the time was over is still written
        played = sum(site.turn_numbers().values()) - played
        if not count <= played <= count + case.clients:
            raise SystemExit(f"{site.name}, {case.title}: {count} answers, {played} turns")
    return Answers(
        rate=count / numbers["seconds"],
        p50=numbers["p50"],
        p99=numbers["p99"],
        web=1000 * (web_after - web) / count,
        database=1000 * (database_after - database) / count,
        size=numbers["bytes"] / count / 1000,
        statuses=statuses,
    )


def chosen(names: str) -> Sequence[Case]:
    """Return the cases of these names, parted by commas; a name's beginning will do."""
    found = [case for case in CASES if case.name.startswith(tuple(names.split(",")))]
    if not found:
        raise SystemExit(f"There are these cases: {', '.join(case.name for case in CASES)}")
    return found
