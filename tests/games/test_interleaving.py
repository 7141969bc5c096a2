"""Somebody else acts between any two steps of a periodic task: nothing is done twice, or wrongly.

A step is a query outside of a transaction. The other one has a connection of their own, and is done
before the next step begins. Each test goes through all steps, one after another.
"""

from collections import Counter

import pytest
from django.core import mail

from games.models import Event, Game, Judgement, Turn, Wish
from games.moderation.game_actions import pause_game
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.invitations import ask_partner
from games.services.judging import judge_due
from games.services.lessons import ask_teacher
from games.services.record import faults_of
from games.services.reminders import remind_due
from games.services.tables import expire_due, join_table
from games.services.thinking import play_for_bots
from games.services.wishes import pair_wishes, withdraw_wish
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from tests.factories import PersonFactory
from tests.games.interleaving import each_step
from tests.games.moderating import a_moderator
from tests.games.play import DAY, SECOND, begin, fresh, play, play_all, table
from tests.games.wishes.making import wish_for

pytestmark = pytest.mark.django_db(transaction=True)


def two_people():
    return PersonFactory(), PersonFactory()


def check_record(game):
    """Everything that was played was played by its player, and the record holds together."""
    assert faults_of(fresh(game)) == []
    players = dict(game.seats.values_list("number", "user"))
    for turn in game.turns.exclude(seat=None):
        assert turn.player_id == players[turn.seat]
        assert (turn.via == Turn.Via.BOT) == turn.player.is_bot


# Programs ----------------------------------------------------------------------------------------


@pytest.fixture
def against_program(partner, now):
    """Return what makes a game in which a program is to move, and its opponent."""

    def make():
        person = PersonFactory()
        opened = table(person, now=now, seat=1, slug="super-morpion")
        return ask_partner(game_id=opened.pk, by=person, now=now, level=1), person

    return make


def test_two_thinkers_play_a_turn_once(against_program, now):
    def think(made):
        return play_for_bots(now=now)

    for (game, _), first, second in each_step(against_program, think, think):
        assert first + second == 1
        assert fresh(game).turn_number == 1
        check_record(game)


def test_no_program_plays_after_its_opponent_has_resigned(against_program, now):
    def act(made):
        game, person = made
        resign(game_id=game.pk, user=person, now=now)
        return fresh(game).turn_number

    for (game, _), _, seen in each_step(against_program, lambda made: play_for_bots(now=now), act):
        assert (fresh(game).status, fresh(game).turn_number) == ("finished", seen)
        check_record(game)


def test_no_program_plays_while_a_moderator_pauses_the_game(against_program, now):
    moderator = a_moderator("mo")

    def act(made):
        pause_game(game_id=made[0].pk, by=moderator, why="Looked at", now=now)
        return fresh(made[0]).turn_number

    for (game, _), _, seen in each_step(against_program, lambda made: play_for_bots(now=now), act):
        assert (fresh(game).turn_number, fresh(game).bot_due_at) == (seen, None)
        check_record(game)


def test_two_teachers_judge_a_turn_once(now):
    line = ["1", "2", "5", "9", "4", "6", "7"]

    def make():
        ann, bob = two_people()
        game = play_all(begin(ann, bob, now=now), line, now=now)
        ask_teacher(game_id=game.pk, user=ann, now=now)
        return game

    def judge(made):
        return judge_due(now=now)

    for game, _, _ in each_step(make, judge, judge):
        judge(game)  # what was given back
        numbers = Judgement.objects.filter(game=game).values_list("number", flat=True)
        assert sorted(numbers) == [*range(1, len(line) + 1)]
        assert (fresh(game).judged_turns, fresh(game).judge_due_at) == (len(line), None)


# Time --------------------------------------------------------------------------------------------


