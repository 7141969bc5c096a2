"""Following another player: they are in a list of one's own, and nobody else knows."""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from accounts.models import Block, Follow, User
from games import errors
from games.services.suspensions import check_not_suspended, lock_acting_user


@transaction.atomic
def follow_player(*, by: User, of: User, now: datetime) -> Follow:
    """Let `by` follow `of`, who is not told. Following twice changes nothing.

    Raises AccountClosed, Barred, GuestsFollowNobody, CannotFollow, FollowsEnough.
    """
    by = lock_acting_user(by, now)
    if by.is_guest:
        raise errors.GuestsFollowNobody
    is_blocked = Block.objects.filter(Q(by=by, of=of) | Q(by=of, of=by)).exists()
    if by.pk == of.pk or of.is_bot or of.is_guest or not of.is_active or is_blocked:
        raise errors.CannotFollow(name=of)
    found = by.follows.filter(of=of).first()
    if found is not None:
        return found
    if by.follows.count() >= settings.MOST_FOLLOWED:
        raise errors.FollowsEnough(most=settings.MOST_FOLLOWED)
    return Follow.objects.create(by=by, of=of, at=now)


def unfollow_player(*, by: User, of: User, now: datetime) -> bool:
    """Let `by` follow `of` no more; return whether they did. Raises AccountClosed, Barred."""
    check_not_suspended(by, now)
    return bool(Follow.objects.filter(by=by, of=of).delete()[0])
