"""What an error of the mail server means for the mail that met it."""

import smtplib
from dataclasses import dataclass
from typing import Literal

LONGEST_REASON = 500
REFUSED, CLOSING = 500, 421

Meaning = Literal["refused", "later", "server"]
"""refused: for good; later: this mail, another time; server: no mail at all for a while."""


@dataclass(frozen=True)
class Verdict:
    """What to do after an error, and the reason to show the host."""

    meaning: Meaning
    reason: str


def verdict(error: Exception) -> Verdict:
    """Return what an error met while sending means."""
    return Verdict(_meaning(error), words(error))


def _meaning(error: Exception) -> Meaning:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return _by_code(_answer(error)[0])
    if isinstance(error, smtplib.SMTPSenderRefused):
        # Our own address is refused: the host must mend that, and no mail may be lost meanwhile.
        return "later"
    if isinstance(error, smtplib.SMTPResponseException):
        return _by_code(error.smtp_code)
    if isinstance(error, smtplib.SMTPNotSupportedError | ValueError):
        return "refused"
    return "server" if isinstance(error, OSError) else "later"


def _by_code(code: int) -> Meaning:
    if code == CLOSING:
        return "server"
    return "refused" if code >= REFUSED else "later"


def _answer(error: smtplib.SMTPRecipientsRefused) -> tuple[int, bytes | str]:
    """Return the first refusal: our mails have one recipient each."""
    return next(iter(error.recipients.values()), (REFUSED, b""))


def words(error: Exception) -> str:
    """Return an error in words fit for the admin: what the server said, where it said something."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = _answer(error)
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, error.smtp_error
    else:
        return f"{type(error).__name__}: {error}"[:LONGEST_REASON]
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return f"{code} {text}"[:LONGEST_REASON]
