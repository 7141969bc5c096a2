"""Two acts at a game at the same moment leave it as if one had come after the other.

One acts at each step of what the other one does, which are the queries, also those inside of the
transaction. What is answered and what is stored must be as in one of both orders.
"""

from datetime import timedelta

import pytest

from accounts.models import User
from games.clock.time_control import per_turn
from games.models import Event, Terms, Turn
from games.moderation.game_actions import pause_game
from games.moderation.people import Running, ban_user
from games.services.clock.added_time import grant_time
from games.services.clock.availability import announce_vacation
from games.services.clock.recalculation import recount_due
from games.services.clock.stops import end_stops
from games.services.clock.timeouts import claim_seat
from games.services.deadlines import time_out_due
from games.services.ending_undo import undo_end
from games.services.endings import abort, resign
from games.services.invitations import accept, ask_partner, ask_rematch, challenge, decline
from games.services.lessons import ask_teacher, play_again
from games.services.offers import accept_offer, decline_offer, offer_end, withdraw_offer
from games.services.record import faults_of
from games.services.reminders import snooze
from games.services.result_counts import wrong_counts
from games.services.tables import expire_due, join_table, withdraw_table
from games.services.takebacks import undo_turn
from games.services.thinking import play_for_bots
from notifications.deletion.deleting import SECOND_PASS, delete_account
from notifications.outbox.recipients import make_notices
from tests.factories import PersonFactory
from tests.games.interleaving import answer, each_step
from tests.games.moderating import a_moderator
from tests.games.multiplayer import gather, play_on, some_turn
from tests.games.play import DAY, SECOND, begin, fresh, play, play_all, table

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,  # an act on SQLite is one step
    pytest.mark.timeout(1200),
]

PEOPLE = ("ann", "bob", "cat", "dan", "eve", "finn")


class World:
    """A game with its people, and what each of them can do at it; `at` is when they do it."""

    def __init__(self, now, moderator):
        self.now, self.at, self.moderator = now, now + 3 * SECOND, moderator
        for name in PEOPLE:
            setattr(self, name, PersonFactory())
        self.game = self.begin()

    def acts(self):
        """Return the names of what can be done here."""
        return [name.removeprefix("do_") for name in dir(self) if name.startswith("do_")]

    def do(self, name):
        return str(getattr(self, f"do_{name}")() and "done")

    def here(self, name, **more):
        """Return the arguments with which a person acts at the game."""
        return {"game_id": self.game.pk, "user": getattr(self, name), "now": self.at} | more

    def pause(self):
        """Let a moderator pause the game."""
        return pause_game(game_id=self.game.pk, by=self.moderator, why="Looked at", now=self.at)

    def settle(self):
        """Let the periodic tasks do what they left because a row was locked."""
        recount_due(now=self.at)

    def stored(self):
        """Return all that can be told of the game, with roles instead of keys."""
        self.settle()
        roles = {getattr(self, name).pk: name for name in PEOPLE} | {None: None}

        def role(key):
            return roles.get(key, "another")

        game = fresh(self.game)
        assert faults_of(game) == []
        names = ("status", "ending", "turn_number", "seat_to_move", "deadline", "stop_reason")
        times = ("stopped_at", "stopped_until", "wait_remaining", "bot_due_at", "judge_due_at")
        seats = game.seats.order_by("number").values_list(
            "user", "place", "left_at", "left_because", "played_by_partner", "level"
        )
        turns = game.turns.order_by("number").values_list("player", "notation", "via")
        invitations = game.invitations.order_by("pk").values_list("user", "state")
        return {
            "game": [getattr(game, name) for name in (*names, *times)],
            "rematch": game.rematch and game.rematch.status,
            "seats": [(role(user), *rest[:3], role(rest[3]), rest[4]) for user, *rest in seats],
            # A program's turn depends on the number of its game.
            "turns": [
                (role(player), via, "" if via == Turn.Via.BOT else notation)
                for player, notation, via in turns
            ],
            "offers": list(game.offers.order_by("pk").values_list("kind", "state")),
            "invitations": [(role(user), state) for user, state in invitations],
            "events": sorted(
                (kind, str(role(by))) for kind, by in game.events.values_list("kind", "actor")
            ),
        }


