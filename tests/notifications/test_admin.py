"""What the host sees of the outbox."""

import pytest
from django.urls import reverse

from games import errors
from games.models import ModerationLogEntry
from notifications.models import Kind, Notice
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.services.reprocessing import resend
from tests import smtp
from tests.games.play import refused
from tests.notifications.outgoing_mail import after_hold, use_server
from tests.staff_users import signed_in, staffed

LIST = "/admin/notifications/notice/"


@pytest.fixture
def failed(game, ann, settings, now):
    """A notice to ann that a real server refused for good."""
    make_notices(now=now)
    with smtp.running(smtp.Sink({ann.email: "550 5.1.1 No such user here"})) as port:
        use_server(settings, port)
        send_due(now=after_hold(now))
    return Notice.objects.get(state=Notice.State.FAILED)


@pytest.fixture
def host(client, db):
    client.force_login(staffed("host"))
    return client


def try_again(client, *keys):
    chosen = {
        "action": "try_again",
        "_selected_action": keys,
        "confirmed": 1,
        "why": "it works now",
    }
    return client.post(LIST, chosen, follow=True)


def test_a_failed_notice_shows_its_address_and_the_reason(host, failed, ann):
    page = host.get(LIST, {"state__exact": "failed"}).content.decode()
    assert ann.email in page
    assert "550 5.1.1 No such user here" in page


def test_notices_are_found_by_person_address_message_and_game(host, failed, ann):
    for words in ("an", ann.email, failed.message_id, f"#{failed.game_id}"):
        assert "550 5.1.1" in host.get(LIST, {"q": words}).content.decode()
    assert "550 5.1.1" not in host.get(LIST, {"q": "nothing like it"}).content.decode()


def test_a_failed_notice_can_be_tried_again(host, failed):
    sent = Notice.objects.filter(state=Notice.State.SENT).values_list("pk", flat=True)
    response = try_again(host, failed.pk, *sent)
    assert "1 notice will be tried again." in response.content.decode()
    failed.refresh_from_db()
    assert failed.state == Notice.State.WAITING
    assert Notice.objects.filter(state=Notice.State.WAITING).count() == 1
    act = ModerationLogEntry.objects.get()
    assert (act.what, act.by.username, act.why) == ("send-again", "hana", "it works now")
    assert act.details == {"notices": [failed.pk]}


def test_it_is_asked_for_with_a_reason_first(host, failed):
    chosen = {"action": "try_again", "_selected_action": [failed.pk]}
    assert 'name="why"' in host.post(LIST, chosen).content.decode()
    assert (
        "Check the fields marked below"
        in host.post(LIST, chosen | {"confirmed": 1}).content.decode()
    )
    failed.refresh_from_db()
    assert failed.state == Notice.State.FAILED
    assert not ModerationLogEntry.objects.exists()


def test_the_second_of_two_hosts_is_told_that_nothing_waits(host, failed):
    try_again(host, failed.pk)
    assert "they were dealt with, or their text was" in try_again(host, failed.pk).content.decode()
    assert ModerationLogEntry.objects.count() == 1


def test_an_answer_is_not_sent_again_for_what_it_said_is_forgotten(host, failed):
    Notice.objects.filter(pk=failed.pk).update(kind=Kind.ANSWER)
    assert "Nothing was done" in try_again(host, failed.pk).content.decode()


@pytest.mark.parametrize(
    ("who", "sees", "mends"),
    [("player", 302, False), ("moderator", 200, False), ("host", 200, True)],
)
def test_moderators_see_and_hosts_retry(client, failed, who, sees, mends):
    signed_in(client, who)
    page = client.get(LIST)
    assert page.status_code == sees
    assert (b'value="try_again"' in page.content) == mends
    try_again(client, failed.pk)
    failed.refresh_from_db()
    assert (failed.state == Notice.State.WAITING) == mends


def test_nobody_else_retries_by_the_service(failed, ann, now):
    host = staffed("host")
    for person in (ann, staffed("moderator")):
        with refused(errors.NotAnAdministrator, "Only an administrator can do that", status=403):
            resend([failed.pk], by=person, why="x", now=now)
    with refused(errors.NoReason, "It appears in the log", status=422):
        resend([failed.pk], by=host, why=" ", now=now)


def test_a_notice_can_be_looked_at_but_neither_added_nor_changed_nor_deleted(host, failed):
    page = f"{LIST}{failed.pk}/change/"
    assert "550 5.1.1" in host.get(page).content.decode()
    assert host.post(page, {"state": "sent"}).status_code == 403
    assert host.get(f"{LIST}add/").status_code == 403
    assert host.post(f"{LIST}{failed.pk}/delete/", {"post": "yes"}).status_code == 403
    failed.refresh_from_db()
    assert failed.state == Notice.State.FAILED


def test_codes_are_not_shown_to_the_administrator(host, now):
    content = {"subject": "S", "text": "BCDF-GHJK", "html": ""}
    notice = Notice.objects.create(
        kind=Kind.ACCOUNT, address="x@example.org", content=content, message_id="<1@x>",
        created_at=now, due_at=now,
    )  # fmt: skip
    for page in (LIST, f"{LIST}{notice.pk}/change/"):
        response = host.get(page)
        assert response.status_code == 200
        assert "BCDF-GHJK" not in response.content.decode()


def test_preferences_can_be_looked_at(host):
    assert host.get(reverse("admin:notifications_mailpreference_changelist")).status_code == 200
