"""The mails about a sign-in on a new device, and about a factor that a superuser removes."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.users import get_or_create_user_for
from notifications.models import Notice
from notifications.outbox.delivery import send_due
from tests.accounts.account_mails import code_to
from tests.house.languages import assert_speaks
from tests.notifications.outgoing_mail import html_of

pytestmark = pytest.mark.django_db

BROWSER = "Mozilla/5.0 (X11; Linux x86_64) <b>Firefox</b>/140.0"
OTHER = "elsewhere@example.com"


def sign_in(client, name, **more):
    answers = {"login": name, "password": "secret"}
    headers = {"user-agent": BROWSER}
    return client.post(reverse("account_login"), answers, headers=headers, **more)


def seen_before(person):
    person.last_login = person.date_joined
    person.save()


def mails():
    """Send what waits; return all mails so far."""
    send_due(now=timezone.now())
    return mail.outbox


def test_a_sign_in_on_a_new_device_is_told_with_when_where_and_what_to_do(client, ann):
    seen_before(ann)
    sign_in(client, "ann", REMOTE_ADDR="203.0.113.9", HTTP_HOST="evil.attacker.test")
    assert Notice.objects.get().kind == "account"
    (message,) = mails()
    assert message.to == [ann.email]
    assert message.subject == "A sign-in on a new device"
    now = timezone.now().astimezone(ann.zone)
    for said in (BROWSER, "203.0.113.9", str(now.year)):
        assert said in message.body
    for name in ("usersessions_list", "account_change_password"):
        link = "http://localhost:8000" + reverse(name)
        assert f"\n{link}\n" in message.body
        assert f'href="{link}"' in html_of(message)
    assert "attacker" not in message.body + html_of(message)
    assert "<b>Firefox" not in html_of(message)


def test_a_known_device_is_not_told_of_again(client, ann):
    seen_before(ann)
    for _ in range(2):
        sign_in(client, "ann")
        client.post(reverse("account_logout"))
    assert len(mails()) == 1
    sign_in(Client(), "ann")
    assert len(mails()) == 2


def test_a_wrong_password_is_not_told_of(client, ann):
    seen_before(ann)
    client.post(reverse("account_login"), {"login": "ann", "password": "wrong"})
    assert mails() == []


def test_the_reader_is_told_in_their_language_whatever_the_browsers(client, bob):
    seen_before(bob)
    sign_in(client, "bob", HTTP_ACCEPT_LANGUAGE="en")
    (message,) = mails()
    assert message.subject == "Connexion depuis un nouvel appareil"
    assert_speaks("fr", message.body)
    assert '<html lang="fr">' in html_of(message)


def test_every_confirmed_address_is_told_of_a_new_device(client, ann):
    seen_before(ann)
    EmailAddress.objects.create(user=ann, email=OTHER, verified=True)
    EmailAddress.objects.create(user=ann, email="unconfirmed@example.com", verified=False)
    sign_in(client, "ann")
    assert {message.to[0] for message in mails()} == {ann.email, OTHER}


def test_who_was_made_an_account_by_an_invitation_is_not_told_of_their_first_sign_in(client, db):
    ivy = get_or_create_user_for("ivy@example.net", name="Ivy", language="en")
    client.post(reverse("account_request_login_code"), {"email": ivy.email})
    client.post(reverse("account_confirm_login_code"), {"code": code_to(ivy.email)})
    assert client.session["_auth_user_id"] == str(ivy.pk)
    assert [message.subject.split()[1] for message in mails()] == ["signs"]


def test_the_reauthentication_code_comes_in_the_readers_language(client, bob):
    bob.set_unusable_password()
    bob.save()
    client.force_login(bob)
    client.post(reverse("reauthenticate_by_code"), {"action": "send"})
    (message,) = mails()
    assert message.to == [bob.email]
    assert_speaks("fr", message.body)
    assert "http://localhost:8000" + reverse("usersessions_list") in message.body


def remove_factor(client, moderator, factor):
    client.force_login(moderator)
    path = reverse("admin:mfa_authenticator_delete", args=[factor.pk])
    headers = {"user-agent": "the browser of the superuser"}
    client.post(path, {"post": "yes"}, headers=headers, REMOTE_ADDR="203.0.113.7")


def test_the_owner_is_told_of_a_factor_that_a_superuser_removed(client, moderator, ann, bob):
    for person, subject in (
        (ann, "A second factor was removed"),
        (bob, "Un second facteur a été retiré"),
    ):
        factor = TOTP.activate(person, "JBSWY3DPEHPK3PXP").instance
        remove_factor(client, moderator, factor)
        message = mails()[-1]
        assert (message.to, message.subject) == ([person.email], subject)
        assert_speaks(person.language, message.body)
        for whole in (message.body, html_of(message)):
            assert "203.0.113.7" not in whole
            assert "the browser of the superuser" not in whole
            assert "moderator" not in whole.replace("moderators", "")
    assert len(mails()) == 2


def test_a_factor_that_is_kept_is_not_told_of(client, moderator, ann):
    factor = TOTP.activate(ann, "JBSWY3DPEHPK3PXP").instance
    client.force_login(moderator)
    client.get(reverse("admin:mfa_authenticator_delete", args=[factor.pk]))
    assert mails() == []
