"""Connect mail to the other apps."""

from django.apps import AppConfig
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy as _


class NotificationsApp(AppConfig):
    """Outgoing and incoming mail."""

    name = "notifications"
    verbose_name = _("Mail")

    def ready(self) -> None:
        # Models can be loaded only now.
        from allauth.account.signals import authentication_step_completed

        from accounts.backend import REQUEST_USER_FACTS
        from accounts.models import User
        from games.moderation import log
        from games.services.clock.undelivered_turns import CHECKS, TOLD_OF
        from games.services.deadlines import HELD_OF, HOLDS
        from games.services.ladders.upkeep import CHALLENGE_HOLDS
        from games.services.tables import TABLE_HOLDS
        from notifications import account_changes  # noqa: F401  (connects its receivers)
        from notifications.incoming.receiving import (
            has_unread_answer,
            has_unread_ladder_answer,
            has_unread_mail,
            with_unread_mail,
        )
        from notifications.outbox.staff_digests import mailed_log_entries
        from notifications.outbox.undelivered import told_by_mail, was_told
        from notifications.services.address_trials import resume_after_code
        from notifications.services.addresses import HAS_SUSPENDED_ADDRESS
        from notifications.services.feeds import renew_with_password

        # Nobody loses on time, and no table expires, while a mail that came in time waits.
        HOLDS.append(has_unread_mail)
        HELD_OF[has_unread_mail] = with_unread_mail
        TABLE_HOLDS.append(has_unread_answer)
        CHALLENGE_HOLDS.append(has_unread_ladder_answer)
        # Nor before they were told that it is their turn.
        CHECKS.append(was_told)
        TOLD_OF[was_told] = told_by_mail
        REQUEST_USER_FACTS["has_suspended_address"] = HAS_SUSPENDED_ADDRESS
        post_save.connect(renew_with_password, sender=User, dispatch_uid="notifications.feeds")
        authentication_step_completed.connect(
            resume_after_code, dispatch_uid="notifications.addresses"
        )
        # A moderation log shorter than a digest has told was cut.
        log.KNOWN_LENGTHS.append(mailed_log_entries)
