"""The settings refuse to start when something is missing, or cannot be meant."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from config.settings import base as settings_of_all
from config.settings.numbers import whole_number

DECIDED = {
    "SECRET_KEY": "not-a-secret-but-as-long-and-varied-as-a-real-one-0123456789",
    "ALLOWED_HOSTS": "pli.example.org",
    "PLI_SITE_URL": "https://pli.example.org",
    "PLI_MAIL_DOMAIN": "pli.example.org",
    "PLI_MAIL_FROM": "games@pli.example.org",
    "EMAIL_URL": "smtp://localhost:25",
}
LOAD = "from config.settings import prod; print(prod.SITE_URL, prod.DEBUG, prod.LETTERBOX_DIR)"


def load(tmp_path, environment):
    env = {"PATH": os.environ["PATH"], "PLI_VAR": str(tmp_path), **environment}
    return subprocess.run(
        [sys.executable, "-c", LOAD],
        cwd=settings.BASE_DIR,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def test_with_everything_decided_they_load_without_debug_and_letterbox(tmp_path):
    result = load(tmp_path, DECIDED)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["https://pli.example.org", "False", "None"]


@pytest.mark.parametrize("name", DECIDED)
def test_without_one_of_them_they_refuse_and_name_it(tmp_path, name):
    result = load(tmp_path, {key: value for key, value in DECIDED.items() if key != name})
    assert result.returncode != 0
    assert "ImproperlyConfigured" in result.stderr
    assert name in result.stderr


NUMBERS = {
    "PLI_VACATION_DAYS": (366, lambda found: found["VACATION_DAYS_A_YEAR"]),
    "PLI_KEEP_RAW_MAIL_DAYS": (3650, lambda found: found["KEEP_RAW_MAIL"].days),
    "PLI_MAIL_HOLD": (3600, lambda found: found["MAIL_HOLD"].seconds),
    "PLI_MAIL_LOOKING": (3600, lambda found: found["MAIL_LOOKING"].seconds),
    "PLI_STAFF_DIGEST_HOUR": (23, lambda found: found["STAFF_DIGEST_HOUR"]),
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
    with pytest.raises(ImproperlyConfigured, match=rf"{name} is “{most + 1}”.* to {most}\."):
        base(**{name: str(most + 1)})


@pytest.mark.parametrize("said", ["-1", "30 days", "1.5", "٣", "9" * 5000, "367", "0x10", "1_0"])
def test_what_is_no_such_number_is_refused(said):
    with pytest.raises(ImproperlyConfigured, match=r"must be a whole number from 0 to 366\."):
        whole_number({"N": said}, "N", default=30, least=0, most=366)


@pytest.mark.parametrize(
    ("said", "meant"), [({}, 30), ({"N": " "}, 30), ({"N": "007"}, 7), ({"N": "0"}, 0)]
)
def test_what_is_missing_or_empty_is_the_usual_number(said, meant):
    assert whole_number(said, "N", default=30, least=0, most=366) == meant


@pytest.mark.parametrize(("option", "said"), [("--port", "70000"), ("--workers", "none")])
def test_a_port_or_a_number_of_workers_that_cannot_be_is_refused(option, said):
    with pytest.raises(
        CommandError, match=f"argument {option}: it is “{said}”, and must be a whole"
    ):
        call_command("serve", option, said)


def test_the_readme_names_every_variable_that_is_read():
    settings_files = sorted((settings.BASE_DIR / "config" / "settings").glob("*.py"))
    source = "".join(path.read_text(encoding="utf-8") for path in settings_files)
    read = set(re.findall(r'(?:env\.\w+|_number)\(\s*"(\w+)"', source))
    assert {"PLI_SITE_URL", "PLI_VACATION_DAYS", "DATABASE_URL"} < read
    readme = (settings.BASE_DIR / "README.md").read_text(encoding="utf-8")
    assert read - set(re.findall(r"`(\w+)`", readme)) == set()
