"""What is kept for the digest is told there, once."""

from datetime import timedelta

import pytest
from django.core import mail

from games.models import Message
from games.services import endings
from games.services.conduct.messages import say
from notifications.models import Cadence, DigestSchedule, Kind, Notice, SkipReason
from notifications.outbox.delivery import send_due
from notifications.outbox.digests import send_digests
from notifications.outbox.recipients import make_notices
from notifications.services.preferences import set_cadence
from tests.games.play import DAY, SECOND, begin
from tests.notifications.mail_parts import text_of
from tests.notifications.outgoing_mail import digest, forget, html_of, tell

pytestmark = pytest.mark.django_db

State = Notice.State
HOUR = timedelta(hours=1)


@pytest.fixture
def in_digest(ann):
    for kind in (Kind.YOUR_TURN, Kind.MESSAGE, Kind.GAME_OVER, Kind.GAME_BEGUN):
        set_cadence(user=ann, kind=kind, cadence=Cadence.DIGEST)


def speak(game, user, text, now):
    say(game_id=game.pk, user=user, text=text, via=Message.Via.WEB, now=now)


def test_news_kept_for_the_digest_are_no_mail_of_their_own(in_digest, due, games, bob, now):
    tell(now)
    assert [m.to for m in mail.outbox if m.to == ["ann@example.org"]] == []
    _, second, third = games
    speak(second, bob, "Let me think", now)
    speak(third, third.seats.get(number=0).user, "Your move", now)
    make_notices(now=now)
    message = digest(due)
    assert message["To"] == "ann@example.org"
    assert "    Let me think" in text_of(message)
    assert "    Your move" in text_of(message)
    assert "What else has happened:" in text_of(message)
    kept = Notice.objects.filter(user__username="ann").exclude(kind=Kind.DIGEST)
    assert set(kept.values_list("state", flat=True)) == {State.DROPPED}
    assert SkipReason.TOLD_IN_DIGEST in set(kept.values_list("skip_reason", flat=True))
    send_due(now=due + DAY - SECOND)
    assert [m.to for m in mail.outbox].count(["ann@example.org"]) == 1


def test_messages_told_in_a_digest_are_not_told_again(in_digest, due, games, ann, bob, now):
    first, _, _ = games
    speak(first, bob, "Hello", now)
    make_notices(now=now)
    assert "Hello" in text_of(digest(due))
    speak(first, bob, "Once more", due + HOUR)
    make_notices(now=due + HOUR)
    again = text_of(digest(due + DAY))
    assert "Once more" in again
    assert "Hello" not in again


def test_news_alone_are_a_digest_too(in_digest, due, ann, bob, now):
    game = begin(bob, ann, now=now)
    endings.resign(game_id=game.pk, user=bob, now=now)
    make_notices(now=now)
    message = digest(due)
    assert message["Subject"] == "News of your games"
    assert "You have won. bob resigned." in " ".join(text_of(message).split())
    assert "answer as many" not in text_of(message)


def test_news_that_a_digest_did_not_collect_are_sent_by_themselves_a_little_later(
    in_digest, due, games, ann, now
):
    make_notices(now=now)
    for wait in (timedelta(0), timedelta(minutes=30) - SECOND):
        mail.outbox.clear()
        send_due(now=due + wait)
        assert ["ann@example.org"] not in [m.to for m in mail.outbox]
    DigestSchedule.objects.update(digest_every=None, digest_due_at=None)
    send_due(now=due + timedelta(minutes=30))
    assert ["ann@example.org"] in [m.to for m in mail.outbox]


def test_a_reader_who_stops_the_digest_gets_none_of_its_news(in_digest, due, games, ann, now):
    set_cadence(user=ann, kind=Kind.DIGEST, cadence=Cadence.OFF)
    make_notices(now=now)
    assert send_digests(now=due) == 0
    send_due(now=due)
    assert [m for m in mail.outbox if m.to == ["ann@example.org"]] == []


def test_a_reader_without_a_usable_address_gets_no_digest(games, due, ann):
    ann.emailaddress_set.update(verified=False)
    forget()
    assert send_digests(now=due) == 1
    assert not Notice.objects.filter(kind=Kind.DIGEST).exists()


def test_it_is_in_the_readers_language_and_has_a_way_out(games, due, ann):
    message = digest(due)
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "digest" in message["List-Unsubscribe"]
    assert message["Auto-Submitted"] == "auto-generated"
    assert '<html lang="en">' in html_of(message)
