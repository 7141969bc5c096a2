"""The outbox's chores as tasks: three lines each, safe to run twice."""

from celery import shared_task
from django.utils import timezone

from notifications.services import delivery, notices


@shared_task
def make_notices() -> int:
    """Write down who must be told what has happened; return of how many events."""
    return notices.make_notices(now=timezone.now())


@shared_task
def send_notices() -> int:
    """Send the mails that are due; return how many left the outbox."""
    return delivery.send_due(now=timezone.now())
