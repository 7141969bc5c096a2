"""Telling people: the outbox and what fills and empties it."""

from django.apps import AppConfig
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy as _


class NotificationsApp(AppConfig):
    """Notices, mail out, the letterbox."""

    name = "notifications"
    verbose_name = _("Mail")

    def ready(self) -> None:
        """Connect mail to what other apps do.

        Clocks wait for mails that came in time, the log knows what digests told of it, and
        calendars change their address with the password.
        """
        # Models can be loaded only now.
        from accounts.models import User
        from games.moderation import log
        from games.services.deadlines import HOLDS
        from notifications import account_changes  # noqa: F401  (connects its receivers)
        from notifications.incoming.receiving import has_unread_mail
        from notifications.services.feeds import renew_with_password
        from notifications.services.outbox.staff_digests import mailed_log_entries

        HOLDS.append(has_unread_mail)
        post_save.connect(renew_with_password, sender=User, dispatch_uid="notifications.feeds")
        log.KNOWN_LENGTHS.append(mailed_log_entries)
