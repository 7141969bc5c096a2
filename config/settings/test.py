"""The tests: as `make run`, with hashing made cheap and no waiting."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("PLI_VAR", tempfile.mkdtemp(prefix="pli-test-"))

from config.settings.base import *  # noqa: E402, F403
from config.settings.base import VAR_DIR  # noqa: E402

DEBUG = False
SECRET_KEY = "only-for-the-tests-0123456789-0123456789-0123456789"  # noqa: S105
ALLOWED_HOSTS = ["*"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
Path(VAR_DIR).mkdir(parents=True, exist_ok=True)
