"""The page where somebody asks for their data, and the download."""

import time
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from notifications.exports.making import make_exports
from notifications.exports.requests import EXPORTS_A_DAY, ask_for_export
from notifications.models import DataExport
from tests.accounts.test_reauthentication import age_session, is_asked
from tests.notifications.exports.reading import files_in
from tests.permissions.asking import sign_in

pytestmark = pytest.mark.django_db

PAGE, FILE = reverse("your_data"), reverse("your_data_file")


@pytest.fixture
def browser(client, ann):
    """Ann's browser: she has just given her password."""
    sign_in(client, ann)
    return client


def body(answer):
    return b"".join(answer.streaming_content)


def test_somebody_asks_waits_and_downloads(browser, ann):
    page = browser.get(PAGE).content.decode()
    assert "Make a file of my data" in page
    assert "hx-get" not in page
    assert browser.post(PAGE, follow=True).redirect_chain == [(PAGE, 302)]
    page = browser.get(PAGE).content.decode()
    assert "Your file is being made." in page
    assert "hx-get" in page
    assert "Make a" not in page
    make_exports(now=timezone.now())
    page = browser.get(PAGE).content.decode()
    assert "Your file is ready" in page
    assert "hx-get" not in page
    answer = browser.get(FILE)
    content = body(answer)
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Length"] == str(len(content))
    assert answer["Cache-Control"] == "no-store, private"
    assert f'filename="pli-ann-{timezone.now():%Y-%m-%d}.zip"' in answer["Content-Disposition"]
    assert files_in(content)["account.json"]["profile"]["username"] == "ann"


def test_nobody_gets_the_file_of_another(browser, bob):
    now = timezone.now()
    ask_for_export(user=bob, now=now)
    make_exports(now=now)
    assert "Make a file of my data" in browser.get(PAGE).content.decode()
    assert browser.get(FILE).status_code == 404


@pytest.mark.parametrize("state", ["waiting", "making", "failed", "expired"])
def test_there_is_no_file_before_it_is_made_or_after_it_is_deleted(browser, ann, state):
    now = timezone.now()
    ask_for_export(user=ann, now=now)
    make_exports(now=now)
    if state == "expired":
        DataExport.objects.update(expires_at=now)
    else:
        DataExport.objects.update(state=state)
    assert browser.get(FILE).status_code == 404


def test_who_asks_and_who_downloads_confirms_that_it_is_them(browser, ann):
    now = timezone.now()
    ask_for_export(user=ann, now=now - timedelta(hours=1))
    make_exports(now=now)
    age_session(browser)
    assert browser.get(PAGE).status_code == 200
    assert is_asked(browser.get(FILE))
    assert is_asked(browser.post(PAGE))
    assert "then press the button again" in browser.get(PAGE).content.decode()
    assert DataExport.objects.count() == 1
    session = browser.session
    session["account_authentication_methods"][0]["at"] = time.time()
    session.save()
    assert len(body(browser.get(FILE))) == DataExport.objects.get().size
    browser.post(PAGE)
    assert DataExport.objects.count() == 2


def test_a_refusal_is_said_on_the_page(browser, ann):
    browser.post(PAGE)
    answer = browser.post(PAGE)
    assert answer.status_code == 409
    assert "Your file is being made already." in answer.content.decode()
    make_exports(now=timezone.now())
    for _ in range(EXPORTS_A_DAY - 1):
        assert browser.post(PAGE).status_code == 302
        make_exports(now=timezone.now())
    answer = browser.post(PAGE)
    assert answer.status_code == 429
    assert "You can ask for 3 files within 24 hours." in answer.content.decode()
    assert "Download the file" in answer.content.decode()


def test_a_file_that_could_not_be_made_can_be_asked_for_again(browser, ann):
    ask_for_export(user=ann, now=timezone.now())
    DataExport.objects.update(state="failed", expires_at=timezone.now() + timedelta(days=7))
    page = browser.get(PAGE).content.decode()
    assert "Your file could not be made" in page
    assert "Make a file of my data" in page
