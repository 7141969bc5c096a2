"""Mail about accounts goes through the outbox, in the reader's language."""

from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from notifications.models import Kind, Notice
from notifications.outbox.delivery import send_due
from tests import smtp
from tests.notifications.outgoing_mail import html_of, use_server
from tests.servers import free_port

pytestmark = pytest.mark.django_db

SIGN_UP = {"username": "dora", "email": "dora@example.net", "password1": "a long enough one 7"}


def sign_up(client, **changes):
    return client.post(reverse("account_signup"), SIGN_UP | changes)


def ask_for_code(client, email):
    return client.post(reverse("account_request_login_code"), {"email": email})


def delivered():
    send_due(now=timezone.now())
    return mail.outbox


def test_signing_up_puts_the_code_into_the_outbox(client):
    assert sign_up(client).status_code == 302
    assert mail.outbox == []
    notice = Notice.objects.get()
    assert (notice.kind, notice.address, notice.user.username) == (
        Kind.ACCOUNT,
        "dora@example.net",
        "dora",
    )


def test_the_code_arrives_as_text_and_html_and_is_then_forgotten(client):
    sign_up(client)
    (message,) = delivered()
    code = message.subject.split()[0]
    assert f"\n{code}\n" in message.body
    assert f">{code}</p>" in html_of(message)
    assert message.extra_headers["Auto-Submitted"] == "auto-generated"
    assert "List-Unsubscribe" not in message.extra_headers
    assert Notice.objects.get().content == {}
    response = client.post(reverse("account_email_verification_sent"), {"code": code})
    assert response.status_code == 302
    assert User.objects.get(username="dora").emailaddress_set.get().verified


def test_signing_up_works_while_the_mail_server_is_down(client, settings):
    port = free_port()
    use_server(settings, port)
    assert sign_up(client).status_code == 302
    assert send_due(now=timezone.now()) == 0
    server = smtp.Sink()
    with smtp.running(server, port):
        assert send_due(now=timezone.now() + timedelta(hours=1)) == 1
    assert [m["To"] for m in server.messages] == ["dora@example.net"]


def test_an_address_that_has_an_account_is_told_so_and_the_page_does_not(client, ann):
    known = sign_up(client, email=ann.email)
    client.logout()
    unknown = sign_up(client, username="emil", email="emil@example.net")
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    theirs = [m for m in delivered() if m.to == [ann.email]]
    assert [m.subject for m in theirs] == ["You have an account already"]
    assert User.objects.filter(emailaddress__email=ann.email).count() == 1


def test_an_unknown_address_is_told_that_it_has_no_account(client):
    ask_for_code(client, "nobody@example.net")
    (message,) = delivered()
    assert message.to == ["nobody@example.net"]
    assert message.subject == "There is no account with this address"
    assert reverse("account_signup") in message.body


def test_a_known_reader_is_written_to_in_their_own_language(client, bob):
    ask_for_code(client, bob.email)
    notice = Notice.objects.get()
    assert (notice.user, notice.language) == (bob, "fr")
    (message,) = delivered()
    assert '<html lang="fr">' in html_of(message)


def test_a_stranger_is_written_to_in_the_language_of_the_page(client):
    client.post(
        reverse("account_request_login_code"),
        {"email": "nobody@example.net"},
        headers={"accept-language": "fr"},
    )
    assert Notice.objects.get().language == "fr"


def test_a_sign_in_code_signs_in(client, ann):
    ask_for_code(client, ann.email)
    (message,) = delivered()
    code = message.subject.split()[0]
    assert f"\n{code}\n" in message.body
    client.post(reverse("account_confirm_login_code"), {"code": code})
    assert client.session["_auth_user_id"] == str(ann.pk)


def test_a_new_password_is_chosen_by_a_link_in_both_parts(client, ann, settings):
    client.post(reverse("account_reset_password"), {"email": ann.email})
    (message,) = delivered()
    (link,) = [line for line in message.body.splitlines() if "/password/reset/key/" in line]
    assert f'href="{link}"' in html_of(message)
    assert client.get(link.removeprefix(settings.SITE_URL), follow=True).status_code == 200


def test_a_change_to_the_account_is_told_to_its_owner(client, ann):
    client.force_login(ann)
    client.post(
        reverse("account_change_password"),
        {
            "oldpassword": "secret",
            "password1": "a long enough one 8",
            "password2": "a long enough one 8",
        },
        headers={"user-agent": "<b>Browser</b>"},
    )
    (message,) = delivered()
    assert message.to == [ann.email]
    assert "<b>Browser</b>" in message.body
    assert "&lt;b&gt;Browser&lt;/b&gt;" in html_of(message)


def test_every_account_mail_is_of_one_layout_without_a_subject_prefix(client, ann):
    ask_for_code(client, ann.email)
    client.post(reverse("account_reset_password"), {"email": ann.email})
    sign_up(client)
    messages = delivered()
    assert len(messages) == 3
    for message in messages:
        assert not message.subject.startswith("[")
        assert 'class="postmark"' in html_of(message)
        assert message.body.rstrip().endswith("Pli · http://localhost:8000")
