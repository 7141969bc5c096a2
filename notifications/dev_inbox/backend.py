"""An e-mail backend that keeps each mail as a file, for the development inbox to show."""

import os
import secrets
import time
from collections.abc import Sequence

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class EmailBackend(BaseEmailBackend):
    """Writes each mail to LETTERBOX_DIR, completely or not at all; names sort by time."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = settings.LETTERBOX_DIR
        if folder is None:
            raise ImproperlyConfigured("This e-mail backend needs LETTERBOX_DIR.")
        folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            mail = message.message().as_bytes(linesep="\r\n")  # type: ignore[call-arg]
            name = f"{time.time_ns():020d}-{secrets.token_hex(4)}"
            unfinished = folder / f"{name}.part"
            unfinished.write_bytes(mail)
            os.replace(unfinished, folder / f"{name}.eml")
        return len(email_messages)
