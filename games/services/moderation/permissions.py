"""Who may moderate games. A permission needs the second factor (`User.has_perm`)."""

from accounts.models import User
from games import errors
from games.models import Game, Substitution


def is_moderator(user: User) -> bool:
    """Tell whether somebody may moderate games."""
    return user.has_perm("games.moderate")


def is_administrator(user: User) -> bool:
    """Tell whether somebody may act on moderators and say who moderates."""
    return user.has_perm("accounts.change_user")


def check_is_moderator(user: User) -> None:
    """Raise MayNotModerate unless somebody may moderate games."""
    if not is_moderator(user):
        raise errors.MayNotModerate


def plays_in(game: Game, user: User) -> bool:
    """Tell whether somebody sits, or stands in for somebody, at a game."""
    return any(user.pk in (seat.user_id, seat.played_by_partner_id) for seat in game.seats.all())


def has_part_in(game: Game, user: User) -> bool:
    """Tell whether somebody plays in a game, or did until another took their seat."""
    if plays_in(game, user):
        return True
    return Substitution.objects.filter(seat__game=game, former=user).exists()


def check_is_no_player(game: Game, user: User) -> None:
    """Raise OwnGame when a moderator plays in the game, or did."""
    if has_part_in(game, user):
        raise errors.OwnGame
