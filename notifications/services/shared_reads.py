"""What many notices need of the same tables, read once for all of them.

Whoever writes or sends many notices says so with `sharing`: questions about one reader or one game
are then answered from what was read for all. Anywhere else each question reads for itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, Self

from allauth.account.models import EmailAddress
from django.db.models import Exists, F, Max, OuterRef, QuerySet

from accounts.models import User
from games.models import Game, GamePresence, Message, Turn
from games.services.clock.interruptions import (
    Interruptions,
    counted_since,
    read_interruptions,
)
from notifications.models import (
    AddressState,
    Cadence,
    DigestSchedule,
    MailedMessages,
    MailPreference,
)

MOST_PLANNED = 40
"""How far back a mail tells of planned turns that were played, in turns."""


class PlayedPlan(NamedTuple):
    """A turn that was played as its player had planned; `answered` is the turn before it."""

    player_id: int
    game_id: int
    number: int
    notation: str
    answered: str


@dataclass(frozen=True)
class Wishes:
    """When some users want mail, read for all of them at once."""

    cadences: Mapping[tuple[int, str], str]
    schedules: Mapping[int, DigestSchedule]

    @classmethod
    def of(cls, users: Iterable[User]) -> Self:
        """Read what these users have chosen."""
        keys = {user.pk for user in users}
        chosen = MailPreference.objects.filter(user__in=keys)
        schedules = DigestSchedule.objects.filter(user__in=keys)
        return cls(
            {
                (user, kind): cadence
                for user, kind, cadence in chosen.values_list("user", "kind", "cadence")
            },
            {schedule.user_id: schedule for schedule in schedules},
        )

    def cadence_of(self, user: User, kind: str) -> str:
        """Return when a user wants mail of a kind."""
        return self.cadences.get((user.pk, kind), Cadence.AT_ONCE)

    def schedule_of(self, user: User) -> DigestSchedule:
        """Return a user's schedule; an unsaved one with the defaults if they have chosen none."""
        return self.schedules.get(user.pk) or DigestSchedule(user=user)


@dataclass
class SharedReads:
    """What was read of some readers, and perhaps of some games.

    `is_outdated`: something has changed since that the reads do not show.
    """

    readers: frozenset[int] = frozenset()
    wishes: Wishes = field(default_factory=lambda: Wishes({}, {}))
    addresses: dict[int, str] = field(default_factory=dict)
    suspended: dict[str, bool] = field(default_factory=dict)

    games: frozenset[int] = frozenset()
    seen: dict[tuple[int, int], datetime] = field(default_factory=dict)
    mailed: dict[tuple[int, int], int] = field(default_factory=dict)
    newest_messages: dict[int, int] = field(default_factory=dict)
    turns: dict[int, Turn] = field(default_factory=dict)
    planned: dict[tuple[int, int], list[PlayedPlan]] = field(default_factory=dict)
    players: frozenset[int] = frozenset()
    interruptions: Interruptions = field(default_factory=lambda: Interruptions({}, [], False))
    at: datetime | None = None
    is_outdated: bool = False


_shared: ContextVar[SharedReads | None] = ContextVar("shared_reads", default=None)


@contextmanager
def sharing(reads: SharedReads) -> Iterator[SharedReads]:
    """Answer from these reads within the block."""
    token = _shared.set(reads)
    try:
        yield reads
    finally:
        _shared.reset(token)


def of_reader(user: User) -> SharedReads | None:
    """Return the reads that know this user's choices and addresses; None: there are none."""
    reads = _shared.get()
    return reads if reads is not None and user.pk in reads.readers else None


def of_game(game: Game) -> SharedReads | None:
    """Return the reads that know this game; None: there are none."""
    reads = _shared.get()
    return reads if reads is not None and game.pk in reads.games else None


def known_suspension(address: str) -> bool | None:
    """Return whether an address is suspended, as it was read; None: it was not."""
    reads = _shared.get()
    return reads.suspended.get(address) if reads is not None else None


def outdate() -> None:
    """Note that what was read must be read again before the next mail."""
    reads = _shared.get()
    if reads is not None:
        reads.is_outdated = True


def note_mailed(user: User, game_id: int, newest: int) -> None:
    """Note that a mail has brought a reader the messages of a game up to this one."""
    reads = _shared.get()
    if reads is not None:
        key = (user.pk, game_id)
        reads.mailed[key] = max(newest, reads.mailed.get(key, 0))


# Reading ---------------------------------------------------------------------------------------


