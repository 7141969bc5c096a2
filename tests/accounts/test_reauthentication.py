"""Who changes how an account is signed in to shows once more that it is theirs."""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.cache import cache
from django.urls import reverse

from accounts.users import get_or_create_user_for
from tests.accounts.account_mails import code_to, letters_to
from tests.accounts.test_sign_in import current_totp, is_signed_in, sign_in

pytestmark = pytest.mark.django_db

EMAIL = reverse("account_email")
BY_PASSWORD = reverse("account_reauthenticate")
BY_CODE = reverse("reauthenticate_by_code")
NEW = "attacker-owned@example.com"
SECRET = "JBSWY3DPEHPK3PXP"


def age_session(client, hours=2):
    """Make every authentication of this browser's session so many hours older."""
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= hours * 3600
    session.save()


def confirm_by_password(client, then=EMAIL):
    return client.post(BY_PASSWORD, {"password": "secret", "next": then})


def is_asked(answer, where=BY_PASSWORD):
    return answer.status_code == 302 and answer["Location"].startswith(f"{where}?next=")


@pytest.fixture
def old_session(client, ann):
    """Ann's browser: she signed in, and showed that it was her, two hours ago."""
    sign_in(client, "ann")
    confirm_by_password(client)
    age_session(client)
    return client


@pytest.fixture
def ivy(db):
    """Somebody who answered an invitation by mail: she has an address, but no password."""
    return get_or_create_user_for("ivy@example.net", name="Ivy", language="en")


def sign_in_by_code(client, person):
    client.post(reverse("account_request_login_code"), {"email": person.email})
    path = reverse("account_confirm_login_code")
    client.post(path, {"code": code_to(person.email)})
    assert is_signed_in(client, person)


@pytest.fixture
def old_session_of_ivy(client, ivy):
    sign_in_by_code(client, ivy)
    age_session(client)
    cache.clear()
    return client


# Addresses --------------------------------------------------------------------------------------


def test_an_address_is_not_added_by_a_session_whose_authentication_is_two_hours_old(
    old_session, ann
):
    assert is_asked(old_session.post(EMAIL, {"action_add": "", "email": NEW}))
    assert letters_to(NEW) == []


def test_an_address_is_not_confirmed_by_a_session_whose_authentication_is_two_hours_old(
    old_session, ann
):
    confirm_by_password(old_session)
    old_session.post(EMAIL, {"action_add": "", "email": NEW})
    age_session(old_session)
    answer = old_session.post(reverse("account_email_verification_sent"), {"code": code_to(NEW)})
    assert is_asked(answer)
    assert list(ann.emailaddress_set.values_list("email", flat=True)) == [ann.email]


def test_an_address_is_not_made_primary_by_a_session_whose_authentication_is_two_hours_old(
    old_session, ann
):
    EmailAddress.objects.create(user=ann, email=NEW, verified=True)
    assert is_asked(old_session.post(EMAIL, {"action_primary": "", "email": NEW}))
    assert EmailAddress.objects.get(email=NEW).primary is False


def test_an_address_is_not_removed_by_a_session_whose_authentication_is_two_hours_old(
    old_session, ann
):
    EmailAddress.objects.create(user=ann, email=NEW, verified=True)
    assert is_asked(old_session.post(EMAIL, {"action_remove": "", "email": NEW}))
    assert EmailAddress.objects.filter(email=NEW).exists()


def test_who_confirms_the_password_goes_on_with_what_was_asked_for(old_session, ann):
    old_session.post(EMAIL, {"action_add": "", "email": "ann@example.net"})
    answer = confirm_by_password(old_session)
    assert answer["Location"] == reverse("account_email_verification_sent")
    code = code_to("ann@example.net")
    old_session.post(reverse("account_email_verification_sent"), {"code": code})
    assert ann.emailaddress_set.get(email="ann@example.net").verified


