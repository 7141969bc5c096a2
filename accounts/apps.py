"""People: who plays, in which language and time zone."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out
from django.core.checks import register
from django.db.models.signals import post_migrate, pre_save
from django.utils.translation import gettext_lazy as _

from accounts.addresses import normalize_row
from accounts.checks import check_factor_keys
from accounts.private_pages import note_sign_out
from accounts.roles import set_group_permissions


class AccountsApp(AppConfig):
    """Users and their profiles; sign-in is allauth's."""

    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        """Connect what happens at migrations, sign-ins, sign-outs and changes of addresses."""
        # Models can be loaded only now.
        from accounts import receivers  # noqa: F401  (connects them)

        register(check_factor_keys)
        user_logged_out.connect(note_sign_out, dispatch_uid="accounts.private_pages")
        post_migrate.connect(set_group_permissions, dispatch_uid="accounts.roles")
        pre_save.connect(normalize_row, sender="account.EmailAddress", dispatch_uid="accounts.form")
