"""Several processors and several receivers at the same moment."""

from collections import Counter
from datetime import timedelta

import pytest

from games.models import Turn
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import TooMany, receive
from notifications.mail_commands.dispatch import MOST_REFUSED
from notifications.models import IncomingMail, Kind, Notice
from notifications.services.address_trials import TriedJustNow, try_address
from notifications.services.addresses import suspend_address
from notifications.services.replies import reply_address
from tests.notifications.incoming_mail import answer, hand_in, listening
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_many_processors_act_once(token, ann, now):
    raw, to = answer(token, "5\n", ann.email), reply_address(token)
    receive(raw, recipient=to, envelope_from=ann.email, door="smtp", now=now)
    assert sum(at_once(lambda: process_due(now=now), times=6)) == 1
    assert Turn.objects.count() == 1
    assert Notice.objects.filter(kind=Kind.ANSWER).count() == 1


def test_a_stale_claim_is_taken_over_once(token, ann, now):
    raw, to = answer(token, "5\n", ann.email), reply_address(token)
    receive(raw, recipient=to, envelope_from=ann.email, door="smtp", now=now)
    IncomingMail.objects.update(state="claimed", claimed_at=now, attempts=1)
    later = now + timedelta(minutes=10)
    assert sum(at_once(lambda: process_due(now=later), times=6)) == 1
    assert Notice.objects.filter(kind=Kind.ANSWER).count() == 1


def test_the_same_mail_received_in_many_processes_is_kept_once(token, ann, now):
    raw, to = answer(token, "5\n", ann.email), reply_address(token)

    def take():
        return receive(raw, recipient=to, envelope_from="", door="pipe", now=now).pk

    assert len(set(at_once(take, times=6))) == 1
    assert IncomingMail.objects.count() == 1


def test_the_same_mail_on_many_connections_is_taken_each_time_and_kept_once(token, ann):
    raw, to = answer(token, "5\n", ann.email), reply_address(token)
    with listening() as port:
        at_once(lambda: hand_in(port, raw, to), times=6)
    assert IncomingMail.objects.count() == 1


def test_the_hourly_limit_holds_for_many_receivers_at_once(token, ann, now, settings):
    settings.MAILS_AN_HOUR = 5
    mails = iter([answer(token, f"say {n}\n", ann.email, message_id=f"<{n}@x>") for n in range(32)])

    def take():
        refused = 0
        for _ in range(4):
            try:
                raw = next(mails)
                receive(raw, recipient=reply_address(token), envelope_from="", door="pipe", now=now)
            except TooMany:
                refused += 1
        return refused

    assert sum(at_once(take, times=8)) == 27
    assert IncomingMail.objects.count() == 5


@pytest.mark.postgresql
def test_the_daily_limit_of_answered_refusals_holds_for_many_processors_at_once(token, ann, now):
    for number in range(MOST_REFUSED + 8):
        raw = answer(token, f"hocus pocus {number}\n", ann.email, message_id=f"<{number}@x>")
        receive(raw, recipient=reply_address(token), envelope_from="", door="pipe", now=now)
    at_once(lambda: process_due(now=now), times=8)
    results = Counter(IncomingMail.objects.values_list("result", flat=True))
    assert results == {"refused": MOST_REFUSED, "unanswered": 8}
    assert Notice.objects.filter(kind=Kind.ANSWER).count() == MOST_REFUSED


def test_an_address_is_tried_again_by_one_mail_however_many_ask(ann, now):
    suspend_address(address=ann.email, diagnostic="no", notice=None, now=now)

    def ask():
        try:
            try_address(user=ann, address=ann.email, now=now)
        except TriedJustNow:
            return 0
        return 1

    assert sum(at_once(ask, times=8)) == 1
    assert Notice.objects.filter(kind=Kind.ACCOUNT).count() == 1