class TwoPlay(World):
    """Ann is to move, and bob has just played and offered to end the game."""

    def begin(self):
        game = play_all(begin(self.ann, self.bob, now=self.now), ["5"], now=self.now)
        make_notices(now=self.now)
        play(game, self.bob, "1", now=self.now + SECOND)
        offer_end(game_id=game.pk, user=self.bob, now=self.now + 2 * SECOND)
        return game

    def do_play(self):
        return play(self.game, self.ann, "9", now=self.at, expected=2)

    def do_play_elsewhere(self):
        return play(self.game, self.ann, "3", now=self.at, expected=2)

    def do_resign(self):
        return resign(**self.here("ann"))

    def do_opponent_resigns(self):
        return resign(**self.here("bob"))

    def do_undo(self):
        return undo_turn(**self.here("bob"))

    def do_accept(self):
        return accept_offer(**self.here("ann"))

    def do_decline(self):
        return decline_offer(**self.here("ann"))

    def do_withdraw(self):
        return withdraw_offer(**self.here("bob"))

    def do_announce(self):
        ends = self.at + 3 * DAY
        return announce_vacation(user=self.ann, begins_at=self.at, ends_at=ends, now=self.at)

    def do_grant(self):
        return grant_time(**self.here("bob"))

    def do_snooze(self):
        return snooze(**self.here("ann", delay=DAY / 2))

    do_pause = World.pause

    def do_ban(self):
        running = Running.WITHDRAW
        key, why = self.bob.pk, "Cheated"
        return ban_user(person_id=key, by=self.moderator, why=why, running=running, now=self.at)


class TimeRunsOut(TwoPlay):
    """The same, when ann's time is over unless she has announced a vacation."""

    def settle(self):
        super().settle()
        self.do_time_out()

    def do_time_out(self):
        time_out_due(now=self.now + 2 * DAY + 5 * SECOND)
        return True


class ItIsOver(World):
    """Ann has just resigned a game against bob, and her account is about to be deleted."""

    def begin(self):
        game = play_all(begin(self.ann, self.bob, now=self.now), ["5", "1"], now=self.now)
        # Everybody has been told of what was before: one task tells of so many events only.
        Event.objects.filter(noticed_at=None).update(noticed_at=self.now)
        self.ann.deletion_due_at = self.at
        self.ann.save(update_fields=["deletion_due_at"])
        return resign(game_id=game.pk, user=self.ann, now=self.now + SECOND)

    def settle(self):
        if not User.objects.get(pk=self.ann.pk).is_active:
            delete_account(self.ann.pk, self.at + SECOND_PASS)

    def do_undo(self):
        return undo_end(**self.here("ann"))

    def do_ask_rematch(self):
        return ask_rematch(**self.here("ann"))

    def do_opponent_asks_rematch(self):
        return ask_rematch(**self.here("bob"))

    def do_ask_teacher(self):
        ask_teacher(**self.here("ann"))
        return True

    def do_play_again(self):
        game = fresh(self.game)
        return play_again(game=game, turn=1, user=self.bob, level=1, now=self.at)

    def do_tell(self):
        make_notices(now=self.at)
        return True

    def do_delete(self):
        return delete_account(self.ann.pk, self.at)


class OneHasLeft(World):
    """Ann has just left a game of three; bob is to move."""

    def begin(self):
        people = [self.ann, self.bob, self.cat]
        game = play_on(gather(people, now=self.now, variant="three"), 1, now=self.now)
        self.turn = some_turn(fresh(game))
        return resign(game_id=game.pk, user=self.ann, now=self.now + SECOND)

    def do_come_back(self):
        return undo_end(**self.here("ann"))

    def do_play(self):
        return play(self.game, self.bob, self.turn, now=self.at, expected=2)

    def do_resign(self):
        return resign(**self.here("bob"))

    def do_last_one_resigns(self):
        return resign(**self.here("cat"))

    def do_offer(self):
        return offer_end(**self.here("cat"))

    def do_abort(self):
        return abort(**self.here("bob"))