def test_who_confirms_the_password_comes_back_to_the_form_of_tokens(old_session, ann):
    form = {"name": "phone", "account": str(ann.pk), "scopes": ["play"], "days": "90"}
    asked = old_session.post(reverse("create_token"), form)
    assert is_asked(asked)
    then = parse_qs(urlsplit(asked["Location"]).query)["next"][0]
    page = old_session.get(confirm_by_password(old_session, then)["Location"])
    assert page.status_code == 200
    shown = page.context["token_form"]
    assert {name: shown[name].value() for name in form} == form
    assert old_session.post(reverse("create_token"), form).context["secret"]


def test_who_confirms_the_password_comes_back_to_the_form_of_webhooks(old_session, ann):
    form = {"address": "https://example.org/hook", "account": ann.username}
    asked = old_session.post(reverse("webhook_add"), form)
    assert is_asked(asked)
    assert not ann.webhooks.exists()
    then = parse_qs(urlsplit(asked["Location"]).query)["next"][0]
    page = old_session.get(confirm_by_password(old_session, then)["Location"])
    assert page.context["form"]["address"].value() == form["address"]
    added = old_session.post(reverse("webhook_add"), form)
    assert added.context["secret"]


def test_a_webhook_gets_no_new_secret_from_a_session_that_is_old(old_session, ann):
    assert is_asked(old_session.post(reverse("webhook_secret", args=[1])))


def test_a_newcomer_confirms_the_address_of_the_sign_up_without_a_second_question(client):
    answers = {"username": "dora", "email": "dora@example.net", "password1": "a long walk home"}
    client.post(reverse("account_signup"), answers)
    answer = client.post(
        reverse("account_email_verification_sent"), {"code": code_to("dora@example.net")}
    )
    assert answer["Location"] == reverse("home")
    assert EmailAddress.objects.get(email="dora@example.net").verified


# Passwords --------------------------------------------------------------------------------------

CHANGE = reverse("account_change_password")
SET = reverse("account_set_password")


def new_password(**more):
    return {"password1": "another long walk", "password2": "another long walk", **more}


def test_a_password_is_changed_only_by_who_types_the_old_one(old_session, ann):
    for old in ("", "wrong"):
        assert old_session.post(CHANGE, new_password(oldpassword=old)).status_code == 200
    ann.refresh_from_db()
    assert ann.check_password("secret")


def test_guessing_the_old_password_is_stopped_even_for_who_guesses_right(
    old_session, ann, settings
):
    settings.ACCOUNT_RATE_LIMITS = {"change_password": None}  # the page's own: five a minute
    for _ in range(5):
        old_session.post(CHANGE, new_password(oldpassword="wrong"))
    page = old_session.post(CHANGE, new_password(oldpassword="secret"))
    assert "Too many failed" in page.text
    ann.refresh_from_db()
    assert ann.check_password("secret")


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_first_password_is_not_set_by_a_session_whose_authentication_is_two_hours_old(
    old_session_of_ivy, ivy, method
):
    answer = getattr(old_session_of_ivy, method)(SET, new_password())
    assert is_asked(answer, BY_CODE)
    ivy.refresh_from_db()
    assert not ivy.has_usable_password()


def test_a_password_that_came_too_late_is_not_kept_in_the_session(old_session_of_ivy):
    old_session_of_ivy.post(SET, new_password())
    assert "another long walk" not in repr(dict(old_session_of_ivy.session))


# Factors ----------------------------------------------------------------------------------------

OF_FACTORS = [
    "mfa_activate_totp",
    "mfa_add_webauthn",
]
OF_FACTORS_THERE = [
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_download_recovery_codes",
    "mfa_generate_recovery_codes",
]


@pytest.mark.parametrize("name", OF_FACTORS)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_factor_is_not_added_by_a_session_whose_authentication_is_two_hours_old(
    old_session, name, method
):
    assert is_asked(getattr(old_session, method)(reverse(name)))


