"""A user who is suspended, banned or has closed their account can do nothing by mail.

Every order is also given by somebody who is free, so that none is refused for another reason.
"""

import base64
import json
import re
from datetime import timedelta
from types import ModuleType
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.clock.clock import StopReason
from games.models import Game, Invitation, Message, Wish
from games.moderation import people
from games.services import invitations, offers
from games.services.clock.undelivered_turns import freeze_undelivered
from games.services.endings import resign
from notifications.incoming import polling
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.listener import InboundHandler
from notifications.models import AddressState, Cadence, IncomingMail, Kind, Notice
from notifications.outbox.recipients import make_notices
from notifications.provider_webhook import webhook_urls
from notifications.services import address_trials, addresses, feeds
from notifications.services.preferences import cadence_of, set_cadence
from notifications.services.replies import number_games, reply_address
from notifications.services.unsubscribe import unsubscribe_url
from tests import imap
from tests.factories import StaffFactory
from tests.games.play import begin, database, table
from tests.notifications.incoming_mail import answer, hand_in, listening, token_of
from tests.suspensions import KEPT_OUT, closed, free

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MAIL = ("incomingmail", "notice", "replyaddress", "erroranswer", "accountmailcount")


@pytest.fixture
def now(db):
    StaffFactory(username="host", role="Hosts")
    return timezone.now()


def done():
    """Return everything but what mail leaves behind by itself."""
    rows = database()
    return [row for row in rows if row[0].removeprefix("notifications_") not in MAIL]


def told(person, kind, now):
    """Return the token of the newest letter of a kind to somebody (or to an address)."""
    make_notices(now=now)
    to = {"address": person} if isinstance(person, str) else {"user": person}
    return token_of(Notice.objects.filter(kind=kind, **to).latest("pk"), now)


def answered(token, text, sender, now):
    """Take in an answer and act on it; return what became of it."""
    raw = answer(token, text, sender)
    receive(raw, recipient=reply_address(token), envelope_from=sender, door="smtp", now=now)
    assert process_due(now=now) == 1
    mail = IncomingMail.objects.latest("pk")
    return mail.state, mail.result


def said(person):
    """Return what the newest answer to somebody says."""
    sections = Notice.objects.filter(kind=Kind.ANSWER, user=person).latest("pk").content["sections"]
    return " ".join(sentence for one in sections for sentence in one["paragraphs"])


# At a game ---------------------------------------------------------------------------------------


@pytest.fixture
def game(ann, bob, now):
    """Ann is to move, and bob offers to end the game."""
    game = begin(ann, bob, now=now)
    offers.offer_end(game_id=game.pk, user=bob, now=now)
    return game


ORDERS = [
    *("5", "5\nHello", "decline", "say hello", "later 8h", "vacation 10", "quiet"),
    *("pause 7", "note hm", "mute", "language fr", "pictures off", "digest 8h"),
]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_answers_to_the_letter_of_a_turn(game, ann, now, kept_out, order):
    token = told(ann, Kind.GAME_BEGUN, now)
    kept_out(ann, now)
    before = done()
    outcome = answered(token, order, ann.email, now)
    assert (done() != before) == (kept_out is free)
    if kept_out is free:
        assert outcome == ("done", "done")
    elif kept_out is closed:
        assert outcome == ("held", "stranger")
    else:
        assert outcome == ("done", "refused")
        assert "A moderator has suspended your account" in said(ann)


FINAL = ["resign", "accept", "j'abandonne", "abort", "block bob", "report stalling", "name Anna"]


@pytest.mark.parametrize("order", FINAL)
@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_answers_to_a_question(game, ann, now, kept_out, order):
    """Asked while they were free; the “yes” comes when they are not."""
    assert answered(told(ann, Kind.GAME_BEGUN, now), order, ann.email, now) == ("done", "asked")
    token = told(ann, Kind.ANSWER, now)
    kept_out(ann, now)
    before = done()
    outcome = answered(token, "yes", ann.email, now)
    assert (done() != before) == (kept_out is free)
    if kept_out is free:
        assert outcome == ("done", "done")
    elif kept_out is closed:
        assert outcome == ("held", "stranger")
    else:
        assert outcome == ("done", "refused")


@pytest.mark.parametrize("order", ["new taquet", "nouveau taquet avec bob", "find opponent taquet"])
@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_no_game_is_started(game, ann, now, kept_out, order):
    """Asked while they were free; the “yes” comes when they are not."""
    assert answered(told(ann, Kind.GAME_BEGUN, now), order, ann.email, now) == ("done", "asked")
    token = told(ann, Kind.ANSWER, now)
    kept_out(ann, now)
    answered(token, "yes", ann.email, now)
    found = Wish.objects.count() if "find" in order else Game.objects.count() - 1
    assert found == (kept_out is free)


