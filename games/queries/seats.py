"""Seats and invitations of a game, and whether a user may see it."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from accounts.staff import has_staff_powers
from games import errors
from games.models import Game, Invitation, Seat

Viewer = User | AnonymousUser


def game_for(pk: int, viewer: Viewer) -> Game:
    """Return a game that `viewer` may see, with its players. Raises NoSuchGame.

    Staff see every game.
    """
    is_staff = isinstance(viewer, User) and has_staff_powers(viewer)
    games = Game.objects.all() if is_staff else Game.objects.visible_to(viewer)
    game = games.with_players().filter(pk=pk).first()
    if game is None:
        raise errors.NoSuchGame
    return game


def may_see_as_player(game: Game, viewer: Viewer) -> bool:
    """Return whether `viewer` may see a game without staff powers."""
    return game.is_public or Game.objects.visible_to(viewer).filter(pk=game.pk).exists()


def invitation_of(game: Game, viewer: Viewer) -> Invitation | None:
    """Return the open invitation of `viewer` to this table, by name or by address."""
    if not isinstance(viewer, User):
        return None
    return invitations_to(viewer).filter(game=game).first()


def seat_of(game: Game, viewer: Viewer) -> Seat | None:
    """Return the seat that `viewer` holds at the game."""
    if not viewer.is_authenticated:
        return None  # free seats have no user either
    return next((seat for seat in game.seats.all() if seat.user_id == viewer.pk), None)


def seat_played(game: Game, viewer: Viewer) -> Seat | None:
    """Return the seat that `viewer` plays: a partner's if it is to move, else their own."""
    if is_mover(game, viewer):
        return next(seat for seat in game.seats.all() if seat.number == game.seat_to_move)
    return seat_of(game, viewer)


def player_at(game: Game, number: int) -> User | None:
    """Return the user who plays seat `number`; None if they left and no partner plays it."""
    seat = next((seat for seat in game.seats.all() if seat.number == number), None)
    if seat is None or (seat.left_at is not None and seat.played_by_partner is None):
        return None
    return seat.player


def is_mover(game: Game, viewer: Viewer) -> bool:
    """Return whether it is the turn of `viewer`, on their own seat or a partner's."""
    return game.seat_to_move is not None and player_at(game, game.seat_to_move) == viewer


def opponents_of(game: Game, viewer: Viewer) -> list[User]:
    """Return the other players, in the order of the seats."""
    return [seat.user for seat in game.seats.all() if seat.user and seat.user_id != viewer.pk]


def open_invitations(game: Game) -> QuerySet[Invitation]:
    """Return the open invitations to this table with the invited users."""
    return game.invitations.open().select_related("user")


def invitations_to(user: User) -> QuerySet[Invitation]:
    """Return the open invitations to a user, oldest first, with their games and players."""
    invitations = Invitation.objects.open_to(user).select_related("game", "by")
    return invitations.prefetch_related("game__seats__user").order_by("created_at")
