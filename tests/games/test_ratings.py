"""Ratings: what changes them, what does not, and that a rebuild gives the very same numbers."""

import random
from datetime import timedelta

import pytest
from django.core.management import call_command

from accounts.guests import create_guest
from accounts.programs import create_program
from games.clock.time_control import per_turn
from games.models import Game, Rating, RatingChange, RatingMark, RatingProgress, Terms
from games.moderation.game_actions import (
    abort_as_moderator,
    adjudicate,
    reopen_game,
    substitute,
)
from games.services import ratings
from games.services.ending_undo import undo_end
from games.services.endings import resign
from games.services.invitations import Opponent, propose
from games.services.ratings import rate_due
from notifications.deletion.erasure import erase, erase_names
from tests.factories import PersonFactory
from tests.games.moderating import WHY, a_moderator, lose_on_time
from tests.games.multiplayer import gather, play_on
from tests.games.play import DAY, begin, fresh, play_all
from tests.racing import at_once

pytestmark = pytest.mark.django_db

UNRATED = Terms(per_turn(2 * DAY), is_rated=False)


def state():
    """Return all ratings and changes, every digit."""
    of_rating = ("player_id", "rules_slug", "table_kind", "level", "mu", "sigma", "games")
    of_change = (*of_rating, "game_id", "mu_before", "sigma_before", "weight", "ended_at")
    return (
        sorted(Rating.objects.values_list(*of_rating)),
        sorted(RatingChange.objects.values_list(*of_change)),
    )


def rated():
    """Rate what is due; return everything, and fail if a rebuild gives anything else."""
    rate_due(seconds=60)
    assert not RatingMark.objects.exists()
    before = state()
    call_command("ratings", "rebuild", verbosity=0)
    assert state() == before
    return before


def number(player, slug="morpion"):
    """Return a player's rating as it is shown, None without one."""
    one = Rating.objects.filter(player=player, rules_slug=slug).first()
    return one and one.number


def lost(game, user, *, now):
    """Play a turn of each side and let a user resign."""
    play_all(game, ["5", "1"], now=now)
    return resign(game_id=game.pk, user=user, now=now)


def test_who_wins_gains_what_the_other_loses_and_both_are_provisional(ann, bob, now):
    lost(begin(ann, bob, now=now), bob, now=now)
    assert number(ann) is None  # it is only marked
    rated()
    assert number(ann) - 1500 == 1500 - number(bob) > 0
    one = Rating.objects.get(player=ann)
    assert (one.games, one.table_kind, one.is_provisional) == (1, "2", True)
    assert one.sigma < 250


def test_a_draw_moves_unequal_players_towards_each_other(ann, bob, now):
    draw = ["1", "2", "3", "5", "4", "6", "8", "7", "9"]
    lost(begin(ann, bob, now=now), bob, now=now)
    rated()
    before = number(ann), number(bob)
    play_all(begin(ann, bob, now=now), draw, now=now + DAY)
    rated()
    assert before[0] > number(ann) > number(bob) > before[1]


@pytest.mark.parametrize("turns", [[], ["5"]])
def test_a_game_in_which_only_one_side_has_played_is_not_rated(turns, ann, bob, now):
    game = play_all(begin(ann, bob, now=now), turns, now=now)
    resign(game_id=game.pk, user=bob, now=now)
    assert fresh(game).status == Game.Status.FINISHED
    assert rated() == ([], [])


def test_a_table_that_is_not_rated_changes_nothing(ann, bob, now):
    game = lost(begin(ann, bob, now=now, terms=UNRATED), bob, now=now)
    assert not RatingMark.objects.exists()
    assert rated() == ([], [])
    assert not game.terms.is_rated


def test_tables_are_rated_unless_host_or_creator_says_otherwise(ann, bob, now, settings):
    assert begin(ann, bob, now=now).is_rated
    settings.RATED_TABLES = False
    assert not begin(ann, bob, now=now).is_rated
    chosen = Terms(per_turn(DAY), is_rated=True)
    assert begin(ann, bob, now=now, terms=chosen).is_rated


def test_a_guests_table_and_a_lesson_are_not_rated(ann, partner, now):
    guest = create_guest(language="en", now=now)
    for creator, is_lesson in ((guest, False), (ann, True)):
        game = propose(
            creator=creator,
            rules_slug="morpion",
            options={},
            terms=Terms(per_turn(DAY), is_rated=True),
            opponent=Opponent("partner"),
            is_public=False,
            creator_seat=0,
            is_lesson=is_lesson,
            now=now,
        )
        assert not game.is_rated


def test_nobody_is_rated_against_programs_of_their_own(ann, bob, now):
    first, second = (create_program(owner=ann, username=name) for name in ("one-bot", "two-bot"))
    assert not begin(first, ann, now=now).is_rated
    assert not begin(first, second, now=now).is_rated
    assert begin(first, bob, now=now).is_rated


