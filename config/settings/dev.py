"""`make run`: one machine, nothing to set up, mail goes to the letterbox."""

from config.settings.base import *  # noqa: F403
from config.settings.base import VAR_DIR, env

DEBUG = True
SECRET_KEY = env.str("SECRET_KEY", default="only-for-make-run-where-nothing-is-secret-0123456789")
ALLOWED_HOSTS = ["*"]

if env.str("EMAIL_URL", default=""):
    vars().update(env.email_url("EMAIL_URL"))
else:
    EMAIL_BACKEND = "notifications.letterbox.backend.EmailBackend"
    LETTERBOX_DIR = VAR_DIR / "letterbox"

# The demo's moderator signs in with a password alone; nothing here is worth a second factor.
STAFF_NEEDS_TWO_FACTORS = False
