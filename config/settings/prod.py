"""A host's own server. Refuses to start when something that must be decided is missing."""

from config.settings.base import *  # noqa: F403
from config.settings.base import SITE_URL, env

DEBUG = False
SECRET_KEY = env.str("SECRET_KEY")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")
SITE_URL = env.str("PLI_SITE_URL").rstrip("/")  # noqa: F811
MAIL_DOMAIN = env.str("PLI_MAIL_DOMAIN")
REPLY_DOMAIN = env.str("PLI_REPLY_DOMAIN", default=MAIL_DOMAIN)
DEFAULT_FROM_EMAIL = env.str("PLI_MAIL_FROM")
vars().update(env.email_url("EMAIL_URL"))
CSRF_TRUSTED_ORIGINS = [SITE_URL]

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Behind a proxy that speaks TLS for us and sets this header itself.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = True
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
