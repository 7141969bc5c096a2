"""Who sits where at a game, and who may see it."""

from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from accounts.staff import has_staff_powers
from games import errors
from games.models import Game, Invitation, Seat

Viewer = User | AnonymousUser


def game_for(pk: int, viewer: Viewer) -> Game:
    """Return a game that `viewer` may see, its people loaded. Raises NoSuchGame."""
    game = with_people(Game.objects.filter(pk=pk)).first()
    if game is None or not may_see(game, viewer):
        raise errors.NoSuchGame
    return game


def may_see(game: Game, viewer: Viewer) -> bool:
    """Return whether `viewer` may see the game: as a player would, or by staff powers."""
    if game.is_public or (isinstance(viewer, User) and has_staff_powers(viewer)):
        return True
    return may_see_as_player(game, viewer)


def may_see_as_player(game: Game, viewer: Viewer) -> bool:
    """Return whether `viewer` may see the game without staff powers.

    Everybody sees public games; private ones are for their players and whoever is invited.
    """
    if game.is_public or seat_of(game, viewer) is not None:
        return True
    return invitation_of(game, viewer) is not None


def invitation_of(game: Game, viewer: Viewer) -> Invitation | None:
    """Return the standing invitation of `viewer` to this table, by name or by address, if any."""
    if not isinstance(viewer, User):
        return None
    return invitations_to(viewer).filter(game=game).first()


def seat_of(game: Game, viewer: Viewer) -> Seat | None:
    """Return the seat that `viewer` holds at the game, if any."""
    if not viewer.is_authenticated:
        return None  # nobody sits on an empty seat
    return next((seat for seat in game.seats.all() if seat.user_id == viewer.pk), None)


def seat_played(game: Game, viewer: Viewer) -> Seat | None:
    """Return the seat `viewer` plays: the one to move if they stand in for it, or their own."""
    if is_mover(game, viewer):
        return next(seat for seat in game.seats.all() if seat.number == game.seat_to_move)
    return seat_of(game, viewer)


def player_at(game: Game, number: int) -> User | None:
    """Return who plays seat `number`: nobody once its player left and no partner stands in."""
    seat = next((seat for seat in game.seats.all() if seat.number == number), None)
    if seat is None or (seat.left_at is not None and seat.stand_in is None):
        return None
    return seat.player


def is_mover(game: Game, viewer: Viewer) -> bool:
    """Tell whether it is the turn of `viewer`, on their own seat or for a partner who left."""
    return game.seat_to_move is not None and player_at(game, game.seat_to_move) == viewer


def opponents_of(game: Game, viewer: Viewer) -> list[User]:
    """Return the others at the game, in the order of the seats."""
    return [seat.user for seat in game.seats.all() if seat.user and seat.user_id != viewer.pk]


def open_invitations(game: Game) -> QuerySet[Invitation]:
    """Return the invitations to this table that stand."""
    return game.invitations.filter(state=Invitation.State.OPEN).select_related("user")


def invitations_to(user: User) -> QuerySet[Invitation]:
    """Return the standing invitations to a person, by name or to an address they verified.

    Those of people whom they blocked are left out.
    """
    addresses = EmailAddress.objects.filter(user=user, verified=True).values("email")
    standing = Invitation.objects.filter(state=Invitation.State.OPEN).values("pk")
    by_name = standing.filter(user=user)
    by_address = standing.filter(user=None, email__in=addresses)
    return (
        # One list of keys: with either-or PostgreSQL would look at every open invitation.
        Invitation.objects.filter(pk__in=by_name.union(by_address))
        .filter(game__status=Game.Status.OPEN)
        .exclude(by__blocked_by__by=user)
        .select_related("game", "by")
        .prefetch_related("game__seats__user")
        .order_by("created_at")
    )


def with_people(games: QuerySet[Game]) -> QuerySet[Game]:
    """Return the games with everybody who sits at them loaded."""
    return games.select_related("maker").prefetch_related("seats__user", "seats__stand_in")
