"""The games app."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.utils.translation import gettext_lazy as _


class GamesApp(AppConfig):
    name = "games"
    verbose_name = _("Games")


class AdminApp(admin_apps.AdminConfig):
    """Django's admin, with our site."""

    default = False
    default_site = "games.moderation.admin.site.ModerationSite"
