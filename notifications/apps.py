"""Telling people: the outbox and what fills and empties it."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsApp(AppConfig):
    """Notices, mail out, the letterbox."""

    name = "notifications"
    verbose_name = _("Mail")
