"""A reader marks a mail of ours as spam: no more mail goes there, and the page says so."""

from datetime import timedelta

import pytest
from django.urls import reverse

from notifications.incoming import receiving
from notifications.incoming.processing import process_due
from notifications.models import AddressState, IncomingMail, Kind, Notice, SkipReason
from notifications.services.address_trials import resume_after_code
from notifications.services.replies import bounce_address, reply_address
from tests.notifications.incoming_mail import answer, turn_token
from tests.notifications.outgoing_mail import play, tell


def complaint(message_id, *, kind="abuse", original="message/rfc822", report="feedback-report"):
    """Return a report in the form of RFC 5965, appendix B, about the mail with this Message-ID."""
    return (
        "From: <abusedesk@example.com>\r\n"
        "Date: Thu, 8 Mar 2026 17:40:36 EDT\r\n"
        "Subject: FW: Your turn\r\n"
        "To: <abuse@example.net>\r\n"
        "Message-ID: <20260308.feedback@example.com>\r\n"
        "MIME-Version: 1.0\r\n"
        f"Content-Type: multipart/report; report-type={report};\r\n"
        '     boundary="part1_13d.2e68ed54_boundary"\r\n\r\n'
        "--part1_13d.2e68ed54_boundary\r\n"
        'Content-Type: text/plain; charset="US-ASCII"\r\nContent-Transfer-Encoding: 7bit\r\n\r\n'
        "This is an email abuse report for an email message received from IP\r\n"
        "192.0.2.1 on Thu, 8 Mar 2026 14:00:00 EDT.\r\n\r\n"
        "--part1_13d.2e68ed54_boundary\r\n"
        "Content-Type: message/feedback-report\r\n\r\n"
        f"Feedback-Type: {kind}\r\nUser-Agent: SomeGenerator/1.0\r\nVersion: 1\r\n\r\n"
        "--part1_13d.2e68ed54_boundary\r\n"
        f"Content-Type: {original}\r\nContent-Disposition: inline\r\n\r\n"
        "From: <pli@example.net>\r\nReceived: from mailserver.example.net\r\n"
        "To: <Undisclosed Recipients>\r\nSubject: Your turn\r\n"
        f"Message-ID:\r\n {message_id}\r\n\r\n"
        "5\r\n"
        "--part1_13d.2e68ed54_boundary--\r\n"
    ).encode()


@pytest.fixture
def told(game, ann, now):
    """Return the token and the notice of the mail that ann got about her turn."""
    token = turn_token(ann, now)
    tell(now)
    return token, Notice.objects.filter(user=ann, state=Notice.State.SENT).latest("pk")


def hand_in(raw, recipient, now):
    at = now + timedelta(minutes=1)
    receiving.receive(
        raw, recipient=recipient, envelope_from="abusedesk@example.com", door="smtp", now=at
    )
    assert process_due(now=at) == 1
    mail = IncomingMail.objects.latest("pk")
    return mail.state, mail.result


@pytest.mark.parametrize("original", ["message/rfc822", "text/rfc822-headers"])
@pytest.mark.parametrize("to", [bounce_address, reply_address])
def test_a_complaint_stops_the_mail_to_that_address(told, game, ann, now, original, to):
    token, notice = told
    raw = complaint(notice.message_id, original=original)
    assert hand_in(raw, to(token), now) == ("done", "complaint")
    state = AddressState.objects.get()
    assert (state.address, state.is_complaint) == ("ann@example.org", True)
    assert state.suspended_at
    game.refresh_from_db()
    assert game.turn_number == 0


def test_the_next_mail_is_not_sent_and_the_page_says_why(told, client, game, ann, bob, now):
    token, notice = told
    hand_in(complaint(notice.message_id), bounce_address(token), now)
    play(game, ann, "5", now)
    play(game, bob, "1", now)
    tell(now + timedelta(minutes=10))
    unsent = Notice.objects.filter(user=ann, kind=Kind.YOUR_TURN).latest("pk")
    assert (unsent.state, unsent.skip_reason) == ("dropped", SkipReason.ADDRESS_SUSPENDED)
    client.force_login(ann)
    page = client.get(reverse("home")).content.decode()
    assert "A mail of ours was marked as spam at ann@example.org" in page
    assert "came back" not in page


def test_who_writes_to_us_gets_mail_again(told, ann, now):
    token, notice = told
    hand_in(complaint(notice.message_id), bounce_address(token), now)
    raw = answer(token, "5", "ann@example.org")
    assert hand_in(raw, reply_address(token), now) == ("done", "done")
    state = AddressState.objects.get()
    assert (state.suspended_at, state.is_complaint) == (None, False)


def test_signing_in_by_a_mailed_code_is_no_wish_for_more_mail(told, now):
    token, notice = told
    hand_in(complaint(notice.message_id), bounce_address(token), now)
    resume_after_code(method="code", email="ann@example.org")
    assert AddressState.objects.get().suspended_at
    AddressState.objects.update(is_complaint=False)
    resume_after_code(method="code", email="ann@example.org")
    assert not AddressState.objects.get().suspended_at


@pytest.mark.parametrize(
    "changed", [{"kind": "not-spam"}, {"kind": "virus"}, {"report": "disposition-notification"}]
)
def test_other_reports_change_nothing(told, now, changed):
    token, notice = told
    raw = complaint(notice.message_id, **changed)
    if "report" in changed:
        raw = raw.replace(b"message/feedback-report", b"message/disposition-notification")
    state, _result = hand_in(raw, bounce_address(token), now)
    assert state == "ignored"
    assert not AddressState.objects.exists()


def test_a_complaint_about_a_mail_that_is_not_ours_changes_nothing(told, now):
    token, _notice = told
    raw = complaint("<somebody.elses@example.com>")
    assert hand_in(raw, bounce_address(token), now) == ("ignored", "complaint")
    assert not AddressState.objects.exists()


def test_at_the_fixed_address_a_complaint_is_read_too(told, now, settings):
    settings.AUTHSERV_IDS = ["mx.example.org"]
    _token, notice = told
    raw = complaint(notice.message_id)
    assert hand_in(raw, settings.PLAY_ADDRESS, now) == ("done", "complaint")
    assert AddressState.objects.get().is_complaint
