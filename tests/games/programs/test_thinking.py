"""Turns of programs: chosen at their level, claimed once, given back, and paid for by people."""

import itertools
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from accounts.guests import create_guest
from games.models import Game, Seat, ThinkingTime, Turn
from games.moderation.game_actions import pause_game, resume_game
from games.rules.registry import program_for
from games.services import thinking, thinking_time
from games.services.bots import answer_for_bots
from games.services.clock.stops import end_pause
from games.services.endings import resign
from games.services.invitations import ask_partner, ask_rematch
from games.services.levels import QUICK_SECONDS, level_to_move, levels_of
from games.services.offers import offer_pause
from games.services.thinking import play_due_turn, play_for_bots
from tests.games.play import DAY, SECOND, fresh, play, table, unchanged

pytestmark = pytest.mark.django_db

BEST = 5


def against(ann, level, *, now, slug="morpion", seat=1, **choices):
    """Begin a game of ann against the practice partner; the program begins unless told else."""
    game = table(ann, now=now, slug=slug, seat=seat, **choices)
    return fresh(ask_partner(game_id=game.pk, by=ann, now=now, level=level))


def due(game):
    return Game.objects.with_players().get(pk=game.pk)


@pytest.fixture
def chosen(monkeypatch):
    """Let every program choose its turn at once; return the levels that were asked."""
    levels = []

    def choose(claimed, is_stopped):
        levels.append(claimed.level.number)
        rules = claimed.game.rules
        position = rules.load(claimed.game.position)
        return rules.format_turn(position, rules.legal_actions(position)[:1])

    monkeypatch.setattr(thinking, "choose_turn", choose)
    return levels


@pytest.fixture(autouse=True)
def _slow_best(monkeypatch):
    """Let the best level of Morpion think for long, whatever its program really takes."""
    program = type(program_for("morpion"))
    levels = [
        replace(level, seconds=30.0) if level.number == BEST else level for level in program.levels
    ]
    monkeypatch.setattr(program, "levels", tuple(levels))


# The level ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_turn_is_the_one_of_the_programs_level_and_the_games_seed(ann, partner, now, level):
    game = against(ann, level, now=now, slug="super-morpion")
    assert play_for_bots(now=now) == 1
    rules, position = game.rules, game.rules.load(game.position)
    seed = thinking.seed_of(game.pk, 0)
    actions = program_for(game.rules_slug).choose_turn(position, level, seed)
    assert game.turns.get().notation == rules.format_turn(position, actions)


def test_no_two_turns_have_the_same_seed():
    seeds = {thinking.seed_of(game, turn) for game in range(1, 50) for turn in range(50)}
    assert len(seeds) == 49 * 50


def test_a_rematch_is_against_the_same_level(ann, partner, now):
    game = against(ann, 3, now=now)
    resign(game_id=game.pk, user=ann, now=now)
    rematch = ask_rematch(game_id=game.pk, user=ann, now=now)
    assert rematch.seats.get(user=partner).level == 3
    assert rematch.seats.get(user=ann).level is None


def test_the_level_goes_with_its_player_when_seats_are_drawn(ann, partner, now):
    drawn = set()
    for _ in range(20):
        game = against(ann, 4, now=now, seat=None)
        seats = {seat.user_id: seat for seat in game.seats.all()}
        assert (seats[partner.pk].level, seats[ann.pk].level) == (4, None)
        drawn.add(seats[partner.pk].number)
    assert drawn == {0, 1}


def test_a_program_from_before_there_were_levels_plays_at_the_lowest(ann, partner, now, chosen):
    game = against(ann, 3, now=now)
    game.seats.update(level=None)
    assert level_to_move(due(game)) == levels_of("morpion")[0]
    play_for_bots(now=now)
    assert chosen == [1]


# Claims ------------------------------------------------------------------------------------------


def test_who_thinks_about_a_game_has_it_alone_until_the_claim_expires(ann, partner, now):
    game = due(against(ann, BEST, now=now))
    claimed = thinking.claim_turn(game, now)
    with unchanged():
        assert thinking.claim_turn(game, now) is None
        assert play_for_bots(now=claimed.expires_at - SECOND) == 0
    assert claimed.expires_at > now + timedelta(seconds=claimed.level.seconds)
    again = thinking.claim_turn(due(game), claimed.expires_at)
    assert again is not None


def test_a_thought_that_comes_too_late_plays_nothing(ann, partner, now, chosen, monkeypatch):
    game = due(against(ann, BEST, now=now))
    choose = thinking.choose_turn

    def choose_late(claimed, is_stopped):
        # The claim expires meanwhile, and another worker plays.
        monkeypatch.setattr(thinking, "choose_turn", choose)
        Game.objects.filter(pk=game.pk).update(bot_due_at=now)
        assert play_due_turn(due(game), now)
        return "9"  # legal in the new position too, for ann

    monkeypatch.setattr(thinking, "choose_turn", choose_late)
    assert not play_due_turn(game, now)
    assert game.turns.count() == 1
    assert fresh(game).bot_due_at is None


