"""A player comes back to a game of several that they have just left."""

import pytest

from accounts.models import User
from games import errors
from games.clock.time_control import per_turn
from games.models import Event, Game, Terms, Turn
from games.models.undo import MARGIN
from games.moderation.game_actions import pause_game, remove_player
from games.plan_text import parse_plan
from games.queries.home import home_page
from games.queries.lists import games_of
from games.queries.seats import game_for
from games.rules.registry import all_rules
from games.services import offers
from games.services.clock.added_time import grant_time
from games.services.clock.availability import announce_vacation
from games.services.deadlines import time_out_due
from games.services.ending_undo import undo_end
from games.services.plans import lay_plans
from games.services.record import faults_of, numbers_of_turn
from games.services.result_counts import wrong_counts
from games.services.turns import play_turn
from notifications.emails.game_context import game_context
from notifications.outbox.recipients import make_notices
from notifications.services.calendar import calendar_of
from tests.factories import BotFactory
from tests.games.moderating import WHY
from tests.games.multiplayer import gather, mover, play_on, play_out, some_turn
from tests.games.play import DAY, SECOND, fresh, kinds, play, refused
from tests.games.resigning import everything, give_up
from tests.games.variants import VARIANTS
from tests.lanes import long

pytestmark = pytest.mark.django_db

SEVERAL = sorted(variant for variant, seats in VARIANTS.items() if seats > 2)
OVER = "You can no longer come back: the others may know that you left"
HELD = 90 * SECOND


def undo(game, user, *, now):
    return undo_end(game_id=game.pk, user=user, now=now)


def is_final(game, user, *, now):
    """Fail unless the player can no longer come back."""
    with refused(errors.DepartureIsFinal, OVER, status=409):
        undo(game, user, now=now)
    assert game.seats.get(user=user).left_at is not None


def assert_restored(game, before, *, left):
    """Fail unless all is as it was, and the record tells that `left` seats left and came back."""
    columns, seats, turns, *rest = before
    columns_now, seats_now, turns_now, *rest_now = everything(game)
    number = columns["turn_number"]
    own = {name: columns_now.pop(name) for name in ("turn_number", "head_hash")}
    assert own == {"turn_number": number + left + 1, "head_hash": turns_now[-1]["hash"]}
    for column in ("turn_number", "head_hash", "previous_position"):
        columns.pop(column)
    columns_now.pop("previous_position")
    assert (columns_now, seats_now, rest_now) == (columns, seats, rest)
    assert turns_now[:number] == turns
    added = [(turn["notation"].split()[0], turn["via"]) for turn in turns_now[number:]]
    assert added == [("withdraw", "left")] * left + [("takeback", "takeback")]
    assert turns_now[-1]["notation"] == f"takeback {number}"
    assert faults_of(fresh(game)) == []
    assert list(wrong_counts()) == []
    assert fresh(game).undo_until is None


def make_busy(game, people, *, now):
    """Let somebody offer the end, and somebody who waits plan a turn; return the game."""
    to_move = mover(game)
    waiting = next(person for person in people if person != to_move)
    offers.offer_end(game_id=game.pk, user=to_move, now=now)
    game = fresh(game)
    plan = parse_plan(f"if {some_turn(game)} then {reply_to(game)}")
    assert plan is not None
    number = game.turn_number
    waits = [person for person in people if person not in (to_move, waiting)]
    answering = game.rules.to_move(after_some_turn(game))
    answerer = game.seats.get(number=answering).user
    assert answerer in (waiting, *waits)
    lay_plans(game_id=game.pk, user=answerer, lines=[plan], expected_turn=number, now=now)
    return fresh(game)


def after_some_turn(game):
    position = game.rules.load(game.position)
    return game.rules.play_turn(position, game.rules.parse_turn(position, some_turn(game)))


def reply_to(game):
    """Return a legal answer to `some_turn`."""
    game = fresh(game)
    game.position = game.rules.dump(after_some_turn(game))
    return some_turn(game)


@pytest.fixture
def left(four, people, now):
    """Bob has just left a game of four, in which ann is to move."""
    give_up(four, people[1], now=now)
    return fresh(four)


# All is as it was --------------------------------------------------------------------------------


def test_superpion_alone_is_played_by_more_than_two():
    several = set()
    for rules in all_rules():
        if rules.slug != "superpion":
            assert rules.seats(rules.check_options({})) == 2
        else:
            several |= {
                name for name in VARIANTS if rules.seats(rules.check_options({"variant": name})) > 2
            }
    assert sorted(several) == SEVERAL


