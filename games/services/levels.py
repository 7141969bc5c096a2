"""The levels at which the site's programs play a game."""

from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext

from accounts.models import User
from games import errors
from games.clock.time_control import PaceKind
from games.models import Game, Seat
from games.rules.programs import Level
from games.rules.registry import program_for

LOWEST = 1
"""The level that nobody has to choose."""

QUICK_SECONDS = 1.0
"""A level that thinks no longer than this does not wait for one that does, or for a new day."""


RATED_ALLOWANCE = timedelta(days=2)
"""With so much for each turn a program can wait for a new day, and need not play below its level.
With less no game is rated in which a program thinks for long."""


def levels_of(rules_slug: str) -> tuple[Level, ...]:
    """Return the levels of a game's program, weakest first. Raises UnknownGame."""
    return program_for(rules_slug).levels


def check_level(rules_slug: str, level: int) -> None:
    """Raise NoSuchLevel unless the program of this game has the level."""
    numbers = [one.number for one in levels_of(rules_slug)]
    if level not in numbers:
        raise errors.NoSuchLevel(highest=max(numbers))


def level_with(rules_slug: str, number: int | None) -> Level:
    """Return a game's level with this number, and its lowest for a number that it lacks.

    None is the number of a program from before there were levels.
    """
    levels = levels_of(rules_slug)
    return next((one for one in levels if one.number == number), levels[0])


def is_quick(level: Level) -> bool:
    """Return whether a level answers at once, however long programs have thought today."""
    return level.seconds <= QUICK_SECONDS


def can_be_rated(game: Game, seats: Iterable[Seat]) -> bool:
    """Return whether the result of a game says how strong the players of these seats are.

    Not if somebody plays with a program of theirs, or with two, and could let either lose. Nor if
    a program may have to play below its level: one that thinks for long waits for a new day when
    its people's time is used up, and needs RATED_ALLOWANCE for each turn.
    """
    players = [(seat.user, seat.level) for seat in seats if seat.user is not None]
    whose = [user.owner_id or user.pk for user, _ in players]
    slow = any(
        user.is_played_here and not is_quick(level_with(game.rules_slug, level))
        for user, level in players
    )
    pace = game.terms.pace
    is_long = pace.kind == PaceKind.TURN and pace.allowance >= RATED_ALLOWANCE
    return len(set(whose)) == len(whose) and (is_long or not slow)


def name_of_level(rules_slug: str, number: int | None) -> str:
    """Return what a level does, in the active language; empty for None."""
    return "" if number is None else gettext(level_with(rules_slug, number).name)


def free_program(game: Game) -> User | None:
    """Return the practice partner, or another bot where it plays or is asked already.

    None if all do.
    """
    invited = game.invitations.open().filter(user__isnull=False).values("user")
    seated = game.seats.filter(user__isnull=False).values("user")
    bots = User.objects.filter(is_bot=True, is_active=True, owner=None).order_by("pk")
    free = bots.exclude(pk__in=seated).exclude(pk__in=invited)
    return free.filter(username=settings.PRACTICE_PARTNER_USERNAME).first() or free.first()


def level_to_move(game: Game) -> Level:
    """Return the level of the program that is to move, on its own or on a partner's seat."""
    seats = {seat.number: seat for seat in game.all_seats}
    seat: Seat = seats[game.clock.seat_to_move]
    player = seat.player
    if seat.played_by_partner_id is not None and player is not None:
        seat = next(one for one in game.all_seats if one.user_id == player.pk)
    return level_with(game.rules_slug, seat.level)
