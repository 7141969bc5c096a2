"""Who stands where on a ladder: join, come back, leave, and move.

Everything that reads or changes places holds the lock of the ladder's row, so the places are
exactly 1 to the number of players whenever a transaction ends. Locks are taken in one order: games,
the club, users by key, matches of clubs, ladders by key.

Who joins a ladder of a club, or challenges there, holds the lock of the club: they are in it.
"""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Case, F, Max, Q, Value, When

from accounts.models import User
from games import ladder_errors as errors
from games.competition.ladders import IDLE_TIME, place_of_return
from games.models import Game, Ladder, LadderChallenge, LadderPlace
from games.queries.ladders import has_ladder
from games.services.clubs.base import acting_member
from games.services.site_status import check_open
from games.services.suspensions import check_not_suspended, check_stays, lock_acting_user

State, Outcome = LadderChallenge.State, LadderChallenge.Outcome


def locked_ladder(rules_slug: str, club_id: int | None = None) -> Ladder:
    """Return the ladder of a game, of the site or of a club, locked until the transaction ends.

    Raises NoSuchLadder.
    """
    ladders = Ladder.objects.select_for_update(of=("self",))
    ladder = ladders.filter(rules_slug=rules_slug, club=club_id).first()
    if ladder is None:
        raise errors.NoSuchLadder
    return ladder


def lock_ladder(key: int) -> Ladder:
    """Return a ladder that is there, by its key, locked until the transaction ends."""
    return Ladder.objects.select_for_update(of=("self",)).get(pk=key)


@transaction.atomic
def join_ladder(
    *, rules_slug: str, user: User, now: datetime, club_id: int | None = None
) -> LadderPlace:
    """Join a ladder as its last player, or come back to it (`place_of_return`).

    Whom a moderator removed joins as its last player. The ladder of a game is made for the first
    who joins it. With a club it is the club's, which its members can join.
    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, GuestsJoinNoLadder,
    ProgramsJoinNoLadder, NoSuchLadder, AlreadyOnLadder; with a club also as `acting_member`.
    """
    check_not_suspended(user, now)
    check_open()
    if club_id is not None:
        acting_member(club_id, user, now)
    player = lock_acting_user(user, now)
    check_stays(player)
    if player.is_guest:
        raise errors.GuestsJoinNoLadder
    if player.is_bot:
        raise errors.ProgramsJoinNoLadder
    if not has_ladder(rules_slug):
        raise errors.NoSuchLadder
    if not Ladder.objects.filter(rules_slug=rules_slug, club=club_id).exists():
        try:
            with transaction.atomic():
                Ladder.objects.create(rules_slug=rules_slug, club_id=club_id, made_at=now)
        except IntegrityError:
            pass  # somebody else has just made it
    ladder = locked_ladder(rules_slug, club_id)
    own = ladder.places.filter(user=player).first()
    size = ladder.places.aggregate(last=Max("place"))["last"] or 0
    place = size + 1
    if own is None:
        own = LadderPlace(ladder=ladder, user=player)
    elif own.left_at is None:
        raise errors.AlreadyOnLadder
    elif own.left_place is not None:
        place = place_of_return(own.left_place, now - own.left_at, size)
    if place <= size:
        below = ladder.places.filter(place__gte=place)
        below.update(place=-(F("place") + 1))
        _turn_positive(ladder)
    own.place, own.joined_at = place, now
    own.left_at, own.left_place, own.left_because = None, None, ""
    own.removed_because, own.told_left_at = "", None
    own.idle_from, own.sinks_at, own.sunk = now, now + IDLE_TIME, 0
    own.save()
    return own


@transaction.atomic
def leave_ladder(*, rules_slug: str, user: User, now: datetime, club_id: int | None = None) -> None:
    """Leave a ladder. Who is challenged gives their place to the challenger; games go on.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchLadder, NotOnLadder; with a club also
    as `acting_member`.
    """
    check_not_suspended(user, now)
    check_open()
    if club_id is not None:
        acting_member(club_id, user, now)
    player = lock_acting_user(user, now)
    ladder = locked_ladder(rules_slug, club_id)
    own = ladder.places.filter(user=player).exclude(place=None).first()
    if own is None:
        raise errors.NotOnLadder
    take_off(own, LadderPlace.Left.ASKED, now=now)


def take_off(own: LadderPlace, why: LadderPlace.Left, *, now: datetime, reason: str = "") -> None:
    """Take a player off a locked ladder, on which they are; their challenges there end.

    Each of those who challenged them takes their place, who did first the highest. Who is removed
    by a moderator has no place to come back to.
    """
    unfinished = own.ladder.challenges.exclude(state=State.OVER).select_related("game")
    theirs = Q(challenged=own.user_id) | Q(challenger=own.user_id)
    for challenge in unfinished.filter(theirs).order_by("pk"):
        if challenge.game is not None and challenge.game.is_over:
            apply_result(challenge, challenge.game, now=now)
            continue
        end_challenge(challenge, Outcome.LEFT, now=now)
        if challenge.challenged_id == own.user_id:
            take_place(challenge)
        challenge.save()
    own.refresh_from_db()
    left = own.rank
    own.place, own.left_at, own.left_because = None, now, why
    own.left_place = None if why == LadderPlace.Left.REMOVED else left
    own.removed_because = reason
    own.save()
    own.ladder.places.filter(place__gt=left).update(place=-(F("place") - 1))
    _turn_positive(own.ladder)


