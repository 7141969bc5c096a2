"""Mail fetched from an IMAP folder."""

import pytest
from django.db import connection

from notifications.incoming import polling
from notifications.incoming.receiving import MAX_SIZE
from notifications.models import IncomingMail
from tests import imap
from tests.notifications.incoming_mail import answer
from tests.servers import free_port

pytestmark = pytest.mark.slow


@pytest.fixture
def mailbox(settings):
    """An empty folder that settings name."""
    folder = imap.Folder("secret")
    with imap.serving(folder) as port:
        settings.IMAP_URL = f"imap://pli%40example.org:secret@127.0.0.1:{port}/INBOX"
        yield folder


def test_unread_mails_are_kept_and_marked_as_read(mailbox, token, ann, now):
    mailbox.mails = {n: answer(token, f"{n}\n", ann.email) for n in (3, 5, 8)}
    mailbox.read = {5}
    assert polling.poll(now=now) == 2
    kept = IncomingMail.objects.order_by("pk")
    assert [(mail.door, mail.received_at) for mail in kept] == [("imap", now)] * 2
    assert mailbox.unread == []
    assert polling.poll(now=now) == 0
    assert mailbox.fetched == [3, 8]


def test_a_mail_that_could_not_be_marked_is_kept_once(mailbox, token, ann, now):
    mailbox.mails = {1: answer(token, "5\n", ann.email)}
    mailbox.breaks_after = "commit"
    assert polling.poll(now=now) == 0
    assert mailbox.unread == [1]
    assert IncomingMail.objects.count() == 1
    mailbox.breaks_after = None
    assert polling.poll(now=now) == 1
    assert mailbox.unread == []
    assert IncomingMail.objects.count() == 1


def refuse(message_id):
    """Let the database refuse a mail, as an error of our own would."""
    table = IncomingMail._meta.db_table
    refuses = f"BEFORE INSERT ON {table} FOR EACH ROW WHEN (NEW.message_id = '{message_id}')"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"CREATE TRIGGER refuse {refuses} BEGIN SELECT RAISE(ABORT, 'x'); END")
            return
        body = "BEGIN RAISE EXCEPTION 'no'; END"
        cursor.execute(f"CREATE FUNCTION refuse() RETURNS trigger AS $$ {body} $$ LANGUAGE plpgsql")
        cursor.execute(f"CREATE TRIGGER refuse {refuses} EXECUTE FUNCTION refuse()")


def test_a_mail_that_cannot_be_kept_stays_unread_and_does_not_delay_the_next(
    mailbox, token, ann, caplog, now
):
    mailbox.mails = {
        1: answer(token, "1\n", ann.email, message_id="<1@example.org>"),
        2: answer(token, "2\n", ann.email),
    }
    refuse("<1@example.org>")
    assert polling.poll(now=now) == 1
    assert mailbox.unread == [1]
    assert "mail 1 of the IMAP folder could not be kept" in caplog.text


def test_a_slow_server_ends_the_call_and_the_next_goes_on(mailbox, token, ann, monkeypatch, now):
    mailbox.mails = {n: answer(token, f"{n}\n", ann.email) for n in (1, 2, 3)}
    mailbox.slow = 0.3
    with monkeypatch.context() as patch:
        patch.setattr(polling, "MAX_DURATION", 0.5)
        assert 1 <= polling.poll(now=now) < 3
    mailbox.slow = 0
    polling.poll(now=now)
    assert mailbox.unread == []


def test_mail_that_is_not_for_us_is_not_kept_but_marked_as_read(mailbox, token, ann, now):
    mailbox.mails = {
        1: b"To: games@example.org\r\n\r\nHello\r\n",
        2: b"x" * (MAX_SIZE + 1),
        3: answer(token, "5\n", ann.email),
    }
    assert polling.poll(now=now) == 1
    assert mailbox.fetched == [1, 3], "what is too large is not even fetched"
    assert mailbox.unread == []
    assert IncomingMail.objects.count() == 1


def test_too_many_mails_to_an_address_wait_in_the_folder(mailbox, token, ann, settings, now):
    settings.MAILS_AN_HOUR = 1
    mailbox.mails = {n: answer(token, f"{n}\n", ann.email) for n in (1, 2)}
    assert polling.poll(now=now) == 1
    assert mailbox.unread == [2]


def test_a_wrong_password_or_a_dead_server_is_logged_and_nothing_more(
    mailbox, settings, caplog, now
):
    mailbox.password = "another"
    assert polling.poll(now=now) == 0
    settings.IMAP_URL = f"imap://pli:hidden-word@127.0.0.1:{free_port()}/INBOX"
    assert polling.poll(now=now) == 0
    assert caplog.text.count("the IMAP folder cannot be read") == 2
    assert "hidden-word" not in caplog.text
    assert "secret" not in caplog.text


def test_without_a_folder_nothing_is_fetched(settings, now):
    settings.IMAP_URL = ""
    assert polling.poll(now=now) == 0


def test_a_folder_is_parsed_from_its_url():
    found = polling.parse_folder("imaps://me%40example.org:p%3A%2F@mail.example.org/Games%20in")
    assert (found.user, found.password) == ("me@example.org", "p:/")
    assert (found.host, found.port, found.name) == ("mail.example.org", 993, "Games in")
    assert "p:/" not in repr(found)
    for wrong in ("mail.example.org", "https://me:p@mail.example.org", "imaps://mail.example.org"):
        with pytest.raises(ValueError, match="IMAP_URL must be"):
            polling.parse_folder(wrong)
