"""The whole service as one app: it holds the commands that know every part."""

import gc
import os
import sys

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import register
from django.db.backends.signals import connection_created

PRIVATE = 0o077
"""The umask of every process: what Pli writes is for its own user alone."""


class ConfigApp(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Prepare any process: refuse unsafe settings, set umask, time limits and reporting."""
        # Models can be loaded only now.
        from config import checks, startup
        from config.metrics import listen_for_prometheus
        from config.sentry import start_reporting
        from config.timeouts import CHORE_COMMANDS, ProcessRole, limit_connection, set_process_role

        gc.freeze()  # what has been loaded stays
        gc.enable()
        gc.set_threshold(10_000)  # a page makes thousands of objects: fewer collections for each
        os.umask(PRIVATE)
        register(checks.check_environment)
        connection_created.connect(limit_connection, dispatch_uid="config.timeouts")
        startup.check_settings()
        start_reporting(settings.SENTRY_DSN)
        if sys.argv[1:2] and sys.argv[1] in CHORE_COMMANDS:
            set_process_role(ProcessRole.CHORES)
        if sys.argv[1:2] in (["drain"], ["listen"]):
            listen_for_prometheus(settings.METRICS_LISTEN)