@pytest.mark.parametrize(
    "order",
    [
        *("board", "history", "rules", "help", "tables", "new", "new taquet", "find opponent"),
        *("games", "settings", "legal", "notes", "profile bob"),
    ],
)
@pytest.mark.parametrize("kept_out", KEPT_OUT)
def test_nothing_is_sent_on_request_either(game, ann, now, kept_out, order):
    token = told(ann, Kind.GAME_BEGUN, now)
    kept_out(ann, now)
    assert answered(token, order, ann.email, now) in [("done", "refused"), ("held", "stranger")]


@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_asking_for_a_rematch(game, ann, bob, now, kept_out):
    resign(game_id=game.pk, user=bob, now=now)
    token = told(ann, Kind.GAME_OVER, now)
    kept_out(ann, now)
    answered(token, "rematch", ann.email, now)
    assert Game.objects.count() == (2 if kept_out is free else 1)


@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_loud_changes_no_preference(game, ann, now, kept_out):
    set_cadence(user=ann, kind=Kind.MESSAGE, cadence=Cadence.OFF)
    token = told(ann, Kind.GAME_BEGUN, now)
    kept_out(ann, now)
    answered(token, "loud", ann.email, now)
    expected = Cadence.AT_ONCE if kept_out is free else Cadence.OFF
    assert cadence_of(ann, Kind.MESSAGE) == expected


@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_answers_to_a_digest(game, ann, bob, now, kept_out):
    other = begin(ann, bob, now=now)
    token = told(ann, Kind.GAME_BEGUN, now)
    number_games(token, [(1, game.pk, 0), (2, other.pk, 0)])
    kept_out(ann, now)
    before = done()
    answered(token, "1 5\n2 7\n", ann.email, now)
    assert (done() != before) == (kept_out is free)
    assert {one.turn_number for one in Game.objects.all()} == {1 if kept_out is free else 0}


def test_a_muted_player_plays_but_their_messages_are_not_passed_on(game, ann, now):
    host = User.objects.get(username="host")
    token = told(ann, Kind.GAME_BEGUN, now)
    people.mute_user(person_id=ann.pk, by=host, why="rude", until=None, now=now)
    assert answered(token, "5\nYou fool", ann.email, now) == ("done", "done")
    assert Game.objects.get().turn_number == 1
    assert not Message.objects.exists()


# Invitations -------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["accept", "accept\nHello", "decline"])
@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_answers_to_a_challenge(ann, bob, now, kept_out, order):
    game = table(bob, now=now)
    invitations.challenge(game_id=game.pk, by=bob, user=ann, now=now)
    token = told(ann, Kind.CHALLENGE, now)
    kept_out(ann, now)
    before = done()
    answered(token, order, ann.email, now)
    assert (done() != before) == (kept_out is free)


@pytest.mark.parametrize("order", ["accept", "accept\nHello"])
@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_answers_to_an_invitation_to_their_address(ann, bob, now, kept_out, order):
    game = table(bob, now=now)
    invitations.invite(game_id=game.pk, by=bob, email=ann.email, now=now)
    token = told(ann.email, Kind.INVITATION, now)
    kept_out(ann, now)
    before = done()
    outcome = answered(token, order, ann.email, now)
    assert (done() != before) == (kept_out is free)
    assert game.seats.filter(user=ann).exists() == (kept_out is free)
    assert outcome == ("done", "done" if kept_out is free else "refused")
    if kept_out is not free:
        assert ("fermé" if kept_out is closed else "suspendu") in said(None)


@pytest.mark.parametrize("kept_out", KEPT_OUT)
def test_a_suspended_person_may_decline_an_invitation_to_their_address(ann, bob, now, kept_out):
    """Anybody who has the link may: it only tells the inviter not to wait."""
    game = table(bob, now=now)
    invitations.invite(game_id=game.pk, by=bob, email=ann.email, now=now)
    token = told(ann.email, Kind.INVITATION, now)
    kept_out(ann, now)
    assert answered(token, "decline\nHello", ann.email, now) == ("done", "done")
    assert Invitation.objects.get().state == "declined"
    assert not Message.objects.exists()


# Every way by which mail comes in ----------------------------------------------------------------


@pytest.fixture
def by_smtp(now):
    with listening(InboundHandler(lambda: now)) as port:
        yield lambda raw, to, sender: hand_in(port, raw, to, sender)


@pytest.fixture
def by_lmtp(now):
    with listening(InboundHandler(lambda: now), lmtp=True) as port:
        yield lambda raw, to, sender: hand_in(port, raw, to, sender, lmtp=True)


@pytest.fixture
def by_imap(settings, now):
    folder = imap.Folder("secret")
    with imap.serving(folder) as port:
        settings.IMAP_URL = f"imap://pli%40example.org:secret@127.0.0.1:{port}/INBOX"

        def fetch(raw, to, sender):
            folder.mails = {1: raw}
            assert polling.poll(now=now) == 1

        yield fetch