class ASeatIsSought(World):
    """Bob has run out of time in a game of four, and a substitute is sought."""

    def begin(self):
        terms = Terms(per_turn(2 * DAY), on_timeout="substitute")
        people = [self.ann, self.bob, self.cat, self.dan]
        game = play_on(gather(people, now=self.now, terms=terms), 1, now=self.now)
        self.at = game.deadline + timedelta(hours=1)
        assert time_out_due(now=game.deadline + SECOND)
        return game

    def do_claim(self):
        return claim_seat(**self.here("eve"))

    def do_other_claims(self):
        return claim_seat(**self.here("finn"))

    def do_resign(self):
        return resign(**self.here("cat"))

    def do_another_resigns(self):
        return resign(**self.here("dan"))

    do_pause = World.pause

    def do_end_search(self):
        end_stops(now=self.at + 30 * DAY)
        return True

    def settle(self):
        self.do_end_search()


class AgainstProgram(World):
    """Ann has just played against a program."""

    def begin(self):
        game = table(self.ann, now=self.now, seat=0, slug="super-morpion")
        game = ask_partner(game_id=game.pk, by=self.ann, now=self.now, level=1)
        play(game, self.ann, "55", now=self.now + SECOND)
        return game

    def do_think(self):
        play_for_bots(now=self.at)
        return True

    def do_undo(self):
        return undo_turn(**self.here("ann"))

    def do_resign(self):
        return resign(**self.here("ann"))

    do_pause = World.pause

    def settle(self):
        self.do_think()


class ATableWaits(World):
    """Ann's table has one free seat, for which bob is invited."""

    def begin(self):
        game = table(self.ann, now=self.now, is_public=False)
        self.invitation = challenge(game_id=game.pk, by=self.ann, user=self.bob, now=self.now)
        return game

    def invited(self, name):
        user = getattr(self, name)
        return {"invitation_id": self.invitation.pk, "user": user, "now": self.at}

    def do_accept(self):
        return accept(**self.invited("bob"))

    def do_decline(self):
        return decline(**self.invited("bob"))

    def do_join(self):
        return join_table(**self.here("cat"))

    def do_withdraw(self):
        return withdraw_table(**self.here("ann"))

    def do_expire(self):
        expire_due(now=self.now + 14 * DAY)
        return True

    def settle(self):
        self.do_expire()


WORLDS = {
    TwoPlay: None,
    TimeRunsOut: ["time_out"],
    ItIsOver: None,
    OneHasLeft: None,
    ASeatIsSought: None,
    AgainstProgram: None,
    ATableWaits: None,
}
"""The worlds, and which acts are tried there with all others; None is for all of them."""


@pytest.fixture
def moderator(db):
    return a_moderator("mo")


SHORT = {(AgainstProgram, "think"), (ATableWaits, "accept")}
"""What is tried with all others each time; the rest takes ten minutes."""

PAIRS = [
    pytest.param(
        world,
        act,
        id=f"{world.__name__}-{act}",
        marks=() if (world, act) in SHORT else pytest.mark.long,
    )
    for world, tried in WORLDS.items()
    for act in tried or world.acts(world)
]


@pytest.mark.parametrize(("world", "first"), PAIRS)
def test_two_acts_at_once_are_one_after_the_other(world, first, moderator, partner, now):
    def make():
        return world(now, moderator)

    for second in world.acts(world):
        orders = []
        for order in ((first, second), (second, first)):
            made = make()
            said = {name: answer(lambda: made.do(name)) for name in order}  # noqa: B023
            orders.append((said[first], said[second], made.stored()))
        if first == second:
            made = make()
            said = [answer(lambda: made.do(first)) for _ in range(2)]  # noqa: B023
            stored = made.stored()
            orders = [(*said, stored), (*reversed(said), stored)]
        steps = each_step(
            make,
            lambda made: made.do(first),
            lambda made: made.do(second),  # noqa: B023
            inside=True,
        )
        for made, one, other in steps:
            assert (one, other, made.stored()) in orders, second
    assert list(wrong_counts()) == []
