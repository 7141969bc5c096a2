"""Finding players by name, and the players whom somebody follows."""

from dataclasses import dataclass

from django.db import connection
from django.utils.translation import gettext

from accounts.models import User
from accounts.names import BOT_NAMES, LONGEST_SEARCH_WORDS, fold_for_search
from accounts.sql import columns_of, select_rows
from games import errors
from games.rules.base import shown

MOST_FOUND = 20
SHORTEST_SEARCH = 2
"""So many letters are needed: with one, everybody would be found."""

_LAST_LETTER = "\U0010ffff"


def find_people(text: str) -> list[User]:
    """Return the players a word of whose name begins with `text`, by name; at most MOST_FOUND.

    Capitals, accents and punctuation make no difference. Guests, closed accounts and those who do
    not want to be found are not among them. Fewer letters than SHORTEST_SEARCH find nobody.
    """
    typed = fold_for_search(text)[:LONGEST_SEARCH_WORDS]
    if len(typed) < SHORTEST_SEARCH or "\0" in text:
        return []
    bots = [name for name in BOT_NAMES if fold_for_search(gettext(name)).startswith(typed)]
    found = list(User.objects.filter(is_bot=True, display_name__in=bots)) if bots else []
    values = {"first": typed, "last": typed + _LAST_LETTER, "most": 3 * MOST_FOUND}
    # A user is found once for each word of their names; three words are common.
    order = 'word.words COLLATE "C"' if connection.vendor == "postgresql" else "word.words"
    named = select_rows(User, _NAMED.format(order=order), values)
    return list({user.pk: user for user in found + named}.values())[:MOST_FOUND]


_NAMED = f"""
SELECT {columns_of(User)}
FROM accounts_searchword AS word JOIN accounts_user ON accounts_user.id = word.user_id
WHERE {{order}} >= %(first)s AND {{order}} < %(last)s
  AND accounts_user.is_active AND accounts_user.is_findable AND accounts_user.guest_until IS NULL
ORDER BY {{order}}, word.user_id LIMIT %(most)s
"""  # noqa: S608
"""`order` is how the index over the words is sorted: by the numbers of the letters."""


def player_named(name: str) -> User:
    """Return the player whose account has this name. Raises NoSuchPlayer."""
    wanted = name.strip()
    users = User.objects.filter(username__iexact=wanted, is_active=True)
    # PostgreSQL takes neither NUL nor half a character as text.
    found = users.first() if wanted.isprintable() else None
    if found is None:
        raise errors.NoSuchPlayer(name=shown(wanted))
    return found


@dataclass(frozen=True)
class FollowedPlayer:
    """A player whom somebody follows, and how many public games they play.

    `running` is 0 if they do not show the follower their games.
    """

    person: User
    running: int


def followed_by(user: User) -> list[FollowedPlayer]:
    """Return the players whom a user follows, by name."""
    found = []
    for person in select_rows(User, _FOLLOWED, {"user": user.pk}, ["running"]):
        is_shown = person.shows(person.games_shown_to, user)
        found.append(FollowedPlayer(person, person.__dict__["running"] if is_shown else 0))
    return sorted(found, key=lambda one: str(one.person).casefold())


_FOLLOWED = f"""
SELECT {columns_of(User)}, (
  SELECT COUNT(*) FROM games_seat AS seat
  WHERE seat.user_id = accounts_user.id AND seat.ended_at IS NULL AND seat.left_at IS NULL AND (
    SELECT game.status = 'active' AND game.is_public FROM games_game AS game
    WHERE game.id = seat.game_id
  )
)
FROM accounts_follow JOIN accounts_user ON accounts_user.id = accounts_follow.of_id
WHERE accounts_follow.by_id = %(user)s
"""  # noqa: S608
