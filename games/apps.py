"""The games app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesApp(AppConfig):
    name = "games"
    verbose_name = _("Games")
