"""The answer to a form takes as long for an address that has an account as for one that has none.

Time is not measured here, but what takes it: hashing, writing, and composing mail.
`python -m tests.bench.accounts` measures.
"""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from notifications.models import Notice
from tests.accounts.hashers import CountingHasher

pytestmark = pytest.mark.django_db

STRANGE = "stranger@example.org"
PASSWORD = "a long walk home"
FORMS = {
    "account_signup": {"username": "newcomer", "password1": PASSWORD},
    "account_reset_password": {},
    "account_request_login_code": {},
}
HASHED = {"account_signup": 1, "account_reset_password": 0, "account_request_login_code": 0}


@pytest.fixture
def person(ann, settings):
    """Somebody whose password is kept by the hasher that counts."""
    settings.PASSWORD_HASHERS = ["tests.accounts.hashers.CountingHasher"]
    ann.set_password("secret")
    ann.save()
    return ann


def work_of(name, *, client=None, **answers):
    """Return how often a form's answer hashed, and what it wrote into which tables."""
    cache.clear()
    CountingHasher.calls = 0
    with CaptureQueriesContext(connection) as queries:
        browser = client or Client()
        answer = browser.post(reverse(name), {**FORMS.get(name, {}), **answers})
    assert answer.status_code in (200, 302)
    written = [re.match(r'(INSERT INTO|UPDATE) "(\w+)"', one["sql"]) for one in queries]
    tables = sorted(found.groups() for found in written if found)
    return CountingHasher.calls, [one for one in tables if one[1] != "shared_cache"]


@pytest.mark.parametrize("name", FORMS)
def test_known_and_unknown_addresses_cost_the_same_hashing_and_writing(person, name):
    known = work_of(name, email=person.email)
    unknown = work_of(name, email=STRANGE)
    assert known == unknown
    hashed, written = known
    assert hashed == HASHED[name]
    assert ("INSERT INTO", "notifications_notice") in written


def test_signing_up_with_a_known_address_writes_what_a_new_account_would_and_keeps_none(person):
    _, written = work_of("account_signup", email=person.email)
    assert ("INSERT INTO", "accounts_user") in written
    assert not User.objects.filter(username="newcomer").exists()
    assert User.objects.filter(email=person.email).get() == person
    assert EmailAddress.objects.filter(email=person.email).count() == 1
    work_of("account_signup", email=STRANGE)
    assert User.objects.get(username="newcomer").check_password(PASSWORD)


@pytest.mark.parametrize("login", ["ann", "ann@example.org", "nobody-here", STRANGE])
def test_a_wrong_password_is_hashed_once_for_any_name(person, login):
    hashed, _ = work_of("account_login", login=login, password="wrong")
    assert hashed == 1


@pytest.mark.parametrize("name", FORMS)
def test_known_and_unknown_addresses_get_a_mail_that_is_made_alike(person, name):
    mails = []
    for address in (person.email, STRANGE):
        work_of(name, email=address)
        (notice,) = Notice.objects.filter(address=address)
        mails.append((notice.kind, notice.state, sorted(notice.content)))
    assert mails[0] == mails[1]


@pytest.mark.parametrize(
    ("name", "next_page"),
    [
        ("account_signup", "account_email_verification_sent"),
        ("account_request_login_code", "account_confirm_login_code"),
    ],
)
def test_sending_the_mail_again_costs_the_same_for_known_and_unknown(person, name, next_page):
    works = []
    for address in (person.email, STRANGE):
        client = Client()
        work_of(name, client=client, email=address)
        works.append(work_of(next_page, client=client, action="resend"))
        first, again = Notice.objects.filter(address=address)
        assert first.content["subject"].split()[1:] == again.content["subject"].split()[1:]
    assert works[0] == works[1]
    assert ("INSERT INTO", "notifications_notice") in works[0][1]
