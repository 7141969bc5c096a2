"""What can be ordered by mail at a game, and what is answered."""

from datetime import datetime, timedelta
from functools import partial

import pytest

from accounts.models import Vacation
from games.clock.clock import StopReason
from games.models import Game, Message, Turn
from games.services import endings, offers
from games.services.deadlines import time_out_due
from games.services.reminders import remind_due
from games.services.tables import withdraw_table
from notifications.models import Cadence, Kind, Notice
from notifications.services.preferences import cadence_of
from tests.notifications.mail_commands.players_by_mail import number_of, text_of, words_of
from tests.notifications.outgoing_mail import play

pytestmark = pytest.mark.slow

ANN, BOB = "ann@example.org", "bob@example.org"


def fresh(game):
    return Game.objects.get(pk=game.pk)


def test_a_turn_is_played_and_answered_with_the_new_board(played, office):
    answer = office.answer(ANN, "5")
    assert office.result() == ("done", "done")
    turn = Turn.objects.get(game=played)
    assert (turn.notation, turn.player.username, turn.via) == ("5", "ann", "mail")
    assert "Your turn 5 is played." in words_of(answer)
    assert "[X]" in text_of(answer)
    assert answer["Subject"] == f"Morpion with bob (game {played.pk})"
    assert "À vous de jouer" in words_of(office.newest(BOB))


def test_the_answer_is_in_the_thread_of_the_mail_it_answers(played, office):
    answer = office.answer(ANN, "5")
    assert answer["In-Reply-To"].endswith("@mail.example.org>")
    assert answer["Auto-Submitted"] == "auto-replied"
    assert f"<game.{played.pk}." in answer["References"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("77", "77"),
        ("good morning", "good morning"),
    ],
)
def test_a_turn_that_is_none_is_refused_with_what_is_legal(played, office, text, why):
    answer = words_of(office.answer(ANN, text))
    assert office.result() == ("done", "refused")
    assert number_of(played) == 0
    assert f"Not done. You wrote: {why}" in answer
    assert "Possible turns: 1, 2, 3, 4, 5, 6, 7, 8, 9" in answer


def test_the_answer_to_a_refused_turn_can_be_answered(played, office):
    office.answer(ANN, "77")
    office.answer(ANN, "7")
    assert Turn.objects.get(game=played).notation == "7"


def test_an_empty_answer_plays_nothing_and_lists_the_commands(played, office):
    answer = words_of(office.answer(ANN, ""))
    assert number_of(played) == 0
    assert "We found no text of your own above the quoted mail." in answer
    assert "resign – resigns the game" in answer


def test_a_stale_answer_is_told_what_has_happened_since(played, office, ann, bob):
    old = office.newest(ANN)
    play(played, ann, "1", office.now)
    play(played, bob, "2", office.now)
    answer = words_of(office.answer(ANN, "5", to=old))
    assert number_of(played) == 2
    assert "This has happened since" in answer
    assert "1. ann: 1 2. bob: 2" in answer


def test_the_same_turn_sent_twice_is_played_once(played, office):
    first = office.newest(ANN)
    office.answer(ANN, "5", to=first)
    answer = words_of(office.answer(ANN, "5 ", to=first))
    assert number_of(played) == 1
    assert "Your turn 5 was already played. It was not played again." in answer


def test_lines_below_the_turn_go_to_the_opponent(played, office):
    answer = words_of(office.answer(ANN, "5\nHello Bob!\nHow are you?\n\nSigned, me"))
    said = Message.objects.get(game=played)
    assert (said.author.username, said.text) == ("ann", "Hello Bob!\nHow are you?")
    assert "Your message was passed on." in answer
    assert "Hello Bob!" in words_of(office.newest(BOB))


def test_words_behind_a_turn_are_a_message(played, office):
    office.answer(ANN, "5 nice to meet you")
    assert Turn.objects.get(game=played).notation == "5"
    assert Message.objects.get(game=played).text == "nice to meet you"


def test_a_smiley_behind_a_turn_is_a_message(played, office):
    office.answer(ANN, "5 \N{THUMBS UP SIGN}")
    assert Turn.objects.get(game=played).notation == "5"
    assert Message.objects.get(game=played).text == "\N{THUMBS UP SIGN}"


def test_who_only_wanted_to_say_something_learns_how(played, office):
    assert "begin the line with “say”" in words_of(office.answer(ANN, "Hello my friend"))
    assert "begin the line with “say”" not in words_of(office.answer(ANN, "77"))
    assert not Message.objects.exists()


