"""An e-mail backend that keeps each mail as a file, for the letterbox to show."""

import os
import secrets
import time
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class EmailBackend(BaseEmailBackend):
    """Writes each mail to LETTERBOX_DIR, whole or not at all, under names in order of time."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Keep these mails; return how many."""
        folder = settings.LETTERBOX_DIR
        if folder is None:
            raise ImproperlyConfigured("This e-mail backend needs LETTERBOX_DIR.")
        folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            _keep(folder, message.message().as_bytes(linesep="\r\n"))  # type: ignore[call-arg]
        return len(email_messages)


def _keep(folder: Path, mail: bytes) -> None:
    name = f"{time.time_ns():020d}-{secrets.token_hex(4)}"
    unfinished = folder / f"{name}.part"
    unfinished.write_bytes(mail)
    os.replace(unfinished, folder / f"{name}.eml")
