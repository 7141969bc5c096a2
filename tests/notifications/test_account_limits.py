"""An address gets a bounded number of account mails, whoever asks for them and from where."""

import logging
import re
from datetime import timedelta
from pathlib import Path

import allauth
import pytest
from django.conf import settings
from django.core.cache import cache
from django.template.loader import get_template
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.addresses import normalize_address
from notifications.account_mail import REQUESTED
from notifications.incoming.cleanup import delete_old_mails
from notifications.incoming.processing import answer_stranger
from notifications.models import AccountMailCount, Notice
from notifications.services import addresses
from notifications.services.account import write_account_notice
from tests.racing import at_once

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SECOND = timedelta(seconds=1)
Group = AccountMailCount.Group
STRANGE = "stranger@example.net"
PASSWORD = "a long walk home"


@pytest.fixture(autouse=True)
def few(settings):
    """Numbers that differ from each other and from allauth's."""
    settings.ACCOUNT_MAILS_AN_HOUR, settings.ACCOUNT_MAILS_A_DAY = 3, 7
    settings.ACCOUNT_NOTIFICATIONS_AN_HOUR, settings.ACCOUNT_NOTIFICATIONS_A_DAY = 4, 9
    cache.clear()


def write(address=STRANGE, *, now, group=Group.REQUESTED):
    return write_account_notice(
        template_prefix="account/email/login_code",
        address=address,
        reader=None,
        language="en",
        context={"code": "BBBB-BBBB"},
        group=group,
        now=now,
    )


def mails_to(address):
    return Notice.objects.filter(address__iexact=address, kind="account").count()


def written(times, **how):
    return [write(now=now, **how) is not None for now in times]


def test_an_hour_brings_a_bounded_number(now):
    assert written([now + n * SECOND for n in range(5)]) == [True, True, True, False, False]
    assert mails_to(STRANGE) == 3
    assert written([now + HOUR - SECOND, now + HOUR, now + HOUR]) == [False, True, False]


def test_a_day_brings_a_bounded_number(now):
    hours = [now + n * HOUR for n in range(24)]
    assert written(hours) == [True] * 7 + [False] * 17
    assert written([now + DAY - SECOND, now + DAY, now + DAY]) == [False, True, False]


def test_another_address_has_mails_of_its_own(now):
    assert written([now] * 4) == [True, True, True, False]
    assert write("other@example.net", now=now) is not None


def test_an_address_is_the_same_in_capital_letters(now):
    """They are brought to their normal form where they enter, and counted by it."""
    assert written([now] * 3, address=normalize_address("Stranger@Example.NET")) == [True] * 3
    assert write(STRANGE, now=now) is None


def test_a_refused_mail_does_not_count(now):
    written([now] * 9)
    assert written([now + HOUR] * 4) == [True, True, True, False]


def test_mail_that_others_ask_for_cannot_suppress_what_is_told_of_changes(now):
    written([now] * 9)
    assert written([now] * 5, group=Group.NOTIFICATION) == [True] * 4 + [False]
    hours = [now + n * HOUR for n in range(1, 24)]
    assert sum(written(hours, group=Group.NOTIFICATION)) == 9 - 4


def test_the_log_says_that_a_mail_was_not_sent_and_names_nobody(now, caplog):
    with caplog.at_level(logging.INFO):
        written([now] * 4)
    (line,) = [r.getMessage() for r in caplog.records if r.name.startswith("notifications")]
    assert "account mail" in line
    assert "example" not in line


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_eight_requests_at_once_bring_no_more(now):
    assert sum(at_once(lambda: write(now=now) is not None, times=8)) == 3
    assert mails_to(STRANGE) == 3
    later = now + HOUR
    assert sum(at_once(lambda: write(now=later) is not None, times=8)) == 3


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_eight_browsers_at_once_bring_no_more(ann, settings):
    settings.ACCOUNT_RATE_LIMITS = False  # allauth's own would refuse some of them
    numbers = iter(range(8))

    def ask():
        answers = {"email": ann.email}
        caller = f"198.51.100.{next(numbers)}"
        return Client(REMOTE_ADDR=caller).post(reverse("account_reset_password"), answers)

    statuses = {answer.status_code for answer in at_once(ask, times=8)}
    assert statuses == {302}
    assert mails_to(ann.email) == 3


