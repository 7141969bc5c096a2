"""The page on which somebody asks for the deletion of their account, and the notice on pages."""

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import SecurityEvent
from tests.accounts.test_reauthentication import age_session, is_asked
from tests.permissions.asking import sign_in

pytestmark = pytest.mark.django_db

PAGE, KEEP, DATA = reverse("delete_account"), reverse("keep_account"), reverse("your_data")


@pytest.fixture
def browser(client, ann):
    """Ann's browser: she has just given her password."""
    sign_in(client, ann)
    return client


def test_somebody_asks_sees_it_on_every_page_and_keeps_their_account(browser, ann):
    assert PAGE in browser.get(DATA).content.decode()
    assert "What is deleted" in browser.get(PAGE).content.decode()
    assert browser.post(PAGE, {"username": "ann"}, follow=True).redirect_chain == [(PAGE, 302)]
    ann.refresh_from_db()
    assert ann.deletion_due_at > timezone.now() + 0.99 * settings.DELETION_WAIT
    event = SecurityEvent.objects.get(user=ann, kind="deletion-asked")
    assert event.ip == "127.0.0.1"
    for address in (PAGE, "/", "/rules/"):
        page = browser.get(address).content.decode()
        assert "Your account will be deleted on" in page
        assert KEEP in page
    assert 'name="username"' not in browser.get(PAGE).content.decode()
    assert "You keep your account." in browser.post(KEEP, follow=True).content.decode()
    assert "Your account will be deleted" not in browser.get("/").content.decode()
    ann.refresh_from_db()
    assert ann.deletion_due_at is None


def test_a_wrong_name_is_refused_on_the_page(browser, ann):
    answer = browser.post(PAGE, {"username": "bob"})
    assert answer.status_code == 422
    assert "That is not your user name." in answer.content.decode()
    ann.refresh_from_db()
    assert ann.deletion_due_at is None


def test_who_asks_confirms_that_it_is_them_and_who_keeps_need_not(browser, ann):
    age_session(browser)
    assert is_asked(browser.get(PAGE))
    assert is_asked(browser.post(PAGE, {"username": "ann"}))
    ann.refresh_from_db()
    assert ann.deletion_due_at is None
    ann.deletion_due_at = timezone.now() + settings.DELETION_WAIT
    ann.save()
    browser.post(KEEP)
    ann.refresh_from_db()
    assert ann.deletion_due_at is None


def test_the_notice_costs_no_query(browser, ann):
    browser.get("/rules/")
    with CaptureQueriesContext(connection) as without:
        browser.get("/rules/")
    ann.deletion_due_at = timezone.now() + settings.DELETION_WAIT
    ann.save()
    with CaptureQueriesContext(connection) as with_notice:
        assert "Keep my account" in browser.get("/rules/").content.decode()
    assert len(with_notice) == len(without)
