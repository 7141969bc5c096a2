"""Who is examined, and with what."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import parseaddr

from django.conf import settings

from notifications.services.mail_checks.dns_lookups import DnsResolver

PATIENCE = timedelta(seconds=60)


@dataclass
class CheckContext:
    """What the checks are told.

    `to` is where the trial mail goes (else to our own reply address), `patience` how long its way
    back may take, `ip` the address that our mail leaves from, `dkim_selector` the name of the key
    it is signed with; `has_pipe`: mail comes in by `receive_mail`, so nobody need listen. `trial`
    is the token of the trial mail's reply address once that was sent.
    """

    zone: DnsResolver
    now: datetime
    to: str = ""
    patience: timedelta = PATIENCE
    ip: str = ""
    dkim_selector: str = ""
    has_pipe: bool = False
    trial: str = field(default="", repr=False)

    @property
    def sender_domain(self) -> str:
        """The domain of the From header of our mails."""
        return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2].lower()

    @property
    def reply_domain(self) -> str:
        """The domain that answers and bounces come back to: the envelope's."""
        return str(settings.REPLY_DOMAIN).lower()
