"""No delivery, no clock: what a mail that did not arrive means for the turns it told of."""

from collections.abc import Iterable
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.db.models import Q

from accounts.models import User
from games.models import Game
from games.queries import seen_at
from games.services.time.freezes import freeze_undelivered
from notifications.models import Notice, ReplyAddress
from notifications.services.outbox.freshness import SWITCHED_OFF
from notifications.services.outbox.readers import OF_A_TURN

_State = Notice.State
_ARRIVES = Q(state__in=(_State.WAITING, _State.CLAIMED, _State.SENT))


def undelivered(notice: Notice, now: datetime) -> int:
    """Stop the clock of every turn of which this mail was the only notice to its player.

    Returns how many it stopped. Who has come by since the turn began has seen it there.
    `notice` is marked as failed or dropped already. One mail may have told of several turns: a
    digest names them, and what happens at one game within a moment is told together.
    """
    user = notice.user
    if user is None:
        return 0
    return sum(
        freeze_undelivered(game_id=game_id, turn_number=turn_number, user=user, now=now)
        for game_id, turn_number in _turns(notice)
        if not _arrives(game_id, turn_number, user, notice) and not _has_visited(user, game_id)
    )


def _turns(notice: Notice) -> Iterable[tuple[int, int]]:
    """Return game and number of the turns that a notice told its player to play."""
    digests = ReplyAddress.objects.filter(notice=notice, purpose=ReplyAddress.Purpose.DIGEST)
    for numbered in digests.values_list("content", flat=True):
        yield from ((game, turn) for _, game, turn in numbered)
    if notice.game_id is None:
        return
    now_at = Game.objects.filter(pk=notice.game_id).values_list("turn_number", flat=True).first()
    if now_at is not None and _was_meant_to_tell(notice, now_at):
        yield notice.game_id, now_at


def _was_meant_to_tell(notice: Notice, turn_number: int) -> bool:
    """Tell whether this notice, or one that was told with it, was about that turn."""
    about = Notice.objects.filter(
        game=notice.game, user=notice.user, turn_number=turn_number, kind__in=OF_A_TURN
    )
    return about.exclude(reason=SWITCHED_OFF).exists()


def _arrives(game_id: int, turn_number: int, user: User, notice: Notice) -> bool:
    """Tell whether another notice of this turn has gone out or still may."""
    others = Notice.objects.filter(
        _ARRIVES, game=game_id, user=user, turn_number=turn_number, kind__in=OF_A_TURN
    )
    return others.exclude(pk=notice.pk).exists()


def _has_visited(user: User, game_id: int) -> bool:
    """Tell whether the player came by since the turn began: their games are on every first page.

    A session is noted once in minutes and forgotten when its owner signs out; who had the game
    before their eyes is known by itself.
    """
    game = Game.objects.get(pk=game_id)
    since, seen = game.turn_began_at, seen_at(user, game)
    if since is None:
        return False
    if seen is not None and seen >= since:
        return True
    signed_in = User.objects.filter(pk=user.pk, last_login__gte=since)
    looked = UserSession.objects.filter(user=user, last_seen_at__gte=since)
    return signed_in.exists() or looked.exists()
