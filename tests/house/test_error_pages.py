"""Whatever goes wrong, the page is one of Pli's: with `make run` as on a host's server."""

import json

import pytest

from tests.house.prod import run
from tests.var_folder import environment, migrate

ASK = """
import json
import django
django.setup()
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.test import Client
from django.urls import path
from config import urls

def raising(error):
    def view(request):
        raise error
    return view

urls.urlpatterns += [
    path("failing/", raising(ZeroDivisionError())),
    path("forbidden/", raising(PermissionDenied())),
    path("busy/", raising(OperationalError())),
]
client = Client(enforce_csrf_checks=True, raise_request_exception=False, HTTP_HOST="localhost")
answers = {
    "400": client.get("/", HTTP_HOST="elsewhere.example.org"),
    "403": client.get("/forbidden/"),
    "403_csrf": client.post("/accounts/login/", {"login": "ann"}),
    "404": client.get("/no-such-page/"),
    "404 of a view": client.get("/games/999/"),
    "405": client.get("/announcements/x/dismiss/"),
    "500": client.get("/failing/"),
    "503": client.get("/busy/"),
}
print(json.dumps({name: [one.status_code, one.text] for name, one in answers.items()}))
"""

pytestmark = pytest.mark.slow


def answers_with(folder, **more):
    """Return the status and the page of each error, by its name, as `make run` answers."""
    migrate(folder)
    env = environment(folder) | {"DJANGO_SETTINGS_MODULE": "config.settings.dev"} | more
    said = run(["-c", ASK], env).stdout
    return json.loads(said.splitlines()[-1])


def test_with_make_run_every_error_has_a_page_of_ours(tmp_path):
    answers = answers_with(tmp_path / "var", PLI_SITE_NAME="The Club")
    for name, (status, page) in answers.items():
        assert status == int(name[:3]), name
        assert "To the home page" in page or name == "404 of a view", name
        assert "<span>The Club</span></a>" in page, name
        for told in ("Traceback", "urlpatterns", "ZeroDivisionError", "DEBUG = True"):
            assert told not in page, (name, told)


def test_a_developer_asks_for_pages_with_the_code(tmp_path):
    answers = answers_with(tmp_path / "var", PLI_DEBUG="1")
    assert "Using the URLconf defined in" in answers["404"][1]
    assert "ZeroDivisionError" in answers["500"][1]
