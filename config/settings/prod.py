"""A host's own server. It does not start until everything is decided, and decided safely."""

from contextlib import suppress

from django.core.exceptions import ImproperlyConfigured

from config.settings.base import *  # noqa: F403
from config.settings.base import SITE_URL, STARTUP_PROBLEMS, env
from config.settings.validation import CHECKED, allowed_hosts, production_problems

PRODUCTION = True
STARTUP_PROBLEMS = [
    *STARTUP_PROBLEMS,
    *production_problems({name: env.str(name, default="") for name in CHECKED}),
]

DEBUG = False
SECRET_KEY = env.str("SECRET_KEY", default="")
ALLOWED_HOSTS = allowed_hosts(env.str("ALLOWED_HOSTS", default=""), SITE_URL)
with suppress(ImproperlyConfigured, ValueError):  # among the problems already
    vars().update(env.email_url("EMAIL_URL"))
CSRF_TRUSTED_ORIGINS = [SITE_URL]

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_files.StaticFilesStorage"},
}

# Behind a proxy that speaks TLS for us and sets this header itself.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = True
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
X_FRAME_OPTIONS = "DENY"

# Browsers take such cookies from this host alone, by TLS, for the whole site.
COOKIE_PREFIX = "__Host-"
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
CSRF_COOKIE_SECURE = True
DEVICE_COOKIE_NAME = f"{COOKIE_PREFIX}known_devices"
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}django_language"
LANGUAGE_COOKIE_SECURE = True
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
