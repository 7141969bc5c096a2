"""What is kept of mail that comes in, whichever door it comes through."""

from datetime import timedelta

import pytest

from notifications.incoming import receiving
from notifications.incoming.receiving import (
    LONGEST_HEADERS,
    header_values,
    recipients_of,
)
from notifications.models import IncomingMail
from notifications.services.replies import bounce_address, reply_address
from tests.notifications.incoming_mail import answer, turn_token

State = IncomingMail.State


@pytest.fixture
def take(token, now):
    """Take a mail in."""

    def taking(raw, *, to=None, at=now, door="smtp", sender="ann@example.org"):
        to = to or reply_address(token)
        return receiving.receive(raw, recipient=to, envelope_from=sender, door=door, now=at)

    return taking


def test_a_mail_is_kept_as_it_came_but_for_its_token(take, token, now, ann):
    raw = answer(token, "5\n", ann.email, message_id="<1@example.org>")
    kept = take(raw)
    kept.refresh_from_db()
    assert bytes(kept.raw) == raw.replace(token.encode(), b"x" * 26)
    assert (kept.state, kept.received_at, kept.message_id) == (
        State.WAITING,
        now,
        "<1@example.org>",
    )
    assert (kept.reply.user, kept.box, kept.door) == (ann, "reply", "smtp")


def test_what_no_database_keeps_is_left_out_of_what_a_sender_wrote(take, token, ann):
    raw = answer(token, "5\n", ann.email, message_id="<1@example.org>")
    kept = take(raw.replace(b"<1@", b"<\x001@"), sender="ann\0@example.org")
    kept.refresh_from_db()
    assert (kept.message_id, kept.envelope_from) == ("<1@example.org>", "ann@example.org")


def test_the_return_address_is_another_box_of_the_same_mail(take, token, ann):
    kept = take(answer(token, "5\n", ann.email), to=bounce_address(token.upper()))
    assert (kept.box, kept.reply.user) == ("bounce", ann)


@pytest.mark.parametrize("to", ["games@localhost", "reply-" + "a" * 26 + "@localhost", "", "x"])
def test_an_address_that_was_never_given_out_is_refused(take, token, to, ann):
    with pytest.raises(receiving.UnknownRecipient):
        take(answer(token, "5\n", ann.email), to=to or " ")
    assert not IncomingMail.objects.exists()


def test_a_mail_may_have_ten_megabytes_and_no_more(take):
    take(b"Subject: a\r\n\r\n" + b"x" * (10 * 1024 * 1024 - 14))
    assert len(IncomingMail.objects.get().raw) == 256 * 1024
    with pytest.raises(receiving.MailTooLarge):
        take(b"Subject: b\r\n\r\n" + b"x" * (10 * 1024 * 1024 - 13))
    assert IncomingMail.objects.count() == 1


def test_the_same_message_id_is_kept_once(take, token, ann):
    first = take(answer(token, "5\n", ann.email, message_id="<1@x>"))
    again = take(answer(token, "6\n", ann.email, message_id="<1@x>"), door="imap")
    assert again == first


def test_the_same_content_is_kept_once_whatever_was_added_on_the_way(take, token, ann):
    raw = answer(token, "5\n", ann.email, message_id="<1@x>")
    first = take(raw)
    other = raw.replace(b"<1@x>", b"<2@y>").replace(b"\r\n", b"\n")
    assert take(b"Received: from a by b; today\r\n" + other) == first
    assert IncomingMail.objects.count() == 1


@pytest.mark.parametrize(("old", "new"), [(b"5\r\n", b"6\r\n"), (b"12:00:00", b"12:00:01")])
def test_another_turn_or_another_date_is_another_mail(take, token, ann, old, new):
    raw = answer(token, "5\n", ann.email, message_id="<1@x>")
    take(raw)
    take(raw.replace(b"<1@x>", b"<2@x>").replace(old, new))
    assert IncomingMail.objects.count() == 2


def test_the_same_mail_to_two_addresses_is_two(take, token, bob, ann, now):
    raw = answer(token, "5\n", ann.email)
    take(raw)
    take(raw, to=reply_address(turn_token(bob, now)))
    assert IncomingMail.objects.count() == 2


def test_so_many_an_hour_and_no_more(take, token, ann, now, settings):
    settings.MAILS_AN_HOUR = 3
    raw = [answer(token, f"{n}\n", ann.email, message_id=f"<{n}@x>") for n in range(4)]
    for one in raw[:3]:
        take(one)
    with pytest.raises(receiving.TooMany):
        take(raw[3], at=now + timedelta(minutes=59, seconds=59))
    assert take(raw[0], at=now).pk  # what is known already costs nothing
    take(raw[3], at=now + timedelta(hours=1))
    assert IncomingMail.objects.count() == 4


def test_a_mail_that_is_taken_wakes_the_workers_once(take, token, ann, monkeypatch):
    sent = []
    monkeypatch.setattr(receiving.wakeups, "notify_workers", sent.append)
    for _ in range(2):
        take(answer(token, "5\n", ann.email, message_id="<1@x>"))
    assert sent == ["mails"]


# Headers -----------------------------------------------------------------------------------------


def test_folded_headers_are_one_line():
    raw = b"To: a@example.org,\r\n\tb@example.org\r\nSUBJECT: x\r\n\r\nTo: c@example.org\r\n"
    assert header_values(raw, "to") == ["a@example.org, b@example.org"]
    assert header_values(raw, "Subject") == ["x"]
    assert recipients_of(raw) == ["a@example.org", "b@example.org"]


def test_who_it_was_delivered_to_is_surer_than_who_it_was_written_to():
    raw = b"To: a@example.org\nX-Original-To: b@example.org\nDelivered-To: c@example.org\n\n"
    assert recipients_of(raw) == ["c@example.org", "b@example.org", "a@example.org"]


def test_headers_without_end_are_looked_at_only_so_far():
    raw = b"X: y\r\n" * (LONGEST_HEADERS // 6 + 1) + b"To: a@example.org\r\n\r\n"
    assert recipients_of(raw) == []
    assert len(recipients_of(b"To: " + b"".join(b"a%d@x.org," % n for n in range(3000)))) == 50
