"""Telling people: the outbox and what fills and empties it."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsApp(AppConfig):
    """Notices, mail out, the letterbox."""

    name = "notifications"
    verbose_name = _("Mail")

    def ready(self) -> None:
        """Let the games' clock wait for mails that came in time."""
        # Models can be loaded only now.
        from games.services.clock import HOLDS
        from notifications.services.incoming.holding import has_unread_mail

        HOLDS.append(has_unread_mail)
