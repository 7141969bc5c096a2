"""How many account mails an address gets, whoever asks for them."""

from datetime import datetime, timedelta

from django.conf import settings

from notifications.models import AccountMailCount

Group = AccountMailCount.Group

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def count_account_mail(*, address: str, group: Group, now: datetime) -> bool:
    """Count one more mail to a normal address; return False if it had as many as it may get.

    Must be called in a transaction: the address's row is locked until that ends, so that requests
    at the same moment are counted one after another.
    """
    AccountMailCount.objects.get_or_create(
        address=address, group=group, defaults={"last_written_at": now}
    )
    count = AccountMailCount.objects.select_for_update().get(address=address, group=group)
    lately = [at for at in count.written_at if at > (now - DAY).timestamp()]
    in_an_hour = sum(at > (now - HOUR).timestamp() for at in lately)
    most_an_hour, most_a_day = _limits(group)
    if in_an_hour >= most_an_hour or len(lately) >= most_a_day:
        return False
    count.written_at = [*lately, now.timestamp()]
    count.last_written_at = now
    count.save(update_fields=["written_at", "last_written_at"])
    return True


def _limits(group: Group) -> tuple[int, int]:
    """Return how many mails of a group an address gets in an hour and in a day."""
    if group == Group.REQUESTED:
        return settings.ACCOUNT_MAILS_AN_HOUR, settings.ACCOUNT_MAILS_A_DAY
    return settings.ACCOUNT_NOTIFICATIONS_AN_HOUR, settings.ACCOUNT_NOTIFICATIONS_A_DAY


def forget_counts(*, now: datetime) -> int:
    """Delete the counts of addresses that got no mail for a day; return how many."""
    return AccountMailCount.objects.filter(last_written_at__lte=now - DAY).delete()[0]
