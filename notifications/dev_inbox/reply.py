"""Answers a mail of the letterbox as its reader's mail program would: by real SMTP."""

import smtplib
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from django.conf import settings

from notifications.dev_inbox.mails import Mail
from notifications.listener import parse_socket_address

PATIENCE = 30.0
"""Seconds to wait for the listener, which may itself wait 20 s until SQLite lets it write."""


class NotSent(Exception):
    """The listener does not answer, or takes no such mail; says so in its words."""


def reply_to(mail: Mail, text: str, *, now: datetime) -> None:
    """Send an answer to a mail from its reader, quoting it as mail programs do. Raises NotSent."""
    where = parse_socket_address(settings.LISTEN)
    kind = smtplib.LMTP if where.lmtp else smtplib.SMTP
    try:
        # Named, because smtplib would else look up the machine's name, for as long as DNS takes.
        with kind(where.host, where.port, "localhost", timeout=PATIENCE) as server:
            server.send_message(_answer(mail, text, now))
    except smtplib.SMTPRecipientsRefused as refused:
        code, words = next(iter(refused.recipients.values()))
        raise NotSent(f"{code} {words.decode('utf-8', 'replace')}") from None
    except smtplib.SMTPResponseException as refused:
        raise NotSent(f"{refused.smtp_code} {refused.smtp_error!r}") from None
    except (OSError, smtplib.SMTPException) as error:
        raise NotSent(str(error)) from error


def _answer(mail: Mail, text: str, now: datetime) -> EmailMessage:
    answer = EmailMessage()
    answer["From"] = mail.recipient
    answer["To"] = mail.reply_to
    answer["Subject"] = mail.subject if mail.subject.startswith("Re:") else f"Re: {mail.subject}"
    answer["Date"] = format_datetime(now.astimezone(UTC))
    answer["Message-ID"] = make_msgid("letterbox", "localhost")
    answer["In-Reply-To"] = answer["References"] = str(mail.message["Message-ID"] or "")
    quoted = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
    head = f"On {mail.kept_at:%d/%m/%Y %H:%M}, {settings.SITE_NAME} wrote:"
    answer.set_content(f"{text.strip()}\n\n{head}\n{quoted}\n")
    return answer