@pytest.mark.parametrize("turns", [1, *long(0, 6)])
@pytest.mark.parametrize("variant", SEVERAL)
def test_whoever_comes_back_finds_all_as_it_was(variant, turns, people, now):
    players = people[: VARIANTS[variant]]
    game = gather(players, now=now, variant=variant)
    game = make_busy(play_on(game, turns, now=now), players, now=now)
    make_notices(now=now)
    for moment, person in enumerate(players):
        at = now + (60 * moment + 30) * SECOND
        before = everything(game)
        give_up(game, person, now=at)
        assert everything(game) != before
        undo(game, person, now=at + 10 * SECOND)
        assert_restored(game, before, left=1)
    assert kinds(game).count("departure-undone") == len(players)
    assert "departed" not in kinds(game)
    play_out(fresh(game), now=now + DAY)
    assert faults_of(fresh(game)) == []
    assert list(wrong_counts()) == []


@pytest.mark.parametrize("variant", SEVERAL)
def test_an_end_by_leaving_is_undone_too(variant, people, now):
    players = people[: VARIANTS[variant]]
    game = play_on(gather(players, now=now, variant=variant), 2, now=now)
    at = now
    for person in players:
        make_notices(now=at)
        before, counts = everything(game), results(players)
        at += 300 * SECOND
        if give_up(game, person, now=at).is_over:
            break
        assert results(players) == counts
    assert fresh(game).status == "finished"
    assert results(players) != counts
    undo(game, person, now=at + SECOND)
    assert_restored(game, before, left=1)
    assert results(players) == counts
    assert kinds(game)[-2:] == ["departure-undone", "end-undone"]
    assert fresh(game).status == "active"


def results(people):
    """Return the counts of results of all these people, without rows of noughts."""
    return [list(person.kind_results.exclude(played=0).values()) for person in people]


def test_a_seat_that_was_played_for_a_partner_comes_back_too(people, now):
    terms = Terms(per_turn(2 * DAY), on_timeout="partner")
    game = play_on(gather(people, now=now, variant="teams", terms=terms), 1, now=now)
    at = game.deadline + SECOND
    assert time_out_due(now=at) == 1
    make_notices(now=at)
    before = everything(game)
    assert [seat["played_by_partner_id"] for seat in before[1]] == [None, people[3].pk, None, None]
    assert give_up(game, people[3], now=at + SECOND).is_over
    undo(game, people[3], now=at + 2 * SECOND)
    assert_restored(game, before, left=2)
    assert kinds(game).count("departed") == 1  # bob's, whose time had run out
    play(fresh(game), people[3], some_turn(fresh(game)), now=at + 3 * SECOND)


def test_the_partner_of_who_came_back_finds_all_as_it_was(people, now):
    """Cat leaves in turn: ann, her partner, plays her turn."""
    game = play_on(gather(people, now=now, variant="teams"), 2, now=now)
    make_notices(now=now)
    before = everything(game)
    assert mover(game) == people[2]
    assert mover(give_up(game, people[2], now=now + SECOND)) == people[0]
    undo(game, people[2], now=now + 2 * SECOND)
    assert_restored(game, before, left=1)


def test_a_vacant_seat_that_left_too_is_vacant_again(people, now):
    terms = Terms(per_turn(2 * DAY), on_timeout="substitute")
    game = gather(people[:3], now=now, variant="three", terms=terms)
    game = play_on(game, 1, now=now)
    at = game.deadline + SECOND
    assert time_out_due(now=at) == 1
    assert fresh(game).stop_reason == "substitute"
    make_notices(now=at)
    before = everything(game)
    assert give_up(game, people[0], now=at + SECOND).is_over
    assert kinds(game).count("departed") == 2
    undo(game, people[0], now=at + 2 * SECOND)
    assert_restored(game, before, left=2)
    assert kinds(game).count("departure-undone") == 2
    assert fresh(game).is_substitute_sought


def test_a_game_that_a_moderator_paused_stays_paused(four, people, mo, now):
    pause_game(game_id=four.pk, by=mo, why=WHY, now=now)
    make_notices(now=now)
    before = everything(four)
    give_up(four, people[0], now=now + SECOND)
    undo(four, people[0], now=now + 2 * SECOND)
    assert_restored(four, before, left=1)


