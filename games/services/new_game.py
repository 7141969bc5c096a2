"""Making a table and asking the opponent to it, as one step."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Game, Terms
from games.rules.base import shown
from games.services.bots import ask_partner
from games.services.invitations import challenge, invite
from games.services.tables import free_seats, open_table

Whom = Literal["anybody", "player", "address", "partner"]


@dataclass(frozen=True)
class Opponent:
    """Whom a table waits for: `name` is a user name or an e-mail address, as `whom` says."""

    whom: Whom
    name: str = ""


@transaction.atomic
def propose(
    *,
    maker: User,
    rules_slug: str,
    options: dict[str, object],
    terms: Terms,
    opponent: Opponent,
    is_public: bool,
    maker_seat: int | None,
    now: datetime,
) -> Game:
    """Make a table and ask `opponent` to it; what cannot be asked leaves no table behind.

    A table for anybody is public. Raises as `open_table`, `challenge` and `invite` do.
    """
    game = open_table(
        maker=maker,
        rules_slug=rules_slug,
        options=options,
        terms=terms,
        is_public=is_public or opponent.whom == "anybody",
        maker_seat=maker_seat,
        now=now,
    )
    ask(game_id=game.pk, by=maker, opponent=opponent, now=now)
    if opponent.whom == "partner":
        _fill_with_partners(game, now)
    return game


def _fill_with_partners(game: Game, now: datetime) -> None:
    """Ask as many partners as there are seats, so that somebody alone can play at once."""
    while free_seats(game):
        ask_partner(game_id=game.pk, by=game.maker, now=now)


def ask(*, game_id: int, by: User, opponent: Opponent, now: datetime) -> None:
    """Ask one more person to a table. Raises as `challenge` and `invite` do."""
    match opponent.whom:
        case "player":
            challenge(game_id=game_id, by=by, user=_player(opponent.name), now=now)
        case "address":
            invite(game_id=game_id, by=by, email=opponent.name, now=now)
        case "partner":
            ask_partner(game_id=game_id, by=by, now=now)


def _player(name: str) -> User:
    name = name.strip()
    people = User.objects.filter(username__iexact=name, is_active=True)
    # PostgreSQL takes neither NUL nor half a character as text.
    found = people.first() if name.isprintable() else None
    if found is None:
        raise errors.NoSuchPlayer(name=shown(name))
    return found
