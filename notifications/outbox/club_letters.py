"""Write the letters of clubs; they are then sent like any other mail.

News is deleted in the transaction that writes its notice, so each letter is written once.
"""

from datetime import datetime

from django.db import transaction

from games import wakeups
from games.models import ClubNews
from games.services.batches import BATCH, process_rows
from notifications.kinds.club.kind import KIND, ClubContent
from notifications.models import Notice
from notifications.services.addresses import gets_mail


def tell_clubs(*, now: datetime) -> int:
    """Write what is to be told of clubs; return how many news were taken up."""
    keys = ClubNews.objects.order_by("pk").values_list("pk", flat=True)[:BATCH]
    done = process_rows(keys, lambda key: tell_news(key, now=now))
    if done:
        wakeups.notify_workers("notices")
    return done


@transaction.atomic
def tell_news(key: int, *, now: datetime) -> bool:
    """Write one letter; that a match begins is told once all of its games have begun."""
    free = ClubNews.objects.select_for_update(of=("self",), skip_locked=True)
    news = free.select_related("reader", "match").filter(pk=key).first()
    if news is None:
        return False
    begins = news.match if news.tells == ClubNews.Tells.MATCH_BEGINS else None
    if begins is not None and begins.boards.filter(game=None, annulled_at=None).exists():
        return False
    if gets_mail(news.reader):
        content: ClubContent = {
            "club": news.club_id,
            "tells": news.tells,
            "text": news.text,
            "person": news.person_id or 0,
            "announcement": news.announcement_id or 0,
            "match": news.match_id or 0,
        }
        notice = Notice.new(
            KIND.kind, user=news.reader, language=news.reader.language, content=content, now=now
        )
        notice.save(force_insert=True)
    news.delete()
    return True
