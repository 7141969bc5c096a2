"""Telling people: the outbox and what fills and empties it."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsApp(AppConfig):
    """Notices, mail out, the letterbox."""

    name = "notifications"
    verbose_name = _("Mail")

    def ready(self) -> None:
        """Let the games' clock wait for mails that came in time."""
        clock = import_module("games.services.clock")  # models can be loaded only now
        has_unread_mail = import_module("notifications.services.holding").has_unread_mail
        clock.HOLDS.append(has_unread_mail)
