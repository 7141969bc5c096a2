"""Scripted players: they click and write mails like people, and keep what they were told."""

import random
import smtplib
import socket
import struct
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.db.models import F
from django.test import Client
from django.utils import timezone

from games import errors
from games.clock.time_control import per_turn
from games.models import Game, Terms
from games.services.invitations import accept, challenge
from games.services.tables import open_table
from games.services.turns import canonical_turn
from tests.factories import PersonFactory
from tests.journeys.scaled_service import AS_A_PROXY

PACES = (25, 45, 90)
"""Seconds for a turn: games with the shortest run out of time while parts of the service fail."""

FORGETFUL = 0.15
"""How often a player never looks at a game again."""

TOKEN = "t" * 32
"""What the browser's cookie and its header must agree on (CSRF)."""


@dataclass
class Sent:
    """A turn that somebody sent, and what they were told."""

    way: str
    game: int
    expected: int
    player: int
    text: str
    at: float
    told: str = "nothing"
    message_id: str = ""


class Crowd:
    """Players in threads, the games they play, and the journal of everything they sent."""

    def __init__(self, cluster, seed, players):
        self.cluster, self.seed = cluster, seed
        self.journal, self.lock = [], threading.Lock()
        self.stopping = threading.Event()
        self.people = [PersonFactory(username=f"player{n}", language="en") for n in range(players)]
        self.cookies = [sign_in(person) for person in self.people]
        self.forgotten = set()
        self.answered = set()
        self.errors = []

    def begin(self, first, second, seconds, chance):
        """Begin a game of two with so many seconds a turn, through the services."""
        now = timezone.now()
        slug = chance.choice(["morpion", "morpion", "super-morpion"])
        terms = Terms(per_turn(timedelta(seconds=seconds)))
        game = open_table(
            creator=first, rules_slug=slug, options={}, terms=terms, now=now,
            is_public=False, creator_seat=0,
        )  # fmt: skip
        asked = challenge(game_id=game.pk, by=first, user=second, now=now)
        accept(invitation_id=asked.pk, user=second, now=now)
        for player in (first, second):
            if chance.random() < FORGETFUL:
                self.forgotten.add((game.pk, player.pk))
        return game

    def run(self):
        """Start a thread for each player, and one that sees that everybody has games."""
        jobs = [lambda n=n: self._play(n) for n in range(len(self.people))] + [self._make_games]
        self.threads = [threading.Thread(target=job, daemon=True) for job in jobs]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join(60)

    # What they do ------------------------------------------------------------------------------

    def _make_games(self):
        chance = random.Random(f"{self.seed} games")
        while not self.stopping.wait(1.0):
            with suppress(DatabaseError, InterfaceError, errors.Refusal):
                if Game.objects.filter(status=Game.Status.ACTIVE).count() < 2 * len(self.people):
                    first, second = chance.sample(self.people, 2)
                    self.begin(first, second, chance.choice(PACES), chance)
            self._let_go()

    def _play(self, number):
        chance, person = random.Random(f"{self.seed} {number}"), self.people[number]
        while not self.stopping.wait(chance.uniform(0.3, 1.5)):
            with suppress(DatabaseError, InterfaceError):
                if chance.random() < 0.35:
                    self._answer_mail(person, chance)
                else:
                    self._click(number, chance)
            self._let_go()

    def _let_go(self):
        with suppress(DatabaseError, InterfaceError):
            close_old_connections()
        if not connection.in_atomic_block and connection.errors_occurred:
            connection.close()

    def _turn(self, game, chance):
        """Return a random whole turn in a game's position, in its canonical notation."""
        rules = game.rules
        position = rules.load(game.position)
        begun, actions = position, []
        while rules.turn(position) == rules.turn(begun) and rules.to_move(position) is not None:
            actions.append(chance.choice(list(rules.legal_actions(position))))
            position = rules.play(position, actions[-1])
        return rules.format_turn(begun, actions)

    def _awaiting(self, person):
        """Return the games in which it is this player's turn, but those they forgot."""
        running = Game.objects.filter(
            status=Game.Status.ACTIVE, seats__user=person, seats__number=F("seat_to_move")
        )
        return [game for game in running if (game.pk, person.pk) not in self.forgotten]

    def _sent(self, **fields):
        sent = Sent(at=time.time(), **fields)
        with self.lock:
            self.journal.append(sent)
        return sent

    def _click(self, number, chance):
        person = self.people[number]
        games = self._awaiting(person)
        if not games:
            return
        game = chance.choice(games)
        text = self._turn(game, chance)
        sent = self._sent(
            way="web", game=game.pk, expected=game.turn_number, player=person.pk, text=text
        )
        port = chance.choice(self.cluster.web_ports)
        cut = chance.random() < 0.05
        sent.told = post_turn(port, self.cookies[number], sent, cut=cut)
        if cut and chance.random() < 0.5:  # somebody who saw no answer clicks again
            sent.told = post_turn(port, self.cookies[number], sent)

    def _answer_mail(self, person, chance):
        """Answer the newest letter that says it is this player's turn."""
        for raw in reversed(list(self.cluster.sink.raw)):
            letter = message_from_bytes(raw, policy=policy.default)
            key = letter["Message-ID"]
            if letter["X-Pli-Kind"] not in ("your-turn", "game-begun") or key in self.answered:
                continue
            if person.email not in letter["To"]:
                continue
            self.answered.add(key)
            told = str(letter.get_body(("plain",)).get_content())
            found = [one for one in self._awaiting(person) if f"/games/{one.pk}/" in told]
            if not found:
                continue
            game = found[0]
            text = self._turn(game, chance)
            sent = self._sent(
                way="mail", game=game.pk, expected=game.turn_number, player=person.pk, text=text,
                message_id=make_msgid(domain="players.example.org"),
            )  # fmt: skip
            sent.told = send_answer(
                chance.choice(self.cluster.listen_ports), letter, person.email, sent
            )
            return


