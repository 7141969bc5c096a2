"""Two aims against fair time: to hold a turn for ever, and to let somebody lose in the dark.

Both players do what players can do, in any order. What time there was is counted here in a second
way: piece by piece between all the moments at which days off, quiet hours and vacations begin or
end.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from smtplib import SMTPRecipientsRefused
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from accounts.models import User
from games import errors
from games.clock.clock import longest_turn
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.models import Game, Heartbeat, Terms
from games.services import offers, reminders
from games.services.clock import availability, stops
from games.services.clock.game_clock import schedule_of, time_left
from games.services.clock.outages import record_heartbeat
from games.services.clock.recalculation import recount_due
from games.services.clock.undelivered_turns import record_contact
from games.services.conduct.messages import note_presence
from games.services.deadlines import time_out_due
from games.services.reminders import remind_due
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.models import Cadence, Kind, Notice, ReplyAddress
from notifications.outbox import delivery
from notifications.services.preferences import set_cadence
from notifications.services.replies import bounce_address, bounce_token, hash_of, reply_address
from tests.factories import PersonFactory
from tests.games.histories import CHAOS, histories
from tests.games.play import begin, play_all
from tests.notifications.incoming_mail import answer, report
from tests.notifications.outgoing_mail import tell

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
NONE = timedelta(0)
PACES = [
    per_turn(DAY),
    per_turn(3 * DAY),
    TimeControl(PaceKind.FISCHER, allowance=DAY, bank=2 * DAY, cap=4 * DAY),
    TimeControl(PaceKind.TOTAL, bank=10 * DAY),
]
TELLING = {"your-turn", "game-begun", "reminder", "digest"}
hours = st.sampled_from([1, 5, 11, 23, 47, 24 * 6])


@dataclass
class Post:
    """The mail server beside ours: what it answers, and what it took."""

    answer: int = 250
    taken: list = field(default_factory=list)

    def send(self, message):
        if self.answer != 250:
            raise SMTPRecipientsRefused({message.to[0]: (self.answer, b"no")})
        self.taken.append(message)


POST = Post()


@pytest.fixture
def post(monkeypatch):
    monkeypatch.setattr(delivery.MailConnection, "send", lambda self, letter: POST.send(letter))


def token_in(message):
    """Return the token that a mail asks to reply to."""
    return message.extra_headers["Reply-To"].partition("reply-")[2].partition("@")[0]


# The second count ----------------------------------------------------------------------------


def is_off(moment, schedule):
    """Tell whether a moment is in a day off or in quiet hours."""
    local = moment.astimezone(ZoneInfo(schedule.zone))
    if local.weekday() in schedule.days_off:
        return True
    start, end = schedule.quiet_from, schedule.quiet_until
    if start is None:
        return False
    clock = local.time()
    return start <= clock < end if start < end else clock >= start or clock < end


def pieces(start, end, schedule, vacations):
    """Return the pieces from `start` to `end` in which nothing begins or ends."""
    cuts = {start, end}
    for vacation in vacations:
        cuts |= {vacation.begins_at, vacation.ends_at}
    zone, day = ZoneInfo(schedule.zone), start.astimezone(ZoneInfo(schedule.zone)).date()
    while day <= end.astimezone(zone).date():
        for hour in (time(0), schedule.quiet_from, schedule.quiet_until):
            if hour is not None:
                cuts.add(datetime.combine(day, hour, tzinfo=zone).astimezone(UTC))
        day += DAY
    inside = sorted(cut for cut in cuts if start <= cut <= end)
    return list(pairwise(inside))


def counted(start, end, schedule, vacations):
    """Return how much time ran, and how much passed outside of vacations."""
    ran = awake = NONE
    for first, last in pieces(start, end, schedule, vacations):
        middle = first + (last - first) / 2
        if any(one.begins_at <= middle < one.ends_at for one in vacations):
            continue
        awake += last - first
        if not is_off(middle, schedule):
            ran += last - first
    return ran, awake


class Adversary(RuleBasedStateMachine):
    """Both have played, bob is to move; both may be out for harm."""

    def __init__(self):
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        POST.answer, POST.taken = 250, []
        self.now = datetime(2026, 3, 10, 12, tzinfo=UTC)
        self.ann, self.bob = (PersonFactory(username=name) for name in ("ann", "bob"))
        record_heartbeat(now=self.now)

    def teardown(self):
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    @initialize(
        pace=st.sampled_from(PACES),
        days_off=st.sampled_from([[], [5, 6], [1, 2, 3]]),
        quiet=st.sampled_from([(None, None), (time(22), time(8)), (time(12), time(0))]),
        zone=st.sampled_from(["UTC", "Europe/Paris", "Asia/Kolkata", "America/New_York"]),
    )
    def the_turn_begins(self, pace, days_off, quiet, zone):
        week = {"days_off": days_off, "quiet_from": quiet[0], "quiet_until": quiet[1]}
        User.objects.filter(pk=self.bob.pk).update(time_zone=zone, **week)
        self.game_id = begin(self.ann, self.bob, now=self.now, terms=Terms(pace)).pk
        self.sweep()
        # Mails of the beginning tell of another turn.
        self.now += HOUR
        # Both have played: a game that bob had not begun would be aborted, not lost.
        play_all(self.game, ["5", "1", "9"], now=self.now)
        self.began, self.turn = self.now, self.game.turn_number
        self.schedule = schedule_of(self.user(self.bob))
        self.most = longest_turn(self.game.time_left, self.schedule, 2026)
        self.anns_time = self.game.seats.get(number=0).time_left
        self.contacts = self.others_starts = 0
        self.paused, self.pauses = NONE, 0
        self.visited = self.switched_off = self.back = False
        self.returned = set()
        self.since, self.left_then = self.began, self.game.time_left
        self.starts = []

    # What is known ------------------------------------------------------------------------------

    @property
    def game(self):
        return Game.objects.get(pk=self.game_id)

    def user(self, user):
        return User.objects.get(pk=user.pk)

    @property
    def goes_on(self):
        game = self.game
        return game.status == "active" and game.turn_number == self.turn

    def attempt(self, do, **how):
        """Call a service as a player; account for the clock that it stopped or started."""
        if not self.goes_on:
            return None
        try:
            done = do(now=self.now, **how)
        except errors.Refusal:
            done = None
        self.account()
        return done

    # The accounts -------------------------------------------------------------------------------

    def account(self):
        """Compare the clock with the second count since it was started or stopped."""
        game = self.game
        if not self.goes_on:
            return
        if self.since is not None:
            start = game.clock_started_at or game.stopped_at
            runs_on = game.clock_started_at == self.since
            until = self.now if runs_on else start
            vacations = list(self.user(self.bob).vacations.all())
            ran, awake = counted(self.since, until, self.schedule, vacations)
            left = max(NONE, self.left_then - ran)
            if runs_on:
                assert time_left(game, self.now) == left
                return
            # Stopped since: what days off doubled once they do not double again.
            left = min(left, max(NONE, self.left_then - awake / 2))
            assert game.time_left == left
        if game.clock_started_at is None:
            self.since, self.left_then = None, game.time_left
        elif game.clock_started_at != self.since:
            assert self.since is not None or game.time_left == self.left_then
            self.since, self.left_then = game.clock_started_at, game.time_left

    @invariant()
    def anns_time_does_not_run(self):
        if hasattr(self, "game_id"):
            assert self.game.seats.get(number=0).time_left == self.anns_time

    @invariant()
    def the_turn_lasts_no_longer_than_was_promised(self):
        if hasattr(self, "game_id"):
            lasted = (self.now if self.goes_on else self.game.ended_at or self.now) - self.began
            away = [one for one in self.user(self.bob).vacations.all() if one.begins_at <= self.now]
            least = self.contacts + self.pauses + len(away)
            vacations = sum((one.ends_at - one.begins_at for one in away), NONE)
            # A day by the clock may have 25 hours.
            bound = self.most + vacations + self.paused + 60 * DAY + least * (DAY + HOUR)
            assert lasted <= bound + HOUR, (lasted, bound)

    def is_told(self):
        """Tell whether bob knows: a mail of the turn was taken and is not back, or he was here."""
        taken = [m for m in POST.taken if m.to == [self.bob.email]]
        arrived = [
            m
            for m in taken
            if m.extra_headers["X-Pli-Kind"] in TELLING
            and m.extra_headers["Message-ID"] not in self.returned
            and m.sent_at >= self.began
        ]
        return bool(arrived) or self.visited or self.switched_off or self.back

    # Time ---------------------------------------------------------------------------------------

    @rule(count=hours)
    def time_passes(self, count):
        until = self.now + count * HOUR
        while self.now < until:
            game = self.game
            due = Notice.objects.filter(state="waiting").values_list("due_at", flat=True)
            next_things = [game.stopped_until, game.reminder_at, *due]
            if game.deadline is not None:
                next_things.append(game.deadline + SECOND)
            coming = [thing for thing in next_things if thing is not None and thing > self.now]
            self.now = min([until, *coming])
            self.sweep()

    def sweep(self):
        Heartbeat.objects.update(at=self.now)
        before = POST.taken[:]
        tell(self.now)
        for message in POST.taken[len(before) :]:
            message.sent_at = self.now
        if not hasattr(self, "turn") or not self.goes_on:
            return
        self.account()
        recount_due(now=self.now)
        stopped = self.game.stop_reason
        stops.end_stops(now=self.now)
        if stopped and self.goes_on and not self.game.stop_reason:
            self.starts.append(self.now)
        self.account()
        remind_due(now=self.now)
        time_out_due(now=self.now)
        self.account()
        game = self.game
        if game.ending == "timeout":
            self.nobody_lost_in_the_dark()

    def nobody_lost_in_the_dark(self):
        assert self.is_told()
        user = self.user(self.bob)
        quiet = (user.quiet_from, user.quiet_until)
        night = quiet if quiet[0] is not None else (time(22), time(8))
        nights = type(self.schedule)(user.zone.key, frozenset(), *night)
        for start in self.starts:
            awake, _ = counted(start, self.now, nights, [])
            assert awake >= 12 * HOUR, (start, self.now)

    # What both can do ---------------------------------------------------------------------------

    def bounce(self, status, action, forged):
        """Let the newest mail about the turn come back; forged: from a person, to `reply-`."""
        notices = Notice.objects.filter(
            user=self.bob, state="sent", kind__in=[Kind.YOUR_TURN, Kind.REMINDER]
        )
        notice = notices.filter(turn_number=self.turn).order_by("pk").last()
        reply = notice and ReplyAddress.objects.filter(notice=notice).last()
        message = notice and next(
            (m for m in POST.taken if m.extra_headers["Message-ID"] == notice.message_id), None
        )
        if reply is None or message is None:
            return
        token = token_in(message)
        assert hash_of(bounce_token(token)) == reply.bounce_hash
        raw = report(token, status=status, action=action, address=self.bob.email)
        to, sender = bounce_address(token), ""
        if forged:
            to, sender = reply_address(token), self.bob.email
        receive(raw, recipient=to, envelope_from=sender, door="smtp", now=self.now)
        process_due(now=self.now)
        if not forged:
            self.returned.add(notice.message_id)
        self.account()

    @rule(
        status=st.sampled_from(["5.1.1", "4.2.2"]),
        action=st.sampled_from(["failed", "failed", "delayed"]),
        forged=st.booleans(),
    )
    def a_mail_comes_back(self, status, action, forged):
        if self.goes_on:
            self.bounce(status, action, forged)

    @rule(code=st.sampled_from([250, 250, 451, 550]))
    def the_mail_server_changes_its_mind(self, code):
        POST.answer = code

    @rule()
    def bob_comes_by(self):
        if self.goes_on and record_contact(self.user(self.bob), now=self.now):
            self.contacts += 1
            self.back = True
        self.account()

    @rule()
    def bob_asks_for_help(self):
        reply = ReplyAddress.objects.filter(user=self.bob).last()
        message = next((m for m in reversed(POST.taken) if m.to == [self.bob.email]), None)
        if not self.goes_on or reply is None or message is None:
            return
        token = token_in(message)
        raw = answer(token, "help\n", self.bob.email)
        stopped = self.game.stop_reason == "undelivered"
        receive(
            raw, recipient=reply_address(token), envelope_from=self.bob.email, door="smtp",
            now=self.now,
        )  # fmt: skip
        process_due(now=self.now)
        if stopped and not self.game.stop_reason:
            self.contacts += 1
            self.back = True
        self.account()

    @rule()
    def bob_looks_at_the_game(self):
        if self.goes_on:
            note_presence(self.game.pk, self.bob.pk, now=self.now)
            self.visited = True

    @rule(by_bob=st.booleans(), days=st.sampled_from([3, 7, 14]), agreed=st.booleans())
    def a_pause_is_offered(self, by_bob, days, agreed):
        one, other = (self.bob, self.ann) if by_bob else (self.ann, self.bob)
        offer = self.attempt(offers.offer_pause, game_id=self.game_id, user=one, days=days)
        how = {"game_id": self.game_id, "user": other}
        if offer and agreed and self.attempt(offers.accept_offer, **how, offer_id=offer.pk):
            self.paused += days * DAY
            self.pauses += 1
        elif offer:
            self.attempt(offers.decline_offer, **how, offer_id=offer.pk)

    @rule(by_bob=st.booleans())
    def a_pause_is_ended(self, by_bob):
        user = self.bob if by_bob else self.ann
        ended = self.attempt(stops.end_pause, game_id=self.game_id, user=user)
        if ended and not by_bob and not self.game.stop_reason:
            self.starts.append(self.now)

    @rule(starts=st.sampled_from([0, 5, 24]), days=st.integers(1, 9))
    def bob_announces_a_vacation(self, starts, days):
        begins = self.now + starts * HOUR
        how = {"begins_at": begins, "ends_at": begins + days * DAY}
        self.attempt(availability.announce_vacation, user=self.user(self.bob), **how)

    @rule()
    def bob_ends_a_vacation(self):
        running = self.bob.vacations.filter(begins_at__lte=self.now, ends_at__gt=self.now).first()
        if running is not None:
            how = {"user": self.user(self.bob), "vacation_id": running.pk}
            self.attempt(availability.end_vacation_early, **how)
            recount_due(now=self.now)

    @rule(automatic=st.booleans())
    def bob_chooses_automatic_vacations(self, automatic):
        user = self.user(self.bob)
        self.attempt(availability.set_automatic_vacation, user=user, automatic=automatic)

    @rule(days_off=st.sampled_from([[], [4, 5, 6], [0]]), quiet=st.booleans())
    def bob_changes_his_week(self, days_off, quiet):
        begins, ends = (time(20), time(8)) if quiet else (None, None)
        how = {"days_off": days_off, "quiet_from": begins, "quiet_until": ends}
        self.attempt(availability.set_schedule, user=self.user(self.bob), **how)
        recount_due(now=self.now)

    @rule(zone=st.sampled_from(["UTC", "Pacific/Auckland", "America/New_York"]))
    def bob_changes_his_zone(self, zone):
        User.objects.filter(pk=self.bob.pk).update(time_zone=zone)

    @rule(delay=hours)
    def bob_wants_to_be_reminded_later(self, delay):
        how = {"game_id": self.game_id, "user": self.bob, "delay": delay * HOUR}
        self.attempt(reminders.snooze, **how)

    @rule(marks=st.sampled_from([[], ["quarter"], ["1h"]]))
    def bob_changes_his_reminders(self, marks):
        how = {"marks": marks, "at_night": True}
        self.attempt(availability.set_reminders, user=self.user(self.bob), **how)

    @rule(cadence=st.sampled_from([Cadence.OFF, Cadence.AT_ONCE]))
    def bob_changes_his_mail(self, cadence):
        set_cadence(user=self.user(self.bob), kind=Kind.YOUR_TURN, cadence=cadence)
        self.switched_off |= cadence == Cadence.OFF


class HoldsTheTurn(Adversary):
    """Bob wants to keep ann waiting: he always acts at the last moment."""

    @rule(
        status=st.sampled_from(["5.1.1", "4.2.2"]),
        days=st.sampled_from([1, 13, 55]),
        rounds=st.sampled_from([1, 3]),
    )
    def bob_is_unreachable_at_the_last_minute(self, status, days, rounds):
        for _ in range(rounds):
            if not self.goes_on or self.game.deadline is None:
                return
            self.now = max(self.now, self.game.deadline - 60 * SECOND)
            self.sweep()
            if self.goes_on:
                self.bounce(status, "failed", forged=False)
            self.time_passes(24 * days)
            self.bob_comes_by()


class WantsThemToLoseInTheDark(Adversary):
    """Ann wants bob to lose untold: no mail of the turn is taken, and pauses end at night.

    Bob does nothing that would tell him of the turn.
    """

    bob_comes_by = bob_asks_for_help = bob_looks_at_the_game = bob_changes_his_mail = None

    @rule()
    def a_mail_that_is_delayed_is_all_until_the_deadline(self):
        if self.goes_on:
            POST.answer = 250
            self.sweep()
            self.bounce("4.2.2", "delayed", forged=False)
        self.nothing_reaches_bob_until_the_deadline(451)

    @rule(code=st.sampled_from([451, 550]))
    def nothing_reaches_bob_until_the_deadline(self, code):
        POST.answer = code
        if self.goes_on and self.game.deadline is not None:
            self.now = max(self.now, self.game.deadline + SECOND)
            self.sweep()

    @rule(minutes=st.sampled_from([1, 59]), days=st.sampled_from([3, 7]), hour=st.integers(0, 23))
    def ann_lets_a_late_pause_end_at_night(self, minutes, days, hour):
        if not self.goes_on or self.game.deadline is None:
            return
        self.now = max(self.now, self.game.deadline - timedelta(minutes=minutes))
        self.sweep()
        self.a_pause_is_offered(by_bob=False, days=days, agreed=True)
        self.time_passes(24 + hour)
        self.a_pause_is_ended(by_bob=False)
        self.time_passes(11)


@pytest.mark.told
@pytest.mark.timeout(0 if CHAOS else 600)
@pytest.mark.usefixtures("post")
@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.parametrize("aim", [HoldsTheTurn, WantsThemToLoseInTheDark])
def test_nobody_holds_a_turn_for_ever_or_loses_in_the_dark(aim):
    run_state_machine_as_test(aim, settings=histories())
