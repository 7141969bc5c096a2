"""What the host sees of the outbox."""

import pytest
from django.urls import reverse

from notifications.models import Kind, Notice
from notifications.services.delivery import send_due
from notifications.services.notices import make_notices
from tests import smtp
from tests.notifications.post import use_server

LIST = "/admin/notifications/notice/"


@pytest.fixture
def failed(game, ann, settings, now):
    """A notice to ann that a real server refused for good."""
    make_notices(now=now)
    with smtp.running(smtp.Sink({ann.email: "550 5.1.1 No such user here"})) as port:
        use_server(settings, port)
        send_due(now=now)
    return Notice.objects.get(state=Notice.State.FAILED)


@pytest.fixture
def host(client, moderator):
    client.force_login(moderator)
    return client


def test_a_failed_notice_shows_its_address_and_the_reason(host, failed, ann):
    page = host.get(LIST, {"state__exact": "failed"}).content.decode()
    assert ann.email in page
    assert "550 5.1.1 No such user here" in page


def test_notices_are_found_by_person_address_and_reason(host, failed, ann):
    for words in ("ann", ann.email, "5.1.1"):
        assert "550 5.1.1" in host.get(LIST, {"q": words}).content.decode()
    assert "550 5.1.1" not in host.get(LIST, {"q": "nothing like it"}).content.decode()


def test_a_failed_notice_can_be_tried_again(host, failed):
    sent = Notice.objects.filter(state=Notice.State.SENT).values_list("pk", flat=True)
    chosen = [failed.pk, *sent]
    response = host.post(LIST, {"action": "try_again", "_selected_action": chosen}, follow=True)
    assert "1 notice will be tried again." in response.content.decode()
    failed.refresh_from_db()
    assert failed.state == Notice.State.WAITING
    assert Notice.objects.filter(state=Notice.State.WAITING).count() == 1


@pytest.mark.parametrize("who", ["ann", "cat"])
def test_only_the_host_sees_or_retries(client, failed, request, who):
    client.force_login(request.getfixturevalue(who))
    assert client.get(LIST).status_code == 302
    client.post(LIST, {"action": "try_again", "_selected_action": [failed.pk]})
    failed.refresh_from_db()
    assert failed.state == Notice.State.FAILED


def test_a_notice_can_be_looked_at_but_neither_added_nor_changed_nor_deleted(host, failed):
    page = f"{LIST}{failed.pk}/change/"
    assert "550 5.1.1" in host.get(page).content.decode()
    assert host.post(page, {"state": "sent"}).status_code == 403
    assert host.get(f"{LIST}add/").status_code == 403
    assert host.post(f"{LIST}{failed.pk}/delete/", {"post": "yes"}).status_code == 403
    failed.refresh_from_db()
    assert failed.state == Notice.State.FAILED


def test_codes_are_not_shown_to_the_host(host, now):
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
