"""The periodic tasks of mail, safe to run twice at once."""

from celery import shared_task

from accounts.server_time import server_now
from notifications.incoming import cleanup, polling, processing
from notifications.outbox import delivery, digests, recipients, report_mails, staff_digests


@shared_task
def make_notices() -> int:
    return recipients.make_notices(now=server_now())


@shared_task
def tell_reporters() -> int:
    return report_mails.tell_reporters(now=server_now())


@shared_task
def send_digests() -> int:
    return digests.send_digests(now=server_now())


@shared_task
def write_staff_digest() -> int:
    return staff_digests.write_staff_digest(now=server_now())


@shared_task
def send_notices() -> int:
    return delivery.send_due(now=server_now())


@shared_task
def process_mails() -> int:
    return processing.process_due(now=server_now())


@shared_task
def poll_mailbox() -> int:
    return polling.poll(now=server_now())


@shared_task
def tidy_mails() -> int:
    return cleanup.delete_old_mails(now=server_now())
