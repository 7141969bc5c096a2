"""Reply addresses: random, kept hashed, one for every mail, and never in a log."""

import re
from datetime import timedelta

import pytest
from django.core import mail

from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.models import IncomingMail, Kind, Notice, ReplyAddress
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.services import replies
from tests.notifications.incoming_mail import answer, token_of
from tests.notifications.outgoing_mail import after_hold, forget, play, tell

TOKEN = re.compile(r"^reply-([a-z2-7]{26})@play\.example\.org$")
Purpose = ReplyAddress.Purpose


@pytest.fixture(autouse=True)
def domain(settings):
    settings.REPLY_DOMAIN = "play.example.org"


@pytest.fixture
def told(game, ann, bob, now):
    """Both know that the game has begun."""
    tell(now)
    return game


def letter_to(user):
    return next(m for m in reversed(mail.outbox) if m.to == [user.email])


def test_each_mail_has_a_reply_address_of_its_own(told, ann, bob):
    first, second = (letter_to(user).message() for user in (ann, bob))
    tokens = [TOKEN.match(message["Reply-To"])[1] for message in (first, second)]
    assert tokens[0] != tokens[1]
    assert first["From"] != first["Reply-To"]


def test_only_the_hash_of_a_token_stays(told, ann):
    token = TOKEN.match(letter_to(ann).message()["Reply-To"])[1]
    reply = replies.found(token)
    assert (reply.user, reply.game, reply.seat, reply.turn_number) == (ann, told, 0, 0)
    assert reply.purpose == Purpose.TURN
    kept = [*ReplyAddress.objects.values_list(), *Notice.objects.values_list()]
    assert token not in str(kept)


def test_a_token_is_found_whatever_its_case(told, ann):
    token = TOKEN.match(letter_to(ann).message()["Reply-To"])[1]
    assert replies.found(token.upper()) == replies.found(token)
    assert replies.found(token[:-1] + ("a" if token[-1] != "a" else "b")) is None


def test_the_envelope_comes_back_to_the_same_notice(told, ann, sink, now):
    play(told, ann, "5", now)
    senders = []
    taken = sink.handle_DATA

    async def handle_data(server, session, envelope):
        senders.append(envelope.mail_from)
        return await taken(server, session, envelope)

    sink.handle_DATA = handle_data
    tell(now)
    (message,) = sink.messages
    token = TOKEN.match(message["Reply-To"])[1]
    assert senders == [replies.bounce_address(token)]
    to = replies.destination(senders[0])
    assert replies.with_hash(to.token_hash, to.box) == replies.found(token)
    assert replies.found(token).notice.kind == Kind.YOUR_TURN
    assert "bounce" not in message["From"]


def test_a_second_try_has_the_same_token(told, ann, bob, settings, now):
    play(told, ann, "5", now)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    before = ReplyAddress.objects.count()
    tell(now)
    notice = Notice.objects.get(kind=Kind.YOUR_TURN)
    token = notice.content["token"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert send_due(now=after_hold(now) + timedelta(minutes=1)) == 1
    assert TOKEN.match(letter_to(bob).message()["Reply-To"])[1] == token
    assert ReplyAddress.objects.count() == before + 1
    notice.refresh_from_db()
    assert notice.content == {}


def test_an_account_mail_cannot_be_answered_but_comes_back(db, now):
    content = {"subject": "A code", "text": "BCDF\n", "html": "<p>BCDF</p>"}
    known = {"kind": Kind.ACCOUNT, "content": content, "created_at": now, "due_at": now}
    Notice.objects.create(address="dora@example.org", message_id="<1@example.org>", **known)
    send_due(now=now)
    (message,) = mail.outbox
    assert "Reply-To" not in message.message()
    assert re.match(r"bounce-[a-z2-7]{26}@play\.example\.org$", message.from_email)
    assert ReplyAddress.objects.get().purpose == Purpose.NOTHING


def test_what_is_answered_to_an_account_mail_gets_no_answer(ann, now):
    content = {"subject": "A code", "text": "BCDF\n", "html": "<p>BCDF</p>"}
    known = {"kind": Kind.ACCOUNT, "content": content, "created_at": now, "due_at": now}
    notice = Notice.objects.create(
        user=ann, address=ann.email, message_id="<1@example.org>", **known
    )
    token = token_of(notice, now)
    for box, to in (("reply", replies.reply_address), ("bounce", replies.bounce_address)):
        raw = answer(token, f"resign {box}", ann.email, box=box)
        receive(raw, recipient=to(token), envelope_from=ann.email, door="smtp", now=now)
    assert process_due(now=now) == 2
    results = IncomingMail.objects.order_by("pk").values_list("state", "result")
    assert list(results) == [("ignored", "nothing-to-answer"), ("ignored", "no-bounce")]
    assert Notice.objects.count() == 1


def test_an_invited_address_may_answer_without_an_account(table, ann, now):
    from games.services import invitations

    invitation = invitations.invite(game_id=table.pk, by=ann, email="Dora@example.org", now=now)
    tell(now)
    reply = ReplyAddress.objects.get()
    assert (reply.user, reply.address) == (None, "dora@example.org")
    assert (reply.purpose, reply.invitation) == (Purpose.INVITATION, invitation)


def test_a_digest_knows_what_its_numbers_mean(told, ann, now):
    notice = Notice.objects.filter(user=ann).latest("pk")
    token = token_of(notice, now)
    replies.number_games(token, [(1, told.pk, 0)])
    reply = replies.found(token)
    assert (reply.purpose, reply.content) == (Purpose.DIGEST, [[1, told.pk, 0]])


def test_tokens_have_128_random_bits(told, ann, bob, monkeypatch, now):
    asked = []
    monkeypatch.setattr(
        replies.secrets, "token_bytes", lambda size: asked.append(size) or b"\xff" * size
    )
    forget()
    play(told, ann, "5", now)
    make_notices(now=now)
    notice = Notice.objects.get(kind=Kind.YOUR_TURN)
    assert token_of(notice, now) == "7" * 25 + "4"
    assert asked[-1] == 16


@pytest.mark.parametrize(
    ("address", "box"),
    [
        ("reply-{t}@play.example.org", "reply"),
        ("BOUNCE-{t}@PLAY.example.org", "bounce"),
        ("<reply-{t}@play.example.org>", "reply"),
        ("reply-{t}@elsewhere.example.org", None),
        ("reply-{t}a@play.example.org", None),
        ("replies-{t}@play.example.org", None),
        ("games@play.example.org", None),
        ("", None),
    ],
)
def test_an_address_is_ours_by_its_shape_and_domain(address, box):
    found = replies.destination(address.format(t="a" * 26))
    assert (found and found.box) == box


def test_neither_notices_nor_mails_show_a_token_by_name(told, ann, now):
    notice = Notice.objects.filter(user=ann).latest("pk")
    token = token_of(notice, now)
    reply = replies.found(token)
    to = replies.destination(replies.reply_address(token))
    taken = IncomingMail(reply=reply, token_hash=to.token_hash)
    assert token not in "".join(map(repr, (notice, reply, to, taken))) + str(notice) + str(reply)
