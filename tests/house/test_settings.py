"""The prod settings refuse to start when something that must be decided is missing."""

import os
import subprocess
import sys

import pytest
from django.conf import settings

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
