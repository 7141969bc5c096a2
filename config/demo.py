"""A demonstration: a few people with games going on, for a first look.

The passwords are known to everybody, so it is only made by `make run`.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import transaction

from accounts.models import User
from accounts.roles import ADMINISTRATORS, MODERATORS
from games.clock.time_control import per_turn
from games.models import Game, Terms, Turn
from games.rules.base import AnyRules
from games.rules.random_games import random_turn
from games.rules.registry import all_rules, app_for
from games.services import invitations, tables, turns


class NoDemonstration(Exception):
    """The demonstration is refused where people really play."""


@dataclass(frozen=True)
class DemoAccount:
    """A user of the demonstration."""

    username: str
    language: str
    time_zone: str
    is_moderator: bool = False

    @property
    def password(self) -> str:
        return f"pli-{self.username}"

    @property
    def address(self) -> str:
        return f"{self.username}@example.org"


ACCOUNTS = (
    DemoAccount("ann", "en", "Europe/London"),
    DemoAccount("bob", "fr", "Europe/Paris"),
    DemoAccount("cat", "en", "America/New_York"),
    DemoAccount("moderator", "en", "Europe/Paris", is_moderator=True),
)

ALLOWANCE = timedelta(days=3)
PAUSE = timedelta(hours=5)
"""How long everybody took for a turn."""


def is_wanted() -> bool:
    """Return whether there are no users yet, apart from bots."""
    return not User.objects.filter(is_bot=False).exists()


def is_there() -> bool:
    """Return whether the users of the demonstration are there."""
    names = [account.username for account in ACCOUNTS]
    return User.objects.filter(username__in=names).count() == len(names)


def accounts_in_words() -> str:
    """Return the names and passwords, a line each."""
    return "\n".join(f"{one.username:10} {one.password}" for one in ACCOUNTS)


@transaction.atomic
def seed(*, now: datetime) -> bool:
    """Make the users and their games, unless there are users; return whether it did.

    Raises NoDemonstration anywhere but with `make run`.
    """
    if not settings.DEVELOPMENT:
        raise NoDemonstration("Its passwords are public: it is for `make run` alone.")
    if not is_wanted():
        return False
    users = []
    for account in ACCOUNTS:
        user = User.objects.create_user(
            account.username,
            account.address,
            account.password,
            display_name=account.username.capitalize(),
            language=account.language,
            time_zone=account.time_zone,
            is_staff=account.is_moderator,
        )
        if account.is_moderator:
            user.groups.set(Group.objects.filter(name__in=[MODERATORS, ADMINISTRATORS]))
        EmailAddress.objects.create(user=user, email=account.address, verified=True, primary=True)
        users.append(user)
    ann, bob, cat, moderator = users
    games = all_rules()
    for rules in games:
        length = app_for(rules.slug).demo_turns
        began = now - timedelta(hours=2) - PAUSE * length
        _play(_begin(rules, [ann, bob, cat, moderator], began), length)
        _play(_begin(rules, [bob, ann, cat, moderator], began), length)
    # A finished game, an open table, a challenge to ann, and a practice game of hers.
    shortest = min(games, key=lambda rules: app_for(rules.slug).demo_turns)
    _play(_begin(shortest, [cat, ann, bob], now - timedelta(days=4)), None)
    _open(bob, games[-1], now - timedelta(hours=30))
    asked = _open(cat, games[0], now - timedelta(hours=3), is_public=False)
    invitations.challenge(game_id=asked.pk, by=cat, user=ann, now=now - timedelta(hours=3))
    invitations.propose(
        creator=ann,
        rules_slug=games[-1].slug,
        options={},
        terms=Terms(per_turn(ALLOWANCE)),
        opponent=invitations.Opponent("partner"),
        is_public=False,
        creator_seat=1,
        now=now,
    )
    return True


def _open(
    creator: User,
    rules: AnyRules,
    now: datetime,
    *,
    is_public: bool = True,
    creator_seat: int | None = None,
) -> Game:
    return tables.open_table(
        creator=creator,
        rules_slug=rules.slug,
        options={},
        terms=Terms(per_turn(ALLOWANCE)),
        now=now,
        is_public=is_public,
        creator_seat=creator_seat,
    )


def _begin(rules: AnyRules, people: Sequence[User], now: datetime) -> Game:
    """Return a new game at which as many people as it needs have sat down, in this order."""
    game = _open(people[0], rules, now, creator_seat=0)
    for user in people[1 : rules.seats(game.options)]:
        game = tables.join_table(game_id=game.pk, user=user, now=now)
    return game


def _play(game: Game, length: int | None) -> None:
    """Play `length` turns (None: to the end), one every PAUSE from the start."""
    players = {seat.number: seat.user for seat in game.seats.select_related("user") if seat.user}
    for number, text in enumerate(_random_line(game, length)):
        game = turns.play_turn(
            game_id=game.pk,
            user=players[game.clock.seat_to_move],
            text=text,
            expected_turn=number,
            via=Turn.Via.WEB,
            now=game.created_at + PAUSE * (number + 1),
        ).game


def _random_line(game: Game, length: int | None) -> list[str]:
    """Return random turns, the same ones every time, after which (if possible) more follow."""
    rules = game.rules
    line: list[str] = []
    for attempt in range(100):
        chance = random.Random(attempt)  # noqa: S311  (always the same games)
        position = rules.initial(game.options)
        line = []
        while rules.to_move(position) is not None and (length is None or len(line) <= length):
            text, position = random_turn(rules, position, chance)
            line.append(text)
        if length is None or len(line) > length:
            break
    return line[:length]
