"""The games app."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.utils.translation import gettext_lazy as _


class GamesApp(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        # Models can be loaded only now.
        from accounts.backend import REQUEST_USER_FACTS
        from games.models.invitation import HAS_INVITATION

        REQUEST_USER_FACTS["has_invitation"] = HAS_INVITATION


class AdminApp(admin_apps.AdminConfig):
    """Django's admin, with our site."""

    default = False
    default_site = "games.moderation.admin.site.ModerationSite"
