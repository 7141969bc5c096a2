"""Players and a site that meet by mail alone: SMTP out, SMTP in, nothing else."""

import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid

from django.conf import settings

from games.models import Game
from notifications.incoming.processing import process_due
from notifications.listener import InboundHandler
from notifications.models import IncomingMail
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from tests.notifications.incoming_mail import hand_in, listening
from tests.notifications.outgoing_mail import after_hold


@dataclass
class PlayersByMail:
    """Carries mail between the site and people, by its own time `now`."""

    sink: object
    port: int
    now: datetime
    read: int = 0
    results: str = ""
    """What the host's mail server writes into Authentication-Results, if it checks mail."""
    inboxes: dict[str, list[EmailMessage]] = field(default_factory=dict)

    def carry(self):
        """Run the periodic tasks of mail until nothing is left to do, and fill the inboxes."""
        while self._chores():
            pass
        for raw in self.sink.raw[self.read :]:
            self.read += 1
            mail = message_from_bytes(raw, policy=policy.default)
            self.inboxes.setdefault(mail["To"], []).append(mail)

    def _chores(self):
        done = process_due(now=self.now)
        done += make_notices(now=self.now)
        return done + send_due(now=after_hold(self.now))

    def newest(self, address):
        """Return the newest mail in somebody's inbox."""
        return self.inboxes[address][-1]

    def answer(self, address, text, **how):
        """Answer a mail, let the site process it, and return its answer."""
        self.hand_in(address, text, **how)
        self.now += timedelta(seconds=30)
        self.carry()
        answers = [mail for mail in self.inboxes[address] if mail["X-Pli-Kind"] == "answer"]
        return answers[-1]

    def hand_in(self, address, text, *, to=None, sender=None, quote=True):
        """Answer the newest mail in somebody's inbox (or `to`), as a mail program does."""
        original = to or self.newest(address)
        mail = self._mail(sender or address, original["Reply-To"], f"Re: {original['Subject']}")
        mail["In-Reply-To"] = original["Message-ID"]
        said = text_of(original).splitlines()
        quoted = "".join(f"> {line}\n" for line in said) if quote else ""
        mail.set_content(f"{text}\n\nOn Tue, 10 Mar 2026, Pli wrote:\n{quoted}")
        hand_in(self.port, mail.as_bytes(), original["Reply-To"], sender=address)

    def received(self):
        """Return how many mails came in."""
        return IncomingMail.objects.count()

    def write(self, address, text):
        """Write to the fixed address, without answering a mail, and return the site's answer."""
        mail = self._mail(address, settings.PLAY_ADDRESS, "")
        mail.set_content(text)
        hand_in(self.port, mail.as_bytes(), settings.PLAY_ADDRESS, sender=address)
        self.now += timedelta(seconds=30)
        self.carry()
        return self.newest(address)

    def _mail(self, sender, recipient, subject):
        mail = EmailMessage(policy=policy.SMTP)
        if self.results:
            mail["Authentication-Results"] = self.results
        mail["From"], mail["To"], mail["Subject"] = sender, recipient, subject
        mail["Message-ID"] = make_msgid(domain="mail.example.org")
        return mail

    def result(self):
        """Return what became of the newest mail that came in."""
        newest = IncomingMail.objects.latest("pk")
        return newest.state, newest.result


def text_of(mail):
    """Return the text part of a mail, its lines as they were written."""
    return mail.get_body(("plain",)).get_content()


def words_of(mail):
    """Return a mail's text without line breaks, to look for sentences in."""
    return re.sub(r"\s+", " ", text_of(mail))


def number_of(game):
    """Return how many turns a game has."""
    return Game.objects.values_list("turn_number", flat=True).get(pk=game.pk)


@contextmanager
def players_by_mail(sink, now):
    """Open the listener."""
    office = PlayersByMail(sink, 0, now)
    with listening(InboundHandler(lambda: office.now)) as office.port:
        yield office
