"""The processor: every mail is executed once, put aside or ignored, and none delays the next."""

from datetime import timedelta
from itertools import pairwise

import pytest
from django.db.models import Min

from games.services import deadlines
from notifications.incoming import receiving
from notifications.incoming.processing import MOST_ATTEMPTS, process_due
from notifications.kinds.base import compose
from notifications.mail_commands import dispatch
from notifications.mail_parser import parse_command
from notifications.models import ErrorReply, IncomingMail, Kind, Notice
from notifications.services.replies import reply_address
from notifications.services.reprocessing import process_again
from tests.factories import PersonFactory
from tests.games.play import begin
from tests.notifications.faults import AfterClaim, PassingFault, watching
from tests.notifications.incoming_mail import act_on_nothing, answer, done, token_of, turn_token

State = IncomingMail.State


@pytest.fixture
def send(token, ann, now):
    """Let a mail to ann's reply address come in."""

    def sending(text="5\n", sender=None, *, at=now, envelope_from=None, **headers):
        sender = sender or ann.email
        raw = answer(token, text, sender, **headers)
        return receiving.receive(
            raw,
            recipient=reply_address(token),
            envelope_from=sender if envelope_from is None else envelope_from,
            door="smtp",
            now=at,
        )

    return sending


@pytest.fixture
def acted(monkeypatch):
    """What was acted on: first lines, with the time of receipt."""
    seen = []

    def act(mail, reply, *, received_at, now, at_play_address=False):
        if mail.lines[0] == "break":
            raise ZeroDivisionError("broken by reply-" + "a" * 26)
        seen.append((mail.lines[0], reply.user and reply.user.username, received_at))
        return done(reply)

    monkeypatch.setattr(dispatch, "execute", act)
    return seen


def states():
    return list(IncomingMail.objects.order_by("pk").values_list("state", "result"))


def test_a_players_mail_is_acted_on_with_the_time_it_was_received(send, acted, ann, now):
    mail = send("5\n")
    assert process_due(now=now + timedelta(hours=3)) == 1
    assert acted == [("5", "ann", now)]
    mail.refresh_from_db()
    assert (mail.state, mail.user, mail.sender) == (State.DONE, ann, ann.email)
    assert (mail.processed_at, mail.attempts) == (now + timedelta(hours=3), 1)


def test_a_mail_is_acted_on_once(send, acted, now):
    send("5\n")
    assert [process_due(now=now), process_due(now=now + timedelta(hours=1))] == [1, 0]
    assert len(acted) == 1


def test_mails_are_taken_up_in_the_order_of_receipt(send, acted, now):
    send("2\n", at=now + timedelta(seconds=1))
    send("1\n", at=now)
    process_due(now=now + timedelta(minutes=1))
    assert [line for line, _, _ in acted] == ["1", "2"]


def test_a_mail_that_raises_an_error_waits_and_the_next_is_processed(send, acted, now):
    broken = send("break\n")
    send("5\n")
    assert process_due(now=now) == 1
    assert states() == [(State.WAITING, ""), (State.DONE, "done")]
    broken.refresh_from_db()
    assert "ZeroDivisionError: broken by reply-…" in broken.error
    assert broken.due_at == now + timedelta(minutes=1)
    process_due(now=now + timedelta(seconds=59))
    broken.refresh_from_db()
    assert broken.due_at == now + timedelta(minutes=1), "it was not tried meanwhile"


def test_it_is_tried_for_a_day_and_then_parked_with_its_error(send, acted, now):
    broken = send("break\n")
    tried = process_until(now + timedelta(days=3))
    gaps = [(later - earlier).total_seconds() / 60 for earlier, later in pairwise(tried)]
    assert gaps[:8] == [1, 1, 2, 4, 8, 16, 32, 60]
    assert set(gaps[8:]) == {60}
    assert timedelta(days=1) <= tried[-1] - now < timedelta(days=1, hours=1)
    assert states() == [(State.PARKED, "error")]
    broken.refresh_from_db()
    assert "ZeroDivisionError: broken by reply-…" in broken.error
    assert (broken.due_at, broken.failing_since) == (None, None)


def process_until(end):
    """Process whatever is due until then; return those moments."""
    at, moments = IncomingMail.objects.latest("pk").received_at, []
    while at is not None and at <= end:
        process_due(now=at)
        moments.append(at)
        at = IncomingMail.objects.filter(state=State.WAITING).aggregate(at=Min("due_at"))["at"]
    return moments