def test_half_a_turn_is_never_played(played, office):
    office.answer(ANN, "5 7")
    assert number_of(played) == 0


def test_nothing_is_passed_on_with_a_turn_that_was_refused(played, office):
    office.answer(ANN, "77\nHello Bob!")
    assert not Message.objects.exists()


def test_resigning(played, office):
    office.answer(ANN, "resign")
    answer = words_of(office.answer(ANN, "yes"))
    assert fresh(played).ending == "resigned"
    assert "You have resigned, as you asked." in answer


def test_offering_and_accepting_an_end(played, office):
    assert "You have offered" in words_of(office.answer(ANN, "offer"))
    office.answer(BOB, "Accept.")
    answer = words_of(office.answer(BOB, "Oui."))
    assert fresh(played).status == Game.Status.FINISHED
    assert "Vous avez accepté la proposition. La partie est terminée." in answer


def test_an_answer_never_means_an_offer_that_was_made_later(played, office, ann):
    """Bob's "accept" was meant for a pause: it must not end his game."""
    offers.offer_pause(game_id=played.pk, user=ann, days=3, now=office.now)
    office.carry()
    about_a_pause = office.newest(BOB)
    offers.withdraw_offer(game_id=played.pk, user=ann, now=office.now)
    office.now += timedelta(hours=1)
    offers.offer_end(game_id=played.pk, user=ann, now=office.now)
    office.carry()
    for order in ("accept", "decline"):
        said = words_of(office.answer(BOB, order, to=about_a_pause))
        assert office.result() == ("done", "refused")
        assert "La proposition en attente a été faite après" in said
        assert "ann propose : finir la partie d’un commun accord." in said
    assert fresh(played).status == Game.Status.ACTIVE
    office.answer(BOB, "accept")
    office.answer(BOB, "yes")
    assert fresh(played).status == Game.Status.FINISHED


def test_of_two_offers_the_one_is_meant_whose_mail_is_answered(played, office, ann):
    for offer in (offers.offer_end, partial(offers.offer_pause, days=3)):
        offer(game_id=played.pk, user=ann, now=office.now)
        office.carry()
        office.now += timedelta(hours=1)
    office.answer(BOB, "accept")
    assert fresh(played).stop_reason == StopReason.PAUSED


def test_declining_an_offer(played, office, ann):
    offers.offer_end(game_id=played.pk, user=ann, now=office.now)
    office.carry()
    assert "Vous avez refusé la proposition." in words_of(office.answer(BOB, "decline"))
    assert fresh(played).status == Game.Status.ACTIVE


def test_accepting_what_nobody_offered_is_refused(played, office):
    answer = words_of(office.answer(ANN, "accept"))
    assert office.result() == ("done", "refused")
    assert "Not done." in answer


def test_board_history_rules_and_help_are_sent(played, office, ann):
    play(played, ann, "5", office.now)
    office.carry()
    assert "Voici le plateau." in words_of(office.answer(BOB, "plateau"))
    assert "1. 5 – ann" in words_of(office.answer(BOB, "history"))
    assert "Aligner le premier trois de ses marques" in words_of(office.answer(BOB, "rules"))
    assert "vacances 10 – arrête vos pendules" in words_of(office.answer(BOB, "help"))
    assert number_of(played) == 1


def test_saying_something(played, office):
    office.answer(ANN, "say hello there")
    assert Message.objects.get(game=played).text == "hello there"


def test_later_puts_the_next_reminder_off(played, office):
    due = office.now + timedelta(hours=80)
    office.answer(ANN, "later 80h")
    assert fresh(played).reminder_at == due
    assert remind_due(now=due - timedelta(seconds=1)) == 0
    assert remind_due(now=due) == 1
    assert remind_due(now=due + timedelta(hours=1)) == 0


@pytest.mark.parametrize("text", ["later 97h", "later", "later 0h", "later 8000 weeks"])
def test_a_reminder_that_comes_too_late_is_refused(played, office, text):
    before = fresh(played).reminder_at
    assert "Not done." in words_of(office.answer(ANN, text))
    assert fresh(played).reminder_at == before


def test_a_vacation_of_some_days(played, office):
    received = office.now
    answer = words_of(office.answer(ANN, "vacation 10"))
    vacation = Vacation.objects.get(user__username="ann")
    assert vacation.begins_at == received
    assert vacation.ends_at == received + timedelta(days=10)
    assert "your time does not run then" in answer


