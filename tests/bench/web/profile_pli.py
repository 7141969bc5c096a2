"""Shows where the time of a page goes: `python profile_pli.py CASE FILE REQUESTS`, in a checkout.

FILE is what seed_pli.py wrote. Prints the processor time of a request, the functions in which most
of it is spent, and all queries of one request. It is run as a file, so that the code of another
checkout can be measured too.
"""

import cProfile
import html
import json
import os
import pstats
import re
import sys
import time
from pathlib import Path

sys.path[0] = os.getcwd()

LINES = 40
"""How many functions are printed."""
WARM = 10
"""How many requests come first, and are not counted."""
STATUS = {"turn": 302, "home": 200, "game": 200, "news": 204}


class Requests:
    """What is asked of the pages in this process, a request after the other."""

    def __init__(self, kind, seeded):
        from django.test import Client

        self.kind, self.seeded = kind, seeded
        self.clients = {}
        for user, key in seeded["sessions"].items():
            self.clients[int(user)] = client = Client(
                headers={"host": "pli.example.org", "x-forwarded-proto": "https"}
            )
            client.cookies[seeded["session_cookie"]] = key
        self.done = 0
        self.paths = {}

    def one(self):
        """Ask once; the answer must be the expected one."""
        pk, players, line = self.seeded["games"][self.done]
        self.done += 1
        client = self.clients[players[0]]
        if self.kind == "turn":
            form = {"text": self.seeded["lines"][line][0], "expected_turn": 0}
            answer = client.post(f"/games/{pk}/play/", form, secure=True)
        else:
            answer = client.get(self.paths.get(pk, "/"), secure=True)
        assert answer.status_code == STATUS[self.kind], answer.status_code

    def prepare(self, count):
        """Find the addresses of so many requests; each player has been here before."""
        for client in self.clients.values():
            client.get("/healthz", secure=True)
        if self.kind in ("game", "news"):
            for pk, _, _ in self.seeded["games"][:count]:
                self.paths[pk] = f"/games/{pk}/"
        if self.kind == "news":
            for pk, players, _ in self.seeded["games"][:count]:
                page = self.clients[players[0]].get(self.paths[pk], secure=True).text
                found = re.search(r'data-news-url="([^"]*)"', page)
                self.paths[pk] = f"{html.unescape(found[1])}&said=0&looking=1"


def main(kind, file, count):
    """Print the profile of so many requests, and the queries of one more."""
    os.environ["PLI_LOG_LEVEL"] = "ERROR"
    from config.wsgi import application  # noqa: F401  (starts as the web server does)

    # isort: split
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    requests = Requests(kind, json.loads(Path(file).read_text("utf-8")))
    requests.prepare(WARM + 2 * count + 1)
    for _ in range(WARM):
        requests.one()
    began = time.process_time()
    for _ in range(count):
        requests.one()
    spent = (time.process_time() - began) / count
    profile = cProfile.Profile()
    profile.enable()
    for _ in range(count):
        requests.one()
    profile.disable()
    for order in ("tottime", "cumulative"):
        pstats.Stats(profile).strip_dirs().sort_stats(order).print_stats(LINES)
    with CaptureQueriesContext(connection) as asked:
        requests.one()
    for number, query in enumerate(asked.captured_queries, 1):
        print(f"{number:3} {float(query['time']) * 1000:5.1f} ms  {query['sql']}")
    print(f"\n{kind}: {len(asked)} queries, {spent * 1000:.2f} ms of processor time a request here")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
