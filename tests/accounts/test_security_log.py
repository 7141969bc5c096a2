"""What is kept of sign-ins, failed attempts and changes to how somebody signs in."""

from datetime import UTC, datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.urls import reverse
from django.utils import timezone

from accounts import tasks
from accounts.models import SecurityEvent
from accounts.security_log import BATCH, ROWS_AN_HOUR, delete_old_events, record
from tests.accounts.account_mails import code_to, letters_to
from tests.accounts.test_sign_in import current_totp, is_signed_in, sign_in

pytestmark = pytest.mark.django_db

Kind = SecurityEvent.Kind
SECRET = "JBSWY3DPEHPK3PXP"
EMAIL = reverse("account_email")
CHANGE = reverse("account_change_password")
AGAIN = reverse("account_reauthenticate")
OTHER = "elsewhere@example.com"
NEW_PASSWORD = {"password1": "another long walk", "password2": "another long walk"}


def last(**of):
    """Return the event that was kept last."""
    return SecurityEvent.objects.filter(**of).latest("pk")


def kinds(person):
    return list(person.security_events.order_by("pk").values_list("kind", flat=True))


@pytest.fixture
def no_limits(settings):
    settings.ACCOUNT_RATE_LIMITS = False
    settings.MFA_RATE_LIMITS = False


@pytest.fixture
def confirmed(client, ann):
    """Ann's browser, in which she has just shown that it is her."""
    client.force_login(ann)
    client.post(AGAIN, {"password": "secret"})
    return client


def reset_password(client, person):
    client.post(reverse("account_reset_password"), {"email": person.email})
    letter = letters_to(person.email)[-1]
    path = next(word for word in letter.split() if "/accounts/password/reset/key/" in word)
    client.post(client.get(path[path.index("/accounts/") :]).url, NEW_PASSWORD)


# Sign-ins ---------------------------------------------------------------------------------------


def test_a_sign_in_is_kept_with_its_way_its_place_and_its_browser(client, ann):
    before = timezone.now()
    answers = {"login": "ann", "password": "secret"}
    headers = {"user-agent": "Lynx/2.9 " + "x" * 300}
    client.post(reverse("account_login"), answers, headers=headers, REMOTE_ADDR="203.0.113.9")
    event = SecurityEvent.objects.get()
    assert (event.user, event.kind, event.times) == (ann, Kind.SIGN_IN, 1)
    assert event.details["method"] == "password"
    assert event.ip == "203.0.113.9"
    assert event.user_agent == ("Lynx/2.9 " + "x" * 300)[:200]
    assert before <= event.at <= timezone.now()


def test_a_sign_in_by_code_is_kept_as_one(client, ann):
    client.post(reverse("account_request_login_code"), {"email": ann.email})
    assert not SecurityEvent.objects.exists()
    client.post(reverse("account_confirm_login_code"), {"code": code_to(ann.email)})
    assert last().details["method"] == "code"


def test_a_sign_in_after_signing_up_is_kept_as_one(client):
    answers = {"username": "dora", "email": "dora@example.net", "password1": "a long walk home"}
    client.post(reverse("account_signup"), answers)
    assert not SecurityEvent.objects.exists()
    client.post(reverse("account_email_verification_sent"), {"code": code_to("dora@example.net")})
    event = SecurityEvent.objects.get()
    assert (event.kind, event.details["method"]) == (Kind.SIGN_IN, "sign-up")


def test_a_sign_in_that_follows_a_forgotten_password_is_kept_as_one(client, ann, settings):
    settings.ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
    reset_password(client, ann)
    assert is_signed_in(client, ann)
    assert last(kind=Kind.SIGN_IN).details["method"] == "password_reset"


@pytest.mark.parametrize("factor", ["totp", "recovery_codes"])
def test_a_sign_in_with_a_second_factor_is_kept_once_both_were_shown(client, ann, factor):
    TOTP.activate(ann, SECRET)
    codes = RecoveryCodes.activate(ann).get_unused_codes()
    sign_in(client, "ann")
    assert not SecurityEvent.objects.exists()
    code = current_totp() if factor == "totp" else codes[0]
    client.post(reverse("mfa_authenticate"), {"code": code})
    event = SecurityEvent.objects.get()
    assert event.details["method"] == "password"
    assert event.details["factor"] == factor


