"""What the checks are given, and what they return."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import parseaddr
from enum import StrEnum

from django.conf import settings

from notifications.services.mail_checks.dns_lookups import DnsResolver

TIMEOUT = timedelta(seconds=60)


@dataclass
class CheckContext:
    """What the checks are given.

    `to` is the recipient of the sample mail (else a reply address of ours), `timeout` how long to
    wait until it comes back, `ip` the address that our mail leaves from, `dkim_selector` the name
    of the key it is signed with; `has_pipe`: mail comes in by `receive_mail`, so the listener need
    not run. `sample_token` is the token of the sample mail's reply address once that was sent.
    """

    dns: DnsResolver
    now: datetime
    to: str = ""
    timeout: timedelta = TIMEOUT
    ip: str = ""
    dkim_selector: str = ""
    has_pipe: bool = False
    sample_token: str = field(default="", repr=False)

    @property
    def sender_domain(self) -> str:
        """The domain of the From header of our mails."""
        return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2].lower()

    @property
    def reply_domain(self) -> str:
        """The domain of reply addresses and of the envelope's sender."""
        return str(settings.REPLY_DOMAIN).lower()


class Severity(StrEnum):
    """How bad it is: WARN is for what may be intended, or could not be checked."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Finding:
    """What a check has found, in a sentence; `advice` is what to do about it."""

    severity: Severity
    sentence: str
    advice: str = ""


def ok(sentence: str) -> Finding:
    """Return that all is well."""
    return Finding(Severity.OK, sentence)


def warn(sentence: str, advice: str = "") -> Finding:
    """Return what an administrator should look at."""
    return Finding(Severity.WARN, sentence, advice)


def fail(sentence: str, advice: str) -> Finding:
    """Return what keeps mail from going out or coming in."""
    return Finding(Severity.FAIL, sentence, advice)
