"""Whether what the database holds at the end is what everybody was told on the way."""

import json
import threading
import time
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from email import message_from_bytes, policy
from io import StringIO

import psycopg
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from games.models import Ending, Event, Game, Turn
from games.rules.entries import replay
from notifications.models import IncomingMail, Kind, Notice, SkipReason
from tests.chaos.players import same_turn

MOST_LATE = 360.0
"""Seconds after a deadline by which it must have been swept: nobody loses in the first five minutes
after the workers were started again."""


class DeadlineWatch:
    """Asks twice a second how long the oldest due deadline has waited."""

    def __init__(self, url):
        self.url, self.worst, self.stopping = url, 0.0, threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self):
        question = (
            "SELECT coalesce(extract(epoch FROM now() - min(deadline)), 0) FROM games_game"
            " WHERE deadline < now()"
        )
        while not self.stopping.wait(0.5):
            with (
                suppress(psycopg.Error),
                psycopg.connect(self.url, connect_timeout=5) as database,
            ):
                self.worst = max(self.worst, float(database.execute(question).fetchone()[0]))

    def stop(self):
        self.stopping.set()
        self.thread.join(20)
        return self.worst


def make_due():
    """Let everything that waits for another try be tried now, not in minutes or an hour."""
    now = timezone.now()
    Notice.objects.filter(state=Notice.State.WAITING, due_at__gt=now).update(due_at=now)
    IncomingMail.objects.filter(state=IncomingMail.State.WAITING, due_at__gt=now).update(due_at=now)


def expire_old_claims():
    """Let claims that are older than any live worker's expire now, not ten minutes later."""
    now = timezone.now()
    for model in (Notice, IncomingMail):
        model.objects.filter(state="claimed", claimed_at__lt=now - timedelta(seconds=30)).update(
            claimed_at=now - timedelta(hours=1)
        )


def waiting():
    """Return how much waits of each kind: events, notices and mails; empty when it is quiet."""
    found = Counter(
        events=Event.objects.filter(noticed_at=None).count(),
        deadlines=Game.objects.filter(deadline__lt=timezone.now()).count(),
    )
    for model in (Notice, IncomingMail):
        for state in ("waiting", "claimed"):
            found[f"{model.__name__} {state}"] = model.objects.filter(state=state).count()
    return {what: count for what, count in found.items() if count}


def is_quiet(*, hurry):
    """Make due what waits for another try, and tell whether nothing waits any more."""
    make_due()
    if hurry:
        expire_old_claims()
    return not waiting()


def committed_at(event):
    """Return when an event's notices were written: `noticed_at` is when that round began."""
    with connection.cursor() as cursor:
        question = "SELECT pg_xact_commit_timestamp(xmin) FROM games_event WHERE id = %s"
        cursor.execute(question, [event.pk])
        return cursor.fetchone()[0]


