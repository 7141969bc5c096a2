"""The tests: as `make run`, with hashing made cheap and no waiting."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

if "PLI_VAR" not in os.environ:
    os.environ["PLI_VAR"] = tempfile.mkdtemp(prefix="pli-test-")
    atexit.register(shutil.rmtree, os.environ["PLI_VAR"], ignore_errors=True)

from config.settings.base import *  # noqa: F403
from config.settings.base import DATABASES, INSTALLED_APPS, MIDDLEWARE, VAR_DIR

DEBUG = False
SECRET_KEY = "only-for-the-tests-0123456789-0123456789-0123456789"  # noqa: S105
FACTOR_KEYS = ["b25seSBmb3IgdGhlIHRlc3RzOiAzMiBieXRlcyBsb24="]
PUSH_KEY = "cHVzaCBrZXkgb2YgdGhlIHRlc3RzOiAzMiBieXRlcyE"
ALLOWED_HOSTS = ["*"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A test may ask for a code at the end of its 30 seconds, and send it in the next.
MFA_TOTP_TOLERANCE = 1
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
Path(VAR_DIR).mkdir(parents=True, exist_ok=True)

# Whose `flush`, after a test that commits, is quicker than Django's.
INSTALLED_APPS += ["tests"]

# Holds each answer of the API against its document.
MIDDLEWARE.insert(
    MIDDLEWARE.index("games.api.middleware.ApiMiddleware"),
    "tests.api.checking.CheckedApiMiddleware",
)

# Connections must not outlive a test's threads; SQLite is a file, as it is for players.
DATABASES["default"]["CONN_MAX_AGE"] = 0
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}

# Static files as they lie in the tree: nothing was collected.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

# Nothing answers there; the tests of these checks bring their own servers.
PROBE_URL = ""
PROBE_SMTP = ""
