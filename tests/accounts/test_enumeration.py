"""Nobody learns from our pages who has an account here."""

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.accounts.account_mails import letters_to

pytestmark = pytest.mark.django_db
STRANGE = "stranger@example.org"


def told(path, answers, address):
    """Return what a fresh browser is told, step by step, with what was typed left out."""
    cache.clear()
    client = Client()
    answer = client.post(path, answers, follow=True)
    steps = [(answer.status_code, answer.redirect_chain)]
    return steps, seen(answer, address), client


def seen(answer, said):
    """Return the page without what is different on each (CSRF tokens) and what was just typed."""
    page = re.sub(r"\b[A-Za-z0-9]{64}\b", "TOKEN", answer.content.decode())
    return page.replace(said, "SAID") if said else page


def test_signing_up_with_a_known_address_is_answered_as_any_other(ann):
    path = reverse("account_signup")
    answers = {"username": "newcomer", "password1": "a long walk home"}
    *known, _ = told(path, {**answers, "email": ann.email}, ann.email)
    *unknown, _ = told(path, {**answers, "email": STRANGE}, STRANGE)
    assert known == unknown
    assert unknown[0][0] == (200, [(reverse("account_email_verification_sent"), 302)])
    assert len(letters_to(ann.email)) == len(letters_to(STRANGE)) == 1


def test_a_wrong_code_is_answered_alike_for_known_and_unknown_addresses(ann):
    path = reverse("account_signup")
    answers = {"username": "newcomer", "password1": "a long walk home"}
    pages = []
    for address in (ann.email, STRANGE):
        *_, client = told(path, {**answers, "email": address}, address)
        answer = client.post(reverse("account_email_verification_sent"), {"code": "BBBB-BBBB"})
        pages.append((answer.status_code, seen(answer, address)))
    assert pages[0] == pages[1]
    assert pages[0][0] == 200


@pytest.mark.parametrize("name", ["account_reset_password", "account_request_login_code"])
def test_asking_for_a_letter_is_answered_alike_for_known_and_unknown_addresses(ann, name):
    *known, _ = told(reverse(name), {"email": ann.email}, ann.email)
    *unknown, _ = told(reverse(name), {"email": STRANGE}, STRANGE)
    assert known == unknown
    assert len(letters_to(ann.email)) == len(letters_to(STRANGE)) == 1


def test_a_wrong_password_is_answered_alike_for_known_and_unknown_names(ann):
    pages = []
    for login in ("ann", "nobody-here", ann.email, STRANGE):
        *page, _ = told(reverse("account_login"), {"login": login, "password": "wrong"}, "")
        pages.append((page[0], page[1].replace(f'value="{login}"', "")))
    assert pages[0] == pages[1]
    assert pages[2] == pages[3]
    assert pages[0][0][0][0] == 200
