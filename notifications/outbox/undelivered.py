"""Stop the clock of turns whose player could not be told of them by mail."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.db.models import Q, QuerySet

from accounts.models import User
from games.clock.clock import StopReason
from games.models import Game
from games.queries.conversations import seen_at
from games.services.clock.game_clock import mover
from games.services.clock.undelivered_turns import freeze_undelivered, resume_told
from games.services.record import numbers_of_turn
from notifications.kinds.base import all_kinds, kind_of
from notifications.models import Notice, ReplyAddress, SkipReason

State = Notice.State


def undelivered(notice: Notice, now: datetime) -> int:
    """Stop the clock of every turn of which this mail was the only notice to its player.

    Returns how many it stopped. A player who has visited since the turn began knows of it. The
    notice's new state is saved already. One mail may have told of several turns: a digest numbers
    them, and what happens at one game within a moment is told together. An answer to a mail of
    theirs stops nothing: they wrote, so they know.
    """
    if kind_of(notice.kind).is_automatic_reply:
        return 0
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
    yield from ((game, turn) for _, game, turn in kind_of(notice.kind).numbered_games(notice))
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
    kinds = _kinds_to_move()
    numbers = numbers_of_turn(game_id, turn_number)
    return Notice.objects.filter(game=game_id, user=user, turn_number__in=numbers, kind__in=kinds)


def was_told(game: Game) -> bool:
    """Tell whether the player to move was told of the current turn, or wants no mail about turns.

    They were told by a mail that their side took and that did not come back, or by the game's page
    if they saw it since the turn began. What still waits here, or was delayed on the way, has told
    nobody. A bot needs no mail.
    """
    user, since = mover(game), game.turn_began_at
    if user is None or user.is_bot or since is None:
        return True
    seen = seen_at(user, game)
    if seen is not None and seen >= since:
        return True
    notices = notices_of_turn(user, game.pk, game.turn_number)
    if notices.filter(_told()).exists():
        return True
    digests = ReplyAddress.objects.filter(
        user=user, purpose=ReplyAddress.Purpose.DIGEST, created_at__gte=since
    )
    sent_digests = digests.filter(
        notice__state=State.SENT, notice__delayed_at=None, notice__unconfirmed_at=None
    )
    turns = [[game.pk, number] for number in numbers_of_turn(game.pk, game.turn_number)]
    return any(
        numbered[1:] in turns
        for content in sent_digests.values_list("content", flat=True)
        for numbered in content
    )


def told_by_mail(games: Sequence[Game]) -> set[int]:
    """Return the keys of those of many games of whose turn a notice told the player to move.

    Those who saw the game's page, or whom a digest told, are missing.
    """
    movers = {
        (game.pk, game.turn_number, seat.played_by_partner_id or seat.user_id): game.pk
        for game in games
        for seat in game.seats.all()
        if seat.number == game.seat_to_move
    }
    notices = Notice.objects.filter(_told(), game__in=games, kind__in=_kinds_to_move())
    found = notices.values_list("game_id", "turn_number", "user_id")
    return {movers[turn] for turn in found if turn in movers}


def _told() -> Q:
    """Return the condition for notices that told their reader, or that they did not want."""
    sent = Q(state=State.SENT, delayed_at=None, unconfirmed_at=None)
    together = SkipReason.TOLD_TOGETHER.as_condition()
    return sent | together | SkipReason.SWITCHED_OFF.as_condition()


def _kinds_to_move() -> list[str]:
    return [kind.kind for kind in all_kinds() if kind.tells_to_move]


def delivered(notice: Notice, now: datetime) -> bool:
    """Resume the turns that were stopped because this mail of theirs had not been sent.

    Returns whether there were any.
    """
    were_any = False
    if notice.user is None:
        return were_any
    for game_id, turn_number in dict.fromkeys(_told_turns(notice)):
        if Game.objects.filter(pk=game_id, stop_reason=StopReason.UNDELIVERED).exists():
            resume_told(game_id=game_id, turn_number=turn_number, user=notice.user, now=now)
            were_any = True
    return were_any


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