def test_a_program_is_rated_at_its_level_apart_from_people(ann, partner, now):
    game = propose(
        creator=ann,
        rules_slug="morpion",
        options={},
        terms=Terms(per_turn(DAY)),
        opponent=Opponent("partner", level=3),
        is_public=False,
        creator_seat=0,
        now=now,
    )
    lost(game, ann, now=now)
    rated()
    program = Rating.objects.get(player=partner)
    assert (program.level, program.of_program, program.mu > 1500) == (3, True, True)
    assert not Rating.objects.get(player=ann).of_program


def test_a_game_that_is_reopened_counts_as_it_then_stands(ann, bob, now):
    boss = a_moderator("boss")
    game = lose_on_time(play_all(begin(ann, bob, now=now), ["5", "1"], now=now), now=now)
    later = lost(begin(ann, bob, now=now), ann, now=now + DAY)
    rated()
    assert RatingChange.objects.count() == 4
    reopen_game(game_id=game.pk, by=boss, why=WHY, now=now + 2 * DAY)
    rated()
    assert set(RatingChange.objects.values_list("game", flat=True)) == {later.pk}
    adjudicate(game_id=game.pk, by=boss, places=[1, 2], why=WHY, now=now + 3 * DAY)
    rated()
    newest = RatingChange.objects.get(player=ann, game=game)
    assert (newest.games, newest.gained > 0) == (2, True)


def test_a_game_that_is_reopened_and_broken_off_counts_no_more(ann, bob, now):
    boss = a_moderator("boss")
    game = lose_on_time(play_all(begin(ann, bob, now=now), ["5", "1"], now=now), now=now)
    rated()
    reopen_game(game_id=game.pk, by=boss, why=WHY, now=now)
    abort_as_moderator(game_id=game.pk, by=boss, why=WHY, now=now)
    assert rated() == ([], [])


def test_an_end_that_is_undone_counts_no_more(ann, bob, now):
    game = lost(begin(ann, bob, now=now), bob, now=now)
    rated()
    undo_end(game_id=game.pk, user=bob, now=now)
    assert rated() == ([], [])


def test_games_of_the_same_people_weigh_less_after_the_third_in_thirty_days(ann, bob, now):
    for day in range(5):
        lost(begin(ann, bob, now=now + day * DAY), bob, now=now + day * DAY)
    lost(begin(ann, bob, now=now + 33 * DAY), bob, now=now + 33 * DAY)  # after the first three
    rated()
    weights = RatingChange.objects.filter(player=ann).order_by("ended_at")
    assert list(weights.values_list("weight", flat=True)) == [1, 1, 1, 0.75, 0.6, 1]


def test_who_leaves_a_game_of_four_loses_it_even_from_a_good_place(people, now):
    game = play_on(gather(people[:4], now=now), 8, now=now)
    mover = game.seats.get(number=game.seat_to_move).user
    resign(game_id=game.pk, user=mover, now=now)
    boss = a_moderator("boss")
    seat = game.seats.get(user=mover)
    places = [1 if number == seat.number else 2 for number in range(4)]
    adjudicate(game_id=game.pk, by=boss, places=places, why=WHY, now=now)
    rated()
    gained = {one.player_id: one.mu - one.mu_before for one in RatingChange.objects.all()}
    assert len(gained) == 4
    assert gained.pop(mover.pk) < 0
    assert all(value > 0 for value in gained.values())


def test_a_substitute_and_who_had_the_seat_before_share_what_the_game_changes(people, now):
    boss, eve = a_moderator("boss"), PersonFactory(username="eve")
    game = play_on(gather(people[:4], now=now), 12, now=now)
    seat = game.seats.get(number=1)
    former = seat.user
    substitute(game_id=game.pk, by=boss, seat=1, user=eve, why=WHY, now=now)
    play_on(game, 4, now=now)
    adjudicate(game_id=game.pk, by=boss, places=[1, 4, 2, 3], why=WHY, now=now)
    rated()
    change = {one.player_id: one.mu - one.mu_before for one in RatingChange.objects.all()}
    assert len(change) == 5
    assert change[former.pk] / change[eve.pk] == pytest.approx(3)  # three turns to one


def test_who_had_the_seat_before_gains_nothing_from_the_substitute(people, now):
    boss, eve = a_moderator("boss"), PersonFactory(username="eve")
    game = play_on(gather(people[:4], now=now), 12, now=now)
    former = game.seats.get(number=1).user
    substitute(game_id=game.pk, by=boss, seat=1, user=eve, why=WHY, now=now)
    play_on(game, 4, now=now)
    adjudicate(game_id=game.pk, by=boss, places=[2, 1, 3, 4], why=WHY, now=now)
    rated()
    change = {one.player_id: one.mu - one.mu_before for one in RatingChange.objects.all()}
    assert change[former.pk] == 0 < change[eve.pk]


