"""What every way of running Pli shares. Everything a host decides comes from the environment."""

from datetime import timedelta
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config.settings.numbers import whole_number

BASE_DIR = Path(__file__).resolve().parent.parent.parent
env = environ.Env()


def _number(name: str, *, default: int, least: int, most: int) -> int:
    return whole_number(env.ENVIRON, name, default=default, least=least, most=most)


# Where things are kept ---------------------------------------------------------------------------

VAR_DIR = Path(env.str("PLI_VAR", default=str(BASE_DIR / "var")))

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'pli.sqlite3'}")}
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"]["CONN_MAX_AGE"] = 60
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # SQLite has no row locks: one writer at a time, who waits for his turn.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# All processes must see the same cache: the rate limits of sign-in live in it.
CACHES = {
    "default": env.cache_url("CACHE_URL")
    if env.str("CACHE_URL", default="")
    else {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "shared_cache"},
    # Each process's own memory, for what every page needs and may be some seconds old.
    "near": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "near"},
}
HOUSE_NEWS_KEPT = 20
"""Seconds for which a process remembers announcements and whether the house is closed."""

# The apps ----------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "config",
    "notifications",
    "games",
    # The games. A new one is one more line here (docs/adding-a-game.md).
    "games.rules.supermorpion",
    "games.rules.morpion",
    "games.rules.morpiae",
    "games.rules.taquet",
    "games.rules.superpion",
    "accounts",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_htmx",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django.forms",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Drawings of boards repeat themselves: a page shrinks to a tenth.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.SessionNotes",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.middleware.PersonMiddleware",
    "accounts.middleware.BarredMiddleware",
    "accounts.middleware.StaffMiddleware",
    "games.middleware.ContactMiddleware",
    "games.middleware.RefusalMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
                "games.context.house",
                "notifications.context.mail",
            ],
        },
    },
]

# This place -----------------------------------------------------------------------------------

SITE_NAME = env.str("PLI_SITE_NAME", default="Pli")
SITE_URL = env.str("PLI_SITE_URL", default="http://localhost:8000").rstrip("/")
"""Where the pages are, as mails must link to them: scheme and host, no slash at the end."""

# Languages and time ------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("fr", _("French"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True
TIME_ZONE = "UTC"

# Static files ------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = VAR_DIR / "static"

# People and sign-in ------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backend.Backend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
    )
]
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"

STAFF_NEEDS_TWO_FACTORS = True
"""Whether moderators and hosts need a second factor to come into the admin."""

ACCOUNT_ADAPTER = "notifications.account_mail.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_FORMS = {"login": "accounts.forms.LoginForm", "signup": "accounts.forms.SignupForm"}
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.username_validators"
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
ACCOUNT_SESSION_REMEMBER = True
ALLAUTH_TRUSTED_PROXY_COUNT = _number("PLI_TRUSTED_PROXIES", default=0, least=0, most=9)
MFA_FORMS = {
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.forms.EditPasskeyForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_PASSKEY_SIGNUP_ENABLED = False
MFA_TOTP_ISSUER = SITE_NAME
USERSESSIONS_TRACK_ACTIVITY = True

# Browser's safety --------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-src": [SELF],
        "frame-ancestors": [SELF],
        "base-uri": [SELF],
        "manifest-src": [SELF],
    }
}
PERMISSIONS_POLICY: dict[str, list[str]] = {
    feature: [] for feature in ("camera", "geolocation", "microphone", "payment", "usb")
}
X_FRAME_OPTIONS = "SAMEORIGIN"
SECURE_REFERRER_POLICY = "same-origin"
DATA_UPLOAD_MAX_MEMORY_SIZE = 262_144

# Mail --------------------------------------------------------------------------------------------

