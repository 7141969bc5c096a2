"""Blocking another user: no challenges and no messages from them."""

from contextlib import suppress
from datetime import datetime

from allauth.account.models import EmailAddress
from django.db.models import Q

from accounts.models import Block, Follow, User
from games import errors
from games.models import Game, Invitation
from games.services import invitations
from games.services.suspensions import check_not_suspended


def block(*, by: User, of: User, now: datetime) -> Block:
    """Let `by` get no challenges and no messages from `of`, who is not told.

    Open challenges are declined, and neither follows the other any more. Blocking twice changes
    nothing. Raises AccountClosed, Barred, CannotBlock.
    """
    check_not_suspended(by, now)
    if by.pk == of.pk or of.is_played_here:
        raise errors.CannotBlock(name=of)
    made, _ = Block.objects.get_or_create(by=by, of=of, defaults={"at": now})
    Follow.objects.filter(Q(by=by, of=of) | Q(by=of, of=by)).delete()
    challenges = Invitation.objects.open().filter(by=of, user=by)
    for pk in list(challenges.filter(game__status=Game.Status.OPEN).values_list("pk", flat=True)):
        with suppress(errors.Refusal):  # it was answered, or its table closed, meanwhile
            invitations.decline(invitation_id=pk, user=by, now=now)
    return made


def unblock(*, by: User, of: User, now: datetime) -> bool:
    """End a block; return whether there was one. Raises AccountClosed, Barred."""
    check_not_suspended(by, now)
    return bool(Block.objects.filter(by=by, of=of).delete()[0])


def is_from_blocked_user(invitation: Invitation) -> bool:
    """Return whether the invited user (or the address's owner) has blocked the inviting one."""
    blocks = Block.objects.filter(of=invitation.by_id)
    if invitation.user_id is not None:
        return blocks.filter(by=invitation.user_id).exists()
    holders = EmailAddress.objects.filter(email=invitation.email, verified=True)
    return blocks.filter(by__in=holders.values("user")).exists()
