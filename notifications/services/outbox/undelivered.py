"""No delivery, no clock: what a mail that did not arrive means for the turns it told of."""

from collections.abc import Iterable
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.db.models import Q

from accounts.models import User
from games.models import Game
from games.queries import seen_at
from games.services.clock.undelivered_turns import freeze_undelivered
from notifications.kinds.lookup import all_kinds, kind_of
from notifications.models import Notice, ReplyAddress, SkipReason

_State = Notice.State
_ARRIVES = Q(state__in=(_State.WAITING, _State.CLAIMED, _State.SENT))


def undelivered(notice: Notice, now: datetime) -> int:
    """Stop the clock of every turn of which this mail was the only notice to its player.

    Returns how many it stopped. Who has come by since the turn began has seen it there. `notice`
    is marked already. One mail may have told of several turns: a digest names them, and what
    happens at one game within a moment is told together.
    """
    return _stop(_turns(notice), notice, now)


def undelivered_before(moment: datetime, notice: Notice, now: datetime) -> int:
    """Do the same where the turn's time ends before `moment`: when the mail is tried again."""
    turns = [
        (game_id, turn_number)
        for game_id, turn_number in _turns(notice)
        if Game.objects.filter(pk=game_id, deadline__lte=moment).exists()
    ]
    return _stop(turns, notice, now)


def _kinds_of_a_turn() -> list[str]:
    return [kind.kind for kind in all_kinds() if kind.tells_to_move]


def _stop(turns: Iterable[tuple[int, int]], notice: Notice, now: datetime) -> int:
    user = notice.user
    if user is None:
        return 0
    return sum(
        freeze_undelivered(game_id=game_id, turn_number=turn_number, user=user, now=now)
        for game_id, turn_number in dict.fromkeys(turns)
        if not _arrives(game_id, turn_number, user, notice) and not _has_visited(user, game_id)
    )


def _turns(notice: Notice) -> Iterable[tuple[int, int]]:
    """Return game and number of the turns that a notice told its player to play.

    What a digest was to tell stands in the notice, until its letter has an address.
    """
    yield from kind_of(notice.kind).told_turns(notice)
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
        game=notice.game, user=notice.user, turn_number=turn_number, kind__in=_kinds_of_a_turn()
    )
    return about.exclude(SkipReason.SWITCHED_OFF.as_condition()).exists()


def _arrives(game_id: int, turn_number: int, user: User, notice: Notice) -> bool:
    """Tell whether another notice of this turn has gone out or still may."""
    others = Notice.objects.filter(
        _ARRIVES, game=game_id, user=user, turn_number=turn_number, kind__in=_kinds_of_a_turn()
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