class History:
    """Every fault of the history in words, and the figures."""

    def __init__(self, journal, sink, worst_lateness):
        self.journal, self.sink = journal, sink
        self.faults, self.figures = [], Counter()
        self.figures["worst deadline, seconds late"] = round(worst_lateness, 1)
        if worst_lateness > MOST_LATE:
            self.faults.append(f"a deadline was swept {worst_lateness:.0f} s late")

    def check(self):
        self._turns()
        self._records()
        self._notices()
        self._mails_out()
        self._mails_in()
        return self

    def report(self):
        return json.dumps({"figures": dict(self.figures), "faults": self.faults}, indent=2)

    def _turns(self):
        """Every acknowledged turn once and in order, and none that nobody sent."""
        recorded = self._read_record()
        places = {}
        for sent in self.journal:
            self.figures[f"turns by {sent.way}: {sent.told[:12]}"] += 1
            places.setdefault((sent.game, sent.expected), []).append(sent)
        for sent in self.journal:
            stands = self._stands(sent, recorded)
            if sent.told == "played" and not stands:
                self.faults.append(f"lost: {sent}")
            same = [one for one in places[sent.game, sent.expected] if one.text == sent.text]
            if sent.told == "busy" and stands and len(same) == 1:
                self.faults.append(f"said to have changed nothing, and yet played: {sent}")
        for key, (_, entries) in recorded.items():
            for turn in entries:
                players = {one.player for one in places.get((key, turn.number - 1), [])}
                if turn.via in (Turn.Via.WEB, Turn.Via.MAIL) and turn.player_id not in players:
                    self.faults.append(f"nobody sent turn {turn.number} of game {key}")

    def _read_record(self):
        """Return every game that began with its turns, in order and without a gap."""
        recorded = {}
        for game in Game.objects.exclude(started_at=None):
            entries = list(game.turns.order_by("number"))
            if [turn.number for turn in entries] != list(range(1, len(entries) + 1)):
                self.faults.append(f"game {game.pk}: turns are missing or doubled")
            times = [turn.played_at for turn in entries]
            if times != sorted(times):
                self.faults.append(f"game {game.pk}: its record runs backwards")
            recorded[game.pk] = (game, entries)
        self.figures["games"] = len(recorded)
        self.figures["turns in the record"] = sum(len(turns) for _, turns in recorded.values())
        return recorded

    def _stands(self, sent, recorded):
        game, entries = recorded[sent.game]
        if len(entries) <= sent.expected:
            return False
        turn = entries[sent.expected]
        before = replay(game.rules, game.options, [t.notation for t in entries[: sent.expected]])
        same = same_turn(game, before, sent.text, turn.notation)
        return turn.player_id == sent.player and same

    def _records(self):
        """Replay gives the position, and every hash matches."""
        said = StringIO()
        try:
            call_command("records", "check", stdout=said)
        except SystemExit:
            self.faults.append(said.getvalue())
        self.figures["time-outs"] = Game.objects.filter(ending=Ending.TIMEOUT).count()

    def _notices(self):
        """Each event led to exactly its notices."""
        notices = {}
        for notice in Notice.objects.exclude(event=None).select_related("user"):
            notices.setdefault(notice.event_id, []).append(notice)
        self.figures["events"] = Event.objects.count()
        for event in Event.objects.select_related("game"):
            found = Counter((one.kind, one.user_id) for one in notices.get(event.pk, []))
            if max(found.values(), default=0) > 1:
                self.faults.append(f"event {event.pk} ({event.kind}) was told twice")
            expected = self._expected(event)
            if expected is not None and set(found) != expected:
                self.faults.append(f"event {event.pk} ({event.kind}): {found}, not {expected}")

    def _expected(self, event):
        """Return kind and reader of each notice of an event; None where both ways are right."""
        people = {seat.number: seat.user_id for seat in event.game.seats.all()}
        everybody = set(people.values())
        if event.kind == Event.Kind.STARTED:
            return {(Kind.GAME_BEGUN, user) for user in everybody}
        if event.kind == Event.Kind.ENDED:
            return {(Kind.GAME_OVER, user) for user in everybody}
        if event.kind != Event.Kind.TURN_PLAYED:
            return None
        later = event.game.events.filter(pk__gt=event.pk)
        moved = later.filter(kind__in=[Event.Kind.TURN_PLAYED, Event.Kind.ENDED]).first()
        if moved is not None and moved.at <= committed_at(event):
            # Played or ended before the notices were written: then there may be none.
            return None
        (mover,) = everybody - {event.actor_id}
        return {(Kind.YOUR_TURN, mover)}

    def _mails_out(self):
        """No mail lost, none said to be sent that was not, and the duplicates counted."""
        arrived = Counter(
            message_from_bytes(raw, policy=policy.default)["Message-ID"] for raw in self.sink.raw
        )
        self.figures["mails that arrived"] = len(arrived)
        self.figures["mails that arrived more than once"] = sum(n > 1 for n in arrived.values())
        for notice in Notice.objects.all():
            self.figures[f"notices {notice.state}"] += 1
            if notice.state == Notice.State.SENT and notice.message_id not in arrived:
                if notice.skip_reason == SkipReason.UNCONFIRMED:
                    # A worker was killed while it sent the mail, and the mail was of no use later.
                    self.figures["not arrived, and said to be unconfirmed"] += 1
                else:
                    self.faults.append(f"notice {notice.pk} never arrived: {vars(notice)}")
            if notice.state == Notice.State.FAILED:
                self.faults.append(f"notice {notice.pk} failed: {notice.reason}")
            if notice.state == Notice.State.DROPPED and notice.message_id in arrived:
                self.figures["arrived, but said to be dropped"] += 1

    def _mails_in(self):
        """No mail that was taken is lost, and each was acted on once."""
        rows = Counter(IncomingMail.objects.values_list("message_id", flat=True))
        for sent in self.journal:
            if sent.way == "mail" and sent.told == "taken":
                count = rows[sent.message_id] or rows[sent.message_id.strip("<>")]
                if count != 1:
                    self.faults.append(f"taken, but kept {count} times: {sent}")
        for mail in IncomingMail.objects.all():
            self.figures[f"mails in: {mail.state} {mail.result}".strip()] += 1
            if mail.state == IncomingMail.State.PARKED:
                self.faults.append(f"mail {mail.pk} is parked: {mail.error[-300:]}")

    def finish(self, began):
        self.figures["seconds"] = round(time.time() - began)
        return self
