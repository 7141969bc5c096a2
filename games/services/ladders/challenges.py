"""Challenges on a ladder: make, accept, decline and withdraw them.

Two that are made, answered or withdrawn at once come one after the other: each holds the lock of
the ladder's row, and looks at the challenge as it then is.
"""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.models.vacation import away_until
from accounts.users import lock_users
from games import club_errors
from games import ladder_errors as errors
from games.competition.ladders import AGAIN_AFTER, ANSWER_TIME, MOST_AT_ONCE, REACH
from games.models import Club, LadderChallenge
from games.queries.ladders import nearest_above
from games.rules.registry import rules_for
from games.services.clubs.base import acting_member
from games.services.ladders.places import (
    end_challenge,
    lock_ladder,
    locked_ladder,
    note_activity,
    take_place,
)
from games.services.locking import arrival
from games.services.site_status import check_open
from games.services.suspensions import (
    check_not_suspended,
    check_stays,
    is_suspended,
    lock_acting_user,
)
from games.services.tables import create_table, start_full_table

State, Outcome = LadderChallenge.State, LadderChallenge.Outcome


@transaction.atomic
def challenge_player(
    *, rules_slug: str, user: User, opponent: User, now: datetime, club_id: int | None = None
) -> LadderChallenge:
    """Challenge a player of a ladder who stands above `user`, within their reach.

    With a club it is the club's ladder. Raises AccountClosed, Barred, ClosedForMaintenance,
    LeavesSoon, NoSuchLadder, NotOnLadder, OpponentNotOnLadder, OutOfReach, OpponentAway,
    AlreadyMeeting, ChallengedLately, TooManyMade, TooManyReceived; with a club also as
    `acting_member`.
    """
    check_not_suspended(user, now)
    check_open()
    if club_id is not None:
        acting_member(club_id, user, now)
    player = lock_acting_user(user, now)
    check_stays(player)
    ladder = locked_ladder(rules_slug, club_id)
    places = ladder.places.filter(user__in=(player.pk, opponent.pk)).exclude(place=None)
    found = {one.user_id: one for one in places}
    if player.pk not in found:
        raise errors.NotOnLadder
    if opponent.pk not in found:
        raise errors.OpponentNotOnLadder
    near = [one.user_id for one in nearest_above(found[player.pk], now=now)]
    if opponent.pk not in near:
        raise errors.OutOfReach(most=REACH)
    if away_until([opponent.pk], now):
        raise errors.OpponentAway
    pair = (player.pk, opponent.pk)
    challenges = ladder.challenges.all()
    unfinished = challenges.exclude(state=State.OVER)
    if unfinished.filter(challenger__in=pair, challenged__in=pair).exists():
        raise errors.AlreadyMeeting
    lately = challenges.filter(challenger=player, challenged=opponent)
    if lately.filter(ended_at__gt=now - AGAIN_AFTER).exists():
        raise errors.ChallengedLately(days=AGAIN_AFTER.days)
    if unfinished.filter(challenger=player).count() >= MOST_AT_ONCE:
        raise errors.TooManyMade(most=MOST_AT_ONCE)
    if unfinished.filter(challenged=opponent).count() >= MOST_AT_ONCE:
        raise errors.TooManyReceived(most=MOST_AT_ONCE)
    note_activity(ladder.pk, player.pk, now=now)
    return LadderChallenge.objects.create(
        ladder=ladder,
        challenger=player,
        challenged=opponent,
        made_at=now,
        due_at=now + ANSWER_TIME,
    )


