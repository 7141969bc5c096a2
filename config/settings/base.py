"""Settings that all ways of running Pli share. What a host chooses comes from the environment."""

from datetime import timedelta
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from kombu import Queue

from config.logs import logging_settings
from config.schedule import DEFAULT_QUEUE, QUEUES, routes
from config.settings.browser_safety import *  # noqa: F403
from config.settings.outside_games import outside_games
from config.settings.validation import env_int

BASE_DIR = Path(__file__).resolve().parent.parent.parent
env = environ.Env()

PRODUCTION = False
"""Whether others reach this server: then it must not start with passwords that everybody knows."""

DEVELOPMENT = False
"""Whether this is `make run`: a demonstration with public passwords, and the development inbox."""

STARTUP_PROBLEMS: list[str] = []
"""What is wrong with the environment, a sentence each. While there is any, no process starts."""


def _number(name: str, *, default: int, least: int, most: int) -> int:
    try:
        return env_int(env.ENVIRON, name, default=default, least=least, most=most)
    except ImproperlyConfigured as error:
        STARTUP_PROBLEMS.append(str(error))
        return default


# Where things are kept ---------------------------------------------------------------------------

VAR_DIR = Path(env.str("PLI_VAR", default=str(BASE_DIR / "var")))

_sqlite = f"sqlite:///{VAR_DIR / 'pli.sqlite3'}"
DATABASES = {"default": env.db("DATABASE_URL", default=_sqlite)}
if DATABASES["default"].get("ENGINE", "").rpartition(".")[2] not in ("postgresql", "sqlite3"):
    STARTUP_PROBLEMS.append("DATABASE_URL must begin with postgres:// or sqlite:///.")
    DATABASES["default"] = env.db_url_config(_sqlite)
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"]["CONN_MAX_AGE"] = 300
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # SQLite has no row locks: one writer at a time, and the others wait.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # What is deleted is overwritten in the file: a deleted account must not be found there.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
        " PRAGMA secure_delete=ON;",
    }
else:
    DATABASES["default"]["ENGINE"] = "config.postgresql"
    # A server that is cut off answers nothing, not even with an error: connections to it end after
    # these seconds (tcp_user_timeout: milliseconds). DATABASE_URL may set others.
    DATABASES["default"]["OPTIONS"] = {
        # Statements that a process repeats are planned once (a third less work for PostgreSQL).
        "server_side_binding": True,
        "prepare_threshold": 3,
        "connect_timeout": 3,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 15_000,
    } | DATABASES["default"].get("OPTIONS", {})
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = {
    # All processes must see the same counts: the limits of sign-in live here. In the database and
    # not in Redis, so that nobody needs Redis to sign in, and that no restart forgets a count.
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "shared_cache",
        # Beyond these rows counts are deleted early. Django's 300 are reached by a few callers.
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
    # Each process's own memory, for what every page needs and may be some seconds old.
    "near": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "near"},
    # What `{% cache %}` remembers: some kilobytes each, at most 100 for a game of 1,000 turns.
    "template_fragments": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "template_fragments",
        "OPTIONS": {"MAX_ENTRIES": 500},
    },
}
SITE_STATUS_SECONDS = 20
"""Seconds for which a process remembers announcements and whether the site is closed."""

# The apps ----------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "config",
    "notifications",
    "games",
    # Pli's own games. Others are named by PLI_GAMES (docs/adding-a-game.md).
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
    "games.apps.AdminApp",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django.forms",
]
_games, _wrong_games = outside_games(env.str("PLI_GAMES", default=""), INSTALLED_APPS)
INSTALLED_APPS += _games
STARTUP_PROBLEMS += _wrong_games

MIDDLEWARE = [
    "config.middleware.RequestLogMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.MethodsMiddleware",
    "config.static_files.StaticFilesMiddleware",
    # Drawings of boards repeat themselves: a page shrinks to a tenth.
    "config.compression.PageCompressionMiddleware",
    "games.middleware.EarlyAnswersMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "games.api.middleware.ApiMiddleware",
    "config.middleware.UnchangedPagesMiddleware",
    "accounts.middleware.PrivatePagesMiddleware",
    "config.middleware.HtmxRedirectMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.middleware.UserMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.SessionLifetimeMiddleware",
    "accounts.middleware.UserSessionMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.middleware.UserLocaleMiddleware",
    "accounts.middleware.PageUserMiddleware",
    "accounts.middleware.SuspendedUserMiddleware",
    "accounts.middleware.GuestMiddleware",
    "accounts.middleware.StaffMfaMiddleware",
    "accounts.middleware.ReauthenticationMiddleware",
    "accounts.middleware.UnreadableFactorMiddleware",
    "games.middleware.ContactMiddleware",
    "games.middleware.RefusalMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # A kind of mail has its templates beside its code.
        "DIRS": [BASE_DIR / "templates", BASE_DIR / "notifications" / "kinds"],
        "OPTIONS": {
            "loaders": ["config.quick_templates.Loader"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.views.site",
                "games.context.site_notices",
                "games.context.awaiting_games",
                "notifications.context.mail",
            ],
            # For all templates, and in the place of what {% load i18n %} brings.
            "builtins": ["config.quick_tags"],
            "libraries": {"i18n": "config.quick_tags"},
        },
    },
]

