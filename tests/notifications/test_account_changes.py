"""Who is told by mail that somebody's way to sign in has changed."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from notifications.models import Notice
from notifications.outbox.delivery import send_due
from tests.notifications.outgoing_mail import html_of

pytestmark = pytest.mark.django_db

EMAIL = reverse("account_email")
OTHER = "elsewhere@example.com"


@pytest.fixture
def signed_in(client, ann):
    """Ann's browser, in which she has just shown that it is her; she has two addresses."""
    EmailAddress.objects.create(user=ann, email=OTHER, verified=True)
    client.force_login(ann)
    client.post(reverse("account_reauthenticate"), {"password": "secret"})
    return client


def mails():
    """Send what waits; return subjects by who gets them."""
    send_due(now=timezone.now())
    return {message.to[0]: message for message in mail.outbox}


def test_an_address_that_is_removed_is_told_so_and_the_primary_one_too(signed_in, ann):
    signed_in.post(EMAIL, {"action_remove": "", "email": OTHER})
    told = mails()
    assert set(told) == {OTHER, ann.email}
    for message in told.values():
        assert OTHER in message.body
        assert "127.0.0.1" in message.body
    assert Notice.objects.get(address=OTHER).user == ann


def test_an_address_that_was_never_confirmed_is_told_nothing(signed_in, ann):
    EmailAddress.objects.filter(email=OTHER).update(verified=False)
    signed_in.post(EMAIL, {"action_remove": "", "email": OTHER})
    assert set(mails()) == {ann.email}


def test_the_primary_address_of_before_is_told_of_the_new_one(signed_in, ann):
    signed_in.post(EMAIL, {"action_primary": "", "email": OTHER})
    told = mails()
    assert set(told) == {ann.email}
    assert ann.email in told[ann.email].body
    assert OTHER in told[ann.email].body


def test_an_attacker_cannot_hide_a_takeover_from_the_accounts_addresses(signed_in, ann):
    """The way of an attacker: make another address the primary one, remove the old one."""
    before = ann.email
    signed_in.post(EMAIL, {"action_primary": "", "email": OTHER})
    signed_in.post(EMAIL, {"action_remove": "", "email": before})
    send_due(now=timezone.now())
    to_before = [message.subject for message in mail.outbox if message.to == [before]]
    assert len(to_before) == 2


def test_a_removed_address_is_told_in_its_owners_language(client, bob):
    EmailAddress.objects.create(user=bob, email=OTHER, verified=True)
    client.force_login(bob)
    client.post(reverse("account_reauthenticate"), {"password": "secret"})
    client.post(EMAIL, {"action_remove": "", "email": OTHER})
    assert '<html lang="fr">' in html_of(mails()[OTHER])


def test_every_confirmed_address_is_told_of_another_password(signed_in, ann):
    EmailAddress.objects.create(user=ann, email="unconfirmed@example.com", verified=False)
    new = {"password1": "a long enough one 8", "password2": "a long enough one 8"}
    signed_in.post(reverse("account_change_password"), {"oldpassword": "secret", **new})
    assert set(mails()) == {ann.email, OTHER}


def test_every_confirmed_address_is_told_of_a_factor_that_is_removed(signed_in, ann):
    TOTP.activate(ann, "JBSWY3DPEHPK3PXP")
    signed_in.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.filter(user=ann).exists()
    assert set(mails()) == {ann.email, OTHER}