# Failures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("login", ["ann", "ANN", "ann@example.org", "Ann@Example.org"])
def test_a_wrong_password_is_kept_for_whose_account_it_was_meant(client, ann, login):
    sign_in(client, login, "wrong")
    event = SecurityEvent.objects.get()
    assert (event.user, event.kind, event.ip) == (ann, Kind.FAILURE, "127.0.0.1")
    assert event.details["method"] == "password"
    assert event.details["again"] is False


def test_nobody_sees_who_tries_an_address_that_they_only_claim_to_have(client, ann, bob):
    bob.emailaddress_set.create(email="claimed@example.com", verified=False)
    sign_in(client, "claimed@example.com", "wrong")
    assert SecurityEvent.objects.get().user is None


def test_a_wrong_mailed_code_is_kept(client, ann):
    client.post(reverse("account_request_login_code"), {"email": ann.email})
    client.post(reverse("account_confirm_login_code"), {"code": "BBBB-BBBB"})
    event = SecurityEvent.objects.get()
    assert (event.user, event.kind, event.details["method"]) == (ann, Kind.FAILURE, "code")


def test_a_wrong_code_of_the_app_is_kept(client, ann):
    TOTP.activate(ann, SECRET)
    sign_in(client, "ann")
    client.post(reverse("mfa_authenticate"), {"code": "000000"})
    event = SecurityEvent.objects.get()
    assert (event.user, event.kind, event.details["method"]) == (ann, Kind.FAILURE, "factor")


@pytest.mark.parametrize(
    ("name", "answers", "method"),
    [
        ("account_reauthenticate", {"password": "wrong"}, "password"),
        ("account_change_password", {"oldpassword": "wrong", **NEW_PASSWORD}, "password"),
        ("mfa_reauthenticate", {"code": "000000"}, "factor"),
    ],
)
def test_who_fails_to_confirm_who_they_are_is_kept(client, ann, name, answers, method):
    TOTP.activate(ann, SECRET)
    client.force_login(ann)
    client.post(reverse(name), answers)
    event = SecurityEvent.objects.get()
    assert (event.user, event.kind) == (ann, Kind.FAILURE)
    assert event.details["method"] == method
    assert event.details["again"] is True


def test_a_passkey_that_nobody_has_is_kept_as_nobodys(client, ann):
    client.post(reverse("mfa_login_webauthn"), {"credential": '{"id": "x"}'})
    event = SecurityEvent.objects.get()
    assert (event.user, event.kind, event.details["method"]) == (None, Kind.FAILURE, "passkey")


def test_names_that_nobody_has_are_counted_in_one_row_and_not_kept(client, ann, no_limits):
    for number in range(8):
        sign_in(client, f"stranger{number}", "my-secret-typed-in-haste")
        sign_in(client, f"stranger{number}@example.net", "my-secret-typed-in-haste")
    event = SecurityEvent.objects.get()
    assert (event.user, event.kind, event.times) == (None, Kind.FAILURE, 16)
    for row in SecurityEvent.objects.values():
        assert "stranger" not in repr(row)
        assert "haste" not in repr(row)


def test_who_guesses_from_everywhere_fills_one_row_an_hour(client, ann, no_limits):
    for number in range(30):
        client.post(
            reverse("account_login"),
            {"login": "ann", "password": f"guess {number}"},
            REMOTE_ADDR=f"203.0.113.{number}",
        )
    event = SecurityEvent.objects.get()
    assert (event.user, event.times, event.ip) == (ann, 30, "203.0.113.29")
    assert event.details["addresses"] == [f"203.0.113.{number}" for number in range(10)]


def test_each_hour_has_a_row_of_its_own(ann):
    at = datetime(2026, 3, 10, 12, 59, 59, tzinfo=UTC)
    for moment in (at, at + timedelta(seconds=1), at + timedelta(seconds=2)):
        record(Kind.FAILURE, user=ann, request=None, now=moment)
    assert [event.times for event in SecurityEvent.objects.order_by("pk")] == [1, 2]


def test_sign_ins_beyond_twenty_an_hour_are_counted(ann):
    now = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
    for second in range(ROWS_AN_HOUR + 5):
        record(Kind.SIGN_IN, user=ann, request=None, now=now + timedelta(seconds=second))
    times = list(SecurityEvent.objects.order_by("pk").values_list("times", flat=True))
    assert times == [1] * (ROWS_AN_HOUR - 1) + [6]
    assert last().at == now + timedelta(seconds=ROWS_AN_HOUR + 4)