# config.quick_tags takes the place of Django's tags on purpose.
SILENCED_SYSTEM_CHECKS = ["templates.W003"]

# The site ----------------------------------------------------------------------------------------

SITE_NAME = env.str("PLI_SITE_NAME", default="Pli")
SITE_URL = env.str("PLI_SITE_URL", default="http://localhost:8000").rstrip("/")
"""Where the pages are, as mails must link to them: scheme and host, no slash at the end."""

SERVICE_WORKER = env.bool("PLI_SERVICE_WORKER", default=True)
"""Whether browsers keep a worker for this site: pages without a network, push, installing."""

SECURITY_CONTACT = env.str("PLI_SECURITY_CONTACT", default="")
"""Where to report a weakness, a mailto: or https: address; empty: there is no security.txt."""

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
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
"""Of collected files, too: Pli serves them itself."""

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
"""Whether moderators and administrators need a second factor to come into the admin."""

ACCOUNT_ADAPTER = "notifications.account_mail.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_FORMS = {
    "change_password": "accounts.forms.ChangePasswordForm",
    "confirm_login_code": "accounts.sign_in_forms.ConfirmLoginCodeForm",
    "add_email": "accounts.forms.AddEmailForm",
    "login": "accounts.forms.LoginForm",
    "request_login_code": "accounts.forms.RequestLoginCodeForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "signup": "accounts.forms.SignupForm",
}
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
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
ACCOUNT_SESSION_REMEMBER = True
SESSION_ENGINE = "accounts.sessions"
SESSION_LIFETIME = timedelta(days=30)
"""How long after the sign-in a session ends, however much it is used."""
STAFF_SESSION_LIFETIME = timedelta(hours=12)
"""The same for moderators and administrators."""
# A mail that says that an address has no account is as much work as one with a code: without it
# the time of the answer would tell who has an account. Strangers are spared by the limits below.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True
SIGNUPS_AN_HOUR = _number("PLI_SIGNUPS_AN_HOUR", default=60, least=1, most=10_000)
"""How many people can sign up from one address, as those of a school do."""
GUEST_LIFETIME = timedelta(days=30)
"""How long guests keep their games and their name. Their session ends at the same time."""
ACCOUNT_RATE_LIMITS = {
    "signup": f"20/m/ip,{SIGNUPS_AN_HOUR}/h/ip",
    "guest": f"10/m/ip,{SIGNUPS_AN_HOUR}/h/ip",
    "animation": "10/m/ip",
    "reset_password": "20/m/ip,60/h/ip,5/h/key",
    "request_login_code": "20/m/ip,60/h/ip,5/h/key",
    "confirm_email": "1/10s/key,5/h/key",
    "search_people": "60/m/user",
    "send_test": "5/m/user",
}
ACCOUNT_MAILS_AN_HOUR, ACCOUNT_MAILS_A_DAY = 5, 20
"""How many mails that anybody can ask for (codes, new passwords) go to one address."""
ACCOUNT_NOTIFICATIONS_AN_HOUR, ACCOUNT_NOTIFICATIONS_A_DAY = 20, 50
"""How many mails about changes of an account go to one address."""
ALLAUTH_TRUSTED_PROXY_COUNT = _number("PLI_TRUSTED_PROXIES", default=0, least=0, most=9)
FACTOR_KEYS: list[str] = [key.strip() for key in env.list("PLI_FACTOR_KEYS", default=[])]
"""What encrypts the secrets of second factors in the database; the newest key comes first."""
MFA_ADAPTER = "accounts.adapters.MFAAdapter"
MFA_FORMS = {
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.forms.EditPasskeyForm",
    "authenticate": "accounts.sign_in_forms.AuthenticateForm",
    "reauthenticate": "accounts.sign_in_forms.ReauthenticateForm",
    "authenticate_webauthn": "accounts.sign_in_forms.AuthenticatePasskeyForm",
    "login_webauthn": "accounts.sign_in_forms.LoginPasskeyForm",
    "reauthenticate_webauthn": "accounts.sign_in_forms.ReauthenticatePasskeyForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_PASSKEY_SIGNUP_ENABLED = False
MFA_TOTP_ISSUER = SITE_NAME
USERSESSIONS_TRACK_ACTIVITY = True
DEVICE_COOKIE_NAME = "known_devices"
"""The cookie that names the users who have signed in with a browser before."""
SECURITY_EVENTS_KEPT = timedelta(
    days=_number("PLI_KEEP_SECURITY_EVENTS_DAYS", default=180, least=1, most=3650)
)
"""How long the security log is kept."""
DATA_EXPORTS_KEPT = timedelta(days=7)
"""How long a file with a user's data is kept after it was made."""
DELETION_WAIT = timedelta(days=30)
"""How long a user can call off the deletion of their account."""
DELETION_REMINDER = timedelta(days=3)
"""How long before the deletion a mail reminds its user."""

# Browser's safety --------------------------------------------------------------------------------

MESSAGE_STORAGE = "config.middleware.MessageStorage"

# Mail --------------------------------------------------------------------------------------------

DEFAULT_FROM_EMAIL = env.str("PLI_MAIL_FROM", default="Pli <games@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
MAIL_DOMAIN = env.str("PLI_MAIL_DOMAIN", default="localhost")
"""The domain of our Message-IDs and List-Ids."""
REPLY_DOMAIN = env.str("PLI_REPLY_DOMAIN", default=MAIL_DOMAIN)
"""The domain of the addresses that answers and bounces come back to."""
PLAY_ADDRESS = env.str("PLI_PLAY_ADDRESS", default=f"play@{MAIL_DOMAIN}")
"""Where players write without answering a mail; only if AUTHSERV_IDS tells who wrote it."""
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
AUTHSERV_IDS = [name.strip().lower() for name in env.list("PLI_AUTHSERV_ID", default=[])]
"""Our mail servers' names in Authentication-Results (RFC 8601); empty: no sender is checked."""
AUTHSERV_EVERY_HEADER = env.bool("PLI_AUTHSERV_EVERY_HEADER", default=False)
"""Whether every such header counts, not only the topmost: our server removes forged ones."""
KEEP_RAW_MAIL = timedelta(days=_number("PLI_KEEP_RAW_MAIL_DAYS", default=30, least=1, most=3650))
"""How long the text of a mail that came in is kept."""
HOST_ADDRESS = env.str("PLI_HOST_ADDRESS", default="")
"""Where a mail is sent when a player cannot be reached; empty: none is."""
EMAIL_TIMEOUT = 20
MAIL_HOLD = timedelta(seconds=_number("PLI_MAIL_HOLD", default=90, least=0, most=3600))
"""How long mails about a game wait, so that what follows at once comes in the same mail."""
MAIL_LOOKING = timedelta(seconds=_number("PLI_MAIL_LOOKING", default=180, least=0, most=3600))
"""How long after somebody was last seen at a game's page mail about it waits for them to go."""
LETTERBOX_DIR: Path | None = None
"""Where `make run` keeps mails for its development inbox (“Letterbox”); None: there is none."""

# Push messages to browsers -----------------------------------------------------------------------

PUSH_KEY = env.str("PLI_PUSH_KEY", default="").strip()
"""The private key with which push messages are signed (VAPID); without it none are sent."""
PUBLIC_HTTP_TEST_SERVER = ""
"""The push service or webhook of the tests, at http://127.0.0.1; others are public, with TLS."""

# Periodic tasks ----------------------------------------------------------------------------------
# The database holds everything that must happen later; a broker only says "look now".

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="")
# A worker takes from all of these unless told which: `celery worker --queues mail`.
CELERY_TASK_QUEUES = [Queue(name, routing_key=name) for name in QUEUES]
CELERY_TASK_DEFAULT_QUEUE = DEFAULT_QUEUE
CELERY_TASK_ROUTES = routes()
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

WAKEUP_TASKS = {
    "events": ["notifications.tasks.make_notices", "games.tasks.answer_for_bots"],
    "notices": ["notifications.tasks.send_notices"],
    "pushes": ["notifications.tasks.send_pushes", "notifications.tasks.send_webhooks"],
    "mails": ["notifications.tasks.process_mails"],
    "bots": ["games.tasks.run_programs", "games.tasks.judge_turns"],
    "clocks": ["games.tasks.recount_clocks"],
    "ratings": ["games.tasks.rate_games"],
    "exports": ["notifications.tasks.make_exports"],
}
"""Which tasks are to look now when something of a kind is written (games.wakeups)."""

# The games ---------------------------------------------------------------------------------------

VACATION_DAYS_A_YEAR = _number("PLI_VACATION_DAYS", default=30, least=0, most=366)
"""How many days of vacation a player may take in a calendar year."""
UNANSWERED_TABLE_LIFETIME = timedelta(days=14)
RATED_TABLES = env.bool("PLI_RATED_TABLES", default=True)
"""Whether a new table is rated if its creator does not choose."""
SUBSTITUTE_DAYS, SUBSTITUTES_A_SEAT = 7, 2
"""How long a substitute is sought for a seat, and how often in a game; then it leaves the game."""
GAMES_AS_SUBSTITUTE = 3
"""How many running games one person may play as a substitute."""
GUEST_GAMES = 3
"""How many running games a guest may have."""
TABLES_A_DAY = 50
"""How many tables one person may make, rematches included: each may send somebody a challenge."""
MAILED_INVITATIONS_A_DAY = 20
"""How many addresses one person may invite."""
INVITATIONS_TO_AN_ADDRESS, INVITATIONS_COUNTED_FOR = 3, timedelta(days=30)
"""How often one person may invite one address, while nobody accepts, and within which time."""
ABORTS_BEFORE_PLAYING, ABORTS_COUNTED_FOR = 5, timedelta(days=30)
"""How many games one person may abort before they have played in them, and within which time."""
ASKS_A_DAY = 10
"""How often one person may send another a challenge, an offer or a gift of time in a day."""
MAILS_FROM_A_PLAYER = 10
"""How many mails a day one player causes another, besides turns, starts and ends; more waits."""
MESSAGES_AN_HOUR = 60
"""How many messages one person may write at all games together."""
REPORTS_A_DAY = 10
"""How many reports one person may send to the moderators."""
MOST_FOLLOWED = 200
"""How many players one person may follow."""
OPPONENTS_WAIT = timedelta(days=14)
"""After how long without contact opponents may end a game that waits for an unreachable player."""
UNREACHABLE_FOR = timedelta(days=60)
"""How long a turn waits for a player whom no mail reaches."""
LONGEST_HOLD = timedelta(days=30)
"""After this a moderator's pause of a game ends by itself."""
STAFF_DIGEST_HOUR = _number("PLI_STAFF_DIGEST_HOUR", default=6, least=0, most=23)
"""The hour (UTC) at which moderators get their daily digest, where there is something to tell."""
PRACTICE_PARTNER_USERNAME = "practice"
THINKING_SECONDS_A_DAY = _number("PLI_THINKING_SECONDS", default=1800, least=0, most=86_400)
"""For how many CPU seconds programs think for one person in a day."""

# Operation ---------------------------------------------------------------------------------------

PROBE_URL = env.str("PLI_PROBE_URL", default=f"{SITE_URL}/healthz")
"""Where the periodic tasks ask whether pages answer; empty: they do not ask."""
PROBE_SMTP = env.str("PLI_PROBE_SMTP", default="")
"""host:port where they ask whether mail can come in; empty: they do not. `serve` names its own."""
METRICS_TOKEN = env.str("PLI_METRICS_TOKEN", default="")
"""What Prometheus sends as `Authorization: Bearer ...` to read /metrics; empty: nobody can."""
METRICS_LISTEN = env.str("PLI_METRICS_LISTEN", default="")
"""host:port of an address of its own where this process answers /metrics; empty: none."""
SENTRY_DSN = env.str("SENTRY_DSN", default="")
"""Where errors are reported to; empty: nowhere."""

LOG_FORMAT = env.str("PLI_LOG_FORMAT", default="text")
if LOG_FORMAT not in ("text", "json"):
    STARTUP_PROBLEMS.append(f"PLI_LOG_FORMAT is “{LOG_FORMAT}”, and must be text or json.")
    LOG_FORMAT = "text"
LOG_LEVEL = env.str("PLI_LOG_LEVEL", default="INFO")
if LOG_LEVEL not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
    STARTUP_PROBLEMS.append(
        f"PLI_LOG_LEVEL is “{LOG_LEVEL}”, and must be DEBUG, INFO, WARNING, ERROR or CRITICAL."
    )
    LOG_LEVEL = "INFO"
LOGGING = logging_settings(LOG_FORMAT, LOG_LEVEL)
