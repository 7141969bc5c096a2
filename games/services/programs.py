"""What the accounts of people's programs accept, and whom they may invite."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import Program, User
from accounts.users import lock_user, lock_users
from games import errors, program_errors
from games.models import Game, Invitation, Seat
from games.rules.base import OptionError
from games.rules.registry import UnknownGame, rules_for
from games.services.suspensions import check_not_suspended, is_suspended

MOST_AT_ONCE = 500
"""What a program can accept at most, whatever it says."""


def check_program_accepts(game: Game, user: User, others: Collection[int], now: datetime) -> None:
    """Check that a program, if `user` is one, accepts a locked table with these other players.

    The program's row is locked until the transaction ends, so that two tables do not both take its
    last place. A seat or an open invitation of its own at this table does not count. No program is
    accepted while its owner may not play or is leaving.
    Raises ProgramIsClosed, ProgramRefusesGame, ProgramRefusesOption, ProgramRefusesPace,
    ProgramIsBusy, ProgramIsBusyWithYou.
    """
    if user.owner is None:
        return
    lock_user(user.pk)
    program = Program.objects.filter(user=user).first()
    can_play = not is_suspended(user.owner, now) and user.owner.deletion_due_at is None
    if program is None or not program.is_open or not can_play:
        raise program_errors.ProgramIsClosed(name=user)
    if program.games and game.rules_slug not in program.games:
        raise program_errors.ProgramRefusesGame(name=user)
    for key, values in program.options.get(game.rules_slug, {}).items():
        if key in game.options and game.options[key] not in values:
            raise program_errors.ProgramRefusesOption(name=user, option=key)
    if not program.shortest <= game.terms.pace.first <= program.longest:
        raise program_errors.ProgramRefusesPace(name=user)
    unfinished = [Game.Status.OPEN, Game.Status.ACTIVE]
    seats = Seat.objects.filter(user=user, left_at=None, game__status__in=unfinished)
    invitations = Invitation.objects.open().filter(user=user).exclude(game=game)
    taken = seats.exclude(game=game)
    if taken.count() + invitations.count() >= program.most_games:
        raise program_errors.ProgramIsBusy(name=user, most=program.most_games)
    for person in set(others) - {user.pk}:
        with_them = taken.filter(
            Q(game__seats__user=person, game__seats__left_at=None)
            | Q(game__invitations__user=person, game__invitations__state=Invitation.State.OPEN)
        ).distinct()
        asked = invitations.filter(by=person)
        if with_them.count() + asked.count() >= program.most_per_person:
            raise program_errors.ProgramIsBusyWithYou(name=user, most=program.most_per_person)


def check_programs_at(game: Game, seats: Collection[Seat], newcomer: User, now: datetime) -> None:
    """Check that a newcomer, and the programs that sit at a locked table, accept each other.

    With a program among them, the rows of all these players are locked: who starts a clock next
    locks one of them as well. Raises as `check_program_accepts`.
    """
    sitting = {seat.user_id for seat in seats if seat.user_id is not None}
    programs = list(User.objects.filter(pk__in=sitting, owner__isnull=False).order_by("pk"))
    if programs or newcomer.owner_id is not None:
        lock_users({newcomer.pk, *sitting})
    check_program_accepts(game, newcomer, sitting, now)
    for program in programs:
        check_program_accepts(game, program, {newcomer.pk}, now)


def check_may_invite(by: User, user: User | None) -> None:
    """Raise ProgramsAskNobody if a program invites anybody but a program or its own owner."""
    if by.owner_id is None or (user is not None and (user.is_bot or user.pk == by.owner_id)):
        return
    raise program_errors.ProgramsAskNobody


@transaction.atomic
def change_program(
    *,
    user: User,
    is_open: bool,
    games: Collection[str],
    options: Mapping[str, Mapping[str, Collection[Any]]],
    shortest: timedelta,
    longest: timedelta,
    most_games: int,
    most_per_person: int,
    now: datetime,
) -> Program:
    """Save what a program accepts from now on; its games go on.

    Raises AccountClosed, Barred, NotAProgram, UnknownRules, BadOption, BadProgramTimes,
    BadProgramCounts.
    """
    check_not_suspended(user, now)
    lock_user(user.pk)
    program = Program.objects.filter(user=user).first()
    if program is None:
        raise program_errors.NotAProgram
    read = _read_options(games, options)
    if not timedelta() < shortest <= longest:
        raise program_errors.BadProgramTimes
    if not 1 <= most_per_person <= most_games <= MOST_AT_ONCE:
        raise program_errors.BadProgramCounts(most=MOST_AT_ONCE)
    program.is_open = is_open
    program.games = sorted(set(games))
    program.options = {slug: of_game for slug, of_game in read.items() if of_game}
    program.shortest, program.longest = shortest, longest
    program.most_games, program.most_per_person = most_games, most_per_person
    program.save()
    return program


def _read_options(
    games: Collection[str], options: Mapping[str, Mapping[str, Collection[Any]]]
) -> dict[str, dict[str, list[Any]]]:
    """Return the values of options as tables have them: {slug: {key: [value]}}.

    Raises UnknownRules or BadOption for what is no game, option or value here.
    """
    try:
        for slug in games:
            rules_for(slug)
        return {
            slug: {
                key: [rules_for(slug).check_options({key: value})[key] for value in values]
                for key, values in of_game.items()
            }
            for slug, of_game in options.items()
        }
    except UnknownGame:
        raise errors.UnknownRules from None
    except OptionError as error:
        raise errors.BadOption(error) from error