@pytest.mark.parametrize("name", OF_FACTORS_THERE)
def test_factors_are_not_removed_and_codes_not_shown_by_an_old_session(old_session, ann, name):
    TOTP.activate(ann, SECRET)
    RecoveryCodes.activate(ann)
    for method in (old_session.get, old_session.post):
        answer = method(reverse(name))
        assert answer.status_code == 405 or is_asked(answer)
    assert is_asked(old_session.get(reverse(name)))
    assert ann.authenticator_set.count() == 2


@pytest.mark.parametrize("name", ["mfa_remove_webauthn", "mfa_edit_webauthn"])
def test_a_passkey_is_not_removed_or_renamed_by_an_old_session(old_session, ann, name):
    key = Authenticator.objects.create(
        user=ann, type=Authenticator.Type.WEBAUTHN, data={"name": "phone", "credential": {}}
    )
    path = reverse(name, args=[key.pk])
    assert is_asked(old_session.post(path, {"name": "mine now"}))
    key.refresh_from_db()
    assert key.data["name"] == "phone"


# People without a password ----------------------------------------------------------------------


@pytest.mark.parametrize("name", [*OF_FACTORS])
def test_who_has_no_password_is_asked_too(old_session_of_ivy, name):
    assert is_asked(old_session_of_ivy.post(EMAIL, {"action_add": "", "email": NEW}), BY_CODE)
    assert is_asked(old_session_of_ivy.get(reverse(name)), BY_CODE)
    assert letters_to(NEW) == []


def send_code(client, then=SET):
    """Ask for a code; return it."""
    answer = client.post(BY_CODE, {"action": "send", "next": then})
    assert answer.status_code == 302
    return code_to("ivy@example.net")


def test_who_has_no_password_confirms_with_a_mailed_code_and_sets_one(old_session_of_ivy, ivy):
    client = old_session_of_ivy
    code = send_code(client)
    answer = client.post(BY_CODE, {"code": code, "next": SET})
    assert answer["Location"] == SET
    assert client.get(SET).status_code == 200
    client.post(SET, new_password())
    ivy.refresh_from_db()
    assert ivy.check_password("another long walk")


def test_a_mailed_code_lets_a_waiting_action_happen(old_session_of_ivy, ivy):
    client = old_session_of_ivy
    client.post(EMAIL, {"action_add": "", "email": "ivy@example.com"})
    answer = client.post(BY_CODE, {"code": send_code(client, EMAIL), "next": EMAIL})
    assert answer["Location"] == reverse("account_email_verification_sent")
    assert letters_to("ivy@example.com")


def test_looking_at_the_page_sends_no_code(old_session_of_ivy):
    before = letters_to("ivy@example.net")
    page = old_session_of_ivy.get(BY_CODE, {"next": SET})
    assert page.status_code == 200
    assert letters_to("ivy@example.net") == before


def test_a_wrong_code_opens_nothing_and_the_third_uses_the_code_up(old_session_of_ivy):
    client = old_session_of_ivy
    code = send_code(client)
    for _ in range(3):
        client.post(BY_CODE, {"code": "BBBB-BBBB", "next": SET})
    client.post(BY_CODE, {"code": code, "next": SET})
    assert is_asked(client.get(SET), BY_CODE)


def test_a_code_opens_once(old_session_of_ivy):
    client = old_session_of_ivy
    code = send_code(client)
    client.post(BY_CODE, {"code": code, "next": SET})
    age_session(client)
    client.post(BY_CODE, {"code": code, "next": SET})
    assert is_asked(client.get(SET), BY_CODE)


def test_a_code_is_good_for_minutes_only(old_session_of_ivy):
    client = old_session_of_ivy
    code = send_code(client)
    session = client.session
    session["account_reauthentication_code"]["at"] = time.time() - 200
    session.save()
    client.post(BY_CODE, {"code": code, "next": SET})
    assert is_asked(client.get(SET), BY_CODE)


def test_a_code_that_was_never_sent_opens_nothing(old_session_of_ivy):
    for code in ("", "BBBB-BBBB"):
        old_session_of_ivy.post(BY_CODE, {"code": code, "next": SET})
    assert is_asked(old_session_of_ivy.get(SET), BY_CODE)


