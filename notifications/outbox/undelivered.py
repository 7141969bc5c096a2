"""Stop the clock of turns whose player could not be told of them by mail."""

from collections.abc import Iterable
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.db.models import QuerySet

from accounts.models import User
from games.models import Game
from games.queries.conversations import seen_at
from games.services.clock.undelivered_turns import freeze_undelivered
from notifications.kinds.base import all_kinds, kind_of
from notifications.models import Notice, ReplyAddress, SkipReason

State = Notice.State


def undelivered(notice: Notice, now: datetime) -> int:
    """Stop the clock of every turn of which this mail was the only notice to its player.

    Returns how many it stopped. A player who has visited since the turn began knows of it. The
    notice's new state is saved already. One mail may have told of several turns: a digest numbers
    them, and what happens at one game within a moment is told together.
    """
    return _stop_clocks(_told_turns(notice), notice, now)


def undelivered_before(moment: datetime, notice: Notice, now: datetime) -> int:
    """Do the same for turns whose time ends before `moment`, when the mail is tried again."""
    turns = [
        (game_id, turn_number)
        for game_id, turn_number in _told_turns(notice)
        if Game.objects.filter(pk=game_id, deadline__lte=moment).exists()
    ]
    return _stop_clocks(turns, notice, now)


def _told_turns(notice: Notice) -> Iterable[tuple[int, int]]:
    """Yield game and number of the turns that a notice told its player to play.

    The turns of a digest are in its content, and from the first attempt on also in its reply
    address.
    """
    yield from kind_of(notice.kind).numbered_turns(notice)
    digests = ReplyAddress.objects.filter(notice=notice, purpose=ReplyAddress.Purpose.DIGEST)
    for numbered in digests.values_list("content", flat=True):
        yield from ((game, turn) for _, game, turn in numbered)
    if notice.game_id is None:
        return
    current = Game.objects.filter(pk=notice.game_id).values_list("turn_number", flat=True).first()
    if current is None:
        return
    # This notice, or one that was told with it, may be about the current turn.
    about = notices_of_turn(notice.user, notice.game_id, current)
    if about.exclude(SkipReason.SWITCHED_OFF.as_condition()).exists():
        yield notice.game_id, current


def _stop_clocks(turns: Iterable[tuple[int, int]], notice: Notice, now: datetime) -> int:
    user = notice.user
    if user is None:
        return 0
    stopped = 0
    for game_id, turn_number in dict.fromkeys(turns):
        others = notices_of_turn(user, game_id, turn_number).exclude(pk=notice.pk)
        if others.filter(state__in=(State.WAITING, State.CLAIMED, State.SENT)).exists():
            continue  # another mail of this turn has been sent or still may be
        if not has_visited_since_turn_began(user, game_id):
            stopped += freeze_undelivered(
                game_id=game_id, turn_number=turn_number, user=user, now=now
            )
    return stopped


def notices_of_turn(user: User | None, game_id: int, turn_number: int) -> QuerySet[Notice]:
    """Return the notices that tell a player to play a turn."""
    kinds = [kind.kind for kind in all_kinds() if kind.tells_to_move]
    return Notice.objects.filter(game=game_id, user=user, turn_number=turn_number, kind__in=kinds)


def has_visited_since_turn_began(user: User, game_id: int) -> bool:
    """Return whether the player was on the site since: every first page lists their games.

    Django notes a visit of a session only every few minutes and forgets it at sign-out; visits of
    the game's page are noted separately.
    """
    game = Game.objects.get(pk=game_id)
    since, seen = game.turn_began_at, seen_at(user, game)
    if since is None:
        return False
    if seen is not None and seen >= since:
        return True
    signed_in = User.objects.filter(pk=user.pk, last_login__gte=since)
    visited = UserSession.objects.filter(user=user, last_seen_at__gte=since)
    return signed_in.exists() or visited.exists()
