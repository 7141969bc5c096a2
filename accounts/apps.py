"""Users, with their language and time zone."""

from django.apps import AppConfig
from django.core.checks import register
from django.db.models.signals import post_migrate, pre_save
from django.utils.translation import gettext_lazy as _

from accounts.addresses import normalize_row
from accounts.checks import check_factor_keys
from accounts.roles import set_group_permissions


class AccountsApp(AppConfig):
    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        """Connect the receivers of signals, and the check of the keys."""
        # Models can be loaded only now.
        from accounts import receivers  # noqa: F401  (connects them)

        register(check_factor_keys)
        post_migrate.connect(set_group_permissions, dispatch_uid="accounts.roles")
        pre_save.connect(normalize_row, sender="account.EmailAddress", dispatch_uid="accounts.form")
