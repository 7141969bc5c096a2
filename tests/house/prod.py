"""The environment of a host's own server, and Pli's processes started with it."""

import secrets
import subprocess
import sys

from cryptography.fernet import Fernet
from django.conf import settings

from tests.var_folder import environment

SITE = "https://pli.example.org"


def production(folder, **changed):
    """Return an environment that production accepts; a value of None leaves a variable out."""
    decided = {
        "DJANGO_SETTINGS_MODULE": "config.settings.prod",
        "PLI_FACTOR_KEYS": Fernet.generate_key().decode(),
        "SECRET_KEY": secrets.token_urlsafe(50),
        "PLI_SITE_URL": SITE,
        "PLI_MAIL_DOMAIN": "pli.example.org",
        "PLI_MAIL_FROM": "Pli <games@pli.example.org>",
        "EMAIL_URL": "smtp+tls://pli:mail-password@mail.example.org:587",
    }
    merged = environment(folder) | decided | changed
    return {name: value for name, value in merged.items() if value is not None}


def run(command, env, **how):
    """Run a command to its end; what it writes is in `stdout`, errors included."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=settings.BASE_DIR,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=240,
        **how,
    )
