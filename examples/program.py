"""A whole program for Pli: it accepts challenges and plays any game, each turn at random.

    PLI_TOKEN=pli_... python3 program.py https://pli.example.org

It needs Python 3.9 or newer and nothing else. It keeps nothing: what is due is asked of the server,
so it can be stopped and started at any time. Change `choose` to make it play well.
"""

import json
import os
import random
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

SITE = sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://localhost:8000"
TOKEN = os.environ.get("PLI_TOKEN") or sys.exit("Set PLI_TOKEN to a token of this site.")


def choose(game, position):
    """Return the turn to play: one of the legal turns in position["legal"]["turns"]."""
    return random.choice(position["legal"]["turns"])


def ask(path, body=None, etag=None):
    """Return status, JSON and headers of an answer; wait and try again when the server asks so."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    if etag:
        headers["If-None-Match"] = etag
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            answer = urlopen(Request(f"{SITE}/api/v1{path}", data, headers), timeout=90)
        except HTTPError as error:
            answer = error  # it has a status, headers and a body as well
        except (URLError, OSError, HTTPException) as error:
            # Nobody knows whether the server did it: sending a turn again is always safe.
            print("no answer, trying again:", error, flush=True)
            time.sleep(1)
            continue
        with answer:
            try:
                text = answer.read()
            except (OSError, HTTPException):
                continue
        if answer.status in (429, 500, 502, 503, 504):
            print(f"{path} is answered with {answer.status}, trying again", flush=True)
            time.sleep(float(answer.headers.get("Retry-After", 2)))
            continue
        return answer.status, json.loads(text) if text else None, answer.headers


def act(what, path, body):
    """Do something, print how it went, and return False if it is still to be done."""
    status, answer, _ = ask(path, body)
    print(f"{what}: {'done' if status == 200 else answer['detail']}", flush=True)
    return status in (200, 404, 409)  # what another copy of this program has done is done


def play(due):
    """Play a turn that is due."""
    where = f"/games/{due['game']}"
    _, position, _ = ask(f"{where}/position")
    if position.get("next_turn") is None:
        return True  # the game has moved on
    if position["legal"] is None:
        print(f"game {due['game']}: only a program's own account is told the legal turns")
        return False
    turn = {"turn": position["next_turn"], "text": choose(due["rules"], position)}
    return act(f"game {due['game']}, turn {turn['turn']}: {turn['text']}", f"{where}/turns", turn)


def main():
    """Do what is due, then wait for more."""
    etag = None
    while True:
        status, due, headers = ask(f"/me/turns?wait={50 if etag else 0}", etag=etag)
        if status == 304:
            time.sleep(float(headers.get("Retry-After", 0)))
            continue
        if status != 200:
            sys.exit(f"{due['code']}: {due['detail']}\n{due['type']}")
        done = [play(turn) for turn in due["turns"]]
        for one in due["challenges"]:
            done.append(act(f"challenge {one['id']}", f"/challenges/{one['id']}/accept", {}))
        for one in due["offers"]:
            path = f"/games/{one['game']}/offers/{one['id']}/answer"
            done.append(act(f"offer {one['id']}", path, {"answer": "accept"}))
        # What was refused is still due, and nothing changes by itself: ask again, but not at once.
        etag = headers["ETag"] if all(done) else None
        time.sleep(0 if all(done) else 10)


if __name__ == "__main__":
    main()
