"""What settings read from the environment, and which numbers they refuse."""

import re
import runpy
from copy import deepcopy
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from config import serve
from config.settings import base as settings_of_all
from config.settings.validation import CHECKED, env_int
from tests.house.prod import SITE, production, run

LOAD = """
import django
from django.conf import settings
django.setup()
print(settings.SITE_URL, settings.DEBUG, settings.LETTERBOX_DIR, settings.ALLOWED_HOSTS)
"""


def test_with_everything_decided_production_loads_without_debug_and_dev_inbox(tmp_path):
    result = run(["-c", LOAD], production(tmp_path))
    assert result.returncode == 0, result.stdout
    assert result.stdout.split() == [SITE, "False", "None", "['pli.example.org']"]


NUMBERS = {
    "PLI_VACATION_DAYS": (366, lambda found: found["VACATION_DAYS_A_YEAR"]),
    "PLI_THINKING_SECONDS": (86_400, lambda found: found["THINKING_SECONDS_A_DAY"]),
    "PLI_KEEP_RAW_MAIL_DAYS": (3650, lambda found: found["KEEP_RAW_MAIL"].days),
    "PLI_KEEP_SECURITY_EVENTS_DAYS": (3650, lambda found: found["SECURITY_EVENTS_KEPT"].days),
    "PLI_MAIL_HOLD": (3600, lambda found: found["MAIL_HOLD"].seconds),
    "PLI_MAIL_LOOKING": (3600, lambda found: found["MAIL_LOOKING"].seconds),
    "PLI_STAFF_DIGEST_HOUR": (23, lambda found: found["STAFF_DIGEST_HOUR"]),
    "PLI_SIGNUPS_AN_HOUR": (10_000, lambda found: found["SIGNUPS_AN_HOUR"]),
    "PLI_TRUSTED_PROXIES": (9, lambda found: found["ALLAUTH_TRUSTED_PROXY_COUNT"]),
}
"""The numbers that a host sets: the greatest, and what it is read as."""


@pytest.fixture
def base(monkeypatch):
    """Return how to read the settings that all ways of running share anew."""
    for name in NUMBERS:
        monkeypatch.delenv(name, raising=False)

    def read(**environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(settings_of_all.__file__)

    return read


def test_every_number_that_a_host_sets_is_read_up_to_its_bound(base):
    read = re.findall(r'_number\(\s*"(\w+)"', Path(settings_of_all.__file__).read_text())
    assert sorted(read) == sorted(NUMBERS)
    found = base(**{name: str(most) for name, (most, _) in NUMBERS.items()})
    assert all(value(found) == most for most, value in NUMBERS.values())


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_beyond_its_bound_is_refused_by_name(base, name):
    most, _ = NUMBERS[name]
    (problem,) = base(**{name: str(most + 1)})["STARTUP_PROBLEMS"]
    assert re.fullmatch(rf"{name} is “{most + 1}”.* to {most}\.", problem)


@pytest.mark.parametrize("said", ["-1", "30 days", "1.5", "٣", "9" * 5000, "367", "0x10", "1_0"])
def test_what_is_no_such_number_is_refused(said):
    with pytest.raises(ImproperlyConfigured, match=r"must be a whole number from 0 to 366\."):
        env_int({"N": said}, "N", default=30, least=0, most=366)


@pytest.mark.parametrize(
    ("said", "meant"), [({}, 30), ({"N": " "}, 30), ({"N": "007"}, 7), ({"N": "0"}, 0)]
)
def test_what_is_missing_or_empty_is_the_usual_number(said, meant):
    assert env_int(said, "N", default=30, least=0, most=366) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [("", []), ("MX1.example.org, mx2.example.org", ["mx1.example.org", "mx2.example.org"])],
)
def test_the_names_of_mail_servers_are_a_list_in_lower_case(base, said, meant):
    found = base(PLI_AUTHSERV_ID=said)
    assert (found["AUTHSERV_IDS"], found["AUTHSERV_EVERY_HEADER"]) == (meant, False)
    assert base(PLI_AUTHSERV_ID=said, PLI_AUTHSERV_EVERY_HEADER="1")["AUTHSERV_EVERY_HEADER"]


def test_factor_keys_may_have_spaces_between_them(base):
    assert base(PLI_FACTOR_KEYS="newest, oldest")["FACTOR_KEYS"] == ["newest", "oldest"]


@pytest.mark.parametrize(("option", "said"), [("--port", "70000"), ("--workers", "none")])
def test_a_port_or_a_number_of_workers_that_cannot_be_is_refused(option, said):
    with pytest.raises(
        CommandError, match=f"argument {option}: it is “{said}”, and must be a whole"
    ):
        call_command("serve", option, said)


@pytest.mark.parametrize(
    ("given", "url", "smtp"),
    [
        ({}, "https://games.example.org/healthz", ""),
        ({"PLI_PROBE_URL": "", "PLI_PROBE_SMTP": "mx:25"}, "", "mx:25"),
    ],
)
def test_pages_are_asked_at_the_site_unless_a_host_says_otherwise(base, given, url, smtp):
    found = base(PLI_SITE_URL="https://games.example.org/", **given)
    assert (found["PROBE_URL"], found["PROBE_SMTP"]) == (url, smtp)


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({"PLI_LISTEN": "0.0.0.0:2525"}, "127.0.0.1:2525"),
        ({"PLI_LISTEN": "lmtp://[::]:24"}, "[::1]:24"),
        ({"PLI_LISTEN": "nowhere"}, ""),
        ({"PLI_LISTEN": "0.0.0.0:2525", "PLI_PROBE_SMTP": ""}, ""),
        ({"PLI_LISTEN": "0.0.0.0:2525", "PLI_PROBE_SMTP": "mx:25"}, "mx:25"),
    ],
)
def test_serve_lets_its_own_listener_be_asked(monkeypatch, given, asked):
    monkeypatch.delenv("PLI_PROBE_SMTP", raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert serve.environment(8000)["PLI_PROBE_SMTP"] == asked


def test_the_readme_names_every_variable_that_is_read():
    settings_files = sorted((settings.BASE_DIR / "config" / "settings").glob("*.py"))
    source = "".join(path.read_text(encoding="utf-8") for path in settings_files)
    read = {*re.findall(r'(?:env\.\w+|_number)\(\s*"(\w+)"', source), *CHECKED}
    assert {"PLI_SITE_URL", "PLI_VACATION_DAYS", "DATABASE_URL"} < read
    readme = (settings.BASE_DIR / "README.md").read_text(encoding="utf-8")
    assert read - set(re.findall(r"`(\w+)`", readme)) == set()


def test_reading_the_settings_of_make_run_changes_no_others():
    before = deepcopy(settings_of_all.LOGGING["loggers"])
    ours = runpy.run_module("config.settings.dev")["LOGGING"]["loggers"]
    assert settings_of_all.LOGGING["loggers"] == before != ours
