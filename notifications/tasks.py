"""The chores of mail as tasks: three lines each, safe to run twice."""

from celery import shared_task

from accounts.server_time import server_now
from notifications.incoming import cleanup, polling, processing
from notifications.services.outbox import delivery, digests, notices, report_mails, staff_digests


@shared_task
def make_notices() -> int:
    """Write down who must be told what has happened; return of how many events."""
    return notices.make_notices(now=server_now())


@shared_task
def tell_reporters() -> int:
    """Write the mails about reports that were closed; return how many reports."""
    return report_mails.tell_reporters(now=server_now())


@shared_task
def send_digests() -> int:
    """Write the digests that are due; return how many."""
    return digests.send_digests(now=server_now())


@shared_task
def write_staff_digest() -> int:
    """Write the moderators' digest of the day; return how many people are told."""
    return staff_digests.write_staff_digest(now=server_now())


@shared_task
def send_notices() -> int:
    """Send the mails that are due; return how many left the outbox."""
    return delivery.send_due(now=server_now())


@shared_task
def process_mails() -> int:
    """Read and act on the mails that came in; return how many were settled."""
    return processing.process_due(now=server_now())


@shared_task
def poll_mailbox() -> int:
    """Fetch what lies in the IMAP folder, where there is one; return how many mails were kept."""
    return polling.poll(now=server_now())


@shared_task
def tidy_mails() -> int:
    """Forget the text of old mails; return how much was forgotten."""
    return cleanup.delete_old_mails(now=server_now())