def test_partners_change_together(people, now):
    game = play_on(gather(people[:4], now=now, variant="teams"), 8, now=now)
    sides = game.rules.sides(game.options)
    boss = a_moderator("boss")
    places = [1 if side == sides[0] else 2 for side in sides]
    adjudicate(game_id=game.pk, by=boss, places=places, why=WHY, now=now)
    rated()
    found = {one.player_id: one for one in Rating.objects.all()}
    assert {one.table_kind for one in found.values()} == {"4t"}
    for seat in game.seats.all():
        assert (found[seat.user_id].mu > 1500) == (sides[seat.number] == sides[0])


def test_a_deleted_account_has_no_rating_and_the_others_keep_theirs(ann, bob, now):
    lost(begin(ann, bob, now=now), bob, now=now)
    rate_due(seconds=60)
    kept = state()[1]
    erase(bob, now=now)
    erase_names(bob)
    assert not Rating.objects.filter(player=bob).exists()
    assert rated()[1] == kept
    assert not Rating.objects.filter(player=bob).exists()
    assert number(ann) > 1500


def test_a_batch_that_was_killed_is_done_again(ann, bob, now, monkeypatch):
    for day in range(5):
        lost(begin(ann, bob, now=now + day * DAY), bob, now=now + day * DAY)
    rated()
    right = state()
    monkeypatch.setattr(ratings, "BATCH", 2)
    RatingProgress.objects.update(next_at=now, next_game=0)
    with monkeypatch.context() as broken:
        broken.setattr(ratings, "keep_newest_ratings", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            rate_due(seconds=60)
    assert state() == right
    assert rate_due(seconds=0) == 2  # one batch: the time is over
    assert RatingProgress.objects.get().next_at == now + 2 * DAY
    assert rate_due(seconds=60) == 3
    assert state() == right


def test_only_kinds_whose_rules_are_installed_are_rated(ann, bob, now):
    game = lost(begin(ann, bob, now=now), bob, now=now)
    Game.objects.filter(pk=game.pk).update(rules_slug="gone")
    RatingMark.objects.update(rules_slug="gone")
    assert rate_due(seconds=60) == 0
    assert RatingMark.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_rate_each_game_once(ann, bob, now):
    for day in range(8):
        lost(begin(ann, bob, now=now + day * DAY), bob, now=now + day * DAY)
    done = at_once(lambda: rate_due(seconds=60), times=4)
    assert RatingChange.objects.count() == 16
    assert sum(done) >= 8
    rated()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(3))
def test_what_happens_in_any_order_leads_to_what_a_rebuild_gives(seed, people, now, monkeypatch):
    """Games end, are reopened, decided, broken off and undone, while some of it is rated."""
    monkeypatch.setattr(ratings, "BATCH", 3)
    chance, boss = random.Random(seed), a_moderator("boss")
    over, running, at = [], [], now
    for _ in range(40):
        at += chance.choice([timedelta(0), timedelta(hours=7), 9 * DAY])
        step = chance.choice(["end", "end", "time", "reopen", "decide", "break", "undo", "rate"])
        if step in ("end", "time"):
            one, other = chance.sample(people[:4], 2)
            game = play_all(
                begin(one, other, now=at), ["5", "1"][: chance.choice([1, 2, 2])], now=at
            )
            if step == "end":
                resign(game_id=game.pk, user=chance.choice([one, other]), now=at)
            else:
                lose_on_time(game, now=at)
            over.append((step, game, at))
        elif step == "reopen" and (late := [one for one in over if one[0] == "time"]):
            chosen = chance.choice(late)
            if at - chosen[2] < 59 * DAY and fresh(chosen[1]).status == Game.Status.FINISHED:
                reopen_game(game_id=chosen[1].pk, by=boss, why=WHY, now=at)
                over.remove(chosen)
                running.append(chosen[1])
        elif step == "undo" and over and over[-1][0] == "end" and over[-1][2] == at:
            ended = over.pop()[1]
            last = ended.seats.get(user=ended.events.filter(kind="ended").get().actor)
            undo_end(game_id=ended.pk, user=last.user, now=at)
            running.append(ended)
        elif step in ("decide", "break") and running:
            game = running.pop(chance.randrange(len(running)))
            act = {"game_id": game.pk, "by": boss, "why": WHY, "now": at}
            if step == "decide":
                adjudicate(places=chance.choice([[1, 2], [2, 1], [1, 1]]), **act)
            else:
                abort_as_moderator(**act)
        elif step == "rate":
            rate_due(seconds=0)
    assert rated()[1]