def read_readers(users: Iterable[User]) -> SharedReads:
    """Read what these users chose about their mail, and their addresses; three queries."""
    readers = {user.pk: user for user in users}
    reads = SharedReads(frozenset(readers), Wishes.of(readers.values()))
    found = verified_addresses().filter(user__in=reads.readers)
    for user_id, address, is_suspended in found.values_list("user_id", "email", "is_suspended"):
        reads.addresses.setdefault(user_id, address)
        reads.suspended[address] = is_suspended
    return reads


def verified_addresses() -> QuerySet[EmailAddress]:
    """Return all verified addresses with `is_suspended`, each user's best one first."""
    suspended = AddressState.objects.suspended().filter(address=OuterRef("email"))
    addresses = EmailAddress.objects.filter(verified=True)
    return addresses.annotate(is_suspended=Exists(suspended)).order_by(
        "is_suspended", "-primary", "pk"
    )


def read_games(reads: SharedReads, games: Iterable[Game], *, now: datetime) -> None:
    """Add what mails say of these games, whose seats are loaded, to the reads; seven queries."""
    by_key = {game.pk: game for game in games}
    reads.games, reads.at = frozenset(by_key), now
    about = {"user__in": reads.readers, "game__in": reads.games}
    for user_id, game_id, seen_at in GamePresence.objects.filter(**about).values_list(
        "user_id", "game_id", "seen_at"
    ):
        reads.seen[user_id, game_id] = seen_at
    for user_id, game_id, newest in MailedMessages.objects.filter(**about).values_list(
        "user_id", "game_id", "newest"
    ):
        reads.mailed[user_id, game_id] = newest
    said = Message.objects.filter(game__in=reads.games, hidden_at=None).order_by()
    reads.newest_messages = dict(said.values_list("game_id").annotate(newest=Max("pk")))
    newest_turns = Turn.objects.filter(game__in=reads.games, number=F("game__turn_number"))
    for turn in newest_turns.select_related("player"):
        reads.turns[turn.game_id] = turn
    for played in read_played_plans(reads.games, reads.readers):
        reads.planned.setdefault((played.player_id, played.game_id), []).append(played)
    read_absences(reads, by_key.values(), now)


def read_absences(reads: SharedReads, games: Iterable[Game], now: datetime) -> None:
    """Add when the games' players are away, and when this service was down, to the reads."""
    since, players = now, set()
    for game in games:
        since = min(since, counted_since(game, now))
        for seat in game.all_seats:
            players |= {seat.user_id, seat.played_by_partner_id}
    reads.players = frozenset(pk for pk in players if pk is not None)
    reads.interruptions = read_interruptions(reads.players, since=since, now=now)


def read_played_plans(games: Iterable[int], readers: Iterable[int]) -> list[PlayedPlan]:
    """Return the readers' planned turns in these games since they last played by themselves.

    Only the newest MOST_PLANNED turns of a game are looked at.
    """
    by_hand = Turn.objects.filter(
        game=OuterRef("game"), player=OuterRef("player"), number__gt=OuterRef("number")
    ).exclude(via__in=[Turn.Via.PLAN, Turn.Via.TAKEBACK])
    before = Turn.objects.filter(game=OuterRef("game"), number=OuterRef("number") - 1)
    newest = F("game__turn_number") - MOST_PLANNED
    planned = Turn.objects.filter(
        game__in=games, player__in=readers, via=Turn.Via.PLAN, number__gt=newest
    )
    found = planned.filter(~Exists(by_hand)).annotate(answered=before.values("notation"))
    return [PlayedPlan(*row) for row in found.order_by("number").values_list(*PlayedPlan._fields)]


# Answers about a game --------------------------------------------------------------------------


def interruptions(game: Game, player: User | None, now: datetime) -> Interruptions | None:
    """Return what stops a game's clock, where `player` is or will be to move; None: not read."""
    reads = of_game(game)
    if reads is None or reads.at != now or (player and player.pk not in reads.players):
        return None
    return reads.interruptions.since(counted_since(game, now))


def planned_turns(game: Game, reader: User) -> list[PlayedPlan]:
    """Return what was played as `reader` had planned since they last played by themselves."""
    reads = of_game(game)
    if reads is not None and reader.pk in reads.readers:
        return reads.planned.get((reader.pk, game.pk), [])
    return read_played_plans([game.pk], [reader.pk])


def newest_turn(game: Game) -> Turn | None:
    """Return the last entry of the record with its player; None before the first."""
    reads = of_game(game)
    turn = reads.turns.get(game.pk) if reads is not None else None
    if turn is not None and turn.number == game.turn_number:
        return turn
    return game.turns.select_related("player").filter(number=game.turn_number).first()