def test_what_a_broken_mail_did_is_undone(send, acted, monkeypatch, now):
    def act(mail, reply, *, received_at, now, at_play_address=False):
        Notice.objects.all().delete()
        raise ZeroDivisionError

    monkeypatch.setattr(dispatch, "execute", act)
    send()
    before = Notice.objects.count()
    process_due(now=now)
    assert Notice.objects.count() == before > 0


def test_a_parked_mail_can_be_processed_again(send, acted, monkeypatch, now):
    mail = send("break\n")
    process_until(now + timedelta(days=2))
    monkeypatch.setattr(dispatch, "execute", act_on_nothing)
    assert process_again([mail.pk]) == 1
    assert process_due(now=now) == 1
    mail.refresh_from_db()
    assert (mail.state, mail.error, mail.attempts) == (State.DONE, "", 1)
    assert process_again([mail.pk]) == 0


@pytest.mark.django_db(transaction=True)
def test_a_temporary_database_error_only_delays_a_mail(send, game, now):
    mail = send("5\n")
    with watching(PassingFault(), when=AfterClaim(loads=True)):
        assert process_due(now=now) == 0
    mail.refresh_from_db()
    assert (mail.state, mail.attempts) == (State.WAITING, 0)
    assert process_due(now=now + timedelta(minutes=1)) == 1
    assert [turn.notation for turn in game.turns.all()] == ["5"]


@pytest.mark.django_db(transaction=True)
def test_however_often_the_database_fails_a_mail_is_not_parked_within_the_day(send, game, now):
    mail = send("5\n")
    at = now
    for _ in range(2 * MOST_ATTEMPTS):
        with watching(PassingFault(), when=AfterClaim(loads=True)):
            process_due(now=at)
        mail.refresh_from_db()
        assert mail.state == State.WAITING
        at = mail.due_at
    assert at - now < timedelta(days=1)
    assert process_due(now=at) == 1
    assert game.turns.count() == 1


def test_no_player_loses_on_time_while_their_mail_waits(send, acted, game, now):
    send("break\n", at=game.deadline - timedelta(seconds=1))
    after = game.deadline + timedelta(minutes=5)
    process_due(now=after)
    assert deadlines.time_out_due(now=after + timedelta(minutes=1)) == 0


def test_a_mail_that_kills_its_processor_again_and_again_is_parked(send, acted, now):
    send()
    IncomingMail.objects.update(state=State.CLAIMED, claimed_at=now, attempts=MOST_ATTEMPTS)
    assert process_due(now=now + timedelta(minutes=10)) == 1
    assert states() == [(State.PARKED, "error")]
    assert acted == []


def test_what_a_dead_processor_claimed_is_taken_up_after_ten_minutes(send, acted, now):
    mail = send()
    IncomingMail.objects.update(state=State.CLAIMED, claimed_at=now, attempts=1)
    assert process_due(now=now + timedelta(minutes=9, seconds=59)) == 0
    assert process_due(now=now + timedelta(minutes=10)) == 1
    mail.refresh_from_db()
    assert (mail.state, mail.attempts) == (State.DONE, 2)


def test_a_processor_that_was_taken_over_undoes_what_it_did(send, monkeypatch, now):
    def act(mail, reply, *, received_at, now, at_play_address=False):
        IncomingMail.objects.update(claimed_at=now + timedelta(minutes=10))
        Notice.objects.all().delete()
        return done(reply)

    monkeypatch.setattr(dispatch, "execute", act)
    send()
    assert process_due(now=now) == 0
    assert Notice.objects.exists()
    assert states() == [(State.CLAIMED, "")]


# Who it is from ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sender",
    ["cat@example.org", "ann@example.org, cat@example.org", "Ann <ann@example.org.example.com>"],
)
def test_a_mail_that_is_not_from_the_player_is_held(send, acted, cat, sender, now):
    send("5\n", sender)
    process_due(now=now)
    assert acted == []
    assert states() == [(State.HELD, "stranger")]


def test_any_verified_address_of_the_player_will_do_and_no_other(send, acted, ann, now):
    ann.emailaddress_set.create(email="work@example.org", verified=True)
    ann.emailaddress_set.create(email="new@example.org", verified=False)
    send("1\n", "Ann <WORK@example.org>")
    send("2\n", "new@example.org")
    process_due(now=now)
    assert [line for line, _, _ in acted] == ["1"]