def test_a_vacation_from_one_day_to_another_in_ones_own_zone(played, office, ann):
    ann.time_zone = "Europe/Paris"
    ann.save()
    day = office.now.date() + timedelta(days=20)
    last = day + timedelta(days=14)
    office.answer(ANN, f"vacances {day} {last}")
    vacation = Vacation.objects.get(user=ann)
    first, end = vacation.begins_at.astimezone(ann.zone), vacation.ends_at.astimezone(ann.zone)
    assert first == datetime.combine(day, datetime.min.time(), tzinfo=ann.zone)
    assert end == datetime.combine(last + timedelta(days=1), datetime.min.time(), tzinfo=ann.zone)


@pytest.mark.parametrize("text", ["vacation 99", "vacation 2020-01-01 2020-01-10", "vacation"])
def test_a_vacation_that_cannot_be_is_refused(played, office, text):
    assert "Not done." in words_of(office.answer(ANN, text))
    assert not Vacation.objects.exists()


def test_a_rematch_is_asked_for_and_accepted(played, office, ann):
    endings.resign(game_id=played.pk, user=ann, now=office.now)
    office.carry()
    assert "You have asked for a rematch." in words_of(office.answer(ANN, "rematch"))
    assert "Vous avez accepté l’invitation." in words_of(office.answer(BOB, "accept"))
    assert fresh(played).rematch.status == Game.Status.ACTIVE


def test_who_asks_for_a_second_rematch_of_a_game_is_told_what_else_can_be_done(played, office, ann):
    endings.resign(game_id=played.pk, user=ann, now=office.now)
    office.carry()
    over = office.newest(ANN)
    office.answer(ANN, "rematch")
    withdraw_table(game_id=fresh(played).rematch.pk, user=ann, now=office.now)
    answer = office.answer(ANN, "revanche", to=over)
    assert "You have already asked for a rematch of this game." in words_of(answer)
    assert fresh(played).rematch is None


def test_quiet_and_loud(played, office, ann):
    office.answer(ANN, "quiet")
    assert cadence_of(ann, Kind.MESSAGE) == Cadence.OFF
    assert cadence_of(ann, Kind.YOUR_TURN) == Cadence.AT_ONCE
    office.answer(ANN, "loud")
    assert cadence_of(ann, Kind.MESSAGE) == Cadence.AT_ONCE


def test_a_turn_counts_when_it_was_received_not_when_it_was_read(played, office):
    deadline = fresh(played).deadline
    office.now = deadline
    mail = office.newest(ANN)
    office.hand_in(ANN, "5", to=mail)
    office.now = deadline + timedelta(hours=3)
    office.carry()
    turn = Turn.objects.get(game=played)
    assert turn.notation == "5"
    assert fresh(played).deadline == office.now + timedelta(days=4)


def test_time_does_not_run_out_while_a_mail_that_came_in_time_is_unread(played, office):
    deadline = fresh(played).deadline
    office.now = deadline
    office.hand_in(ANN, "5", to=office.newest(ANN))
    assert time_out_due(now=deadline + timedelta(seconds=1)) == 0
    office.now = deadline + timedelta(seconds=2)
    office.carry()
    assert number_of(played) == 1


def test_a_turn_received_after_the_deadline_is_too_late(played, office):
    office.now = fresh(played).deadline + timedelta(seconds=1)
    answer = words_of(office.answer(ANN, "5", to=office.newest(ANN)))
    assert number_of(played) == 0
    assert "Your time for this turn has run out." in answer


def test_every_answer_is_written_once(played, office):
    office.answer(ANN, "5")
    assert Notice.objects.filter(kind=Kind.ANSWER).count() == 1


@pytest.mark.parametrize(("word", "began"), [("clock", "the turn began."), ("Pendule", "the turn")])
def test_the_clock_is_explained_line_by_line(played, office, word, began):
    answer = text_of(office.answer(ANN, word))
    assert office.result() == ("done", "done")
    assert began in answer
    assert "So the deadline is" in answer
    assert "(Europe/London)" in answer


def test_there_is_no_clock_to_explain_when_the_game_is_over(played, office, ann, bob):
    endings.resign(game_id=played.pk, user=bob, now=office.now)
    office.answer(ANN, "clock")
    assert office.result() == ("done", "refused")
