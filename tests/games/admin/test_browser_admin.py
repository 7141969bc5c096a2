"""The admin in a real browser: on a desk and a phone, in both languages, by day and by night."""

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from games.models import Announcement, Report
from notifications.models import Notice
from tests.accounts.test_sign_in import SECRET, current_totp
from tests.axe import violations
from tests.sample_site import populate

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}

GROUP = "admin:auth_group_add"
FINDINGS_IN_DJANGO = {GROUP: [("light", "aria-prohibited-attr", 2)]}
"""What axe finds (scheme, rule, how many elements) and only Django can change.

Its SelectFilter2.js names the magnifying glass above each list of permissions with an aria-label,
which a span without a role may not have.
"""

LOOK = """() => [
  getComputedStyle(document.body).backgroundColor,
  getComputedStyle(document.body).fontFamily,
  getComputedStyle(document.documentElement).getPropertyValue("--accent"),
]"""


@pytest.fixture
def sample():
    """A site with one of everything; its superuser signs in with a password and a code."""
    sample = populate(now=timezone.now())
    sample.root.authenticator_set.all().delete()
    TOTP.activate(sample.root, SECRET)
    return sample


def pages_of(sample):
    """Yield (name, address) of each kind of page: lists, forms, actions and their questions."""
    report, notice = Report.objects.earliest("pk"), Notice.objects.earliest("pk")
    announcement = Announcement.objects.get()
    for name, *args in (
        ("admin:index",),
        ("admin:app_list", "games"),
        ("admin:games_report_changelist",),
        ("admin:games_game_changelist",),
        ("admin:accounts_user_changelist",),
        ("admin:notifications_notice_changelist",),
        ("admin:games_moderationlogentry_changelist",),
        ("admin:games_outage_changelist",),
        ("admin:games_game_change", sample.private.pk),
        ("admin:games_report_change", report.pk),
        ("admin:accounts_user_change", sample.dan.pk),
        ("admin:games_message_change", sample.message.pk),
        ("admin:notifications_notice_change", notice.pk),
        ("admin:accounts_user_account", sample.dan.pk),
        ("admin:games_announcement_change", announcement.pk),
        (GROUP,),
        ("admin:accounts_user_do", sample.cat.pk, "warn"),
        ("admin:games_game_do", sample.private.pk, "pause"),
        ("admin:games_report_do", report.pk, "close"),
        ("admin:games_moderationlogentry_verify",),
        ("admin:games_outage_declare",),
        ("admin:password_change",),
    ):
        yield name, reverse(name, args=args)


def sign_in_by_code(page, check):
    """Go to the admin as root; `check` gets the name of each page on the way."""
    page.goto(reverse("admin:index"))
    page.wait_for_url("**/login/**")
    check("sign-in")
    page.locator("[name=login]").fill("root")
    page.locator("[name=password]").fill("secret")
    page.locator("main form:has([name=login]) button[type=submit]").first.click()
    page.locator("[name=code]").wait_for()
    check("second factor")
    page.locator("[name=code]").fill(current_totp())
    page.locator("main form:has([name=code]) button[type=submit]").first.click()
    page.wait_for_url("**" + reverse("admin:index"))


@pytest.mark.parametrize(
    ("language", "screen"), [("en", DESK), ("fr", PHONE)], ids=["en-desk", "fr-phone"]
)
def test_axe_finds_nothing_of_ours_and_each_page_fits(
    new_context, live_server, sample, language, screen
):
    sample.root.language = language
    sample.root.save()
    page = new_context(base_url=live_server.url, locale=language, **screen).new_page()
    blocked = []
    page.on("pageerror", lambda error: blocked.append(str(error)))
    page.on("console", lambda said: "Content Security" in said.text and blocked.append(said.text))

    def check(name):
        assert blocked == [], name
        found = violations(page)
        assert [(way, rule, len(elements)) for way, rule, _, elements in found] == (
            FINDINGS_IN_DJANGO.get(name, [])
        ), (name, found)
        blocked.clear()  # axe reads imported stylesheets by a style of its own
        assert page.evaluate("document.documentElement.lang") == language, name
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
        # A column that is too narrow scrolls nowhere, and breaks each word.
        narrow = "document.querySelector('main').clientWidth / innerWidth"
        assert page.evaluate(narrow) > 0.75, name

    sign_in_by_code(page, check)
    for name, address in pages_of(sample):
        assert page.goto(address).status == 200, name
        check(name)


def test_the_admin_has_the_look_of_the_site_and_leads_back_to_it(new_context, live_server, sample):
    page = new_context(base_url=live_server.url, locale="en", **DESK).new_page()
    sign_in_by_code(page, lambda name: None)
    seen = []
    for choice in ("Day", "Night", "As the device"):
        page.goto(reverse("admin:games_report_changelist"))
        page.get_by_role("button", name=choice).click()
        page.reload()
        seen.append(page.evaluate(LOOK))
        page.goto(reverse("lobby"))
        assert page.evaluate(LOOK) == seen[-1], choice
    day, night, by_device = seen
    assert day == by_device
    assert day[0] != night[0]

    page.goto(reverse("admin:games_game_change", args=[sample.public.pk]))
    paper = "getComputedStyle(document.querySelector('.board .ground')).fill"
    by_day = page.evaluate(paper)
    page.get_by_role("button", name="Night").click()
    assert page.evaluate(paper) != by_day

    page.goto(reverse("admin:games_report_changelist"))
    expect(page.get_by_role("link", name="Admin")).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="Settings of root").click()
    page.wait_for_url("**" + reverse("profile_edit"))
    page.goto(reverse("admin:index"))
    page.get_by_role("link", name="My games").click()
    page.wait_for_url(live_server.url + reverse("home"))
