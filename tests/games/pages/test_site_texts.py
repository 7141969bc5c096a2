"""About, Privacy and Contact in a real browser: on a desk and a phone, in both languages."""

import pytest

from tests.axe import violations

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

PHONE = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 800}}


@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_they_are_reached_from_the_foot_and_fit_the_screen(
    new_context, live_server, settings, screen, language
):
    settings.SECURITY_CONTACT = "mailto:safe@example.org"
    page = new_context(base_url=live_server.url, locale=language, **screen).new_page()
    page.goto("/rules/")
    for name in ("about", "privacy", "contact"):
        page.locator(f'footer a[href="/{name}/"]').click()
        page.wait_for_url(f"**/{name}/")
        assert page.evaluate("innerWidth") == screen["viewport"]["width"]
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert violations(page) == []