# Every way to ask ----------------------------------------------------------------------------


def ask_for_code(client, address):
    return client.post(reverse("account_request_login_code"), {"email": address}, follow=True)


def ask_for_password(client, address):
    return client.post(reverse("account_reset_password"), {"email": address}, follow=True)


def sign_up(client, address):
    name = f"n{Notice.objects.count()}x{AccountMailCount.objects.count()}"
    answers = {"username": name, "email": address, "password1": PASSWORD}
    return client.post(reverse("account_signup"), answers, follow=True)


WAYS = [ask_for_code, ask_for_password, sign_up]


def page_of(answer, address):
    """Return what a page says, without what differs on each."""
    text = re.sub(r"\b[A-Za-z0-9]{64}\b", "TOKEN", answer.text).replace(address, "ADDRESS")
    return answer.status_code, answer.redirect_chain, text


@pytest.mark.parametrize("address", ["ann@example.org", STRANGE])
def test_all_forms_and_all_callers_together_bring_no_more(ann, address):
    for number in range(9):
        cache.clear()  # allauth's own limits
        WAYS[number % 3](Client(REMOTE_ADDR=f"198.51.100.{number}"), address)
    assert mails_to(address) == 3


@pytest.mark.parametrize("address", ["ann@example.org", STRANGE])
@pytest.mark.parametrize("way", WAYS)
def test_beyond_the_bound_the_page_answers_as_ever(ann, way, address):
    cache.clear()
    first = page_of(way(Client(), address), address)
    for _ in range(4):
        cache.clear()
        last = page_of(way(Client(), address), address)
    assert mails_to(address) == 3
    assert first == last


def test_beyond_the_bound_the_answer_takes_the_same_work(ann):
    composed = []
    for _ in range(4):
        cache.clear()
        answer = Client().post(reverse("account_reset_password"), {"email": ann.email})
        composed.append([template.name for template in answer.templates])
    assert mails_to(ann.email) == 3
    assert composed[3] == composed[0]
    assert "account/templates/letter.html" in composed[0]


def test_asking_for_the_code_again_counts_too(ann):
    client = Client()
    ask_for_code(client, ann.email)
    for _ in range(2):
        cache.clear()
        client.post(reverse("account_confirm_login_code"), {"action": "resend"})
    assert mails_to(ann.email) == 3
    ask_for_code(Client(), ann.email)
    assert mails_to(ann.email) == 3


def test_somebody_signed_in_cannot_have_more_sent_to_another_address_either(ann):
    for number in range(5):
        cache.clear()
        client = Client(REMOTE_ADDR=f"198.51.100.{number}")
        client.post(reverse("account_login"), {"login": "ann", "password": "secret"})
        client.post(reverse("account_reauthenticate"), {"password": "secret"})
        client.post(reverse("account_email"), {"action_add": "", "email": STRANGE})
    assert mails_to(STRANGE) == 3


@pytest.mark.parametrize("name", ["account_request_login_code", "account_reset_password"])
@pytest.mark.parametrize("address", ["ann@example.org", STRANGE])
def test_a_form_takes_no_sixth_request_for_an_address_in_an_hour(ann, name, address):
    refused = []
    for number in range(6):
        client = Client(REMOTE_ADDR=f"198.51.100.{number}")
        refused.append(client.post(reverse(name), {"email": address}).status_code != 302)
    assert refused == [False] * 5 + [True]


