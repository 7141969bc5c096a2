"""The whole service as one app: it holds the commands that know every part."""

from django.apps import AppConfig


class ConfigApp(AppConfig):
    """Holds `serve`, `drain` and `demo`."""

    name = "config"
