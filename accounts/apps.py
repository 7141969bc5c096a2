"""People: who plays, in which language and time zone."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

from accounts.roles import grant


class AccountsApp(AppConfig):
    """Users and their profiles; sign-in is allauth's."""

    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        """Have the roles brought up to date with every migration."""
        post_migrate.connect(grant, dispatch_uid="accounts.roles")