def test_a_caller_who_asks_for_many_addresses_is_stopped_within_the_hour(settings):
    from allauth.account import app_settings
    from allauth.core.internal.ratelimit import parse_rates

    for action in ("signup", "reset_password", "request_login_code"):
        rates = parse_rates(app_settings.RATE_LIMITS[action])
        assert [r for r in rates if r.per == "ip" and r.duration == 3600 and r.amount <= 60]


def test_a_code_that_shows_an_address_is_sent_five_times_an_hour_at_most(settings):
    rates = settings.ACCOUNT_RATE_LIMITS
    often, an_hour = rates["confirm_email"].split(",")
    assert often == "1/10s/key"
    settings.ACCOUNT_RATE_LIMITS = {**rates, "confirm_email": an_hour}  # ten seconds would pass
    statuses = []
    for number in range(6):
        caller = Client(REMOTE_ADDR=f"198.51.100.{number}")
        statuses.append(sign_up(caller, STRANGE).status_code)
    assert statuses == [200] * 5 + [429]


def test_more_callers_than_a_small_cache_holds_do_not_push_the_counts_out(ann):
    answers = {"email": ann.email}
    for number in range(5):
        Client(REMOTE_ADDR=f"198.51.100.{number}").post(reverse("account_reset_password"), answers)
    for number in range(400):  # Django's usual size is 300
        cache.set(f"somebody-else-{number}", 1, 3600)
    last = Client(REMOTE_ADDR="198.51.100.9").post(reverse("account_reset_password"), answers)
    assert last.status_code == 429


def test_every_mail_is_asked_for_or_tells_of_a_change():
    ours, theirs = settings.BASE_DIR, Path(allauth.__file__).parent
    subjects = {
        f"account/email/{path.name.removesuffix('_subject.txt')}"
        for root in (ours, theirs)
        for path in (root / "templates/account/email").glob("*_subject.txt")
    }
    tells = {name for name in subjects if "base_notification.txt" in source_of(name)}
    tells |= {"account/email/factor_removed", "account/email/new_device"}  # in words of their own
    assert subjects - tells == REQUESTED


def source_of(name):
    """Return the template of a mail, ours where there is one."""
    return get_template(f"{name}_message.txt").template.source


def test_a_change_is_told_however_many_codes_were_asked_for(client, ann):
    for _ in range(4):
        cache.clear()
        ask_for_code(Client(), ann.email)
    assert mails_to(ann.email) == 3
    client.force_login(ann)
    new = {"oldpassword": "secret", "password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("account_change_password"), new)
    assert mails_to(ann.email) == 4


# What the pages say --------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_the_page_says_how_many_mails_can_come(way):
    page = way(Client(), STRANGE).text
    assert "At most 3 such mails an hour" in " ".join(page.split())


# Other mails of this kind --------------------------------------------------------------------


def test_strangers_who_write_to_us_are_answered_within_the_same_bound(now):
    for number in range(5):
        answer_stranger(address=STRANGE, reason="stranger", language="en", now=now + number * DAY)
    assert mails_to(STRANGE) == 5
    later = now + 10 * DAY
    written([later] * 3)
    assert not answer_stranger(address=STRANGE, reason="stranger", language="en", now=later)
    assert mails_to(STRANGE) == 5 + 3


def test_trying_an_address_too_often_is_refused_in_words(client, ann):
    now = timezone.now()
    addresses.suspend_address(address=ann.email, diagnostic="550", notice=None, now=now)
    written([now] * 3, address=ann.email)
    client.force_login(ann)
    Notice.objects.all().delete()  # or the last one would be too recent
    answer = client.post(reverse("try_address"), {"address": ann.email}, follow=True)
    assert "Try again in an hour" in answer.text
    assert mails_to(ann.email) == 0


def test_counts_are_forgotten_after_a_day(now):
    write(now=now)
    write("other@example.net", now=now + SECOND)
    delete_old_mails(now=now + DAY)
    assert [count.address for count in AccountMailCount.objects.all()] == ["other@example.net"]