def _waiting(key: int, users: dict[str, User]) -> LadderChallenge:
    """Return a waiting challenge between these users, by column, with its ladder locked.

    Raises NoSuchLadderChallenge, ClubIsClosed, ChallengeIsAnswered.
    """
    found = LadderChallenge.objects.filter(pk=key, **users)
    ladder_id = found.values_list("ladder", flat=True).first()
    if ladder_id is None:
        raise errors.NoSuchLadderChallenge
    ladder = lock_ladder(ladder_id)
    closed = Club.objects.filter(closed_at__isnull=False)
    if ladder.club_id is not None and closed.filter(pk=ladder.club_id).exists():
        raise club_errors.ClubIsClosed
    challenge = found.select_for_update(of=("self",)).get()
    challenge.ladder = ladder
    if challenge.state != State.WAITING:
        raise errors.ChallengeIsAnswered
    return challenge


def _to_answer(
    key: int, user: User, now: datetime, received_at: datetime | None
) -> LadderChallenge:
    """Return a challenge that `user` may answer, locked, as is its ladder.

    An answer by mail is in time if it was received in time. Raises as `decline_challenge`.
    """
    challenge = _waiting(key, {"challenged": user})
    if arrival(received_at, now) > challenge.due_at:
        raise errors.ChallengeIsLate
    return challenge


@transaction.atomic
def accept_challenge(
    *, challenge_id: int, user: User, now: datetime, received_at: datetime | None = None
) -> LadderChallenge:
    """Accept a challenge: a rated game begins, with drawn seats. The free decline is back.

    On the ladder of a club the game is private. Raises AccountClosed, Barred, ClosedForMaintenance,
    LeavesSoon, NoSuchLadderChallenge, ClubIsClosed, ChallengeIsAnswered, ChallengeIsLate,
    ChallengerIsGone.
    """
    check_not_suspended(user, now)
    check_open()
    challenger = LadderChallenge.objects.filter(pk=challenge_id, challenged=user)
    other = challenger.values_list("challenger", flat=True).first()
    if other is None:
        raise errors.NoSuchLadderChallenge
    users = lock_users([user.pk, other])
    check_not_suspended(users[user.pk], now)
    check_stays(users[user.pk])
    challenge = _to_answer(challenge_id, user, now, received_at)
    if is_suspended(users[other], now):
        raise errors.ChallengerIsGone
    ladder = challenge.ladder
    rules = rules_for(ladder.rules_slug)
    game = create_table(
        creator=users[other],
        rules_slug=rules.slug,
        options=rules.check_options({}),
        terms=ladder.terms,
        players=[users[other], users[user.pk]],
        now=now,
        is_public=ladder.club_id is None,
    )
    start_full_table(
        game, list(game.seats.select_related("user")), now, details={"by_ladder": True}
    )
    challenge.game, challenge.state, challenge.answered_at = game, State.PLAYING, now
    challenge.save()
    ladder.places.filter(user=user).update(has_declined=False)
    note_activity(ladder.pk, user.pk, other, now=now)
    return challenge


@transaction.atomic
def decline_challenge(
    *, challenge_id: int, user: User, now: datetime, received_at: datetime | None = None
) -> LadderChallenge:
    """Decline a challenge. One is free; the next gives the place to the challenger.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchLadderChallenge, ClubIsClosed,
    ChallengeIsAnswered, ChallengeIsLate.
    """
    check_not_suspended(user, now)
    check_open()
    challenge = _to_answer(challenge_id, user, now, received_at)
    free = challenge.ladder.places.filter(user=user, has_declined=False)
    is_free = free.update(has_declined=True) > 0
    challenge.answered_at = now
    end_challenge(challenge, Outcome.SPARED if is_free else Outcome.DECLINED, now=now)
    if not is_free:
        take_place(challenge)
    challenge.save()
    return challenge


@transaction.atomic
def withdraw_challenge(*, challenge_id: int, user: User, now: datetime) -> LadderChallenge:
    """Withdraw a challenge that is not answered; nobody moves.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchLadderChallenge, ClubIsClosed,
    ChallengeIsAnswered.
    """
    check_not_suspended(user, now)
    check_open()
    challenge = _waiting(challenge_id, {"challenger": user})
    end_challenge(challenge, Outcome.WITHDRAWN, now=now)
    challenge.save()
    return challenge