def test_a_vacation_announced_meanwhile_counts(left, people, now):
    before = left.deadline
    announce_vacation(user=people[0], begins_at=now + DAY, ends_at=now + 4 * DAY, now=now)
    undo(left, people[1], now=now + SECOND)
    assert fresh(left).deadline > before


def test_the_events_say_who_came_back_and_when(left, people, now):
    undo(left, people[1], now=now + SECOND)
    event = left.events.get(kind=Event.Kind.DEPARTURE_UNDONE)
    assert (event.actor, event.at) == (people[1], now)
    assert event.details["undone_at"] == (now + SECOND).isoformat()


def test_who_came_back_can_leave_again(left, people, now):
    undo(left, people[1], now=now + SECOND)
    give_up(left, people[1], now=now + 2 * SECOND)
    undo(left, people[1], now=now + 3 * SECOND)
    assert list(left.turns.values_list("notation", flat=True)) == [
        *("withdraw 1", "takeback 0"),
        *("withdraw 1", "takeback 2"),
    ]
    assert numbers_of_turn(left.pk, 4) == [4, 2, 0]
    assert faults_of(fresh(left)) == []


# What was meant for the turn ---------------------------------------------------------------------


def test_a_turn_that_was_meant_for_this_position_is_played(left, people, now):
    undo(left, people[1], now=now + SECOND)
    text = some_turn(left)
    for number, refusal in [(1, errors.StaleTurn), (3, errors.StaleTurn)]:
        with refused(refusal, "meant for another position", status=409):
            play_at(left, people[0], text, number, now=now + 2 * SECOND)
    assert not play_at(left, people[0], text, 0, now=now + 2 * SECOND).already


def play_at(game, user, text, number, *, now):
    return play_turn(
        game_id=game.pk, user=user, text=text, expected_turn=number, via=Turn.Via.WEB, now=now
    )


def test_a_plan_that_was_made_for_this_position_is_laid(left, people, now):
    undo(left, people[1], now=now + SECOND)
    game = fresh(left)
    plan = parse_plan(f"if {some_turn(game)} then {reply_to(game)}")
    later = now + 2 * SECOND
    lay_plans(game_id=game.pk, user=people[1], lines=[plan], expected_turn=0, now=later)
    play(game, people[0], some_turn(game), now=later)
    assert fresh(game).turns.filter(via="plan").count() == 1


def test_a_takeback_that_was_offered_can_be_accepted(four, people, now):
    game = play_on(four, 1, now=now)
    offers.offer_takeback(game_id=game.pk, user=people[0], now=now)
    give_up(game, people[2], now=now + SECOND)
    undo(game, people[2], now=now + 2 * SECOND)
    for person in people[1:]:
        offers.accept_offer(game_id=game.pk, user=person, now=now + 3 * SECOND)
    assert fresh(game).turns.last().notation == "takeback 0"
    assert faults_of(fresh(game)) == []


def test_time_that_was_given_for_the_turn_still_counts(four, people, now):
    """Others could give it again and again by leaving and coming back."""
    grant_time(game_id=four.pk, user=people[1], now=now)
    grant_time(game_id=four.pk, user=people[2], now=now)
    give_up(four, people[3], now=now)
    undo(four, people[3], now=now + SECOND)
    with pytest.raises(errors.Refusal) as caught:
        grant_time(game_id=four.pk, user=people[1], now=now + 2 * SECOND)
    assert caught.value.code == "TimeEnough"


# Until when --------------------------------------------------------------------------------------


def test_it_ends_a_moment_before_the_mail_may_leave(left, people, now):
    assert left.undo_until == now + HELD - MARGIN
    is_final(left, people[1], now=now + HELD - MARGIN)
    undo(left, people[1], now=now + HELD - MARGIN - SECOND)


def test_it_ends_at_half_of_the_time_that_the_player_to_move_has(people, now):
    game = gather(people, now=now, terms=Terms(per_turn(DAY)))
    at = now + DAY - 40 * SECOND
    assert give_up(game, people[1], now=at).undo_until == at + 20 * SECOND - MARGIN


def opens_the_page(game, user, now):
    game_for(game.pk, user)


def opens_home(game, user, now):
    home_page(user)


def opens_a_profile(game, user, now):
    games_of(User.objects.get(username="bob"), user)


def reads_the_calendar(game, user, now):
    calendar_of(user, now=now)


def reads_a_mail(game, user, now):
    game_context(fresh(game), user, now)


