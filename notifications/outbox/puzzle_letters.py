"""Write the letters with the puzzle of the day; they are then sent like any other mail.

When the next letter of a subscription is due is noted in the transaction that writes its notice.
"""

from datetime import UTC, datetime, time, timedelta

from django.db import transaction

from games import wakeups
from games.models import PuzzleAttempt
from games.queries.puzzles import newest_puzzle
from notifications.kinds.puzzle.kind import KIND, PuzzleContent
from notifications.models import DigestSchedule, Notice, PuzzleSubscription
from notifications.services.addresses import with_address
from notifications.services.preferences import next_daily

BATCH = 200
"""How many letters one call writes."""


@transaction.atomic
def write_puzzle_letters(*, now: datetime) -> int:
    """Write the letters that are due; return how many subscriptions this call took up.

    Safe in any number of processes. Nobody gets a puzzle twice, nor one that they have answered.
    While today's puzzle is not made, all wait for it. Makes the same number of queries for any
    number of letters.
    """
    free = PuzzleSubscription.objects.select_for_update(of=("self",), skip_locked=True)
    due = free.filter(due_at__lte=now, user__is_active=True).select_related("user")
    subscriptions = list(due.order_by("due_at", "pk")[:BATCH])
    if not subscriptions:
        return 0
    puzzle = newest_puzzle(now=now)
    if puzzle is None or puzzle.day < now.astimezone(UTC).date():
        return 0
    readers = [one.user for one in subscriptions]
    schedules = DigestSchedule.objects.filter(user__in=readers)
    hours = dict(schedules.values_list("user", "digest_hour"))
    answered = PuzzleAttempt.objects.filter(puzzle=puzzle, user__in=readers)
    skipped = set(answered.values_list("user", flat=True))
    reached = with_address(readers)
    # Puzzles change at midnight, UTC. Where clocks go back, the same hour may leave a day out.
    latest = datetime.combine(puzzle.day + timedelta(days=2), time(), UTC) - timedelta(hours=1)
    content: PuzzleContent = {"puzzle": puzzle.pk}
    notices = []
    for one in subscriptions:
        is_new = one.newest_day is None or one.newest_day < puzzle.day
        if is_new and one.user_id in reached and one.user_id not in skipped:
            language = one.user.language
            notice = Notice.new(
                KIND.kind, user=one.user, language=language, content=dict(content), now=now
            )
            notices.append(notice)
        one.newest_day = puzzle.day
        hour = hours.get(one.user_id, DigestSchedule.DIGEST_HOUR)
        one.due_at = min(next_daily(hour, one.user.zone, now), latest)
    Notice.objects.bulk_create(notices)
    PuzzleSubscription.objects.bulk_update(subscriptions, ["due_at", "newest_day"])
    if notices:
        wakeups.notify_workers("notices")
    return len(subscriptions)
