"""What a moderator can do to a ladder: remove a player, with a reason that the player is told."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors, ladder_errors
from games.models import LadderPlace
from games.moderation import log
from games.moderation.action_names import LadderAction
from games.moderation.permissions import check_is_moderator
from games.services.ladders.places import locked_place, take_off


@transaction.atomic
def remove_from_ladder(*, place_id: int, by: User, why: str, now: datetime) -> LadderPlace:
    """Remove a player from a ladder, as by leaving it; their games go on.

    Raises MayNotModerate, NoReason, AlreadyOffLadder, OwnLadder.
    """
    check_is_moderator(by)
    if not why.strip():
        raise errors.NoReason
    if not LadderPlace.objects.filter(pk=place_id).exists():
        raise ladder_errors.AlreadyOffLadder
    own = locked_place(place_id)
    if own is None:
        raise ladder_errors.AlreadyOffLadder
    if own.ladder.places.filter(user=by).exclude(place=None).exists():
        raise ladder_errors.OwnLadder
    take_off(own, LadderPlace.Left.REMOVED, now=now, reason=why.strip()[:500])
    details: dict[str, object] = {"ladder": own.ladder.rules_slug}
    what = LadderAction.REMOVE.value
    log.write_entry(by=by, what=what, why=why, now=now, person=own.user, details=details)
    return own