def test_codes_are_sent_no_more_often_than_those_that_sign_in(old_session_of_ivy, settings):
    settings.ACCOUNT_RATE_LIMITS = {"request_login_code": "2/m/key"}
    client = old_session_of_ivy
    before = len(letters_to("ivy@example.net"))
    for _ in range(4):
        page = client.post(BY_CODE, {"action": "send", "next": SET}, follow=True)
    assert len(letters_to("ivy@example.net")) == before + 2
    assert "too many requests" in page.text


def test_who_has_a_password_is_not_let_through_by_a_mailed_code(old_session, ann):
    before = letters_to(ann.email)
    answer = old_session.post(BY_CODE, {"action": "send", "next": EMAIL})
    assert answer["Location"].startswith(BY_PASSWORD)
    assert letters_to(ann.email) == before


def test_who_has_an_authenticator_app_but_no_password_is_asked_for_its_code(
    old_session_of_ivy, ivy
):
    TOTP.activate(ivy, SECRET)
    path = reverse("mfa_reauthenticate")
    assert is_asked(old_session_of_ivy.get(SET), path)
    answer = old_session_of_ivy.post(path, {"code": current_totp(), "next": SET})
    assert answer["Location"] == SET
    assert old_session_of_ivy.get(SET).status_code == 200


def test_a_confirmation_lasts_ten_minutes(old_session_of_ivy, settings):
    client = old_session_of_ivy
    client.post(BY_CODE, {"code": send_code(client), "next": SET})
    age_session(client, hours=9.9 / 60)
    assert client.get(SET).status_code == 200
    age_session(client, hours=0.2 / 60)
    assert is_asked(client.get(SET), BY_CODE)


def test_strangers_are_sent_to_the_sign_in(client, db):
    for path in (BY_CODE, SET):
        assert client.get(path)["Location"].startswith(reverse("account_login"))


@pytest.mark.parametrize("has_another", [True, False])
def test_the_only_way_to_sign_in_is_not_removed(client, ivy, has_another):
    if has_another:
        EmailAddress.objects.create(user=ivy, email="ivy@example.com", verified=True)
        ivy.emailaddress_set.filter(email="ivy@example.net").update(primary=False)
    sign_in_by_code(client, ivy)
    cache.clear()
    client.post(BY_CODE, {"code": send_code(client, EMAIL), "next": EMAIL})
    client.post(EMAIL, {"action_remove": "", "email": "ivy@example.net"})
    assert ivy.emailaddress_set.count() == 1
    assert ivy.emailaddress_set.filter(email="ivy@example.net").exists() is not has_another


# Other sessions ---------------------------------------------------------------------------------


def test_other_sessions_end_when_the_password_changes(client, another_browser, ann):
    for browser in (client, another_browser):
        sign_in(browser, "ann")
    client.post(CHANGE, new_password(oldpassword="secret"))
    assert client.get(reverse("profile_edit")).status_code == 200
    assert another_browser.get(reverse("profile_edit")).status_code == 302


def test_other_sessions_end_when_a_first_password_is_set(client, another_browser, ivy):
    for browser in (another_browser, client):
        sign_in_by_code(browser, ivy)
        cache.clear()
    client.post(BY_CODE, {"code": send_code(client), "next": SET})
    client.post(SET, new_password())
    assert client.get(reverse("profile_edit")).status_code == 200
    assert another_browser.get(reverse("profile_edit")).status_code == 302


def test_no_session_outlives_a_password_that_was_reset_by_mail(client, another_browser, ann):
    sign_in(another_browser, "ann")
    client.post(reverse("account_reset_password"), {"email": ann.email})
    letter = letters_to(ann.email)[-1]
    path = next(word for word in letter.split() if "/accounts/password/reset/key/" in word)
    client.post(client.get(path[path.index("/accounts/") :]).url, new_password())
    assert another_browser.get(reverse("profile_edit")).status_code == 302
