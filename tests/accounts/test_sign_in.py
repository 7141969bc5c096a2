import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.test import Client, override_settings
from django.urls import reverse

from tests.accounts.account_mails import code_to, letters_to

pytestmark = pytest.mark.django_db
SECRET = "JBSWY3DPEHPK3PXP"


def sign_in(client, login, password="secret", **more):  # noqa: S107
    return client.post(reverse("account_login"), {"login": login, "password": password, **more})


def is_signed_in(client, person):
    return client.session.get("_auth_user_id") == str(person.pk)


def current_totp(secret=SECRET):
    """Return the code that an app shows now."""
    period = int(time.time()) // app_settings.TOTP_PERIOD
    return format_hotp_value(hotp_value(secret, period))


@pytest.fixture
def ann_with_totp(ann):
    TOTP.activate(ann, SECRET)
    RecoveryCodes.activate(ann)
    return ann


@pytest.mark.parametrize("login", ["ann", "ANN", "ann@example.org", "Ann@Example.org"])
def test_name_and_address_both_open(client, ann, login):
    assert sign_in(client, login).url == reverse("home")
    assert is_signed_in(client, ann)


def test_sign_in_leads_to_the_page_one_came_for(client, ann):
    assert sign_in(client, "ann", next="/tables/").url == "/tables/"
    assert is_signed_in(client, ann)


@pytest.mark.parametrize(("login", "password"), [("ann", "wrong"), ("ann", ""), ("", "secret")])
def test_a_wrong_password_opens_nothing(client, ann, login, password):
    answer = sign_in(client, login, password)
    assert answer.status_code == 200
    assert "field-error" in answer.content.decode()
    assert not is_signed_in(client, ann)


def test_a_mailed_code_opens(client, ann):
    answer = client.post(
        reverse("account_request_login_code"), {"email": ann.email, "next": "/tables/"}
    )
    assert answer.url.startswith(reverse("account_confirm_login_code"))
    answer = client.post(answer.url, {"code": code_to(ann.email)})
    assert answer.url == "/tables/"
    assert is_signed_in(client, ann)


def test_a_mailed_code_is_gone_after_three_wrong_ones(client, ann):
    client.post(reverse("account_request_login_code"), {"email": ann.email})
    path = reverse("account_confirm_login_code")
    for _ in range(3):
        client.post(path, {"code": "BBBB-BBBB"})
    client.post(path, {"code": code_to(ann.email)})
    assert not is_signed_in(client, ann)


def test_the_authenticator_app_is_asked_after_the_password(client, ann_with_totp):
    assert sign_in(client, "ann").url == reverse("mfa_authenticate")
    assert not is_signed_in(client, ann_with_totp)
    client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert not is_signed_in(client, ann_with_totp)
    client.post(reverse("mfa_authenticate"), {"code": current_totp()})
    assert is_signed_in(client, ann_with_totp)


def test_the_authenticator_app_is_asked_after_a_mailed_code_too(client, ann_with_totp):
    client.post(reverse("account_request_login_code"), {"email": ann_with_totp.email})
    code = code_to(ann_with_totp.email)
    answer = client.post(reverse("account_confirm_login_code"), {"code": code})
    assert answer.url == reverse("mfa_authenticate")
    assert not is_signed_in(client, ann_with_totp)


def test_a_recovery_code_opens_once(client, another_browser, ann_with_totp):
    codes = Authenticator.objects.get(user=ann_with_totp, type="recovery_codes").wrap()
    code = codes.get_unused_codes()[0]
    for browser in (client, another_browser):
        sign_in(browser, "ann")
        browser.post(reverse("mfa_authenticate"), {"code": code})
    assert is_signed_in(client, ann_with_totp)
    assert not is_signed_in(another_browser, ann_with_totp)


def set_up_totp(client):
    """Set up an authenticator app on our page, as somebody who is signed in."""
    path = reverse("mfa_activate_totp")
    assert client.get(path).url.startswith(reverse("account_reauthenticate"))
    confirmed = {"password": "secret", "next": path}
    assert client.post(reverse("account_reauthenticate"), confirmed).url == path
    page = client.get(path)
    assert 'class="qr" src="data:image/svg+xml' in page.content.decode()
    client.post(path, {"code": current_totp(page.context["form"].secret)})


def test_an_authenticator_app_is_set_up_on_our_page(
    client, ann, django_capture_on_commit_callbacks
):
    sign_in(client, "ann")
    with django_capture_on_commit_callbacks(execute=True):
        set_up_totp(client)
    types = Authenticator.objects.filter(user=ann).values_list("type", flat=True)
    assert set(types) == {"totp", "recovery_codes"}
    assert letters_to(ann.email)


def test_a_new_second_factor_ends_the_sessions_that_began_without_it(
    client, another_browser, ann, bob, django_capture_on_commit_callbacks
):
    """It would give staff powers to whoever stole one of them."""
    third = Client()
    sign_in(third, "bob")
    sign_in(client, "ann")
    sign_in(another_browser, "ann")
    assert is_signed_in(another_browser, ann)
    with django_capture_on_commit_callbacks(execute=True):
        set_up_totp(client)
    assert client.get(reverse("profile_edit")).status_code == 200
    assert another_browser.get(reverse("profile_edit")).status_code == 302
    assert third.get(reverse("profile_edit")).status_code == 200


def test_a_forgotten_password_is_replaced_through_the_mail(client, ann):
    client.post(reverse("account_reset_password"), {"email": ann.email})
    letter = letters_to(ann.email)[-1]
    path = next(word for word in letter.split() if "/accounts/password/reset/key/" in word)
    path = path[path.index("/accounts/") :]
    form = client.get(path).url
    new = {"password1": "another long walk", "password2": "another long walk"}
    assert client.post(form, new).status_code == 302
    ann.refresh_from_db()
    assert ann.check_password("another long walk")


def test_passwords_are_kept_as_argon2():
    from config.settings import base

    with override_settings(PASSWORD_HASHERS=base.PASSWORD_HASHERS):
        assert make_password("secret").startswith("argon2$argon2id$")


def test_a_bot_cannot_sign_in(client, db):
    answer = sign_in(client, settings.PRACTICE_PARTNER_USERNAME, "")
    assert answer.status_code == 200
    assert not EmailAddress.objects.filter(user__is_bot=True).exists()
    assert "_auth_user_id" not in client.session


def test_signing_out_needs_a_post(client, ann):
    client.force_login(ann)
    assert client.get(reverse("account_logout")).status_code == 200
    assert is_signed_in(client, ann)
    assert client.post(reverse("account_logout")).status_code == 302
    assert not is_signed_in(client, ann)


def test_the_session_list_ends_other_sessions_and_keeps_this_one(client, another_browser, ann):
    for browser in (client, another_browser):
        sign_in(browser, "ann")
        browser.get(reverse("profile_edit"))
    page = client.get(reverse("usersessions_list")).content.decode()
    assert page.count("<dl ") == 2
    client.post(reverse("usersessions_list"))
    assert client.get(reverse("profile_edit")).status_code == 200
    assert another_browser.get(reverse("profile_edit")).status_code == 302


def test_a_session_list_shows_a_hostile_browser_name_as_text(client, ann):
    sign_in(client, "ann")
    hostile = {"user-agent": "<script>alert(1)</script>"}
    page = client.get(reverse("usersessions_list"), headers=hostile).content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert(1)" not in page
