"""`manage.py serve`: the whole service on one machine."""

import os
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
from config.metrics import listen_for_prometheus, share_counters
from config.processes import ProcessGroup, stop_on_signals
from config.settings.validation import env_int, is_loopback
from config.startup import check_accounts

LOOK_EVERY = 0.2
"""Seconds between two checks of the processes."""


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
        if settings.DEBUG and not is_loopback(host):
            raise CommandError(
                f"--host {host} is not this machine, and DEBUG is for this machine alone. "
                "Leave --host out, or set DJANGO_SETTINGS_MODULE=config.settings.prod."
            )
        check_accounts()
        if not serve.is_free(host, port):
            raise CommandError(f"Port {port} is taken. Choose another one: PORT={port + 1}")
        stopping = stop_on_signals()
        try:
            serve.prepare()
        except PermissionError as error:
            raise CommandError(
                f"{error.filename} must belong to the user that runs Pli."
            ) from error
        if settings.DEBUG and demo.is_wanted():
            self._say("The database is empty: making a demonstration …")
            demo.seed(now=server_now())
        if settings.METRICS_TOKEN or settings.METRICS_LISTEN:
            share_counters(Path(settings.VAR_DIR) / "metrics")
            try:
                listen_for_prometheus(settings.METRICS_LISTEN)
            except OSError as error:
                message = f"PLI_METRICS_LISTEN={settings.METRICS_LISTEN}: {error}"
                raise CommandError(message) from error
        commands = {"web": serve.web_command(host, port, options["workers"])}
        if not options["web_only"]:
            commands |= serve.background_commands()
        processes = ProcessGroup(settings.BASE_DIR, serve.environment(port))
        exited, was_ready = None, False
        try:
            for name, command in commands.items():
                processes.start(name, command)
            while not stopping.is_set() and not (exited := processes.first_exited()):
                if not was_ready and (
                    (options["web_only"] or serve.takes_mail(processes.env))
                    and serve.answers(host, port, processes.env)
                ):
                    self._say_ready(processes.env)
                    was_ready = True
                stopping.wait(LOOK_EVERY)
        finally:
            processes.stop()
        if exited:
            raise CommandError(f"“{exited}” ended by itself; the others were stopped.")

    def _say_ready(self, env: dict[str, str]) -> None:
        site = env["PLI_SITE_URL"]
        self._say(f"\nPli is ready.\n\n  Pages      {site}/")
        if settings.LETTERBOX_DIR is not None:
            self._say(f"  Letterbox  {site}{reverse('letterbox')}")
        self._say(f"  Admin      {site}{reverse('admin:index')}")
        self._say(f"  Mail in    {env['PLI_LISTEN']}")
        if settings.DEBUG and demo.is_there():
            self._say("\nSign in with a name and its password:")
            self._say(indent(demo.accounts_in_words(), "  "))
        self._say("\nCtrl-C stops everything.")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
