"""The periodic tasks of mail, push messages and webhooks, safe to run twice at once."""

from celery import shared_task

from accounts.server_time import server_now
from notifications.deletion import deleting, requests
from notifications.exports import making
from notifications.incoming import cleanup, polling, processing
from notifications.outbox import (
    club_letters,
    delivery,
    digests,
    ladder_letters,
    league_letters,
    puzzle_letters,
    recipients,
    report_mails,
    staff_digests,
    tournament_letters,
)
from notifications.push import sending
from notifications.webhooks import sending as webhook_sending


@shared_task
def make_notices() -> int:
    return recipients.make_notices(now=server_now())


@shared_task
def tell_reporters() -> int:
    return report_mails.tell_reporters(now=server_now())


@shared_task
def tell_leagues() -> int:
    return league_letters.tell_leagues(now=server_now())


@shared_task
def tell_ladders() -> int:
    return ladder_letters.tell_ladders(now=server_now())


@shared_task
def tell_tournaments() -> int:
    return tournament_letters.tell_tournaments(now=server_now())


@shared_task
def tell_clubs() -> int:
    return club_letters.tell_clubs(now=server_now())


@shared_task
def write_puzzle_letters() -> int:
    return puzzle_letters.write_puzzle_letters(now=server_now())


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
def send_pushes() -> int:
    return sending.send_pushes(now=server_now())


@shared_task
def send_webhooks() -> int:
    return webhook_sending.send_webhooks(now=server_now())


@shared_task
def process_mails() -> int:
    return processing.process_due(now=server_now())


@shared_task
def poll_mailbox() -> int:
    return polling.poll(now=server_now())


@shared_task
def tidy_mails() -> int:
    return cleanup.delete_old_mails(now=server_now())


LONGEST_EXPORT = 3600
"""Seconds after which Celery ends the making of an export; 10,000 games take about one minute."""


@shared_task(time_limit=LONGEST_EXPORT)
def make_exports() -> int:
    """Make one export. Its claim is renewed with each part, however long it takes."""
    now = server_now()
    return making.delete_expired_exports(now=now) + making.make_exports(now=now)


@shared_task
def delete_accounts() -> int:
    now = server_now()
    return requests.remind_of_deletions(now=now) + deleting.delete_due_accounts(now=now)
