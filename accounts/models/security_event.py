"""What happened at the door of an account: sign-ins, failed attempts and changes."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User


class SecurityEvent(models.Model):
    """Something that concerns how somebody signs in, kept for SECURITY_EVENTS_KEPT.

    `user` is empty for failures under names that nobody has. `times` counts what was not worth a
    row of its own; the row then tells of the last one. `ip` and `user_agent` are those of the
    browser; both are empty for what a superuser did in the admin. `details` may hold:

    - `method`: how somebody signed in or tried to (`METHODS`), `factor`: with which second factor
    - `again`: whether they were signed in already, and re-authenticated
    - `new_device`: whether the browser was new
    - `email`, `former`: an address, and the main address before it
    - `name`, `former`: of a passkey; `name`: of a token
    - `by_staff`: whether a superuser did it
    - `addresses`: of repeated failures, up to ten IP addresses they came from
    """

    class Kind(models.TextChoices):
        SIGN_IN = "sign-in", _("signed in")
        FAILURE = "failure", _("attempt failed")
        LOCKOUT = "lockout", _("blocked for a while after too many attempts")
        PASSWORD_CHANGED = "password-changed", _("password changed")
        PASSWORD_SET = "password-set", _("first password set")
        PASSWORD_RESET = "password-reset", _("forgotten password replaced")
        ADDRESS_ADDED = "address-added", _("address added")
        ADDRESS_CHANGED = "address-changed", _("address changed")
        ADDRESS_PRIMARY = "address-primary", _("main address changed")
        ADDRESS_REMOVED = "address-removed", _("address removed")
        FACTOR_ADDED = "factor-added", _("second factor added")
        FACTOR_RENAMED = "factor-renamed", _("passkey renamed")
        FACTOR_REMOVED = "factor-removed", _("second factor removed")
        CODES_RENEWED = "codes-renewed", _("new recovery codes made")
        TOKEN_MADE = "token-made", _("token for a program made")
        TOKEN_REVOKED = "token-revoked", _("token for a program revoked")
        DELETION_ASKED = "deletion-asked", _("deletion of the account asked for")
        DELETION_STOPPED = "deletion-stopped", _("deletion of the account called off")

    user = models.ForeignKey(
        User,
        on_delete=models.CASCADE,
        related_name="security_events",
        null=True,
        blank=True,
        verbose_name=_("person"),
        db_index=False,  # `security_event_by_person` is one
    )
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    at = models.DateTimeField(_("at"))
    times = models.PositiveIntegerField(_("times"), default=1)
    ip = models.GenericIPAddressField(_("IP address"), null=True, blank=True)
    user_agent = models.CharField(_("browser"), max_length=200, blank=True)
    details = models.JSONField(_("details"), default=dict, blank=True)

    class Meta:
        verbose_name = _("security event")
        verbose_name_plural = _("security events")
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["user", "-at", "-id"], name="security_event_by_person"),
            models.Index(fields=["at"], name="security_event_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"
