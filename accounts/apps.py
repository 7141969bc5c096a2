"""People: who plays, in which language and time zone."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsApp(AppConfig):
    """Users and their profiles; sign-in is allauth's."""

    name = "accounts"
    verbose_name = _("People")
