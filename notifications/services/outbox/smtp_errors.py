"""What an error met while sending means for the mail. Only the mail server's own "no" is final."""

import re
import smtplib
from dataclasses import dataclass
from typing import Literal

from notifications.tokens import redact_tokens

LONGEST_REASON = 500
REFUSED, CLOSING, TRANSACTION_FAILED = 500, 421, 554

_POLICY = re.compile(r"\b5\.7\.\d+|relay", re.IGNORECASE)
"""Said of the sender, or of a server that should not have been asked."""

Meaning = Literal["refused", "later", "server", "ours"]
"""refused: for good; later: this mail, another time; server: no mail at all for a while; ours: the
server said nothing, the error is our own."""


@dataclass(frozen=True)
class ErrorClass:
    """What to do after an error, and the reason to show the host.

    `no_such_address`: it is the address that takes no mail, whatever is sent there.
    """

    meaning: Meaning
    reason: str
    no_such_address: bool = False


def classify_error(error: Exception) -> ErrorClass:
    """Return what an error met while sending means."""
    return ErrorClass(_meaning(error), describe_error(error), _names_no_address(error))


def _meaning(error: Exception) -> Meaning:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return _by_code(_answer(error)[0])
    if isinstance(error, smtplib.SMTPSenderRefused):
        # Our own address is refused: the host must mend that, and no mail may be lost meanwhile.
        return "later"
    if isinstance(error, smtplib.SMTPHeloError):
        return "server"  # it refuses us, not this mail
    if isinstance(error, smtplib.SMTPResponseException):
        return _by_code(error.smtp_code)
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return "ours"  # we asked for what this server has never offered
    return "server" if isinstance(error, OSError) else "ours"


def _names_no_address(error: Exception) -> bool:
    """Tell whether the recipient was refused for good, and not for who we are or what we say."""
    if not isinstance(error, smtplib.SMTPRecipientsRefused):
        return False
    code, _ = _answer(error)
    ours = _POLICY.search(describe_error(error)) or code == TRANSACTION_FAILED
    return code >= REFUSED and not ours


def _by_code(code: int) -> Meaning:
    if code == CLOSING:
        return "server"
    return "refused" if code >= REFUSED else "later"


def _answer(error: smtplib.SMTPRecipientsRefused) -> tuple[int, bytes | str]:
    """Return the first refusal: our mails have one recipient each."""
    return next(iter(error.recipients.values()), (REFUSED, b""))


def describe_error(error: Exception) -> str:
    """Return an error in words fit for the admin: what the server said, where it said something."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = _answer(error)
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, error.smtp_error
    else:
        return redact_tokens(f"{type(error).__name__}: {error}")[:LONGEST_REASON]
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return redact_tokens(f"{code} {text}")[:LONGEST_REASON]