DEFAULT_FROM_EMAIL = env.str("PLI_MAIL_FROM", default="Pli <games@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
MAIL_DOMAIN = env.str("PLI_MAIL_DOMAIN", default="localhost")
"""The domain of our Message-IDs and List-Ids."""
REPLY_DOMAIN = env.str("PLI_REPLY_DOMAIN", default=MAIL_DOMAIN)
"""The domain of the addresses that answers and bounces come back to."""
MAILS_AN_HOUR = 30
"""How many mails an hour one reply address takes."""
LISTEN = env.str("PLI_LISTEN", default="127.0.0.1:8025")
"""Where `manage.py listen` takes mail in: host:port for SMTP, lmtp://host:port for LMTP."""
MAIL_WEBHOOK = env.str("PLI_MAIL_WEBHOOK", default="")
"""The provider whose inbound webhook brings mail in, as Anymail calls it; empty: none."""
ANYMAIL = {
    "WEBHOOK_SECRET": env.str("PLI_MAIL_WEBHOOK_SECRET", default=""),
    # What else a provider needs, such as ANYMAIL_MAILGUN_WEBHOOK_SIGNING_KEY.
    **{
        key.removeprefix("ANYMAIL_"): env.ENVIRON[key]
        for key in env.ENVIRON
        if key.startswith("ANYMAIL_")
    },
}
IMAP_URL = env.str("IMAP_URL", default="")
"""A folder that mail is fetched from: imaps://user:password@host/folder; empty: none."""
KEEP_RAW_MAIL = timedelta(days=_number("PLI_KEEP_RAW_MAIL_DAYS", default=30, least=1, most=3650))
"""How long the text of a mail that came in is kept."""
HOST_ADDRESS = env.str("PLI_HOST_ADDRESS", default="")
"""Who is told by mail when a player cannot be reached; nobody when it is empty."""
EMAIL_TIMEOUT = 20
MAIL_HOLD = timedelta(seconds=_number("PLI_MAIL_HOLD", default=90, least=0, most=3600))
"""How long news of a game wait, so that what follows at once comes in the same mail."""
MAIL_LOOKING = timedelta(seconds=_number("PLI_MAIL_LOOKING", default=180, least=0, most=3600))
"""How long after somebody was last seen at a game's page mail about it waits for them to go."""
LETTERBOX_DIR: Path | None = None
"""Where `make run` keeps the mails it would have sent; None: there is no letterbox."""

# The queue and its doorbell ----------------------------------------------------------------------
# The database holds everything that must happen later; a broker only says "look now".

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="")
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_TIME_LIMIT = 300
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_TIMEOUT = 0.5
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 600,
    "socket_connect_timeout": 0.5,
    "socket_timeout": 5,
}

BELLS = {
    "events": ["notifications.tasks.make_notices"],
    "notices": ["notifications.tasks.send_notices"],
    "mails": ["notifications.tasks.process_mails"],
    "programs": ["games.tasks.run_programs"],
    "clocks": ["games.tasks.recount_clocks"],
}
"""Which tasks a bell rings for (games.services.bell)."""

# The games ---------------------------------------------------------------------------------------

VACATION_DAYS_A_YEAR = _number("PLI_VACATION_DAYS", default=30, least=0, most=366)
"""How many days of vacation a player may take in a calendar year."""
UNANSWERED_TABLE_LIFETIME = timedelta(days=14)

# How long somebody is sought for the seat of a player who ran out of time.
SUBSTITUTE_DAYS = 7
TABLES_A_DAY = 50
"""How many tables one person may make, rematches included: each may send somebody a challenge."""
MAILED_INVITATIONS_A_DAY = 20
"""How many addresses one person may invite."""
MESSAGES_AN_HOUR = 60
"""What one person may say at all games together."""
REPORTS_A_DAY = 10
"""What one person may report to the moderators."""
UNREACHABLE_FOR = timedelta(days=60)
"""How long a turn waits for a player whom no mail reaches."""
STAFF_DIGEST_HOUR = _number("PLI_STAFF_DIGEST_HOUR", default=6, least=0, most=23)
"""The hour (UTC) at which moderators get their daily digest, where there is something to tell."""
PRACTICE_PARTNER_USERNAME = "practice"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "notifications.tokens.LineFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("PLI_LOG_LEVEL", default="INFO")},
    # At INFO the mail listener would write down every command, reply addresses included.
    "loggers": {"mail.log": {"level": "WARNING"}, "mail.debug": {"level": "WARNING"}},
}
