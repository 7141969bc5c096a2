"""The pages of accounts in a real browser: passkeys, languages, the lamp, what axe finds."""

import pytest
from allauth.mfa.models import Authenticator
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from accounts.users import get_or_create_user_for
from tests.accounts.account_mails import code_to
from tests.axe import violations
from tests.factories import StaffFactory
from tests.suspensions import KEPT_OUT, WHY, closed

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

FOR_STRANGERS = ["account_login", "account_signup", "account_reset_password"]
FOR_ANN = [
    "profile_edit",
    "your_time",
    "account_email",
    "usersessions_list",
    "sign_ins",
    "mfa_index",
]


@pytest.fixture
def site(live_server):
    """The address of the running site: passkeys want a name, not a number."""
    return live_server.url.replace("127.0.0.1", "localhost")


@pytest.fixture
def quiet_page(page):
    """A page on which nothing may go wrong: no script fails, the policy stops nothing."""
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    yield page
    assert complaints == []


def sign_in(page, site, name="ann"):
    page.goto(site + reverse("account_login"))
    page.get_by_label("User name or e-mail address").fill(name)
    page.get_by_label("Password").fill("secret")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(site + "/")


def make_authenticator(page):
    """Give the browser a passkey store that says yes to everything."""
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def make_passkey(page, site):
    make_authenticator(page)
    sign_in(page, site)
    page.goto(site + reverse("mfa_add_webauthn"))
    page.get_by_label("Password").fill("secret")
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Recovery Codes")).to_be_visible()