@pytest.fixture
def late(now):
    """Return what makes a game whose player to move has run out of time; and when that is."""

    def make():
        ann, bob = two_people()
        game = play_all(begin(ann, bob, now=now), ["5", "1"], now=now)
        make_notices(now=now)
        send_due(now=now + DAY)
        return game, ann

    return make, now + 2 * DAY + SECOND


def test_two_tasks_end_a_game_once(late):
    make, over = late

    def end(made):
        return time_out_due(now=over)

    for (game, _), first, second in each_step(make, end, end):
        assert first + second == 1
        assert fresh(game).ending == "timeout"
        assert game.events.filter(kind=Event.Kind.ENDED).count() == 1
        check_record(game)


def test_a_turn_in_time_is_played_or_its_game_is_over(late):
    make, over = late

    def act(made):
        game, ann = made
        play(game, ann, "9", now=over - 2 * SECOND)
        return "played"

    answers = Counter()
    for (game, _), ended, answer in each_step(make, lambda made: time_out_due(now=over), act):
        answers[answer] += 1
        assert fresh(game).status == ("active" if answer == "played" else "finished")
        assert ended == (answer != "played")
        check_record(game)
    assert answers["played"]


def test_two_tasks_remind_once(now):
    soon = now + 1.6 * DAY

    def remind(made):
        return remind_due(now=soon)

    def make():
        return begin(*two_people(), now=now)

    for game, first, second in each_step(make, remind, remind):
        assert first + second == 1
        assert game.events.filter(kind=Event.Kind.REMINDER_DUE).count() == 1


def test_who_has_just_played_is_not_reminded(now):
    soon = now + 1.6 * DAY

    def make():
        ann, bob = two_people()
        return begin(ann, bob, now=now), ann

    def act(made):
        game, ann = made
        play(game, ann, "5", now=soon)
        return game.events.filter(kind=Event.Kind.REMINDER_DUE).count()

    for (game, _), _, before in each_step(make, lambda made: remind_due(now=soon), act):
        assert game.events.filter(kind=Event.Kind.REMINDER_DUE).count() == before


def test_a_table_that_somebody_joins_is_not_closed(now):
    over = now + 14 * DAY

    def make():
        ann, bob = two_people()
        return table(ann, now=now), bob

    def act(made):
        game, bob = made
        join_table(game_id=game.pk, user=bob, now=over - SECOND)
        return "joined"

    answers = Counter()
    for (game, _), closed, answer in each_step(make, lambda made: expire_due(now=over), act):
        answers[answer] += 1
        assert fresh(game).status == ("active" if answer == "joined" else "closed")
        assert closed == (answer != "joined")
    assert answers["joined"]


# Wishes and mails --------------------------------------------------------------------------------


@pytest.mark.parametrize("other", ["pairs", "withdraws"])
def test_a_pair_is_made_once_or_not_at_all(now, other):
    def make():
        return [wish_for(person, now=now) for person in two_people()]

    def pair(wishes):
        return pair_wishes(now=now)

    def act(wishes):
        if other == "pairs":
            return pair(wishes)
        withdraw_wish(wish_id=wishes[0].pk, user=wishes[0].user, now=now)
        return "withdrawn"

    for wishes, first, second in each_step(make, pair, act):
        games = Game.objects.filter(seats__user=wishes[0].user)
        if other == "pairs":
            assert first + second == games.count() == 1
        else:
            assert first == games.count() <= 1
        assert games.filter(seats__user=wishes[1].user).count() == games.count()
        Wish.objects.update(withdrawn_at=now, waits_since=None)


def test_two_tasks_write_and_send_each_mail_once(now):
    later = now + DAY

    def make():
        mail.outbox.clear()
        return begin(*two_people(), now=now)

    def tell(made):
        make_notices(now=now)
        return send_due(now=later)

    for game, _, _ in each_step(make, tell, tell):
        tell(game)
        told = Counter(address for one in mail.outbox for address in one.to)
        assert set(told.values()) == {1}
        assert set(told) == {seat.user.email for seat in game.seats.all()}
