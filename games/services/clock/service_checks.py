"""Whether pages and mail in answer: where they did not, no clock ran, and nobody loses on time.

The tasks that end turns may work while nobody can play. So they ask, as a browser and as a mail
server would, at PLI_PROBE_URL and PLI_PROBE_SMTP. The time from the last answer before a failed
check to the next answer is an outage, however short.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from smtplib import SMTP, SMTPException
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction

from games.models import Heartbeat, Outage
from games.services.clock.outages import has_just_started
from games.services.site_status import is_closed

log = logging.getLogger(__name__)

TIMEOUT = 5.0
"""Seconds that a server may take for each step of its answer."""

Of = Heartbeat.Of

KINDS: Mapping[int, Outage.Kind] = {Of.PAGES: Outage.Kind.PAGES, Of.MAIL_IN: Outage.Kind.MAIL_IN}
"""The kind of outage when one of them does not answer."""


def check_services(*, now: datetime) -> int:
    """Ask pages and mail in whether they answer; return how many outages this call recorded."""
    return sum(_check(which, address, now=now) for which, address in _addresses().items())


def answer_after(moment: datetime, *, now: datetime) -> bool:
    """Tell whether pages and mail in have answered after a moment; if not yet, they are asked."""
    addresses = _addresses()
    beats = Heartbeat.objects.in_bulk(addresses) if addresses else {}
    for which, address in addresses.items():
        beat = beats.get(which)
        is_known = beat is not None and beat.address == address and beat.failing_since is None
        if beat is None or not is_known or beat.at <= moment:
            _check(which, address, now=now)
    return not any_failing(now=now)


def are_held(*, now: datetime) -> bool:
    """Tell whether nobody loses on time now, whatever the deadline.

    So it is while the site is closed, while pages or mail in do not answer, and in the first
    minutes after the service was down: players may not have found back yet.
    """
    return is_closed() or has_just_started(now=now) or any_failing(now=now)


def any_failing(*, now: datetime) -> bool:
    """Tell whether pages or mail in, which answered before, did not when they were last asked."""
    return Heartbeat.objects.failing(now).exists()


def _addresses() -> dict[int, str]:
    """Return what is to be asked, and where."""
    known = {int(Of.PAGES): settings.PROBE_URL, int(Of.MAIL_IN): settings.PROBE_SMTP}
    return {which: address for which, address in known.items() if address}


def _check(which: int, address: str, *, now: datetime) -> bool:
    """Ask one, and record the answer; tell whether that ended an outage."""
    try:
        ASK[which](address)
    except (OSError, HTTPException, SMTPException, ValueError) as error:
        _record_failure(which, address, error, now=now)
        return False
    return _record_answer(which, address, now=now)


@transaction.atomic
def _record_failure(which: int, address: str, error: Exception, *, now: datetime) -> None:
    beat = _locked(which, address, now)
    if beat.failing_since is None:
        beat.failing_since = now
        log.warning("%s does not answer: %s", address, error)
    beat.asked_at = now
    beat.save()


@transaction.atomic
def _record_answer(which: int, address: str, *, now: datetime) -> bool:
    beat = _locked(which, address, now)
    is_end = beat.failing_since is not None and beat.has_answered and beat.at < now
    if is_end:
        Outage.objects.create(kind=KINDS[which], began_at=beat.at, ended_at=now, noted_at=now)
    beat.at = max(beat.at, now)  # another process may have been later
    beat.asked_at, beat.failing_since, beat.has_answered = now, None, True
    beat.save()
    return is_end


def _locked(which: int, address: str, now: datetime) -> Heartbeat:
    """Return a row with its lock; at another address everything begins anew."""
    Heartbeat.objects.get_or_create(
        pk=which, defaults={"at": now, "address": address, "has_answered": False}
    )
    beat = Heartbeat.objects.select_for_update().get(pk=which)
    if beat.address != address:
        beat.at, beat.address, beat.has_answered, beat.failing_since = now, address, False, None
    return beat


# Asking ------------------------------------------------------------------------------------------


def _ask_pages(url: str) -> None:
    """Raise OSError, HTTPException or ValueError unless the answer to a GET is 200."""
    parts = urlsplit(url)
    connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = connect(parts.hostname or "", parts.port, timeout=TIMEOUT)
    try:
        # Pages answer to the name of the site alone, wherever they are asked.
        site = {"Host": urlsplit(settings.SITE_URL).netloc}
        connection.request("GET", parts.path or "/", headers=site)
        status = connection.getresponse().status
    finally:
        connection.close()
    if status != HTTPStatus.OK:
        raise HTTPException(f"status {status}")


def _ask_mail_in(address: str) -> None:
    """Raise OSError, SMTPException or ValueError unless an SMTP or LMTP server greets."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    with SMTP(host.strip("[]"), int(port), timeout=TIMEOUT):
        pass  # the greeting is read, and QUIT is said


ASK: Mapping[int, Callable[[str], None]] = {Of.PAGES: _ask_pages, Of.MAIL_IN: _ask_mail_in}
