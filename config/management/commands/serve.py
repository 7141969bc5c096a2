"""`manage.py serve`: the whole service on one machine."""

import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from accounts.server_time import server_now
from config import demo, serve
from config.metrics import FOLDER, listen_for_prometheus, share_counters
from config.processes import stop_on_signals
from config.service import Service, prepare_memory
from config.settings.validation import env_int, is_loopback
from config.startup import check_accounts


def _up_to(most: int) -> Callable[[str], int]:
    """Return what reads a number of the command line or of the environment."""

    def number(said: str) -> int:
        try:
            return env_int({"it": said}, "it", default=0, least=1, most=most)
        except ImproperlyConfigured as error:
            raise ArgumentTypeError(str(error)) from error

    return number


class Command(BaseCommand):
    help = "Prepare the database, then run the web server, the mail listener and the workers."
    requires_system_checks = []  # serve.prepare makes them where anything has changed

    def add_arguments(self, parser: CommandParser) -> None:
        env = os.environ
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=_up_to(65535), default=env.get("PORT") or "8000")
        parser.add_argument(
            "--workers",
            type=_up_to(64),
            default=env.get("WEB_CONCURRENCY") or "1",
            help="how many processes make pages",
        )
        parser.add_argument(
            "--web-only", action="store_true", help="leave what must happen later to others"
        )

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        if settings.DEVELOPMENT and not is_loopback(host):
            raise CommandError(
                f"--host {host} is not this machine, and `make run` is for this machine alone. "
                "Leave --host out, or set DJANGO_SETTINGS_MODULE=config.settings.prod."
            )
        check_accounts()
        if not serve.is_free(host, port):
            raise CommandError(f"Port {port} is taken. Choose another one: PORT={port + 1}")
        stopping = stop_on_signals()
        if settings.METRICS_TOKEN or settings.METRICS_LISTEN:
            self.share_counters_of_all()
        has_demo = self.prepare()
        if stopping.is_set():
            return
        prepare_memory(port)
        service = Service(settings.BASE_DIR, host, port, lambda: self._say_ready(has_demo=has_demo))
        exited = service.run(options["workers"], web_only=options["web_only"], stopping=stopping)
        if exited:
            raise CommandError(f"“{exited}” ended by itself; the others were stopped.")

    def prepare(self) -> bool:
        """Prepare folders, tables and files; return whether the demonstration is there."""
        try:
            serve.prepare(self._say)
        except PermissionError as error:
            raise CommandError(
                f"{error.filename} must belong to the user that runs Pli."
            ) from error
        if settings.DEVELOPMENT and demo.is_wanted():
            self._say("The database is empty: making a demonstration …")
            demo.seed(now=server_now())
        return settings.DEVELOPMENT and demo.is_there()

    def share_counters_of_all(self) -> None:
        """Let all processes count together, and answer Prometheus for all of them.

        Starts this process again where it has begun to count by itself.
        """
        is_shared = FOLDER in os.environ
        share_counters(Path(settings.VAR_DIR) / "metrics")
        if not is_shared:
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606
        try:
            listen_for_prometheus(settings.METRICS_LISTEN)
        except OSError as error:
            message = f"PLI_METRICS_LISTEN={settings.METRICS_LISTEN}: {error}"
            raise CommandError(message) from error

    def _say_ready(self, *, has_demo: bool) -> None:
        site = settings.SITE_URL
        lines = ["", "Pli is ready.", "", f"  Pages      {site}/"]
        if settings.LETTERBOX_DIR is not None:
            lines.append(f"  Letterbox  {site}{reverse('letterbox')}")
        lines += [f"  Admin      {site}{reverse('admin:index')}", f"  Mail in    {settings.LISTEN}"]
        if has_demo:
            lines += ["", "Sign in with a name and its password:"]
            lines.append(indent(demo.accounts_in_words(), "  "))
        # All at once: other processes write into the same log.
        self._say("\n".join([*lines, "", "Ctrl-C stops everything."]))

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
