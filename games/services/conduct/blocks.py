"""Having nothing to do with somebody any more: no challenges, no messages."""

from contextlib import suppress
from datetime import datetime

from allauth.account.models import EmailAddress

from accounts.models import Block, User
from games import errors
from games.models import Game, Invitation
from games.services import invitations
from games.services.suspensions import check_not_suspended


def block(*, by: User, of: User, now: datetime) -> Block:
    """Let `by` take no challenges and no messages from `of`; `of` is not told.

    Challenges that stand are declined. Twice is once. Raises AccountClosed, Barred, CannotBlock.
    """
    check_not_suspended(by, now)
    if by.pk == of.pk or of.is_program:
        raise errors.CannotBlock(name=of)
    made, _ = Block.objects.get_or_create(by=by, of=of, defaults={"at": now})
    standing = Invitation.objects.filter(by=of, user=by, state=Invitation.State.OPEN)
    for pk in list(standing.filter(game__status=Game.Status.OPEN).values_list("pk", flat=True)):
        with suppress(errors.Refusal):  # it was answered, or its table closed, meanwhile
            invitations.decline(invitation_id=pk, user=by, now=now)
    return made


def unblock(*, by: User, of: User, now: datetime) -> bool:
    """End a block; tell whether there was one. Raises AccountClosed, Barred."""
    check_not_suspended(by, now)
    return bool(Block.objects.filter(by=by, of=of).delete()[0])


def is_unwelcome(invitation: Invitation) -> bool:
    """Tell whether whom an invitation asks, by name or by address, has blocked who asks."""
    blocks = Block.objects.filter(of=invitation.by_id)
    if invitation.user_id is not None:
        return blocks.filter(by=invitation.user_id).exists()
    holders = EmailAddress.objects.filter(email=invitation.email, verified=True)
    return blocks.filter(by__in=holders.values("user")).exists()
