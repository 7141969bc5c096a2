"""Log that staff read a private game of others."""

from datetime import UTC, datetime

from django.db import transaction

from accounts.models import User
from accounts.staff import has_staff_powers
from games.models import Game, ModerationLogEntry
from games.moderation import log
from games.moderation.action_names import Access
from games.queries.seats import Viewer, may_see_as_player


def log_read(game: Game, *, by: Viewer, page: str, now: datetime) -> bool:
    """Log that staff read a private game which is not their own; return whether it was logged now.

    There is one entry for each reader, game and day (UTC); `page` is the path of the first page
    that showed it. Nothing is logged of users who may see the game without staff powers.
    """
    if game.is_public or not isinstance(by, User) or not has_staff_powers(by):
        return False
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    read = Access.PRIVATE_GAME.value
    known = ModerationLogEntry.objects.filter(game=game, by=by, what=read, at__gte=midnight)
    if may_see_as_player(game, by) or known.exists():
        return False
    with transaction.atomic():
        log.lock()
        if known.all().exists():
            return False  # another request of the same reader was first
        log.write_entry(by=by, what=read, why=page, now=now, game=game)
    return True
