"""The clock of a locked running game: reads what it depends on, and changes it.

What a change does is in `games.clock.clock`. A deadline is computed from rows that keep their past
(the player's week as it was when the turn began, vacations, outages), so computing it again changes
nothing unless they changed. Nothing here but `is_in_time` saves the game: CLOCK_COLUMNS say what
to save.
"""

from collections import Counter
from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db.models import Max, Min

from accounts.models import User, Vacation
from accounts.users import lock_user
from games import wakeups
from games.clock.calendar_days import days_by_year, days_later, local_length
from games.clock.clock import Availability, Clock, StopReason
from games.clock.spans import NOTHING
from games.clock.weekly_schedule import WeeklySchedule
from games.models import Event, Game, Seat
from games.models.game import CLOCK_COLUMNS
from games.services.clock.interruptions import (
    Interruptions,
    counted_since,
    read_interruptions,
    schedule_of,
)

ONE_ABSENCE = timedelta(days=7)
"""Vacations that are less than this apart count as one absence."""

LONGEST_AUTOMATIC = 7
"""Days of one vacation that begins by itself."""


def lock_player(seat: Seat) -> None:
    """Lock the row of a seat's player before their turn starts, and read it anew.

    A vacation that is announced at the same moment is then either read after this, or sees this
    turn.
    """
    if seat.played_by_partner_id is not None:
        seat.played_by_partner = lock_user(seat.played_by_partner_id)
    elif seat.user_id is not None:
        seat.user = lock_user(seat.user_id)


def start_turn(game: Game, seat: Seat, interruptions: Interruptions, *, now: datetime) -> None:
    """Give the turn to `seat` with all of its time.

    `interruptions` were read after `lock_player`.
    """
    player = seat.player
    schedule = schedule_of(player) if player and game.allows_days_off else WeeklySchedule()
    availability = interruptions.availability_of(game, player, now)
    game.set_clock(Clock.for_turn(seat.number, seat.time_left, schedule, availability, now=now))


def end_turn(game: Game, seat: Seat, interruptions: Interruptions, *, now: datetime) -> None:
    """Save what the seat that moved has for its next turn, and end its snooze."""
    availability = interruptions.availability_of(game, seat.player, now)
    seat.time_left = game.clock.time_after_turn(game.terms.pace, availability, now=now)
    seat.snoozed_until = None
    seat.save(update_fields=["time_left", "snoozed_until"])


def interruptions_of(game: Game, *players: User | None, now: datetime) -> Interruptions:
    """Return what stops the clock of a game, where one of `players` is or will be to move."""
    users = [player.pk for player in players if player is not None]
    return read_interruptions(users, since=counted_since(game, now), now=now)


def availability_of(game: Game, player: User | None, now: datetime) -> Availability:
    """Return what the clock of a game depends on, where `player` is to move."""
    return interruptions_of(game, player, now=now).availability_of(game, player, now)


def stop_clock(game: Game, reason: StopReason, *, wait: timedelta | None, now: datetime) -> None:
    """Stop the clock and keep what is left; `wait=None` stops it until somebody resumes it.

    A program that is to move does not play until then.
    """
    availability = current_availability(game, now)
    game.set_clock(game.clock.stopped(reason, wait=wait, availability=availability, now=now))
    game.bot_due_at = None


def resume_clock(
    game: Game, *, now: datetime, actor: User | None, time: timedelta | None = None
) -> None:
    """Let the clock of this turn run from now on with `time`, or with what was left (None).

    Unless `actor` is the player to move, they have at least a day, with waking hours in it. A
    program of this site is due at once.
    """
    seat = seat_at(game, game.clock.seat_to_move)
    player = seat.player and lock_user(seat.player.pk)
    count_undelivered(game, now=now)
    availability = availability_of(game, player, now)
    protected = player != actor
    game.set_clock(game.clock.resumed(availability, now=now, time=time, protected=protected))
    if player is not None and player.is_played_here and game.bot_due_at is None:
        game.bot_due_at = now
        wakeups.notify_workers("bots")


def count_undelivered(game: Game, *, now: datetime) -> None:
    """Add the stop that is about to end to the time that the game has waited for its player.

    Only a stop counts in which no mail reached them, without the outages in it.
    """
    if game.stop_reason != StopReason.UNDELIVERED or game.wait_remaining is None:
        return
    left = game.clock.wait_left(current_availability(game, now).outages, now=now)
    seat = seat_at(game, game.clock.seat_to_move)
    seat.undelivered += game.wait_remaining - (left or NOTHING)
    seat.save(update_fields=["undelivered"])


def add_time(game: Game, more: timedelta, *, now: datetime) -> None:
    """Give the seat to move more time for this turn, also if the turn starts again later."""
    seat = seat_at(game, game.clock.seat_to_move)
    seat.time_left += more
    seat.save(update_fields=["time_left"])
    availability = availability_of(game, seat.player, now)
    game.set_clock(game.clock.with_more_time(more, availability, now=now))


def recompute_deadline(game: Game, *, player: User | None, now: datetime) -> None:
    """Compute the deadline and the next reminder again; `player` is to move."""
    game.set_clock(game.clock.recomputed(availability_of(game, player, now), now=now))


def time_left(game: Game, now: datetime) -> timedelta:
    """Return what is left of the turn's time; while the clock is stopped, what was left then."""
    return game.clock.remaining(current_availability(game, now), now=now)


