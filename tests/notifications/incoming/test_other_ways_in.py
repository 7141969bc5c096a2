"""Mail in through the pipe and through a provider's webhook."""

import base64
import json
import subprocess
import sys
from email import message_from_bytes, policy
from os import EX_DATAERR, EX_NOUSER, EX_OK, EX_TEMPFAIL
from types import ModuleType

import pytest
from django.core.exceptions import ImproperlyConfigured

import config.urls
from notifications.incoming.receiving import MAX_SIZE
from notifications.models import IncomingMail
from notifications.provider_webhook import webhook_urls
from notifications.services.replies import bounce_address, reply_address
from tests.notifications.incoming_mail import answer, turn_token
from tests.notifications.outgoing_mail import environment


@pytest.fixture
def token(transactional_db, game, ann, now):
    return turn_token(ann, now)


# The pipe ----------------------------------------------------------------------------------------


def pipe(raw, *options, **env):
    """Run the pipe; return exit status and what it said."""
    done = subprocess.run(
        [sys.executable, "manage.py", "receive_mail", *options],
        input=raw,
        env=environment() | env,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).decode()


@pytest.mark.parametrize("header", ["To", "Delivered-To", "X-Original-To"])
def test_the_pipe_finds_the_recipient_in_the_headers(token, ann, header):
    to = reply_address(token)
    raw = answer(token, "5\n", ann.email).replace(b"To: ", header.encode() + b": ", 1)
    assert pipe(b"Cc: somebody@example.org\r\n" + raw) == (EX_OK, "")
    kept = IncomingMail.objects.get()
    assert (kept.door, kept.box, kept.reply.user) == ("pipe", "reply", ann)
    assert to not in repr(kept)


def test_the_pipe_keeps_the_envelope_sender(token, ann):
    raw = b"Subject: x\r\n\r\n5\r\n"
    assert pipe(raw, "--to", bounce_address(token), "--from", ann.email) == (EX_OK, "")
    kept = IncomingMail.objects.get()
    assert (kept.box, kept.envelope_from) == ("bounce", ann.email)


def test_the_pipe_says_why_it_keeps_nothing(token, ann):
    assert pipe(b"To: games@example.org\r\n\r\n5")[0] == EX_NOUSER
    assert pipe(b"", "--to", reply_address("a" * 26))[0] == EX_NOUSER
    assert pipe(b"x" * (MAX_SIZE + 1), "--to", reply_address(token))[0] == EX_DATAERR
    assert not IncomingMail.objects.exists()


def test_a_mail_comes_again_when_the_database_is_down(token, ann, tmp_path):
    nowhere = {"DATABASE_URL": f"sqlite:///{tmp_path}/none/at/all.sqlite3"}
    status, words = pipe(answer(token, "5\n", ann.email), **nowhere)
    assert status == EX_TEMPFAIL
    assert token not in words


# The webhook -------------------------------------------------------------------------------------


@pytest.fixture
def provider(settings):
    """The URL of Postmark's webhook, as in the settings of a site."""
    settings.ANYMAIL = {"WEBHOOK_SECRET": "postman:always-rings-twice"}
    urls = ModuleType("urls")
    urls.urlpatterns = [*config.urls.urlpatterns, *webhook_urls("postmark")]
    settings.ROOT_URLCONF = urls
    return "/postmark/inbound/"


@pytest.fixture
def ring(client, provider):
    """Let the provider call; return the status it is answered."""

    def ringing(raw, to, who="postman:always-rings-twice"):
        said = {
            "OriginalRecipient": to,
            "MessageID": "73e6d360-66eb-11e1-8e72-a8904824019b",
            "RawEmail": raw.decode(),
            "Headers": [
                {"Name": "Return-Path", "Value": "<ann@example.org>"},
                {"Name": "X-Spam-Status", "Value": "No"},
            ],
            "Attachments": [],
        }
        credentials = base64.b64encode(who.encode()).decode()
        return client.post(
            provider,
            json.dumps(said),
            content_type="application/json",
            headers={"authorization": f"Basic {credentials}"},
        ).status_code

    return ringing


def test_a_providers_mail_is_kept(ring, token, ann):
    assert ring(answer(token, "5\n", ann.email), reply_address(token)) == 200
    kept = IncomingMail.objects.get()
    assert (kept.door, kept.reply.user) == ("webhook", ann)
    assert b"5" in bytes(kept.raw)


def test_a_provider_may_send_a_mail_with_photos(ring, token, ann):
    mail = message_from_bytes(answer(token, "5\n", ann.email), policy=policy.SMTP)
    mail.add_attachment(b"x" * 5_000_000, "image", "jpeg", filename="us.jpg")
    assert ring(mail.as_bytes(), reply_address(token)) == 200
    assert len(IncomingMail.objects.get().raw) < 2000


def test_a_request_that_is_larger_than_any_mail_is_refused(ring, token):
    assert ring(b"x" * (2 * MAX_SIZE + 1), reply_address(token)) == 400
    assert not IncomingMail.objects.exists()


def test_what_is_not_for_us_is_not_asked_for_again(ring, token, ann):
    raw = b"To: games@example.org\r\n\r\n5\r\n"
    assert ring(raw, "games@example.org") == 200
    assert not IncomingMail.objects.exists()


def test_a_request_without_the_secret_is_refused(ring, token, ann):
    raw = answer(token, "5\n", ann.email)
    assert ring(raw, reply_address(token), "postman:guess") in (400, 401, 403)
    assert not IncomingMail.objects.exists()


def test_a_mail_that_could_not_be_kept_is_asked_for_again(ring, token, ann, settings, client):
    settings.MAILS_AN_HOUR = 0
    client.raise_request_exception = False
    assert ring(answer(token, "5\n", ann.email), reply_address(token)) == 500
    settings.MAILS_AN_HOUR = 1
    assert ring(answer(token, "5\n", ann.email), reply_address(token)) == 200
    assert IncomingMail.objects.count() == 1


def test_a_mail_in_another_alphabet_passes_the_webhook(ring, token, ann):
    raw = answer(token, "Héllo, Zoë\n", ann.email)
    raw = raw.replace(b"H=C3=A9llo, Zo=C3=AB", "Héllo, Zoë".encode())
    assert ring(raw, reply_address(token)) == 200
    assert IncomingMail.objects.count() == 1


def test_there_is_no_webhook_without_the_setting(settings, client, db):
    assert webhook_urls("") == []
    assert client.post("/webhooks/postmark/inbound/").status_code == 404


@pytest.mark.parametrize("secret", ["", "without-a-colon"])
def test_a_webhook_needs_a_secret(settings, secret):
    settings.ANYMAIL = {"WEBHOOK_SECRET": secret}
    with pytest.raises(ImproperlyConfigured, match="PLI_MAIL_WEBHOOK_SECRET"):
        webhook_urls("postmark")


def test_an_unknown_provider_is_named(settings):
    settings.ANYMAIL = {"WEBHOOK_SECRET": "a:b"}
    with pytest.raises(ImproperlyConfigured, match="pigeon"):
        webhook_urls("pigeon")
