"""Moderators: who may, why, once, and not in a game of their own. Every act is written down."""

import pytest

from games import errors
from games.models import Game
from games.moderation import game_actions, log
from games.moderation.action_names import GameAction
from games.services.endings import hand_over
from tests.factories import PersonFactory, StaffFactory
from tests.games.moderating import NAMES, WHY, all_game_actions, lose_on_time, newest
from tests.games.multiplayer import play_on
from tests.games.play import DAY, SECOND, fresh, refused, undone

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def played(four, now):
    """A game of four after three turns."""
    return play_on(four, 3, now=now)


@pytest.fixture
def do(played, zoe):
    """Return what does an act by its name."""
    acts = all_game_actions(played, zoe, DAY)
    assert sorted(acts) == sorted(NAMES) == sorted(GameAction.values)
    return lambda name, **who: acts[name](**{"why": WHY} | who)


@pytest.fixture
def prepare(do, played):
    """Return what brings the game to where an act is possible."""
    return lambda name, by, now: _prepare(name, do, played, by, now)


def _prepare(name, do, played, mo, now):
    before = {
        "resume": "pause",
        "make-public": "make-private",
        "open-conversation": "close-conversation",
    }
    if name in before:
        do(before[name], by=mo, now=now)
    if name == "reopen":
        lose_on_time(played, now=now)


@pytest.mark.parametrize("name", NAMES)
def test_every_act_is_an_event_of_the_game_and_in_the_log(do, prepare, played, mo, now, name):
    prepare(name, mo, now)
    do(name, by=mo, now=now + SECOND, why=f"  {WHY}\n")
    act, event = newest(played)
    assert (act.what, act.by, act.at, act.why) == (name, mo, now + SECOND, WHY)
    assert (event.actor, event.at) == (mo, now + SECOND)
    assert event.details["what"] == name
    assert event.details["why"] == WHY
    assert event.details["act"] == act.number
    assert list(log.faults()) == []


@pytest.mark.parametrize("name", NAMES)
def test_nobody_but_moderators_does_any_of_it(do, prepare, ann, mo, now, name):
    prepare(name, mo, now)
    staff, stranger, former = (
        StaffFactory(username="staff"),
        PersonFactory(username="stranger"),
        PersonFactory(username="former"),
    )
    # Still has the permission, but is no staff any more.
    former.user_permissions.set(mo.user_permissions.all())
    for person in (ann, stranger, staff, former):
        with refused(errors.MayNotModerate, "Only moderators", status=403):
            do(name, by=person, now=now)


@pytest.mark.parametrize("name", NAMES)
def test_nobody_moderates_a_game_of_their_own(do, prepare, played, mo, meg, now, name):
    prepare(name, meg, now)
    for seat in (0, 2):
        with undone():
            hand_over(fresh(played), played.seats.get(number=seat), mo, now, time=DAY)
            with refused(errors.OwnGame, "You play in this game, or did", status=403):
                do(name, by=mo, now=now)


def test_a_partner_who_plays_a_seat_cannot_moderate_the_game_either(do, played, mo, now):
    played.seats.filter(number=1).update(played_by_partner=mo)
    with refused(errors.OwnGame, "You play in this game", status=403):
        do("pause", by=mo, now=now)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_done_without_a_reason(do, prepare, mo, now, name):
    prepare(name, mo, now)
    for why in ("", " \n\t"):
        with refused(errors.NoReason, "It appears in the log", status=422):
            do(name, by=mo, now=now, why=why)


@pytest.mark.parametrize("name", ["pause", "resume", "add-time", "adjudicate", "abort"])
def test_a_game_that_is_over_is_not_changed_any_more(do, played, mo, now, name):
    game_actions.abort_as_moderator(game_id=played.pk, by=mo, why=WHY, now=now)
    with refused(errors.GameNotRunning, "This game has not started yet, or it is over", status=409):
        do(name, by=mo, now=now)


@pytest.mark.parametrize("name", ["withdraw", "substitute", "take-back"])
def test_seats_and_turns_of_a_game_that_is_over_stay_as_they_are(do, played, mo, now, name):
    game_actions.adjudicate(game_id=played.pk, by=mo, places=[1, 1, 1, 1], why=WHY, now=now)
    with refused(errors.GameNotRunning, "or it is over", status=409):
        do(name, by=mo, now=now)


@pytest.mark.parametrize("name", NAMES)
def test_who_saw_the_game_before_anothers_act_is_told_of_it(
    do, prepare, played, mo, meg, now, name
):
    prepare(name, mo, now)
    seen = newest(played)[0].number if newest(played)[0] else 0
    do("verify", by=meg, now=now)
    with refused(errors.ActedMeanwhile, "meg did this: record verified", status=409):
        do(name, by=mo, now=now, seen=seen)
    do(name, by=mo, now=now, seen=newest(played)[0].number)


def test_what_was_done_to_another_game_keeps_nobody_from_acting(do, game, mo, meg, now):
    game_actions.pause_game(game_id=game.pk, by=meg, why=WHY, now=now)
    do("pause", by=mo, now=now, seen=0)


def test_there_must_be_a_game(mo, now):
    with refused(errors.NoSuchGame, "There is no such game", status=404):
        game_actions.pause_game(game_id=Game.objects.count() + 1, by=mo, why=WHY, now=now)
