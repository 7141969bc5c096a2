"""Every read that a page or a mail needs. Nothing here writes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from games.models import Game, Invitation, Offer, Seat, Turn
from games.rules.base import AnyRules, replay, withdrawn_seat
from games.rules.board import Board
from games.services.errors import NoSuchGame

Viewer = User | AnonymousUser

FINISHED_SHOWN = 20
"""How many finished games the home page and a profile list."""


# One game ----------------------------------------------------------------------------------------


def game_for(pk: int, viewer: Viewer) -> Game:
    """Return a game that `viewer` may see, its people loaded. Raises NoSuchGame."""
    game = _with_people(Game.objects.filter(pk=pk)).first()
    if game is None or not may_see(game, viewer):
        raise NoSuchGame
    return game


def may_see(game: Game, viewer: Viewer) -> bool:
    """Tell whether `viewer` may see the game: private ones are for players, invited and staff."""
    if game.is_public:
        return True
    if not isinstance(viewer, User):
        return False
    return viewer.is_staff or seat_of(game, viewer) is not None or _is_asked(game, viewer)


def _is_asked(game: Game, viewer: User) -> bool:
    return invitations_to(viewer).filter(game=game).exists()


def seat_of(game: Game, viewer: Viewer) -> Seat | None:
    """Return the seat that `viewer` holds at the game, if any."""
    if not viewer.is_authenticated:
        return None  # nobody sits on an empty seat
    return next((seat for seat in game.seats.all() if seat.user_id == viewer.pk), None)


def player_at(game: Game, number: int) -> User | None:
    """Return who holds seat `number`."""
    return next((seat.user for seat in game.seats.all() if seat.number == number), None)


def opponents_of(game: Game, viewer: Viewer) -> list[User]:
    """Return the others at the game, in the order of the seats."""
    return [seat.user for seat in game.seats.all() if seat.user and seat.user_id != viewer.pk]


def notations(game: Game, number: int | None = None) -> list[str]:
    """Return the notation of every turn, or of the first `number` turns."""
    turns = game.turns.order_by("number")
    if number is not None:
        turns = turns.filter(number__lte=number)
    return list(turns.values_list("notation", flat=True))


def position_at(game: Game, number: int | None = None) -> Any:
    """Return the position after `number` turns: the newest when None."""
    number = game.turn_number if number is None else number
    if number == 0:
        return game.rules.initial(game.options)
    if number == game.turn_number and game.position:
        return game.rules.load(game.position)
    return replay(game.rules, game.options, notations(game, number))


@dataclass(frozen=True)
class Moment:
    """A position of a game with the entry of the record that led to it.

    `actions` are those of the turn just played in `before`: none at the start, and none when
    what happened is that a player left (`left` is that seat).
    """

    position: Any
    before: Any
    actions: tuple[Any, ...] = ()
    left: int | None = None


def moment_at(game: Game, number: int | None = None) -> Moment:
    """Return the position after `number` entries of the record (all when None)."""
    number = game.turn_number if number is None else number
    if number == 0:
        start = game.rules.initial(game.options)
        return Moment(start, start)
    entries = notations(game, number)
    if number == game.turn_number and game.previous_position:
        return _moment(game.rules, game.rules.load(game.previous_position), entries[-1])
    return _moment(game.rules, replay(game.rules, game.options, entries[:-1]), entries[-1])


def _moment(rules: AnyRules, before: Any, entry: str) -> Moment:
    seat = withdrawn_seat(entry)
    if seat is not None:
        return Moment(rules.withdraw(before, seat), before, left=seat)
    actions = rules.parse_turn(before, entry)
    return Moment(rules.play_turn(before, actions), before, actions)


def board_of(game: Game, viewer: Viewer, number: int | None = None) -> Board:
    """Return the drawing after `number` turns (the newest when None), from the viewer's side."""
    moment = moment_at(game, number)
    seat = seat_of(game, viewer)
    return game.rules.board(moment.position, seat.number if seat else None, moment.actions)


def thumbnail_of(game: Game, viewer: Viewer) -> Board:
    """Return the drawing of the newest position without its last turn marked: one row's read."""
    seat = seat_of(game, viewer)
    return game.rules.board(position_at(game), seat.number if seat else None, ())


def words_of(rules: AnyRules, before: Any, actions: Iterable[Any]) -> str:
    """Return what a turn does, in the active language, without its subject."""
    words = []
    for action in actions:
        words.append(rules.describe(before, action).translated(gettext))
        before = rules.play(before, action)
    return ", ".join(words)


def words_of_moment(game: Game, moment: Moment) -> str:
    """Return what led to a moment, in the active language, without its subject."""
    if moment.left is not None:
        return gettext("leaves the game")
    return words_of(game.rules, moment.before, moment.actions)


