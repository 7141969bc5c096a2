"""Players who leave a game of three or four, which the others play on."""

from datetime import timedelta

import pytest
from django.utils import translation

from games.models import Game, Offer
from games.queries import home_page, moment_at, words_of_turn
from games.rules.superpion.position import Position
from games.services.clock import remind_due, time_out_due
from games.services.endings import abort, can_abort, resign
from games.services.errors import CannotAbort, HasLeft, NotYourTurn, StaleTurn
from games.services.offers import accept_offer, decline_offer, offer_end, withdraw_offer
from games.services.programs import act
from games.services.record import faults_of, rebuild
from tests.factories import PersonFactory, ProgramFactory
from tests.games.play import DAY, SECOND, begin, fresh, kinds, play, refused
from tests.games.several import gather, mover, places, play_on, play_out, points, some_turn

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
CLOCK = ("seat_to_move", "turn_began_at", "deadline", "reminder_at", "program_due_at")


@pytest.fixture
def people(ann, bob, cat):
    """Four people, in the order in which they sit."""
    return [ann, bob, cat, PersonFactory(username="dan")]


@pytest.fixture
def four(people, now):
    """Four play, each for themselves; ann is to move."""
    return gather(people, now=now)


@pytest.fixture
def teams(people, now):
    """Ann and cat play against bob and dan; ann is to move."""
    return gather(people, now=now, variant="teams")


@pytest.fixture
def three(people, now):
    """Ann, bob and cat play; ann is to move."""
    return gather(people[:3], now=now, variant="three")


def clock(game):
    return {name: getattr(game, name) for name in CLOCK}


def give_up(game, *users, now):
    for user in users:
        resign(game_id=game.pk, user=user, now=now)
    return fresh(game)


# Leaving -----------------------------------------------------------------------------------------


def test_who_resigns_out_of_turn_leaves_and_the_others_play_on(four, cat, now):
    game = give_up(four, cat, now=now + HOUR)
    seat = game.seats.get(user=cat)
    assert (game.status, game.turn_number, game.seat_to_move) == ("active", 1, 0)
    assert (seat.left_at, seat.left_because, seat.place) == (now + HOUR, "resigned", None)
    assert game.seats.filter(left_at=None, left_because="").count() == 3
    entry = game.turns.get()
    assert (entry.number, entry.seat, entry.player) == (1, 2, cat)
    assert (entry.notation, entry.via, entry.played_at) == ("withdraw 2", "left", now + HOUR)


def test_a_departure_is_an_event_of_who_left(four, cat, now):
    give_up(four, cat, now=now)
    event = four.events.get(kind="departed")
    assert (event.actor, event.turn_number) == (cat, 1)
    assert event.details == {"seat": 2, "because": "resigned"}
    assert "ended" not in kinds(four)


def test_who_resigns_in_turn_passes_the_turn_to_the_next(four, ann, bob, now):
    game = give_up(four, ann, now=now + HOUR)
    assert (game.status, game.seat_to_move, mover(game)) == ("active", 1, bob)


def test_the_turns_of_who_left_are_passed_over(four, bob, now):
    give_up(four, bob, now=now)
    movers = []
    for _ in range(6):
        game = fresh(four)
        movers.append(mover(game).username)
        play_on(game, 1, now=now)
    assert movers == ["ann", "cat", "dan"] * 2


def test_who_runs_out_of_time_leaves_and_the_others_play_on(four, bob, cat, now):
    game = play_on(four, 1, now=now)
    late = game.deadline + SECOND
    assert time_out_due(now=late) == 1
    game = fresh(game)
    seat = game.seats.get(user=bob)
    assert (game.status, mover(game)) == ("active", cat)
    assert (seat.left_at, seat.left_because) == (late, "timeout")
    event = game.events.get(kind="departed")
    assert (event.actor, event.details) == (bob, {"seat": 1, "because": "timeout"})
    assert time_out_due(now=late) == 0


def test_one_after_another_runs_out_of_time_until_one_is_left(four, now):
    game = play_on(four, 1, now=now)
    for ending in ("active", "active", "finished"):
        time_out_due(now=game.deadline + SECOND)
        game = fresh(game)
        assert game.status == ending
    assert (game.ending, places(game)) == ("left", [1, 4, 3, 2])


def test_a_game_that_nobody_ever_played_is_aborted_and_nobody_has_left(four, now):
    time_out_due(now=four.deadline + SECOND)
    game = fresh(four)
    assert (game.status, game.ending, places(game)) == ("aborted", "never-begun", [None] * 4)
    assert not game.seats.exclude(left_at=None).exists()


