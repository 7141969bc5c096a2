"""Why a game is over, or why a player left it."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Ending(models.TextChoices):
    """Why a game is over, when the rules did not end it (their reasons are slugs too)."""

    AGREED = "agreed", _("by agreement")
    RESIGNED = "resigned", _("by resignation")
    TIMEOUT = "timeout", _("on time")
    ABORTED = "aborted", _("aborted by a player")
    NEVER_BEGUN = "never-begun", _("the first turn was never played")
    WITHDRAWN = "withdrawn", _("the table was cancelled")
    DECLINED = "declined", _("the invitation was declined")
    EXPIRED = "expired", _("nobody answered")
    UNREACHABLE = "unreachable", _("a player could not be reached")
    ADJUDICATED = "adjudicated", _("decided by a moderator")
    BROKEN_OFF = "broken-off", _("aborted by a moderator")
    FINAL_DAY = "final-day", _("on its last possible day")
    REMOVED = "removed", _("removed from the game by a moderator")


ON_TIME = (Ending.TIMEOUT, Ending.NEVER_BEGUN, Ending.UNREACHABLE)
"""Endings that a lack of time, or mail that did not arrive, brought about."""
