"""What axe finds on a page by day and by night."""

from axe_playwright_python.sync_playwright import Axe

OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules whose answer hangs on the colours: the others answer by night as they did by day."""


def violations(page):
    """Return (scheme, rule, impact, elements) of everything that is wrong."""
    found = []
    for scheme, rules in (("light", {}), ("dark", {"runOnly": OF_COLOURS})):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no half-way colours
        answer = Axe().run(page, options={"resultTypes": ["violations"]} | rules).response
        found += [
            (scheme, one["id"], one["impact"], [node["html"] for node in one["nodes"]])
            for one in answer["violations"]
        ]
    page.emulate_media(color_scheme="light")
    return found