# The record --------------------------------------------------------------------------------------


def test_a_departure_stands_in_the_hash_chain(four, bob, now):
    game = play_on(four, 5, now=now)
    before = game.head_hash
    game = give_up(game, bob, now=now + HOUR)
    assert game.turns.get(number=6).hash == game.head_hash != before
    assert faults_of(game) == []
    game = play_on(game, 5, now=now + HOUR)
    assert faults_of(game) == []
    game.turns.filter(number=6).update(notation="withdraw 3")
    assert faults_of(game)[0].what == "turn 6 does not match its hash"


@pytest.mark.parametrize("after", [0, 1, 4])
def test_the_caches_are_rebuilt_from_a_record_with_departures(four, people, now, after):
    game = play_on(four, 3, now=now)
    game = give_up(game, people[1], people[3], now=now)
    game = play_on(game, after, now=now)
    kept = game.position, game.previous_position
    Game.objects.filter(pk=game.pk).update(position="", previous_position="")
    game = fresh(game)
    rebuild(game)
    assert (fresh(game).position, fresh(game).previous_position) == kept
    assert faults_of(fresh(game)) == []


def test_the_page_of_a_moment_says_who_left(four, bob, client, now):
    game = give_up(play_on(four, 1, now=now), bob, now=now)
    for later in (0, 2):
        game = play_on(game, later, now=now)
        moment = moment_at(game, 2)
        assert (moment.left, moment.actions) == (1, ())
        assert moment.position == game.rules.withdraw(moment.before, 1)
        assert moment.before == moment_at(game, 1).position
        with translation.override("en"):
            assert words_of_turn(game, 2) == "leaves the game"
        html = client.get(f"/games/{game.pk}/turns/2/").content.decode()
        assert "bob leaves the game" in html
    assert "bob leaves the game" not in client.get(f"/games/{game.pk}/").content.decode()


def test_the_page_marks_who_left_and_offers_them_nothing(four, bob, client, now):
    give_up(four, bob, now=now)
    address = f"/games/{four.pk}/"
    client.force_login(bob)
    page = client.get(address)
    html = page.content.decode()
    assert page.status_code == 200
    assert [place["seat"].left_at is not None for place in page.context["seats"]] == [
        False, True, False, False,
    ]  # fmt: skip
    for action in ("resign", "abort", "offer", "play"):
        assert f'action="{address}{action}/"' not in html


# What others saw ---------------------------------------------------------------------------------


def test_a_turn_meant_for_the_position_before_somebody_left_is_stale(four, ann, bob, now):
    text = some_turn(four)
    give_up(four, bob, now=now)
    with refused(StaleTurn, "", status=409):
        play(four, ann, text, now=now, expected=0)
    assert play(four, ann, text, now=now, expected=1).turn.number == 2


def test_a_turn_sent_again_is_known_after_somebody_left(four, ann, cat, now):
    text = some_turn(four)
    turn = play(four, ann, text, now=now, expected=0).turn
    give_up(four, cat, now=now)
    assert play(four, ann, turn.notation, now=now, expected=0).already


def test_after_a_departure_the_next_is_to_move_and_nobody_else(four, ann, bob, now):
    game = give_up(four, ann, now=now)
    with refused(NotYourTurn, "", status=409):
        play(game, fresh(game).seats.get(number=2).user, some_turn(game), now=now)
    assert play(game, bob, some_turn(game), now=now).turn.seat == 1


# The clock ---------------------------------------------------------------------------------------


def test_the_clock_of_who_is_to_move_runs_on_when_somebody_else_leaves(four, bob, now):
    before = clock(four)
    assert None not in (before["deadline"], before["reminder_at"])
    assert clock(give_up(four, bob, now=now + HOUR)) == before


def test_a_reminder_that_was_written_is_not_written_again_for_a_departure(four, bob, now):
    late = four.reminder_at + SECOND
    assert remind_due(now=late) == 1
    give_up(four, bob, now=late)
    assert remind_due(now=late + SECOND) == 0


def test_the_clock_starts_anew_when_the_mover_leaves(four, ann, now):
    game = give_up(four, ann, now=now + HOUR)
    assert (game.turn_began_at, game.deadline) == (now + HOUR, now + HOUR + 2 * DAY)


def test_a_partner_has_all_the_time_when_the_mover_leaves(teams, ann, cat, now):
    game = give_up(teams, ann, now=now + HOUR)
    assert (mover(game), game.deadline) == (cat, now + HOUR + 2 * DAY)


