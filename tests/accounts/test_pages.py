"""Every page of accounts is ours: its look, its head, nothing that the CSP would stop."""

import re

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.exceptions import BadRequest, PermissionDenied
from django.template.loader import render_to_string
from django.test import Client
from django.urls import path, reverse

import config.urls
from accounts.users import get_or_create_user_for
from tests.accounts.account_mails import code_to

pytestmark = pytest.mark.django_db

FOR_STRANGERS = [
    "account_login",
    "account_signup",
    "account_reset_password",
    "account_reset_password_done",
    "account_request_login_code",
    "account_inactive",
]
FOR_ANN = [
    "profile_edit",
    "account_email",
    "account_change_password",
    "account_logout",
    "account_reauthenticate",
    "mfa_index",
    "mfa_deactivate_totp",
    "mfa_add_webauthn",
    "mfa_list_webauthn",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_reauthenticate",
    "usersessions_list",
    "sign_ins",
]
INLINE = re.compile(
    r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*(\ssrc=|type=\"application/json\"))|javascript:"
)

CONTROL = re.compile(r'<(?:input|select|textarea)(?![^>]*type="hidden")[^>]*\sid="([^"]+)"')


def assert_ours(page):
    text = page.content.decode()
    assert page.status_code == 200
    assert 'class="wordmark"' in text
    assert text.count("<main") == text.count("</main>") == 1
    assert text.count("<h1>") == 1
    assert not INLINE.search(text)
    controls = re.findall(
        r'<(?:input|select|textarea)(?![^>]*type="hidden")[^>]*\sid="([^"]+)"', text
    )
    assert all(f'for="{control}"' in text for control in controls)


@pytest.fixture
def signed_in(client, ann):
    TOTP.activate(ann, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(ann)
    client.force_login(ann)
    client.post(reverse("account_reauthenticate"), {"password": "secret"})
    return client


@pytest.mark.parametrize("name", FOR_STRANGERS)
def test_pages_for_strangers_are_ours(client, name):
    assert_ours(client.get(reverse(name)))


@pytest.mark.parametrize("name", FOR_ANN)
def test_pages_for_those_signed_in_are_ours(signed_in, name):
    assert_ours(signed_in.get(reverse(name)))


def test_pages_for_those_without_a_password_are_ours(client):
    ivy = get_or_create_user_for("ivy@example.net", name="Ivy", language="en")
    client.force_login(ivy)
    path = reverse("reauthenticate_by_code")
    assert_ours(client.get(path))
    client.post(path, {"action": "send"})
    assert_ours(client.get(path))
    client.post(path, {"code": code_to("ivy@example.net")})
    assert_ours(client.get(reverse("account_set_password")))


def test_the_second_step_is_a_page_of_ours(client, ann):
    TOTP.activate(ann, "JBSWY3DPEHPK3PXP")
    client.post(reverse("account_login"), {"login": "ann", "password": "secret"})
    assert_ours(client.get(reverse("mfa_authenticate")))


def test_codes_are_entered_on_pages_of_ours(client, ann):
    client.post(reverse("account_request_login_code"), {"email": ann.email})
    assert_ours(client.get(reverse("account_confirm_login_code")))


def test_the_policy_of_the_browser_allows_no_inline_script_or_style(client):
    policy = client.get(reverse("account_login")).headers["Content-Security-Policy"]
    assert {"script-src 'self'", "style-src 'self'"} <= set(policy.split("; "))
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    "credential",
    [
        "",
        "{}",
        "[1]",
        "1",
        '"x"',
        '{"id": "x"}',
        '{"rawId": "eA", "response": {}}',
        '{"rawId": "eA", "response": "x"}',
        '{"rawId": "eA", "response": {"userHandle": null}}',
        '{"rawId": "eA", "response": {"userHandle": "MQ"}}',
        '{"rawId": "eA", "response": {"clientDataJSON": "eA", "authenticatorData": "eA"}}',
        '{"rawId": "eA", "response": {"clientDataJSON": "e30", "authenticatorData": "eA", '
        '"signature": "eA", "userHandle": "MQ"}}',
    ],
)
def test_a_passkey_without_an_answer_from_the_browser_is_refused_kindly(client, ann, credential):
    path = reverse("mfa_login_webauthn")
    client.get(path, headers={"x-requested-with": "XMLHttpRequest"})
    assert client.post(path, {"credential": credential}).status_code == 302
    assert "_auth_user_id" not in client.session


def test_a_passkey_that_is_not_sent_is_refused_kindly(client):
    assert client.post(reverse("mfa_login_webauthn"), {}).status_code == 302


# When something is wrong ------------------------------------------------------------------------


def refuse(request):
    raise PermissionDenied


def misread(request):
    raise BadRequest


def break_down(request):
    raise ZeroDivisionError


@pytest.fixture
def broken_house(settings, monkeypatch):
    doors = [path("refuse/", refuse), path("misread/", misread), path("break/", break_down)]
    monkeypatch.setattr(config.urls, "urlpatterns", [*doors, *config.urls.urlpatterns])
    from django.urls import clear_url_caches

    clear_url_caches()
    yield Client(raise_request_exception=False)
    clear_url_caches()


@pytest.mark.parametrize(
    ("address", "status", "heading"),
    [
        ("/misread/", 400, "This could not be read"),
        ("/refuse/", 403, "You cannot open this page"),
        ("/nowhere/at/all", 404, "There is nothing at this address"),
        ("/break/", 500, "Something went wrong on our side"),
    ],
)
def test_errors_have_pages_of_ours(broken_house, address, status, heading):
    page = broken_house.get(address)
    assert page.status_code == status
    text = page.content.decode()
    assert f"<h1>{heading}</h1>" in text
    assert not INLINE.search(text)
    assert "ZeroDivisionError" not in text


def test_the_page_of_a_breakdown_asks_nothing_of_the_database(django_assert_num_queries):
    with django_assert_num_queries(0):
        text = render_to_string("500.html")
    assert "Something went wrong" in text


def test_a_form_from_elsewhere_is_refused_with_a_page_of_ours(ann):
    strict = Client(enforce_csrf_checks=True)
    page = strict.post(reverse("account_login"), {"login": "ann", "password": "secret"})
    assert page.status_code == 403
    assert "Please send that again" in page.content.decode()
    assert "_auth_user_id" not in strict.session
