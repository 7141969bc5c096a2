"""`manage.py rotate_factor_keys`: encrypt second factors with the newest key."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import ngettext

from accounts.factor_keys import encrypt_all


class Command(BaseCommand):
    help = "Encrypt the secrets of second factors with the first of PLI_FACTOR_KEYS."

    def handle(self, *args: Any, **options: Any) -> None:
        done = encrypt_all()
        changed = ngettext(
            "%(count)s second factor was encrypted with the newest key.",
            "%(count)s second factors were encrypted with the newest key.",
            done.changed,
        )
        self.stdout.write(changed % {"count": done.changed})
        if done.unreadable:
            unreadable = ngettext(
                "No key in PLI_FACTOR_KEYS reads %(count)s second factor. It was not changed: add "
                "the key it was encrypted with at the end, and run this again.",
                "No key in PLI_FACTOR_KEYS reads %(count)s second factors. They were not changed: "
                "add the key they were encrypted with at the end, and run this again.",
                done.unreadable,
            )
            raise CommandError(unreadable % {"count": done.unreadable})
