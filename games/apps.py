"""The correspondence core: tables, games, turns, offers, endings."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesApp(AppConfig):
    """Games and their record."""

    name = "games"
    verbose_name = _("Games")