def test_a_person_resigns_while_the_program_thinks(ann, partner, now, chosen, monkeypatch):
    game = due(against(ann, BEST, now=now))
    choose = thinking.choose_turn

    def choose_meanwhile(claimed, is_stopped):
        resign(game_id=game.pk, user=ann, now=now)
        return choose(claimed, is_stopped)

    monkeypatch.setattr(thinking, "choose_turn", choose_meanwhile)
    assert not play_due_turn(game, now)
    assert (fresh(game).status, game.turns.count()) == ("finished", 0)


def test_a_worker_that_stops_gives_its_thought_back(ann, partner, now, chosen, monkeypatch):
    game = due(against(ann, BEST, now=now))
    choose = thinking.choose_turn

    def choose_and_stop(claimed, is_stopped):
        assert not is_stopped()
        thinking.stopping.set()
        assert is_stopped()
        return choose(claimed, is_stopped)

    monkeypatch.setattr(thinking, "choose_turn", choose_and_stop)
    try:
        assert not play_due_turn(game, now)
        assert (game.turns.count(), fresh(game).bot_due_at) == (0, now)
        assert not play_due_turn(due(game), now)
        assert chosen == [BEST]
    finally:
        thinking.stopping.clear()


def test_a_game_whose_rules_are_gone_does_not_keep_the_others_waiting(ann, partner, now):
    broken, whole = against(ann, 1, now=now), against(ann, 1, now=now)
    Game.objects.filter(pk=broken.pk).update(rules_slug="gone")
    assert play_for_bots(now=now) == 1
    assert (fresh(whole).turn_number, fresh(broken).turn_number) == (1, 0)
    assert fresh(broken).bot_due_at == now + thinking.PAUSE_AFTER_FAULT


# Quick and slow levels ---------------------------------------------------------------------------


def test_quick_levels_play_before_those_that_think_for_long(ann, partner, now, chosen):
    for level in (BEST, 1, BEST, 1):
        against(ann, level, now=now)
    assert play_for_bots(now=now) == 3
    assert chosen == [1, 1, BEST]


def test_one_thread_thinks_for_long_and_another_answers_for_quick_levels(ann, partner, now, chosen):
    for level in (BEST, 1):
        against(ann, level, now=now)
    with thinking.long_thought:
        assert play_for_bots(now=now) == 1
    assert chosen == [1]


def test_many_that_think_for_long_do_not_keep_a_quick_level_waiting(
    ann, partner, now, chosen, monkeypatch
):
    monkeypatch.setattr(thinking, "BATCH", 3)
    for _ in range(3):
        against(ann, BEST, now=now)
    against(ann, 1, now=now + SECOND)
    with thinking.long_thought:  # another thread thinks for long
        assert play_for_bots(now=now + 2 * SECOND) == 1


def test_the_lowest_level_of_every_game_is_quick():
    for slug in ("morpion", "taquet", "super-morpion", "superpion", "morpiae"):
        levels = levels_of(slug)
        assert levels[0].seconds <= QUICK_SECONDS
        assert all(level.seconds <= 60 for level in levels)


# The budget --------------------------------------------------------------------------------------


def used(person):
    return sum(ThinkingTime.objects.filter(user=person).values_list("seconds", flat=True))


def test_what_a_program_used_is_charged_to_the_person(ann, partner, now):
    against(ann, 3, now=now, slug="super-morpion")
    before = threading.get_ident(), used(ann)
    play_for_bots(now=now)
    assert used(ann) > before[1]
    assert used(partner) == 0
    assert thinking_time.seconds_left(ann, now=now) == pytest.approx(1800 - used(ann))


def test_two_people_pay_equal_parts(ann, bob, now):
    thinking_time.charge([ann, bob], 3.0, now=now)
    thinking_time.charge([ann], 1.0, now=now)
    assert (used(ann), used(bob)) == (2.5, 1.5)


def test_when_it_is_used_up_the_program_answers_the_next_day(ann, partner, now, chosen):
    game = against(ann, BEST, now=now)
    thinking_time.charge([ann], 1800, now=now)
    midnight = datetime(2026, 3, 11, tzinfo=UTC)
    assert play_for_bots(now=now) == 0
    assert fresh(game).bot_due_at == midnight
    assert play_for_bots(now=midnight - SECOND) == 0
    assert play_for_bots(now=midnight) == 1
    assert chosen == [BEST]