@pytest.fixture
def by_webhook(settings, client):
    settings.ANYMAIL = {"WEBHOOK_SECRET": "postman:always-rings-twice"}
    settings.ROOT_URLCONF = urls = ModuleType("urls")
    urls.urlpatterns = webhook_urls("postmark")

    def ring(raw, to, sender):
        path = [{"Name": "Return-Path", "Value": f"<{sender}>"}]
        body = {"OriginalRecipient": to, "RawEmail": raw.decode(), "Headers": path}
        response = client.post(
            "/postmark/inbound/",
            json.dumps(body | {"MessageID": "1", "Attachments": []}),
            content_type="application/json",
            headers={
                "authorization": "Basic " + base64.b64encode(b"postman:always-rings-twice").decode()
            },
        )
        assert response.status_code == 200

    return ring


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["by_smtp", "by_lmtp", "by_imap", "by_webhook"])
@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_no_way_that_mail_comes_in_lets_them_play(request, ann, bob, now, kept_out, way):
    game = table(bob, now=now)
    invitations.invite(game_id=game.pk, by=bob, email=ann.email, now=now)
    token = told(ann.email, Kind.INVITATION, now)
    kept_out(ann, now)
    bring_in = request.getfixturevalue(way)
    bring_in(answer(token, "accept", ann.email), reply_address(token), ann.email)
    assert process_due(now=now + timedelta(minutes=5)) == 1
    assert game.seats.filter(user=ann).exists() == (kept_out is free)


# What mail links to ------------------------------------------------------------------------------


@pytest.mark.parametrize("do", ["accept", "decline"])
@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_the_link_to_a_challenge(client, ann, bob, now, kept_out, do):
    game = table(bob, now=now)
    asked = invitations.challenge(game_id=game.pk, by=bob, user=ann, now=now)
    kept_out(ann, now)
    path = reverse("invitation_answer", args=[invitations.link_token(asked)])
    client.force_login(User.objects.get(pk=ann.pk))
    before = done()
    Client().post(path, {"answer": do})  # signed out
    client.post(path, {"answer": do})
    assert (done() != before) == (kept_out is free)


@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_the_link_to_an_invitation_seats_no_suspended_player(client, ann, bob, now, kept_out):
    game = table(bob, now=now)
    asked = invitations.invite(game_id=game.pk, by=bob, email=ann.email, now=now)
    kept_out(ann, now)
    client.force_login(User.objects.get(pk=ann.pk))
    path = reverse("invitation_answer", args=[invitations.link_token(asked)])
    client.post(path, {"answer": "accept"})
    assert game.seats.filter(user=ann).exists() == (kept_out is free)


@pytest.mark.parametrize("kept_out", [free, *KEPT_OUT])
def test_a_visit_to_the_link_that_tries_an_address_starts_no_clock(
    client, game, ann, now, kept_out
):
    """A player whom no mail reached has all their time again once they are heard of."""
    addresses.suspend_address(address=ann.email, diagnostic="550", notice=None, now=now)
    freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now)
    address_trials.try_address(user=ann, address=ann.email, now=now)
    text = Notice.objects.get(kind=Kind.ACCOUNT).content["text"]
    (path,) = re.findall(r"/settings/mail/try-again/\S+", text)
    kept_out(ann, now)
    client.post(path)
    assert AddressState.objects.get().suspended_at is None, "mail may go there again"
    clock = Game.objects.get(pk=game.pk).stop_reason
    assert clock == ("" if kept_out is free else StopReason.UNDELIVERED)


@pytest.mark.parametrize("kept_out", KEPT_OUT)
def test_no_answer_of_a_suspended_player_starts_their_clock(game, ann, now, kept_out):
    token = told(ann, Kind.GAME_BEGUN, now)
    freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now)
    kept_out(ann, now)
    answered(token, "hello", ann.email, now)
    assert Game.objects.get(pk=game.pk).stop_reason == StopReason.UNDELIVERED


@pytest.mark.parametrize("kept_out", [k for k in KEPT_OUT if k is not closed])
def test_unsubscribing_stays_possible(client, ann, now, kept_out):
    kept_out(ann, now)
    assert client.post(urlsplit(unsubscribe_url(ann, Kind.YOUR_TURN)).path).status_code == 200
    assert cadence_of(ann, Kind.YOUR_TURN) == Cadence.OFF


@pytest.mark.parametrize("kept_out", KEPT_OUT)
def test_a_calendar_changes_nothing(client, game, ann, now, kept_out):
    feeds.renew(user=ann, now=now)
    path = urlsplit(feeds.feed_url(ann)).path
    kept_out(ann, now)
    before = done()
    assert client.get(path).status_code == (404 if kept_out is closed else 200)
    assert done() == before