def words_of_turn(game: Game, number: int) -> str:
    """Return what turn `number` (from 1) did, in the active language, without its subject."""
    return words_of_moment(game, moment_at(game, number))


def choices_at(game: Game, position: Any, first_square: str | None = None) -> list[dict[str, Any]]:
    """Return the legal actions as the board's page module reads them.

    Each is `{"text", "squares", "words"}`; `first_square` keeps those that begin there.
    """
    rules = game.rules
    return [
        {
            "text": rules.format(action),
            "squares": list(rules.squares(action)),
            "words": rules.describe(position, action).translated(gettext),
        }
        for action in rules.legal_actions(position)
        if first_square is None or rules.squares(action)[:1] == (first_square,)
    ]


def shown_choices_at(game: Game, position: Any) -> list[dict[str, Any]]:
    """Return the choices that a page may show before anything is clicked, as `choices_at` does.

    Where seeing what is legal is part of the game, only what has no square (such as a pass).
    """
    choices = choices_at(game, position)
    if game.rules.hides_legal_actions(position):
        return [choice for choice in choices if not choice["squares"]]
    return choices


def turns_of(game: Game) -> QuerySet[Turn]:
    """Return the record, first turn first, with its players."""
    return game.turns.select_related("player").order_by("number")


def standing_offer(game: Game) -> Offer | None:
    """Return the offer that waits for an answer."""
    return (
        game.offers.filter(state=Offer.State.OPEN)
        .select_related("seat__user")
        .prefetch_related("answers")
        .first()
    )


def open_invitations(game: Game) -> QuerySet[Invitation]:
    """Return the invitations to this table that stand."""
    return game.invitations.filter(state=Invitation.State.OPEN).select_related("user")


# Many games --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HomePage:
    """Everything a player's home page lists."""

    awaiting: Sequence[Game]
    waiting: Sequence[Game]
    challenges: Sequence[Invitation]
    tables: Sequence[Game]
    finished: Sequence[Game]


def home_page(user: User) -> HomePage:
    """Return the player's games: those awaiting them first, by deadline."""
    mine = Q(seats__user=user)
    playing = Q(seats__user=user, seats__left_at=None)
    active = _with_people(Game.objects.filter(playing, status=Game.Status.ACTIVE))
    active = active.annotate(my_seat=F("seats__number")).order_by("deadline")
    games = list(active)
    over = Game.objects.filter(mine, status__in=[Game.Status.FINISHED, Game.Status.ABORTED])
    return HomePage(
        awaiting=[game for game in games if game.my_seat == game.seat_to_move],
        waiting=[game for game in games if game.my_seat != game.seat_to_move],
        challenges=list(invitations_to(user)),
        tables=list(_with_people(Game.objects.filter(mine, status=Game.Status.OPEN))),
        finished=list(_with_people(over).order_by("-ended_at")[:FINISHED_SHOWN]),
    )


def invitations_to(user: User) -> QuerySet[Invitation]:
    """Return the standing invitations to a person, by name or to an address they verified."""
    addresses = EmailAddress.objects.filter(user=user, verified=True).values("email")
    return (
        Invitation.objects.filter(Q(user=user) | Q(user=None, email__in=addresses))
        .filter(state=Invitation.State.OPEN, game__status=Game.Status.OPEN)
        .select_related("game", "by")
        .prefetch_related("game__seats__user")
        .order_by("created_at")
    )


def lobby(viewer: Viewer) -> QuerySet[Game]:
    """Return the public tables with a seat that `viewer` could take, newest first."""
    tables = Game.objects.filter(status=Game.Status.OPEN, is_public=True)
    kept = Count("invitations", filter=Q(invitations__state=Invitation.State.OPEN), distinct=True)
    free = Count("seats", filter=Q(seats__user=None), distinct=True)
    tables = tables.annotate(free=free - kept).filter(free__gt=0).order_by("-created_at")
    if isinstance(viewer, User):
        tables = tables.exclude(Exists(Seat.objects.filter(game=OuterRef("pk"), user=viewer)))
    return _with_people(tables)


def games_of(person: User, viewer: Viewer) -> Sequence[Game]:
    """Return a person's newest games that begun, as far as `viewer` may see them."""
    begun = [Game.Status.ACTIVE, Game.Status.FINISHED, Game.Status.ABORTED]
    games = Game.objects.filter(seats__user=person, status__in=begun)
    if viewer.pk != person.pk:
        games = games.filter(is_public=True)
    return list(_with_people(games).order_by("-started_at")[:FINISHED_SHOWN])


def _with_people(games: QuerySet[Game]) -> QuerySet[Game]:
    return games.select_related("maker").prefetch_related("seats__user")
