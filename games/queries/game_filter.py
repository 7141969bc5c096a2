"""Which of a player's games their home page lists, and in which order."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from accounts.names import shown_name
from games.clock.snoozes import is_urgent
from games.models.game import name_of_game
from games.queries.home import HomePage, ListedGame
from games.rules.registry import UnknownGame, rules_for

MOST_LISTED = 400
"""How many games that are not over the page lists at most."""

LONGEST_NAME = 60


class Only(StrEnum):
    """What a game must have to be listed."""

    AWAITING = "awaiting"
    URGENT = "urgent"
    NEWS = "news"


class Order(StrEnum):
    """What the games are sorted by."""

    DEADLINE = "deadline"
    GAME = "game"
    OPPONENT = "opponent"


@dataclass(frozen=True)
class GameFilter:
    """What a player asked for: a kind of game, a part of an opponent's name, `Only`, `Order`."""

    game: str = ""
    name: str = ""
    only: str = ""
    order: str = Order.DEADLINE

    @classmethod
    def from_params(cls, params: Mapping[str, Any]) -> Self:
        """Return what an address or a cookie asks for; what is unknown is left out."""
        game, name, only, order = (str(params.get(key, "")) for key in cls.__dataclass_fields__)
        return cls(
            game=game if _is_known_game(game) else "",
            name=" ".join(name.replace("\0", "").split())[:LONGEST_NAME],
            only=only if only in list(Only) else "",
            order=order if order in list(Order) else Order.DEADLINE,
        )

    @property
    def narrows(self) -> bool:
        """Whether games may be left out."""
        return bool(self.game or self.name or self.only)

    def remembered(self) -> dict[str, str]:
        """Return what the next visit begins with: all but the name, which is asked for once."""
        return {key: value for key, value in asdict(self).items() if value and key != "name"}


def _is_known_game(slug: str) -> bool:
    try:
        rules_for(slug)
    except UnknownGame:
        return False
    return True


@dataclass(frozen=True)
class FilteredPage:
    """The games to list; `left_out` is how many more than MOST_LISTED there are."""

    page: HomePage
    left_out: int


def filter_page(page: HomePage, chosen: GameFilter, user: int, *, now: datetime) -> FilteredPage:
    """Return the part of a home page that was asked for, in order; snoozed turns come last.

    Invitations are never left out.
    """

    def listed(games: Iterable[ListedGame], *, is_mine: bool = False) -> list[ListedGame]:
        kept = [one for one in games if _matches(one, chosen, user, is_mine=is_mine, now=now)]
        if chosen.order == Order.GAME:
            kept.sort(key=lambda game: name_of_game(game.rules_slug).casefold())
        elif chosen.order == Order.OPPONENT:
            kept.sort(key=lambda game: [name.casefold() for name in opponent_names(game, user)])
        if is_mine:
            kept.sort(key=lambda game: game.snoozed_until(now) is not None)
        return kept

    awaiting = listed(page.awaiting, is_mine=True)
    waiting, tables = listed(page.waiting), listed(page.tables)
    room = MOST_LISTED
    shown = []
    for games in (awaiting, waiting, tables):
        shown.append(games[:room])
        room -= len(shown[-1])
    left_out = len(awaiting) + len(waiting) + len(tables) - (MOST_LISTED - room)
    finished = listed(page.finished)
    return FilteredPage(HomePage(shown[0], shown[1], page.challenges, shown[2], finished), left_out)


def _matches(
    game: ListedGame, chosen: GameFilter, user: int, *, is_mine: bool, now: datetime
) -> bool:
    if chosen.game and game.rules_slug != chosen.game:
        return False
    if chosen.only == Only.NEWS:
        if not (game.has_offer or game.new_messages):
            return False
    elif (chosen.only and not is_mine) or (
        chosen.only == Only.URGENT and not is_urgent(game.deadline, now)
    ):
        return False
    wanted = chosen.name.removeprefix("@").casefold()
    names = (name.casefold() for name in opponent_names(game, user, with_usernames=True))
    return not wanted or any(wanted in name for name in names)


def opponent_names(game: ListedGame, user: int, *, with_usernames: bool = False) -> list[str]:
    """Return the other players' names, in the order of the seats."""
    others = [seat for seat in game.seats if seat.user not in (None, user)]
    names = [shown_name(one.username, one.display_name, is_bot=one.is_bot) for one in others]
    return names + [one.username for one in others] if with_usernames else names