LOOKS = [opens_the_page, opens_home, opens_a_profile, reads_the_calendar, reads_a_mail]


@pytest.fixture
def at(monkeypatch):
    """Return what sets the time that the pages go by."""

    def set_time(moment):
        for module in ("seats", "home", "lists"):
            monkeypatch.setattr(f"games.queries.{module}.server_now", lambda: moment)

    return set_time


@pytest.mark.parametrize("look", LOOKS)
def test_it_ends_when_another_player_is_shown_the_game(look, left, people, now, at):
    at(now + SECOND)
    look(left, people[0], now + SECOND)
    is_final(left, people[1], now=now + 2 * SECOND)


@pytest.mark.parametrize("look", LOOKS)
def test_who_left_and_strangers_may_look(look, left, people, now, at, mo):
    at(now + SECOND)
    look(left, people[1], now + SECOND)
    if look != reads_a_mail:
        look(left, mo, now + SECOND)
    undo(left, people[1], now=now + 2 * SECOND)


def plays(game, people, mo, now):
    play(game, people[0], some_turn(game), now=now)


def leaves(game, people, mo, now):
    give_up(game, people[2], now=now)


def offers_the_end(game, people, mo, now):
    offers.offer_end(game_id=game.pk, user=people[2], now=now)


def gives_time(game, people, mo, now):
    grant_time(game_id=game.pk, user=people[2], now=now)


def is_removed(game, people, mo, now):
    remove_player(game_id=game.pk, seat=2, by=mo, why=WHY, now=now)


def is_paused(game, people, mo, now):
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)


@pytest.mark.parametrize("act", [plays, leaves, offers_the_end, gives_time, is_removed, is_paused])
def test_it_ends_when_anybody_does_anything(act, left, people, mo, now):
    act(left, people, mo, now + SECOND)
    is_final(left, people[1], now=now + 2 * SECOND)


def test_it_ends_when_the_time_of_the_player_to_move_runs_out(left, people, now):
    Game.objects.filter(pk=left.pk).update(deadline=now + SECOND)
    play_on(left, 0, now=now)
    assert time_out_due(now=now + DAY * 3) == 1
    is_final(left, people[1], now=now + 2 * SECOND)


def test_before_a_bot_that_plays_at_once_it_is_final(people, now):
    robot = BotFactory(username="robot")
    game = gather([people[0], robot, people[2]], now=now, variant="three")
    give_up(game, people[0], now=now)
    is_final(game, people[0], now=now + SECOND)


def test_a_seat_that_a_program_took_over_is_its_own(people, bots, now):
    terms = Terms(per_turn(2 * DAY), on_timeout="program", substitute_level=1)
    game = gather(people[:3], now=now, variant="three", terms=terms)
    give_up(game, people[1], now=now)
    assert "seat-taken-over" in kinds(game)
    with refused(errors.NotAPlayer, "You do not play in this game", status=403):
        undo(game, people[1], now=now + SECOND)


def test_who_ran_out_of_time_has_left(four, people, now):
    game = play_on(four, 1, now=now)
    assert time_out_due(now=game.deadline + SECOND) == 1
    with refused(errors.HasLeft, "You have left this game", status=409):
        undo(game, people[1], now=game.deadline + 2 * SECOND)


def test_nobody_brings_somebody_else_back(left, people, mo, now):
    with refused(errors.NoEndToUndo, "there is no end to undo", status=409):
        undo(left, people[2], now=now)
    with refused(errors.NotAPlayer, "You do not play in this game", status=403):
        undo(left, mo, now=now)
    undo(left, people[1], now=now)
    with refused(errors.NoEndToUndo, "there is no end to undo", status=409):
        undo(left, people[1], now=now)


def test_who_left_before_stays_away(left, people, now):
    give_up(left, people[2], now=now + SECOND)
    is_final(left, people[1], now=now + 2 * SECOND)
    undo(left, people[2], now=now + 2 * SECOND)
    is_final(left, people[1], now=now + 3 * SECOND)


@pytest.mark.parametrize("change", [{"is_active": False}, {"barred_until": DAY}])
def test_nobody_comes_back_whose_account_is_gone(change, left, people, now):
    """The account was closed after the user of this request was read."""
    read = User.objects.get(pk=people[1].pk)
    values = {name: value if value is False else now + value for name, value in change.items()}
    User.objects.filter(pk=read.pk).update(**values)
    is_final(left, read, now=now + SECOND)
