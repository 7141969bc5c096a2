"""The running site, the people in it, and what is kept of a journey that failed."""

import re
import sys
from pathlib import Path

import pytest

from tests.journeys.people import Person, PersonWithoutScripts
from tests.journeys.processes import SOON, Processes, answers
from tests.servers import free_port
from tests.var_folder import furnish

TIMEOUT = 60_000
"""Milliseconds a page may take on a busy machine."""

FAILED = pytest.StashKey()

PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 900}}
LOCALES = {
    "en": {"locale": "en-GB", "timezone_id": "Europe/London"},
    "fr": {"locale": "fr-FR", "timezone_id": "Europe/Paris"},
}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


class RunningSite:
    """Everything that `make run` starts, with a database and a port of its own; ann lives there."""

    def __init__(self, processes, folder):
        self.processes, self.port = processes, free_port()
        self.site = f"http://localhost:{self.port}"
        furnish(folder / "var")
        processes.env |= {"PLI_VAR": str(folder / "var"), "PORT": str(self.port), **SOON}
        # Everybody in the journeys comes from the same address.
        processes.env["PLI_SIGNUPS_AN_HOUR"] = "1000"

    def start(self):
        self.processes.start("serve", [sys.executable, "manage.py", "serve"])
        self.processes.until(lambda: answers(self.port), "the pages are there")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The running site, for all journeys of a session."""
    folder = tmp_path_factory.mktemp("site")
    with Processes(folder) as processes:
        site = RunningSite(processes, folder)
        site.start()
        yield site


@pytest.fixture
def results(request):
    """Return where a test leaves what helps to understand its failure."""
    name = re.sub(r"\W+", "-", request.node.name).strip("-")
    return Path(request.config.getoption("--output")) / name


@pytest.fixture
def newcomer(request, new_context, results):
    """Return a function that brings somebody with a browser to a service: by default the site.

    Nothing may go wrong on their pages: no script fails, no policy stops one, no answer is 500.
    """
    people, services = [], []

    def come(name, language="en", *, service=None, scripts=True, **more):
        services.append(service or request.getfixturevalue("site"))
        browser = {"base_url": services[-1].site, "java_script_enabled": scripts}
        # `page.route` does not see what a service worker asks for: it is allowed where it is tried.
        more = DESK | {"service_workers": "block"} | more
        context = new_context(**browser, **LOCALES[language], **more)
        context.set_default_timeout(TIMEOUT)
        people.append((Person if scripts else PersonWithoutScripts)(context, name, language))
        return people[-1]

    yield come
    complaints = {person.name: person.complaints for person in people if person.complaints}
    if request.node.stash.get(FAILED, False) or complaints:
        _keep(results, people, services)
    assert not complaints


def _keep(folder, people, services):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "processes.log").write_text(services[0].processes.words())
    for person in people:
        for number, page in enumerate(person.context.pages):
            stem = f"{person.name}-{number}"
            (folder / f"{stem}.html").write_text(f"<!-- {page.url} -->\n{page.content()}")
            page.screenshot(path=folder / f"{stem}.png", full_page=True)
