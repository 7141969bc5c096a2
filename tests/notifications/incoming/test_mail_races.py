"""Several processors and several doors at the same moment."""

from datetime import timedelta

import pytest

from games.models import Turn
from notifications.models import IncomingMail, Kind, Notice
from notifications.services.incoming.processing import process_due
from notifications.services.incoming.receiving import receive
from notifications.services.replies import reply_address
from tests.notifications.mailin import answer, hand_in, listening, turn_token
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def token(transactional_db, game, ann, now):
    return turn_token(ann, now)


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


def test_the_same_mail_through_many_doors_is_kept_once(token, ann, now):
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