def test_a_row_of_one_kind_or_person_takes_nothing_of_another(ann, bob):
    now = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
    for person in (ann, bob, None):
        for kind in (Kind.FAILURE, Kind.LOCKOUT):
            record(kind, user=person, request=None, now=now)
    assert SecurityEvent.objects.filter(times=1).count() == 6


# Lockouts ---------------------------------------------------------------------------------------


def test_too_many_wrong_passwords_are_kept_as_a_lockout(client, ann):
    for _ in range(6):
        sign_in(client, "ann", "wrong")
    assert kinds(ann) == [Kind.FAILURE, Kind.LOCKOUT]
    assert last(kind=Kind.FAILURE).times == 5
    assert last(kind=Kind.LOCKOUT).details["method"] == "password"


def test_too_many_wrong_codes_of_the_app_are_kept_as_a_lockout(client, ann):
    TOTP.activate(ann, SECRET)
    sign_in(client, "ann")
    for _ in range(6):
        client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert Kind.LOCKOUT in kinds(ann)
    client.post(reverse("mfa_authenticate"), {"code": current_totp()})
    assert not is_signed_in(client, ann)


def test_a_place_from_which_too_much_is_tried_is_kept_as_a_lockout(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": None}
    for number in range(31):
        page = sign_in(client, f"name{number}", "wrong")
    assert page.status_code == 429
    event = last(kind=Kind.LOCKOUT, user=None)
    assert (event.times, event.ip) == (1, "127.0.0.1")


def test_who_asks_for_mail_too_often_is_not_noted_as_locked_out(client, ann):
    for _ in range(21):
        page = client.post(reverse("account_reset_password"), {"email": ann.email})
    assert page.status_code == 429
    assert not SecurityEvent.objects.exists()


# Changes ----------------------------------------------------------------------------------------


def test_another_password_is_kept(confirmed, ann):
    confirmed.post(CHANGE, {"oldpassword": "secret", **NEW_PASSWORD})
    assert kinds(ann) == [Kind.PASSWORD_CHANGED]
    assert last().ip == "127.0.0.1"


def test_a_first_password_is_kept(confirmed, ann):
    ann.set_unusable_password()
    ann.save()
    confirmed.force_login(ann)
    path = reverse("reauthenticate_by_code")
    confirmed.post(path, {"action": "send"})
    confirmed.post(path, {"code": code_to(ann.email)})
    confirmed.post(reverse("account_set_password"), NEW_PASSWORD)
    assert kinds(ann) == [Kind.PASSWORD_SET]


def test_a_wrong_code_to_confirm_who_one_is_is_kept(client, ann):
    ann.set_unusable_password()
    ann.save()
    client.force_login(ann)
    path = reverse("reauthenticate_by_code")
    client.post(path, {"action": "send"})
    client.post(path, {"code": "BBBB-BBBB"})
    event = SecurityEvent.objects.get()
    assert (event.user, event.kind) == (ann, Kind.FAILURE)
    assert (event.details["method"], event.details["again"]) == ("code", True)


def test_a_forgotten_password_that_is_replaced_is_kept(client, ann):
    reset_password(client, ann)
    assert kinds(ann) == [Kind.PASSWORD_RESET]


def test_addresses_that_come_change_and_go_are_kept(confirmed, ann):
    before = ann.email
    confirmed.post(EMAIL, {"action_add": "", "email": OTHER})
    assert kinds(ann) == []
    confirmed.post(reverse("account_email_verification_sent"), {"code": code_to(OTHER)})
    confirmed.post(EMAIL, {"action_primary": "", "email": OTHER})
    confirmed.post(EMAIL, {"action_remove": "", "email": before})
    said = [(event.kind, event.details) for event in ann.security_events.order_by("pk")]
    assert said == [
        (Kind.ADDRESS_ADDED, {"email": OTHER}),
        (Kind.ADDRESS_PRIMARY, {"email": OTHER, "former": before}),
        (Kind.ADDRESS_REMOVED, {"email": before}),
    ]


def test_factors_that_come_and_go_are_kept(confirmed, ann, django_capture_on_commit_callbacks):
    page = confirmed.get(reverse("mfa_activate_totp"))
    code = current_totp(page.context["form"].secret)
    with django_capture_on_commit_callbacks(execute=True):
        confirmed.post(reverse("mfa_activate_totp"), {"code": code})
    with django_capture_on_commit_callbacks(execute=True):
        confirmed.post(reverse("mfa_generate_recovery_codes"))
    confirmed.post(reverse("mfa_deactivate_totp"))
    said = [(event.kind, event.details["factor"]) for event in ann.security_events.order_by("pk")]
    assert said == [
        (Kind.FACTOR_ADDED, "totp"),
        (Kind.FACTOR_ADDED, "recovery_codes"),
        (Kind.CODES_RENEWED, "recovery_codes"),
        (Kind.FACTOR_REMOVED, "totp"),
        (Kind.FACTOR_REMOVED, "recovery_codes"),
    ]


def test_another_name_of_a_passkey_is_kept_in_bounds(confirmed, ann):
    key = Authenticator.objects.create(
        user=ann, type=Authenticator.Type.WEBAUTHN, data={"name": "phone", "credential": {}}
    )
    confirmed.post(reverse("mfa_edit_webauthn", args=[key.pk]), {"name": "n" * 5000})
    event = ann.security_events.get()
    assert event.kind == Kind.FACTOR_RENAMED
    assert event.details == {"factor": "webauthn", "former": "phone", "name": "n" * 100}


def test_a_factor_that_a_superuser_removes_is_kept_for_its_owner(client, moderator, ann):
    factor = TOTP.activate(ann, SECRET).instance
    client.force_login(moderator)
    path = reverse("admin:mfa_authenticator_delete", args=[factor.pk])
    client.post(path, {"post": "yes"})
    event = SecurityEvent.objects.get()
    assert (event.user, event.kind) == (ann, Kind.FACTOR_REMOVED)
    assert event.details == {"factor": "totp", "by_staff": True}
    assert (event.ip, event.user_agent) == (None, "")


def test_addresses_that_a_superuser_changes_are_kept_for_their_owner(client, moderator, ann):
    client.force_login(moderator)
    address = ann.emailaddress_set.get()
    address.verified = False
    address.save()
    listed = reverse("admin:account_emailaddress_changelist")
    client.post(listed, {"action": "make_verified", "_selected_action": address.pk, "index": 0})
    change = reverse("admin:account_emailaddress_change", args=[address.pk])
    client.post(change, {"user": ann.pk, "email": OTHER, "verified": "on"})
    EmailAddress.objects.create(user=ann, email="second@example.com", verified=True)
    client.post(reverse("admin:account_emailaddress_delete", args=[address.pk]), {"post": "yes"})
    add = reverse("admin:account_emailaddress_add")
    client.post(add, {"user": ann.pk, "email": "third@example.com"})
    said = [(event.kind, event.details) for event in ann.security_events.order_by("pk")]
    assert said == [
        (Kind.ADDRESS_CHANGED, {"email": "ann@example.org", "by_staff": True}),
        (Kind.ADDRESS_CHANGED, {"email": OTHER, "by_staff": True}),
        (Kind.ADDRESS_REMOVED, {"email": OTHER, "by_staff": True}),
        (Kind.ADDRESS_ADDED, {"email": "third@example.com", "by_staff": True}),
    ]


# How long ---------------------------------------------------------------------------------------


def test_events_are_deleted_after_the_days_they_are_kept(ann, settings):
    settings.SECURITY_EVENTS_KEPT = timedelta(days=180)
    now = timezone.now()
    for days in (181, 180.1, 179.9, 0):
        record(Kind.SIGN_IN, user=ann, request=None, now=now - timedelta(days=days))
    assert tasks.delete_old_security_events() == 2
    assert tasks.delete_old_security_events() == 0
    assert ann.security_events.count() == 2


def test_many_old_events_are_deleted_in_several_rounds(ann):
    now = timezone.now()
    old = now - timedelta(days=400)
    SecurityEvent.objects.bulk_create(
        SecurityEvent(user=ann, kind=Kind.SIGN_IN, at=old) for _ in range(BATCH + 1)
    )
    assert [delete_old_events(now=now) for _ in range(3)] == [BATCH, 1, 0]


def test_nothing_is_left_of_an_account_that_is_deleted(ann):
    record(Kind.SIGN_IN, user=ann, request=None, now=timezone.now())
    ann.delete()
    assert not SecurityEvent.objects.exists()