def is_in_time(game: Game, now: datetime) -> bool:
    """Tell whether the turn is in time; a deadline that has passed is first recomputed and saved.

    An outage that is still going on counts up to now. A vacation that is being announced is waited
    for, and one begins by itself if the player wants that rather than lose on time.
    """
    if not game.clock.is_late(now):
        return True
    player = mover(game)
    if player is not None:
        player = lock_user(player.pk)
    recompute_deadline(game, player=player, now=now)
    while game.clock.is_late(now):
        if player is None or not begin_automatic_vacation(game, player, now=now):
            return False
        recompute_deadline(game, player=player, now=now)
    game.save(update_fields=CLOCK_COLUMNS)
    return True


def current_availability(game: Game, now: datetime) -> Availability:
    """Return what the clock of a running game depends on."""
    return availability_of(game, mover(game), now)


def mover(game: Game) -> User | None:
    """Return the player to move."""
    return seat_at(game, game.clock.seat_to_move).player


def seat_at(game: Game, number: int) -> Seat:
    """Return a seat with its player; costs no query if the seats of the game are loaded."""
    if game.has_loaded_seats:
        return next(seat for seat in game.all_seats if seat.number == number)
    return game.seats.select_related("user", "played_by_partner").get(number=number)


# Vacations ---------------------------------------------------------------------------------------


def vacation_allowance() -> timedelta:
    """Return how much vacation a player has in a calendar year."""
    return timedelta(days=settings.VACATION_DAYS_A_YEAR)


def vacation_used(user: User) -> dict[int, timedelta]:
    """Return how much vacation a player has taken or announced, by calendar year."""
    total: Counter[int] = Counter()
    for vacation in Vacation.objects.filter(user=user):
        parts = days_by_year(vacation.begins_at, vacation.ends_at, vacation.zone)
        total.update({year: part // timedelta.resolution for year, part in parts.items()})
    return {year: count * timedelta.resolution for year, count in total.items()}


def overdrawn_year(
    user: User, begins_at: datetime, ends_at: datetime
) -> tuple[int, timedelta] | None:
    """Return the first year that has too little left for one more vacation, and what it has."""
    used = vacation_used(user)
    for year, part in days_by_year(begins_at, ends_at, user.zone.key).items():
        left = max(timedelta(), vacation_allowance() - used.get(year, timedelta()))
        if part > left:
            return year, left
    return None


def is_absent_too_long(user: User, begins_at: datetime, ends_at: datetime) -> bool:
    """Tell whether one more vacation would make an absence longer than a year's vacation days.

    An absence is a vacation with all that come before and after it within ONE_ABSENCE, and the
    days between them. Without this, a turn could be held by two years' days around New Year.
    """
    whole = None
    while whole != (begins_at, ends_at):
        whole = (begins_at, ends_at)
        near = Vacation.objects.filter(
            user=user,
            begins_at__lt=ends_at + ONE_ABSENCE,
            ends_at__gt=begins_at - ONE_ABSENCE,
        )
        found = near.aggregate(first=Min("begins_at"), last=Max("ends_at"))
        begins_at = min(begins_at, found["first"] or begins_at)
        ends_at = max(ends_at, found["last"] or ends_at)
    return local_length(begins_at, ends_at, user.zone.key) > vacation_allowance()


def has_come_by(player: User, *, since: datetime) -> bool:
    """Tell whether a player signed in, visited the site or did something in a game since then."""
    return (
        User.objects.filter(pk=player.pk, last_login__gte=since).exists()
        or UserSession.objects.filter(user=player, last_seen_at__gte=since).exists()
        or Event.objects.done_since(player, since).exists()
    )


def begin_automatic_vacation(game: Game, player: User, *, now: datetime) -> bool:
    """Begin a vacation at the deadline of a locked game; tell whether one could begin.

    `player` is to move, and their row is locked. The vacation ends as late as the year's days
    allow, and before the next vacation; at least one day must be left. One follows another only if
    the player came by in between: opponents do not wait all year for somebody who is gone.
    """
    begins_at = game.deadline
    wants_one = player.automatic_vacation and game.allows_vacations
    # Nobody waits for a bot, for an account that is closed, or for a sanction.
    can_play = player.is_active and not player.is_bot and not player.is_barred(now)
    if begins_at is None or not (wants_one and can_play):
        return False
    later = Vacation.objects.filter(user=player, ends_at__gt=begins_at).order_by("begins_at")
    following = later.values_list("begins_at", flat=True).first()
    if following is not None and following <= begins_at:
        return False  # away already: that did not save the game
    previous = Vacation.objects.filter(user=player, is_automatic=True).order_by("begins_at").last()
    if previous is not None and not has_come_by(player, since=previous.begins_at):
        return False
    for days in range(LONGEST_AUTOMATIC, 0, -1):
        ends_at = days_later(begins_at, days, player.zone.key)
        if following is not None:
            ends_at = min(ends_at, following)
        if overdrawn_year(player, begins_at, ends_at) is not None:
            continue
        if not is_absent_too_long(player, begins_at, ends_at):
            break
    else:
        return False
    # The player's other games are recomputed by a periodic task.
    player.mark_clocks_changed(now)
    player.save(update_fields=["clocks_changed_at"])
    wakeups.notify_workers("clocks")
    vacation = Vacation.objects.create(
        user=player,
        begins_at=begins_at,
        ends_at=ends_at,
        announced_at=now,
        zone=player.zone.key,
        is_automatic=True,
    )
    details: dict[str, object] = {"vacation": vacation.pk, "until": ends_at.isoformat()}
    game.record_event(Event.Kind.VACATION_BEGUN, now=now, details=details)
    return True
