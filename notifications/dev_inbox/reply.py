"""Reply to a mail of the development inbox as its reader's mail program would: by SMTP."""

import smtplib
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from django.conf import settings

from notifications.dev_inbox.mails import Mail
from notifications.listener import parse_socket_address

REPLY_TIMEOUT = 30.0
"""Seconds to wait for the listener, which may itself wait 20 s until SQLite lets it write."""


class NotSent(Exception):
    """The listener does not answer or refuses the mail; the message is what it said."""


def reply_to(mail: Mail, text: str, *, now: datetime) -> None:
    """Send a reply to a mail from its reader, quoting it as mail programs do. Raises NotSent."""
    reply = EmailMessage()
    reply["From"] = mail.recipient
    reply["To"] = mail.reply_to
    reply["Subject"] = mail.subject if mail.subject.startswith("Re:") else f"Re: {mail.subject}"
    reply["Date"] = format_datetime(now.astimezone(UTC))
    reply["Message-ID"] = make_msgid("letterbox", "localhost")
    reply["In-Reply-To"] = reply["References"] = str(mail.message["Message-ID"] or "")
    quoted = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
    head = f"On {mail.kept_at:%d/%m/%Y %H:%M}, {settings.SITE_NAME} wrote:"
    reply.set_content(f"{text.strip()}\n\n{head}\n{quoted}\n")
    where = parse_socket_address(settings.LISTEN)
    kind = smtplib.LMTP if where.lmtp else smtplib.SMTP
    try:
        # With a name, because smtplib would look up the machine's name, for as long as DNS takes.
        with kind(where.host, where.port, "localhost", timeout=REPLY_TIMEOUT) as server:
            server.send_message(reply)
    except smtplib.SMTPRecipientsRefused as refused:
        code, words = next(iter(refused.recipients.values()))
        raise NotSent(f"{code} {words.decode('utf-8', 'replace')}") from None
    except smtplib.SMTPResponseException as refused:
        raise NotSent(f"{refused.smtp_code} {refused.smtp_error!r}") from None
    except (OSError, smtplib.SMTPException) as error:
        raise NotSent(str(error)) from error