def leave_ladders(person: User, *, now: datetime) -> None:
    """Take somebody whose account is deleted off every ladder."""
    places = LadderPlace.objects.filter(user=person).exclude(place=None)
    for key in list(places.values_list("pk", flat=True)):
        let_go(key, now=now)


def leave_ladders_of_club(club_id: int, user_id: int, *, now: datetime) -> None:
    """Take somebody who is no longer a member of a locked club off its ladders."""
    places = LadderPlace.objects.filter(ladder__club=club_id, user=user_id).exclude(place=None)
    for key in list(places.order_by("ladder").values_list("pk", flat=True)):
        let_go(key, now=now)


def end_ladders_of_club(club_id: int, *, now: datetime) -> None:
    """Take everybody off the ladders of a locked club that is closed; their challenges end.

    Games that are over count first. Nobody takes a place: nobody is left.
    """
    ladders = Ladder.objects.select_for_update(of=("self",)).filter(club=club_id)
    for ladder in ladders.order_by("pk"):
        unfinished = ladder.challenges.exclude(state=State.OVER).select_related("game")
        for challenge in unfinished.order_by("pk"):
            if challenge.game is not None and challenge.game.is_over:
                apply_result(challenge, challenge.game, now=now)
            else:
                end_challenge(challenge, Outcome.LEFT, now=now)
                challenge.save()
        ladder.places.exclude(place=None).update(
            left_place=F("place"),
            place=None,
            left_at=now,
            left_because=LadderPlace.Left.ABSENT,
        )


@transaction.atomic
def let_go(key: int, *, now: datetime) -> bool:
    """Take a player who cannot play any more off a ladder; return whether they were on it."""
    own = locked_place(key)
    if own is None:
        return False
    take_off(own, LadderPlace.Left.ABSENT, now=now)
    return True


def locked_place(key: int) -> LadderPlace | None:
    """Return a place with its ladder locked; None if the player has left."""
    ladder = lock_ladder(LadderPlace.objects.values_list("ladder", flat=True).get(pk=key))
    return ladder.places.filter(pk=key).exclude(place=None).first()


def end_challenge(
    challenge: LadderChallenge, outcome: LadderChallenge.Outcome, *, now: datetime
) -> None:
    """Note how a challenge ended, which is not saved."""
    challenge.state, challenge.outcome, challenge.ended_at = State.OVER, outcome, now


def take_place(challenge: LadderChallenge) -> None:
    """Let the challenger take the place of the challenged, unless they stand above them already.

    Nothing moves if one of them has left the locked ladder. The challenge is not saved.
    """
    places = _places_of(challenge)
    if places is not None and places[1].rank > places[0].rank:
        move_to(places[1], places[0].rank)
        challenge.has_moved = True


def apply_result(challenge: LadderChallenge, game: Game, *, now: datetime) -> None:
    """End a challenge of a locked ladder by its game, which is over; a later result corrects it.

    A win of the challenger moves them to the place of the challenged. If they had moved by a result
    that no longer stands, they come to stand just below the challenged.
    """
    outcome = _outcome_of(challenge, game)
    end_challenge(challenge, outcome, now=now)
    if outcome == Outcome.WON and not challenge.has_moved:
        take_place(challenge)
    elif outcome != Outcome.WON and challenge.has_moved:
        places = _places_of(challenge)
        if places is not None and places[1].rank < places[0].rank:
            move_to(places[1], places[0].rank)
        challenge.has_moved = False
    challenge.save()


def _outcome_of(challenge: LadderChallenge, game: Game) -> LadderChallenge.Outcome:
    if game.status != Game.Status.FINISHED:
        return Outcome.VOID
    places = dict(game.seats.values_list("user", "place"))
    mine, theirs = places[challenge.challenger_id], places[challenge.challenged_id]
    assert mine is not None and theirs is not None  # noqa: S101, PT018  (the game is finished)
    return Outcome.DRAWN if mine == theirs else Outcome.WON if mine < theirs else Outcome.LOST


def _places_of(challenge: LadderChallenge) -> tuple[LadderPlace, LadderPlace] | None:
    """Return the places of the challenged and of the challenger; None if one of them has left."""
    both = (challenge.challenged_id, challenge.challenger_id)
    places = LadderPlace.objects.filter(ladder=challenge.ladder_id, user__in=both)
    found = {one.user_id: one for one in places.exclude(place=None)}
    return (found[both[0]], found[both[1]]) if len(found) == len(both) else None


def move_to(own: LadderPlace, to: int) -> None:
    """Move a player of a locked ladder to a place; those between move by one towards the other."""
    old = own.rank
    if to == old:
        return
    step = 1 if to < old else -1
    between = own.ladder.places.filter(place__range=(min(old, to), max(old, to)))
    # No two players may have one place, not even for a moment: they are negative meanwhile.
    between.update(
        place=Case(When(pk=own.pk, then=Value(-to)), default=-(F("place") + Value(step)))
    )
    _turn_positive(own.ladder)
    own.place = to


def _turn_positive(ladder: Ladder) -> None:
    ladder.places.filter(place__lt=0).update(place=-F("place"))


def note_activity(ladder_id: int, *users: int, now: datetime) -> None:
    """Count the time after which these players sink anew."""
    playing = LadderPlace.objects.filter(ladder=ladder_id, user__in=users).exclude(place=None)
    playing.update(idle_from=now, sinks_at=now + IDLE_TIME, sunk=0)