def test_a_partner_who_leaves_out_of_turn_costs_the_mover_nothing(teams, cat, now):
    before = clock(teams)
    assert clock(give_up(teams, cat, now=now + HOUR)) == before


def test_a_program_is_due_when_the_turn_passes_to_it_and_not_before(people, now):
    ann, bob, cat, _ = people
    game = gather([ann, bob, ProgramFactory(), cat], now=now)
    assert give_up(game, bob, now=now + HOUR).program_due_at is None
    game = give_up(game, ann, now=now + HOUR)
    assert (game.seat_to_move, game.program_due_at) == (2, now + HOUR)
    assert act(now=now + HOUR) == 1
    assert fresh(game).seat_to_move == 3


def test_a_program_that_is_late_stays_due_when_somebody_else_leaves(people, now):
    ann, bob, cat, _ = people
    game = gather([ann, ProgramFactory(), bob, cat], now=now)
    game = play_on(game, 1, now=now)
    assert game.program_due_at == now
    assert give_up(game, cat, now=now + HOUR).program_due_at == now


def test_who_moves_again_since_nobody_else_can_has_all_the_time_anew(teams, ann, cat, now):
    """Cat has left, ann plays blue and yellow, and red has nothing left to move."""
    game = give_up(teams, cat, now=now)
    at = game.rules.load(game.position)
    pieces = (at.pieces[0], 0, at.pieces[2], at.pieces[3])
    held = (*at.reserves[:3], (0, 15, 0, 0, 0))
    bare = Position(at.seating, pieces, at.crowns, held, at.colour, turns=60)
    Game.objects.filter(pk=game.pk).update(position=game.rules.dump(bare))
    game = fresh(game)
    play(game, ann, some_turn(game), now=now + HOUR)
    game = fresh(game)
    assert (mover(game), game.turn_number) == (ann, 2)
    assert (game.turn_began_at, game.deadline) == (now + HOUR, now + HOUR + 2 * DAY)


# Who left ----------------------------------------------------------------------------------------


def test_who_left_does_nothing_more(four, ann, now):
    give_up(four, ann, now=now)
    for late in (now, now + 9 * DAY):
        for act_again in (resign, abort, offer_end, accept_offer, decline_offer, withdraw_offer):
            with refused(HasLeft, "", status=409):
                act_again(game_id=four.pk, user=ann, now=late)
        with refused(HasLeft, "", status=409):
            play(four, ann, some_turn(fresh(four)), now=late)


def test_who_left_does_not_play_when_their_partner_plays_their_colour(teams, ann, cat, now):
    game = give_up(teams, ann, now=now)
    with refused(HasLeft, "", status=409):
        play(game, ann, some_turn(game), now=now)
    assert play(game, cat, some_turn(game), now=now).turn.seat == 2


@pytest.mark.parametrize("leaver", [0, 1, 2, 3])
def test_an_offer_lapses_when_anybody_leaves(four, people, ann, cat, now, leaver):
    """Ann offers, cat accepts, and nobody agreed to the game without whoever leaves then."""
    offer = offer_end(game_id=four.pk, user=ann, now=now)
    accept_offer(game_id=four.pk, user=cat, now=now)
    game = give_up(four, people[leaver], now=now + HOUR)
    offer.refresh_from_db()
    assert (offer.state, offer.closed_at) == (Offer.State.LAPSED, now + HOUR)
    assert game.status == "active"


def test_a_program_that_left_is_asked_nothing_more(people, caplog, now):
    ann, bob, cat, _ = people
    game = gather([ann, ProgramFactory(), bob, cat], now=now)
    game = play_on(game, 1, now=now)
    time_out_due(now=game.deadline + SECOND)
    late = game.deadline + SECOND
    assert fresh(game).seats.get(number=1).left_at == late
    offer_end(game_id=game.pk, user=ann, now=late)
    with caplog.at_level("INFO", logger="games.services.programs"):
        assert act(now=late) == 0
    assert caplog.messages == []


def test_an_end_is_agreed_by_those_who_are_left(four, people, now):
    ann, bob, cat, dan = people
    give_up(four, bob, now=now)
    offer_end(game_id=four.pk, user=ann, now=now)
    accept_offer(game_id=four.pk, user=dan, now=now)
    assert fresh(four).status == "active"
    accept_offer(game_id=four.pk, user=cat, now=now)
    game = fresh(four)
    assert (game.status, game.ending) == ("finished", "agreed")
    assert (places(game), points(game)) == ([1, 4, 1, 1], [30, 0, 30, 30])


