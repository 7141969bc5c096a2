"""The whole service as one app: it holds the commands that know every part."""

from django.apps import AppConfig
from django.core.checks import register


class ConfigApp(AppConfig):
    """Holds `serve`, `drain` and `demo`."""

    name = "config"

    def ready(self) -> None:
        """Have what the host decided checked by every command."""
        # Models can be loaded only now.
        from config.checks import check_environment

        register(check_environment)