def test_a_player_whose_account_is_closed_is_a_stranger(send, acted, ann, now):
    ann.is_active = False
    ann.save()
    send()
    process_due(now=now)
    assert acted == []


def test_a_stranger_is_answered_once_a_day(send, acted, ann, now):
    def answers():
        return Notice.objects.filter(kind=Kind.ACCOUNT, address="eve@example.org").count()

    for n in range(3):
        send(f"{n}\n", "eve@example.org")
    process_due(now=now)
    assert answers() == 1
    midnight = now.replace(hour=0) + timedelta(days=1)
    send("7\n", "eve@example.org")
    process_due(now=midnight - timedelta(seconds=1))
    assert answers() == 1
    send("8\n", "eve@example.org")
    process_due(now=midnight)
    assert answers() == 2
    assert ErrorReply.objects.count() == 2
    notice = Notice.objects.filter(address="eve@example.org").first()
    asked = IncomingMail.objects.first()
    headers = compose(notice, now=now).extra_headers
    assert (headers["In-Reply-To"], headers["Auto-Submitted"]) == (asked.message_id, "auto-replied")
    text = notice.content["text"]
    assert "eve@example.org" in text
    assert ann.username not in text.lower().replace("anne", "")


def test_a_held_mail_of_several_senders_is_not_answered(send, acted, now):
    send("5\n", "eve@example.org, dan@example.org")
    process_due(now=now)
    assert not Notice.objects.filter(kind=Kind.ACCOUNT).exists()


# What no person wrote ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "sender"),
    [
        ({"Auto_Submitted": "auto-replied"}, "eve@example.org"),
        ({"Precedence": "bulk"}, "eve@example.org"),
        ({"List_Id": "<a.example.org>"}, "eve@example.org"),
        ({"envelope_from": ""}, "eve@example.org"),
        ({}, "games@localhost"),
        ({}, "MAILER-DAEMON@example.org"),
    ],
)
def test_what_no_person_wrote_is_neither_acted_on_nor_answered(send, acted, headers, sender, now):
    before = Notice.objects.count()
    send("5\n", sender, **headers)
    process_due(now=now)
    assert acted == []
    assert [state for state, _ in states()] == [State.IGNORED]
    assert Notice.objects.count() == before


def test_even_the_players_own_auto_reply_is_ignored(send, acted, now):
    send("5\n", Auto_Submitted="auto-replied")
    process_due(now=now)
    assert acted == []


def test_a_subject_alone_silences_nobody_whose_first_line_could_be_played(ann, bob, now):
    game = begin(ann, bob, now=now, slug="morpiae")
    token = turn_token(ann, now)
    for text in ("I am away", "pass"):
        raw = answer(token, f"{text}\n", ann.email).replace(b"Re: It is your turn", b"On vacation")
        how = {"recipient": reply_address(token), "envelope_from": ann.email, "door": "smtp"}
        receiving.receive(raw, now=now, **how)
    process_due(now=now)
    assert states() == [(State.IGNORED, "out-of-office"), (State.DONE, "done")]
    assert [turn.notation for turn in game.turns.all()] == ["pass"]


@pytest.mark.parametrize("raw", [b"", b"\0" * 500, b"\r\n\r\n5", b"x" * 70_000])
def test_what_cannot_be_read_is_parked(token, acted, raw, now):
    receiving.receive(
        raw, recipient=reply_address(token), envelope_from="a@example.org", door="smtp", now=now
    )
    assert process_due(now=now) == 1
    assert [state for state, _ in states()] == [State.PARKED]


def test_the_invited_address_may_answer_and_no_other(table, ann, acted, now):
    from games.services import invitations
    from notifications.outbox.recipients import make_notices

    PersonFactory(username="eve")
    invitations.invite(game_id=table.pk, by=ann, email="dora@example.org", now=now)
    make_notices(now=now)
    token = token_of(Notice.objects.get(kind=Kind.INVITATION), now)
    for sender in ("dora@example.org", "eve@example.org"):
        receiving.receive(
            answer(token, "accept\n", sender),
            recipient=reply_address(token),
            envelope_from=sender,
            door="smtp",
            now=now,
        )
    process_due(now=now)
    assert [(line, who) for line, who, _ in acted] == [("accept", None)]
    assert parse_command(["accept"])[0] is not None
