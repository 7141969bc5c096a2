"""The log's entries about what staff read, and did not change."""

from datetime import UTC, datetime

from django.db import transaction

from accounts.models import User
from accounts.staff import has_staff_powers
from games import queries
from games.models import Act, Game
from games.queries import Viewer
from games.services import log
from games.services.moderation.action_names import Access

READ = Access.PRIVATE_GAME.value


def log_read(game: Game, *, by: Viewer, page: str, now: datetime) -> bool:
    """Log that staff read a private game which is not their own; return whether an entry was made.

    There is one entry for each reader, game and day (UTC); `page` is the path of the first page
    that showed it. Whoever may see the game without staff powers is not logged: nothing is written
    or asked then.
    """
    if game.is_public or not isinstance(by, User) or not has_staff_powers(by):
        return False
    if queries.may_see_as_player(game, by) or _is_logged(game, by, now):
        return False
    return _log_once(game, by, page, now)


def _is_logged(game: Game, by: User, now: datetime) -> bool:
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return Act.objects.filter(game=game, by=by, what=READ, at__gte=midnight).exists()


@transaction.atomic
def _log_once(game: Game, by: User, page: str, now: datetime) -> bool:
    log.lock()
    if _is_logged(game, by, now):
        return False  # another request of the same reader was first
    log.write_entry(by=by, what=READ, why=page, now=now, game=game)
    return True