@pytest.fixture
def paused(ann, partner, now, chosen):
    """A game in which the program waits for the next day, and a pause was agreed meanwhile."""
    game = against(ann, BEST, now=now)
    thinking_time.charge([ann], 1800, now=now)
    play_for_bots(now=now)
    offer_pause(game_id=game.pk, user=ann, days=14, now=now)
    answer_for_bots(now=now)
    assert fresh(game).stop_reason == "paused"
    return game


def test_a_program_does_not_end_a_pause_by_playing(paused, now):
    assert play_for_bots(now=now + DAY) == 0
    assert fresh(paused).stop_reason == "paused"


def test_a_program_plays_when_a_pause_ends(paused, ann, now):
    end_pause(game_id=paused.pk, user=ann, now=now + SECOND)
    assert play_for_bots(now=now + DAY) == 1


def test_a_program_plays_when_a_pause_ends_that_a_moderator_held(paused, ann, mo, now):
    pause_game(game_id=paused.pk, by=mo, why="to look", now=now)
    resume_game(game_id=paused.pk, by=mo, why="looked", now=now + SECOND)
    assert fresh(paused).stop_reason == "paused"
    assert play_for_bots(now=now + DAY) == 0
    end_pause(game_id=paused.pk, user=ann, now=now + DAY)
    assert play_for_bots(now=now + DAY) == 1


def test_a_quick_level_plays_on(ann, partner, now, chosen):
    against(ann, 1, now=now)
    thinking_time.charge([ann], 1800, now=now)
    assert play_for_bots(now=now) == 1


def test_a_program_whose_own_time_ends_sooner_plays_at_the_lowest_level(ann, partner, now, chosen):
    game = against(ann, BEST, now=now)
    thinking_time.charge([ann], 1800, now=now)
    Game.objects.filter(pk=game.pk).update(deadline=datetime(2026, 3, 11, tzinfo=UTC))
    assert play_for_bots(now=now) == 1
    assert chosen == [1]


def test_one_of_several_people_who_has_time_left_is_enough(ann, bob, now):
    thinking_time.charge([ann], 1800, now=now)
    assert not thinking_time.has_time_left([ann], now=now)
    assert thinking_time.has_time_left([ann, bob], now=now)
    assert thinking_time.has_time_left([ann], now=now + DAY)


def test_old_days_are_forgotten(ann, now):
    thinking_time.charge([ann], 1.0, now=now)
    thinking_time.charge([ann], 2.0, now=now + 8 * DAY)
    assert used(ann) == 2.0


def test_a_game_between_programs_is_paid_by_who_made_it(ann, partner, now):
    game = against(ann, 1, now=now)
    game.seats.filter(user=ann).update(
        user=partner.__class__.objects.create(username="other", is_bot=True)
    )
    assert thinking_time.people_of(due(game)) == [ann]


def test_a_turn_of_a_program_is_marked_as_one(ann, partner, now):
    game = against(ann, 1, now=now, seat=0)
    play(game, ann, "5", now=now)
    play_for_bots(now=now)
    turn = game.turns.get(number=2)
    assert (turn.player, turn.via) == (partner, Turn.Via.BOT)


def test_each_game_of_a_round_is_played_at_its_own_moment(ann, partner, now, chosen, monkeypatch):
    """What was played before it in the round took its time."""
    clock = SimpleNamespace(monotonic=itertools.count(0, 10).__next__, thread_time=lambda: 0.0)
    monkeypatch.setattr(thinking, "time", clock)
    games = [against(ann, 1, now=now) for _ in range(3)]
    assert play_for_bots(now=now) == 3
    played = [game.turns.get().played_at for game in games]
    assert played == sorted(set(played))
    assert played[-1] >= now + 40 * SECOND


def test_who_has_left_a_game_does_not_pay_for_its_programs(four, people):
    seen = due(four)
    seat = seen.seats.first()
    assert seat.user in thinking_time.people_of(seen)
    Seat.objects.filter(pk=seat.pk).update(left_at=four.created_at)
    assert seat.user not in thinking_time.people_of(due(four))


def test_the_games_of_guests_come_after_those_of_members(ann, partner, now, chosen, monkeypatch):
    monkeypatch.setattr(thinking, "BATCH", 1)
    guest = create_guest(language="en", now=now)
    early = against(guest, BEST, now=now, is_public=False)
    late = against(ann, BEST, now=now + SECOND)
    assert play_for_bots(now=now + 2 * SECOND) == 1
    assert (fresh(early).turn_number, fresh(late).turn_number) == (0, 1)
    assert play_for_bots(now=now + 2 * SECOND) == 1
    assert fresh(early).turn_number == 1


def test_programs_think_less_for_a_guest(ann, now):
    guest = create_guest(language="en", now=now)
    assert 0 < thinking_time.seconds_left(guest, now=now) < thinking_time.seconds_left(ann, now=now)