def sign_in(person):
    """Return the cookies of a person's browser."""
    client = Client()
    client.force_login(person)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return (
        f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={TOKEN}"
    )  # fmt: skip


def post_turn(port, cookies, sent, *, cut=False):
    """Send a turn as a browser does; return what it was told: played, refused, busy, nothing.

    `cut`: the connection is reset before the answer comes.
    """
    body = urlencode({"text": sent.text, "expected_turn": sent.expected})
    headers = {
        **AS_A_PROXY,
        "Host": settings.ALLOWED_HOSTS[0],
        "Cookie": cookies,
        "Referer": settings.SITE_URL + "/",
        "Origin": settings.SITE_URL,
        "X-CSRFToken": TOKEN,
        "Content-Type": "application/x-www-form-urlencoded",
    }
    pages = HTTPConnection("127.0.0.1", port, timeout=40)
    try:
        pages.request("POST", f"/games/{sent.game}/play/", body, headers)
        if cut:
            reset = struct.pack("ii", 1, 0)
            pages.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
            return "cut"
        answer = pages.getresponse()
        answer.read()
    except (OSError, HTTPException):
        return "nothing"
    finally:
        pages.close()
    if answer.status == 302:
        return "played" if f"/games/{sent.game}/" in answer.headers["Location"] else "lost sign-in"
    if answer.status == 503:
        return "busy"
    return f"refused {answer.status}" if answer.status < 500 else f"broken {answer.status}"


def send_answer(port, letter, sender, sent):
    """Send an answer as a mail server does; return what it was told: taken, refused, nothing."""
    mail = EmailMessage()
    mail["From"], mail["To"] = sender, letter["Reply-To"]
    mail["Subject"] = f"Re: {letter['Subject']}"
    mail["Message-ID"], mail["In-Reply-To"] = sent.message_id, letter["Message-ID"]
    mail.set_content(f"{sent.text}\n\n> {letter['Subject']}\n")
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=40) as listener:
            listener.send_message(mail)
    except smtplib.SMTPException as error:
        return f"refused {error}"
    except OSError:
        return "nothing"
    return "taken"


def same_turn(game, before, text, notation):
    """Tell whether a text is the turn that stands in the record."""
    return text == notation or canonical_turn(game.rules, before, text) == notation