@pytest.mark.parametrize("kept_out", KEPT_OUT)
def test_a_passkey_shows_a_suspended_user_the_reason_and_no_more(page, site, ann, kept_out):
    make_passkey(page, site)
    StaffFactory(username="host", role="Hosts")
    kept_out(ann, timezone.now())
    page.context.clear_cookies()
    page.goto(site + reverse("account_login"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(lambda url: "/login/" not in url)
    if kept_out is closed:
        assert page.url == site + reverse("account_inactive")
        page.goto(site + reverse("profile_edit"))
        assert "/login/" in page.url
    else:
        expect(page.get_by_text(WHY)).to_be_visible()
        assert page.goto(site + reverse("profile_edit")).status == 403


def test_a_passkey_is_made_and_opens_the_house_without_a_password(quiet_page, site, ann):
    page = quiet_page
    make_passkey(page, site)
    assert Authenticator.objects.filter(user=ann, type="webauthn").count() == 1

    page.goto(site + reverse("profile_edit"))
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.goto(site + reverse("account_login") + "?next=/settings/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(site + "/settings/")
    expect(page.get_by_role("link", name="ann")).to_be_visible()
    kept = ann.security_events.order_by("pk").values_list("kind", "details__method")
    assert list(kept) == [
        ("sign-in", "password"),
        ("factor-added", None),
        ("factor-added", None),
        ("sign-in", "passkey"),
    ]


def test_who_has_no_password_confirms_with_a_code_and_chooses_one(quiet_page, site, db):
    page, ivy = quiet_page, get_or_create_user_for("ivy@example.net", name="Ivy", language="en")
    page.goto(site + reverse("account_request_login_code"))
    page.get_by_label("Email").fill(ivy.email)
    page.get_by_role("button", name="Send the code").click()
    page.get_by_label("Code").fill(code_to(ivy.email))
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(site + "/")
    page.goto(site + reverse("account_change_password"))
    page.get_by_role("button", name="Send the code").click()
    page.get_by_label("Code").fill(code_to(ivy.email))
    assert violations(page) == []
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("Password", exact=True).fill("another long walk")
    page.get_by_label("Password (again)").fill("another long walk")
    page.get_by_role("main").get_by_role("button", name="Set Password").click()
    expect(page.get_by_role("heading", name="Change your password")).to_be_visible()
    ivy.refresh_from_db()
    assert ivy.check_password("another long walk")


def test_a_passkey_that_fails_is_said_on_the_page(page, site, ann):
    page.goto(site + reverse("account_login"))
    page.evaluate("() => { navigator.credentials.get = () => Promise.reject(new Error('no')); }")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("The passkey could not be used.")).to_be_visible()


@pytest.mark.browser_context_args(timezone_id="Asia/Tokyo", locale="fr-FR")
def test_sign_up_takes_zone_and_language_from_the_browser(quiet_page, site):
    page = quiet_page
    page.goto(site + reverse("account_signup") + "?next=/settings/")
    page.locator("[name=username]").fill("dora")
    page.locator("[name=email]").fill("dora@example.org")
    page.locator("[name=password1]").fill("a long walk home")
    page.locator("main form button[type=submit]").click()
    page.locator("[name=code]").wait_for()
    page.locator("[name=code]").fill(code_to("dora@example.org"))
    page.locator("main form.card button[type=submit]").first.click()
    page.wait_for_url(site + "/settings/")
    dora = User.objects.get(username="dora")
    assert (dora.language, dora.time_zone) == ("fr", "Asia/Tokyo")
    expect(page.locator("[name=time_zone]")).to_have_value("Asia/Tokyo")


def test_the_lamp_is_remembered(quiet_page, site):
    page = quiet_page
    paper = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    page.goto(site + reverse("account_login"))
    day = page.evaluate(paper)
    page.get_by_role("button", name="Night").click()
    night = page.evaluate(paper)
    assert night != day
    page.reload()
    assert page.evaluate(paper) == night
    expect(page.get_by_role("button", name="Night")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="As the device").click()
    assert page.evaluate(paper) == day


def test_a_choice_from_the_browser_s_storage_moves_to_the_cookie_once(quiet_page, site):
    page = quiet_page
    night, device = (page.get_by_role("button", name=name) for name in ("Night", "As the device"))
    page.goto(site + reverse("account_login"))
    for old, pressed in (("dark", night), ("purple", night), ("light", night)):
        page.evaluate("theme => localStorage.setItem('pli-theme', theme)", old)
        page.reload()
        expect(pressed).to_have_attribute("aria-pressed", "true")
        assert page.evaluate("localStorage.length") == 0
        assert "pli-theme=dark" in page.evaluate("document.cookie")
    device.click()
    page.reload()
    expect(device).to_have_attribute("aria-pressed", "true")


def test_signing_out_empties_the_browser_but_for_its_preferences(quiet_page, site, ann):
    page = quiet_page
    sign_in(page, site)
    page.get_by_role("button", name="Night").click()
    page.evaluate("localStorage.setItem('private', 'a')")
    page.goto(site + reverse("profile_edit"))
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.wait_for_url(site + "/")
    assert page.evaluate("localStorage.length") == 0
    expect(page.get_by_role("button", name="Night")).to_have_attribute("aria-pressed", "true")
    page.go_back()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_label("Display name")).to_have_count(0)


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_without_scripts_one_signs_in_and_changes_settings(page, site, ann):
    sign_in(page, site)
    page.goto(site + reverse("profile_edit"))
    expect(page.get_by_role("button", name="Night")).to_be_hidden()
    page.get_by_label("Display name").fill("Anna")
    page.get_by_label("Time zone").select_option("Europe/Paris")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Your settings are saved.")
    ann.refresh_from_db()
    assert (ann.display_name, ann.time_zone) == ("Anna", "Europe/Paris")


def test_the_skip_link_is_the_first_stop_of_the_keyboard(quiet_page, site):
    page = quiet_page
    page.goto(site + reverse("account_login"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


@pytest.mark.parametrize("names", [FOR_STRANGERS, FOR_ANN], ids=["strangers", "ann"])
def test_axe_finds_nothing_and_a_phone_needs_no_sideways_scrolling(quiet_page, site, ann, names):
    page = quiet_page
    page.set_viewport_size({"width": 360, "height": 740})
    if names is FOR_ANN:
        sign_in(page, site)
    for name in names:
        page.goto(site + reverse(name))
        assert violations(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
