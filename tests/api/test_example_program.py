"""examples/program.py, as a process, against the service that `make run` starts."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest
from django.conf import settings

from games.queries.record_files import check_record_file
from tests.journeys.processes import Processes, answers, until
from tests.lanes import long
from tests.servers import free_port

PROGRAM = Path(settings.BASE_DIR) / "examples" / "program.py"
DAY = 86_400
KINDS = ("morpion", "taquet", "super-morpion", "morpiae", "superpion")


class Service:
    """`manage.py serve` with SQLite, and programs that play on it."""

    def __init__(self, folder, processes):
        self.folder, self.processes, self.port = folder, processes, free_port()
        self.secrets = {}
        site = f"http://localhost:{self.port}"
        processes.env |= {
            "DJANGO_SETTINGS_MODULE": "config.settings.dev",
            "PLI_VAR": str(folder / "var"),
            "PLI_SITE_URL": site,
            "DATABASE_URL": f"sqlite:///{folder / 'var' / 'pli.sqlite3'}",
        }
        self.site = site

    def start(self):
        serve = [sys.executable, "manage.py", "serve", "--port", str(self.port), "--workers", "2"]
        self.processes.start("serve", serve)
        self.processes.until(lambda: answers(self.port), "the pages are there")

    def prepare(self, *names):
        made = subprocess.run(
            [sys.executable, "-m", "tests.api.programs_playing", "prepare", *names],
            cwd=settings.BASE_DIR,
            env=self.processes.env,
            capture_output=True,
            text=True,
            check=True,
        )
        self.secrets |= json.loads(made.stdout.splitlines()[-1])

    def play(self, name):
        """Start the example for one of the accounts, unless it runs."""
        if name in self.processes.running:
            return
        before = self.processes.env
        self.processes.env = {"PLI_TOKEN": self.secrets[name], "PYTHONUNBUFFERED": "1"}
        try:
            self.processes.start(name, [sys.executable, str(PROGRAM), self.site])
        finally:
            self.processes.env = before

    def ask(self, name, path, body=None):
        """Ask the API as an account; try again while the service is away."""
        headers = {"Authorization": f"Bearer {self.secrets[name]}"}
        headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        while True:
            try:
                request = Request(f"{self.site}/api/v1{path}", data, headers)  # noqa: S310
                with urlopen(request) as answer:  # noqa: S310
                    return json.load(answer)
            except HTTPError as error:
                said = error.read()
                assert error.code in (429, 503), f"{said}\n{self.processes.words()}"
                time.sleep(float(error.headers["Retry-After"]))
            except URLError:
                time.sleep(0.2)

    def challenge(self, by, to, kind):
        rules = {one["game"]: one for one in self.ask(by, "/rules")["games"]}[kind]
        options = {}
        if kind == "superpion":
            options = two_players(rules)
        sent = {"game": kind, "pace": {"allowance": DAY}, "opponent": to, "options": options}
        return self.ask(by, "/tables", sent | {"is_public": True})["id"]

    def game(self, number):
        return self.ask("owner-bot", f"/games/{number}")


def two_players(rules):
    from games.rules.registry import rules_for

    contract = rules_for(rules["game"])
    for option in rules["options"]:
        for value in option["choices"]:
            if contract.seats(contract.check_options({option["key"]: value})) == 2:
                return {option["key"]: value}
    raise AssertionError("no variant for two")


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("service")
    with Processes(folder) as processes:
        made = Service(folder, processes)
        made.start()
        made.prepare("owner-bot", "white-bot", "black-bot")
        yield made


def check_record(service, number):
    """Assert that the record is whole: each turn once, its hashes right, the rules content."""
    record = service.ask("owner-bot", f"/games/{number}/record")
    checked = check_record_file(json.dumps(record))
    assert checked.entries == len(record["entries"])
    assert checked.ending
    return record


@pytest.mark.timeout(900)
@pytest.mark.django_db
@pytest.mark.slow
def test_two_programs_play_whole_games_of_every_kind_while_all_is_killed(service):
    """kill -9 of the server and of both programs: no turn is lost, none is played twice."""
    for name in ("white-bot", "black-bot"):
        service.play(name)
    games = [service.challenge("owner-bot", "white-bot", "morpion")]
    service.play("owner-bot")
    games += [service.challenge("white-bot", "black-bot", kind) for kind in ("morpion", "taquet")]
    long = service.challenge("white-bot", "black-bot", "super-morpion")

    def turns():
        return service.game(long)["turns_played"]

    for victim in ("white-bot", "serve", "black-bot"):
        seen = turns()
        until(
            lambda seen=seen: turns() > seen + 2 or is_over(service, long),
            "turns are played",
            timeout=300,
        )
        service.processes.kill(victim)
        if victim == "serve":
            service.start()
        else:
            service.play(victim)
    for number in (*games, long):
        until(lambda number=number: is_over(service, number), f"game {number} is over")
        record = check_record(service, number)
        assert service.game(number)["turns_played"] == len(record["entries"])


def is_over(service, number):
    return service.game(number)["status"] == "finished"


# Matches -----------------------------------------------------------------------------------------


def play_match(service, *arguments):
    """Let white-bot and black-bot play as a host does; return the score, and which games."""
    command = [sys.executable, "manage.py", "programs", "match", "white-bot", "black-bot"]
    done = subprocess.run(
        [*command, *arguments],
        cwd=settings.BASE_DIR,
        env=service.processes.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stderr}\n{service.processes.words()}"
    games = [int(number) for number in re.findall(r"game (\d+) is over", done.stderr)]
    return done.stdout.removeprefix("white-bot against black-bot: "), games


def points_of_white(game):
    """Return what white-bot got: a win counts one, a draw half."""
    [own] = [seat["place"] for seat in game["seats"] if seat["player"]["username"] == "white-bot"]
    [other] = [seat["place"] for seat in game["seats"] if seat["player"]["username"] == "black-bot"]
    return (1 + (own < other) - (other < own)) / 2


@pytest.mark.timeout(900)  # five whole games between processes, on a machine that may be busy
@pytest.mark.django_db
@pytest.mark.slow
def test_a_match_between_two_programs_is_played_by_them_and_counted(service):
    for name in ("white-bot", "black-bot"):
        service.play(name)
    score, games = play_match(service, "--game", "morpion", "--games", "2")
    more, third = play_match(service, "--game", "morpion", "--games", "3", "--from", str(games[0]))
    points = [points_of_white(service.game(number)) for number in (*games, *third)]
    assert score.startswith(f"{50 * sum(points[:2]):.0f} % [")
    assert more.startswith(f"{100 * sum(points) / 3:.0f} % [")
    begun_by = [service.game(number)["seats"][0]["player"] for number in (*games, *third)]
    assert [one["username"] for one in begun_by] == ["white-bot", "black-bot", "white-bot"]


@pytest.mark.timeout(900)  # whole games between processes, on a machine that may be busy
@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("morpiae", ["target=1"]),
        *long(("morpiae", ["target=3"]), ("superpion", ["variant=two", "quiet_rounds=5"])),
    ],
)
def test_a_match_has_games_with_many_turns_too(service, kind, options):
    """Morpiae until somebody has a few circles, a whole Superpion."""
    for name in ("white-bot", "black-bot"):
        service.play(name)
    chosen = [word for option in options for word in ("-o", option)]
    score, [number] = play_match(service, "--game", kind, "--games", "1", *chosen)
    assert " of 1 games: " in score
    assert check_record(service, number)["entries"]