def test_a_game_counts_when_the_last_who_never_played_has_left(four, people, now):
    game = play_on(four, 3, now=now)
    game = give_up(game, people[3], now=now)
    with refused(CannotAbort, "", status=409):
        abort(game_id=game.pk, user=people[0], now=now)


# How it ends -------------------------------------------------------------------------------------


def test_of_three_the_last_who_stays_wins_and_the_first_to_leave_is_last(three, ann, bob, now):
    game = give_up(three, bob, now=now)
    assert game.status == "active"
    game = give_up(game, ann, now=now)
    assert (game.status, game.ending, places(game)) == ("finished", "left", [2, 3, 1])
    assert points(game) == [0, 0, 30]
    assert game.events.get(kind="ended").actor == ann
    assert faults_of(game) == []


def test_who_left_comes_behind_those_who_played_to_the_end(three, bob, now):
    game = play_on(three, 30, now=now)
    game = play_out(give_up(game, bob, now=now), now=now)
    assert game.status == "finished"
    assert places(game)[1] == 3
    assert {places(game)[0], places(game)[2]} <= {1, 2}
    assert faults_of(game) == []


def test_of_four_places_go_by_who_stayed_longest(four, people, now):
    ann, _, cat, dan = people
    game = give_up(four, dan, ann, cat, now=now)
    assert (game.status, places(game)) == ("finished", [3, 1, 2, 4])


def test_in_teams_the_partner_plays_both_colours(teams, people, now):
    ann, bob, cat, dan = people
    give_up(teams, cat, now=now)
    movers = []
    for _ in range(8):
        game = fresh(teams)
        movers.append(mover(game))
        play_on(game, 1, now=now)
    assert movers == [ann, bob, ann, dan] * 2
    assert faults_of(fresh(teams)) == []


def test_in_teams_the_others_win_when_both_partners_are_gone(teams, people, now):
    ann, bob, cat, _ = people
    game = give_up(teams, ann, bob, now=now)
    assert game.status == "active"
    game = give_up(game, cat, now=now)
    assert (game.status, game.ending, places(game)) == ("finished", "left", [2, 1, 2, 1])


def test_in_teams_who_left_shares_the_place_of_the_partner_who_stayed(teams, people, now):
    ann, _, cat, dan = people
    game = give_up(teams, dan, ann, cat, now=now)
    assert places(game) == [2, 1, 2, 1]


@pytest.mark.parametrize("variant", ["two", "superduel"])
def test_of_two_the_other_wins_at_once_and_nobody_has_left(ann, bob, now, variant):
    game = gather([ann, bob], now=now, variant=variant)
    game = give_up(game, bob, now=now)
    assert (game.status, game.ending) == ("finished", "resigned")
    assert (places(game), game.turn_number) == ([1, 2], 0)
    assert not game.seats.exclude(left_at=None).exists()
    assert "departed" not in kinds(game)


def test_of_two_who_runs_out_of_time_loses(ann, bob, now):
    game = play_on(gather([ann, bob], now=now, variant="two"), 1, now=now)
    time_out_due(now=game.deadline + SECOND)
    game = fresh(game)
    assert (game.ending, places(game)) == ("timeout", [1, 2])


def test_one_departure_leaves_other_games_alone(four, people, now):
    ann, bob, *_ = people
    other, small = gather(people, now=now), begin(ann, bob, now=now)
    give_up(four, bob, now=now)
    assert fresh(other).turn_number == 0
    assert not other.seats.exclude(left_at=None).exists()
    assert fresh(small).status == "active"


def test_who_has_left_sees_the_game_no_more_among_those_that_wait(people, now):
    game = play_on(gather(people, now=now), 4, now=now)
    leaver = next(user for user in people if user != mover(game))
    assert game in home_page(leaver).waiting
    resign(game_id=game.pk, user=leaver, now=now)
    assert game not in [*home_page(leaver).waiting, *home_page(leaver).awaiting]


def test_leaving_is_not_playing_where_nobody_has_played(people, now):
    game = gather(people, now=now)
    leaver = next(user for user in people if user != mover(game))
    resign(game_id=game.pk, user=leaver, now=now)
    assert can_abort(fresh(game))
    time_out_due(now=now + timedelta(days=400))
    assert (fresh(game).status, fresh(game).ending) == ("aborted", "never-begun")
