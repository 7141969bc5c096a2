"""The reply box of the development inbox: a real mail to the real listener."""

import pytest
from django.core import mail
from django.db import connection
from django.urls import reverse

from notifications.dev_inbox.backend import EmailBackend
from notifications.dev_inbox.mails import newest
from notifications.dev_inbox.reply import REPLY_TIMEOUT
from notifications.mail_parser import parse
from notifications.models import IncomingMail
from tests.notifications.incoming_mail import listening
from tests.notifications.outgoing_mail import tell
from tests.servers import free_port

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def letter(transactional_db, settings, tmp_path, game, ann, now):
    """The name of the letter that ann got about her game, in an open letterbox."""
    settings.DEVELOPMENT = True
    settings.LETTERBOX_DIR = tmp_path / "letterbox"
    settings.EMAIL_BACKEND = "notifications.dev_inbox.backend.EmailBackend"
    tell(now)
    return newest(ann.email)[0].name


def reply(client, name, text):
    page = client.post(reverse("letterbox_reply", args=[name]), {"text": text}, follow=True)
    return page.content.decode()


def test_a_reply_reaches_the_listener_as_from_a_mail_program(client, letter, ann, settings):
    with listening() as port:
        settings.LISTEN = f"127.0.0.1:{port}"
        assert "Your reply was sent" in reply(client, letter, "5\nGood luck!")
    kept = IncomingMail.objects.get()
    assert (kept.reply.user, kept.door, kept.envelope_from) == (ann, "smtp", ann.email)
    raw = bytes(kept.raw)
    assert parse(raw).senders == (ann.email,)
    assert parse(raw).lines[0] == "5"
    assert b"> " in raw, "the letter is quoted"
    assert parse(raw).in_reply_to == newest(ann.email)[0].message["Message-ID"]


def test_the_inbox_waits_longer_than_the_listener_may_wait_for_the_database():
    """Else the page says that the reply was not taken, and it is kept nevertheless."""
    assert connection.settings_dict["OPTIONS"].get("timeout", 0) < REPLY_TIMEOUT


def test_the_page_has_a_reply_box_only_if_replies_are_read(client, letter):
    assert 'name="text"' in client.get(f"/letterbox/{letter}/").content.decode()
    EmailBackend().send_messages([mail.EmailMessage("A code", "x", "a@b.example", ["c@d.example"])])
    other = newest()[0].name
    assert 'name="text"' not in client.get(f"/letterbox/{other}/").content.decode()
    assert client.post(reverse("letterbox_reply", args=[other]), {"text": "5"}).status_code == 404


def test_a_refusal_is_shown_in_the_listeners_words(client, letter, settings):
    settings.LISTEN = f"127.0.0.1:{free_port()}"
    assert "The mail server did not accept your reply" in reply(client, letter, "5")
    settings.REPLY_DOMAIN = "elsewhere.example.org"
    with listening() as port:
        settings.LISTEN = f"127.0.0.1:{port}"
        assert "550 5.1.1 No such address here" in reply(client, letter, "5")
    assert not IncomingMail.objects.exists()


def test_only_a_post_sends_and_only_in_an_open_inbox(client, letter, settings):
    address = reverse("letterbox_reply", args=[letter])
    assert client.get(address).status_code == 405
    for closed in ({"DEVELOPMENT": False}, {"LETTERBOX_DIR": None}):
        for name, value in closed.items():
            setattr(settings, name, value)
        assert client.post(address, {"text": "5"}).status_code == 404
        settings.DEVELOPMENT = True
