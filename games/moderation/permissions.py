"""Checks of moderators' permissions. Every permission needs the second factor (`User.has_perm`)."""

from accounts.models import User
from games import errors
from games.models import Game, Substitution


def is_moderator(user: User) -> bool:
    """Return whether the user may moderate games."""
    return user.has_perm("games.moderate")


def is_administrator(user: User) -> bool:
    """Return whether the user may act on moderators, change roles and read mail addresses."""
    return user.has_perm("accounts.change_user")


def check_is_moderator(user: User) -> None:
    """Raise MayNotModerate unless the user may moderate games."""
    if not is_moderator(user):
        raise errors.MayNotModerate


def check_may_act_on(person: User, by: User) -> None:
    """Raise NotThemselves, SuperuserIsSafe or StaffIsSafe unless `by` may act on this person.

    Administrators act on moderators; only superusers act on superusers.
    """
    if person.pk == by.pk:
        raise errors.NotThemselves
    if person.is_superuser and not by.is_superuser:
        raise errors.SuperuserIsSafe
    if person.is_staff and not is_administrator(by):
        raise errors.StaffIsSafe


def may_act_on(person: User, by: User) -> bool:
    """Return whether a moderator may act on this person (see `check_may_act_on`)."""
    try:
        check_may_act_on(person, by)
    except errors.Refusal:
        return False
    return True


def plays_in(game: Game, user: User) -> bool:
    """Return whether the user has a seat at the game, or plays one for a partner who left."""
    return any(user.pk in (seat.user_id, seat.played_by_partner_id) for seat in game.all_seats)


def has_part_in(game: Game, user: User) -> bool:
    """Return whether the user plays in the game, or did until a substitute took their seat."""
    if plays_in(game, user):
        return True
    return Substitution.objects.filter(seat__game=game, former=user).exists()


def check_has_no_part_in(game: Game, user: User) -> None:
    """Raise OwnGame if a moderator plays in the game, or did."""
    if has_part_in(game, user):
        raise errors.OwnGame
