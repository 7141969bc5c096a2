"""`make run`: one machine, nothing to set up, mail goes to the development inbox.

The public passwords are for this machine alone: nothing else is served.
"""

from config.settings.base import *  # noqa: F403
from config.settings.base import (
    FACTOR_KEYS,
    LOGGING,
    MIDDLEWARE,
    PUSH_KEY,
    STARTUP_PROBLEMS,
    VAR_DIR,
    env,
)
from config.settings.validation import (
    DEVELOPMENT_SECRET_KEY,
    PUBLIC_FACTOR_KEY,
    PUBLIC_PUSH_KEY,
    development_problems,
)

STARTUP_PROBLEMS = [*STARTUP_PROBLEMS, *development_problems(env.ENVIRON)]

DEVELOPMENT = True
# Django's own pages for errors show code and settings. Pli's are what everybody else sees.
DEBUG = env.bool("PLI_DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default=DEVELOPMENT_SECRET_KEY)
FACTOR_KEYS = FACTOR_KEYS or [PUBLIC_FACTOR_KEY]
PUSH_KEY = PUSH_KEY or PUBLIC_PUSH_KEY
# Any other name may be a stranger's that leads here (DNS rebinding).
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
MIDDLEWARE = ["config.middleware.LoopbackOnlyMiddleware", *MIDDLEWARE]

if env.str("EMAIL_URL", default=""):
    vars().update(env.email_url("EMAIL_URL"))
else:
    EMAIL_BACKEND = "notifications.dev_inbox.backend.EmailBackend"
    LETTERBOX_DIR = VAR_DIR / "letterbox"

# Static files as they lie in the tree: a change is seen at once.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

# Nobody wants a line for each request between what `make run` says.
# A copy: base.LOGGING, which a test has read as well, stays as it is.
LOGGING = LOGGING | {"loggers": LOGGING["loggers"] | {"pli.requests": {"level": "WARNING"}}}

# The demo's moderator signs in with a password alone; nothing here is worth a second factor.
STAFF_NEEDS_TWO_FACTORS = False
