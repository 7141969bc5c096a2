"""The mail that reminds of one turn, or of several; and the last one before the time is over."""

from datetime import timedelta
from email import message_from_bytes, policy

import pytest
from django.core import mail

from accounts.models import Vacation
from games.clock.time_control import per_turn
from games.models import Message, Terms, Turn
from games.services.clock.added_time import grant_time
from games.services.clock.availability import set_reminders
from games.services.reminders import remind_due
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason
from notifications.outbox.delivery import retry
from notifications.outbox.recipients import make_notices
from notifications.services.addresses import suspend_address
from tests.games.play import DAY, begin, fresh
from tests.notifications.incoming_mail import answer
from tests.notifications.mail_parts import text_of
from tests.notifications.outgoing_mail import forget, html_of, play, tell

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def games(ann, bob, cat, now):
    """Three games in which ann is to move; of two of them she is to be reminded in three days."""
    opponents = ((bob, now), (cat, now + HOUR), (cat, now + 2 * DAY))
    begun = [fresh(begin(ann, other, now=at, days=4)) for other, at in opponents]
    make_notices(now=now + 2 * DAY)
    forget()
    return begun


def reminders_to(person, moment):
    """Let reminders be written and sent; return those to this person, as one parses them."""
    mail.outbox.clear()
    remind_due(now=moment)
    tell(moment)
    found = [m for m in mail.outbox if m.extra_headers["X-Pli-Kind"] == "reminder"]
    sent = [m for m in found if m.to == [person.email]]
    return [message_from_bytes(m.message().as_bytes(), policy=policy.default) for m in sent]


def reply(message, text, person, now):
    """Let a person answer a mail; return how many mails were read."""
    address = message["Reply-To"]
    token = address.partition("@")[0].removeprefix("reply-")
    letter = answer(token, text, person.email)
    receive(letter, recipient=address, envelope_from=person.email, door="smtp", now=now)
    return process_due(now=now)


def words_of(message):
    return " ".join(text_of(message).split())


def test_one_mail_tells_of_every_turn_that_is_due_soon_with_its_number_and_link(games, ann):
    first, second, third = games
    (message,) = reminders_to(ann, first.reminder_at)
    assert message["Subject"] == "Your time runs low in 2 games"
    words = words_of(message)
    assert f"1. Morpion with bob (game {first.pk})" in words
    assert f"2. Morpion with cat (game {second.pk})" in words
    for game in (first, second):
        assert f"/games/{game.pk}/" in words
    assert f"(game {third.pk})" not in words
    pictures = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert len(pictures) == 2
    assert reminders_to(ann, second.reminder_at) == []


def test_a_reply_plays_in_the_game_whose_number_it_has(games, ann, now):
    first, second, _ = games
    (message,) = reminders_to(ann, first.reminder_at)
    assert reply(message, "2: 3\n1: 5\n", ann, first.reminder_at + HOUR) == 1
    played = {(turn.game_id, turn.notation, turn.via) for turn in Turn.objects.all()}
    assert played == {(first.pk, "5", "mail"), (second.pk, "3", "mail")}


def test_a_mail_about_one_turn_has_its_board_and_is_as_it_was(games, ann):
    *_, third = games
    (message,) = reminders_to(ann, third.reminder_at)[-1:]
    assert message["Subject"].startswith("Morpion with cat")
    pictures = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert len(pictures) == 1


def test_what_was_played_before_the_mail_is_left_out(games, ann, now):
    first, second, _ = games
    due = first.reminder_at
    remind_due(now=due)
    make_notices(now=due)
    play(first, ann, "5", due)
    (message,) = reminders_to(ann, due)
    assert f"(game {first.pk})" not in words_of(message)
    assert f"2. Morpion with cat (game {second.pk})" in words_of(message)


def test_other_news_of_one_of_the_games_does_not_take_the_place_of_it(games, ann):
    first, *_ = games
    due = first.reminder_at
    begun = Notice.objects.filter(game=first, user=ann)
    assert begun.update(kind=Kind.YOUR_TURN, state=Notice.State.WAITING, due_at=due) == 1
    (message,) = reminders_to(ann, due)
    assert message["Subject"] == "Your time runs low in 2 games"


def test_if_everything_was_played_before_no_mail_is_sent(games, ann):
    first, second, _ = games
    due = first.reminder_at
    remind_due(now=due)
    make_notices(now=due)
    for game in (first, second):
        play(game, ann, "5", due)
    assert reminders_to(ann, due) == []
    notice = Notice.objects.get(kind="reminder")
    assert notice.skip_reason == SkipReason.NOT_THEIR_TURN


def test_after_it_failed_it_can_be_sent_again_with_its_numbers(games, ann):
    first, second, _ = games
    due = first.reminder_at
    remind_due(now=due)
    make_notices(now=due)
    notice = Notice.objects.get(kind="reminder")
    failed = Notice.objects.filter(pk=notice.pk)
    failed.update(state=Notice.State.FAILED, content={})
    assert retry([notice.pk], now=due) == 1
    (message,) = reminders_to(ann, due)
    assert reply(message, "2: 3\n", ann, due + HOUR) == 1
    assert Turn.objects.get().game_id == second.pk


def test_if_it_cannot_be_delivered_the_clocks_of_all_its_turns_stop(ann, bob, cat, now):
    first, second = (begin(ann, other, now=now, days=4) for other in (bob, cat))
    due = fresh(first).reminder_at
    Notice.objects.all().delete()
    make_notices(now=now)
    Notice.objects.update(state=Notice.State.FAILED)
    remind_due(now=due)
    make_notices(now=due)
    suspend_address(address=ann.email, diagnostic="550 5.1.1 nobody", notice=None, now=due)
    assert reminders_to(ann, due) == []
    assert Notice.objects.get(kind="reminder").skip_reason == SkipReason.ADDRESS_SUSPENDED
    for game in (first, second):
        assert fresh(game).stop_reason == "undelivered"


# The last one ----------------------------------------------------------------------------------

LAST = "This is the last reminder: your time ends on Saturday 14 March 2026, 12:00 (Europe/London)"


def test_the_last_reminder_says_until_when_and_what_else_can_be_done(ann, bob, now):
    game = fresh(begin(ann, bob, now=now, days=4))
    (message,) = reminders_to(ann, game.reminder_at)
    assert f"{LAST}. Play before then. If you cannot, begin a vacation" in words_of(message)
    assert "vacation 3" in html_of(message)


def test_another_that_follows_is_the_last_one(ann, bob, now):
    set_reminders(user=ann, marks=["quarter", "6h"], at_night=False, now=now)
    game = fresh(begin(ann, bob, now=now, days=4))
    (message,) = reminders_to(ann, game.reminder_at)
    assert "last reminder" not in words_of(message)
    (message,) = reminders_to(ann, fresh(game).reminder_at)
    assert f"{LAST}. Play before then." in words_of(message)


def without_vacations(ann, now, settings):
    return Terms(per_turn(4 * DAY), allows_vacations=False)


def without_days_left(ann, now, settings):
    Vacation.objects.create(
        user=ann,
        begins_at=now + 60 * DAY,
        ends_at=now + 90 * DAY,
        announced_at=now,
        zone="Europe/London",
    )
    return Terms(per_turn(4 * DAY))


def where_there_are_none(ann, now, settings):
    settings.VACATION_DAYS_A_YEAR = 0
    return Terms(per_turn(4 * DAY))


@pytest.mark.parametrize("why", [without_vacations, without_days_left, where_there_are_none])
def test_who_cannot_begin_a_vacation_is_told_to_ask_for_time(why, ann, bob, now, settings):
    game = fresh(begin(ann, bob, now=now, terms=why(ann, now, settings)))
    (message,) = reminders_to(ann, game.reminder_at)
    words = words_of(message)
    assert "If you cannot, ask for more time: reply with “say” and your words." in words
    assert "begin a vacation" not in words


def test_of_several_each_says_whether_it_is_the_last(games, ann, now):
    first, *_ = games
    (message,) = reminders_to(ann, first.reminder_at)
    words = words_of(message)
    assert words.count("This is the last reminder") == 2
    assert LAST in words
    assert "your time ends on Saturday 14 March 2026, 13:00 (Europe/London)" in words


def test_of_several_the_commands_have_the_number_of_the_game(games, ann, bob, now):
    no_vacations = Terms(per_turn(4 * DAY), allows_vacations=False)
    begin(ann, bob, now=now + 2 * HOUR, terms=no_vacations)
    forget()
    (message,) = reminders_to(ann, games[0].reminder_at)
    words = words_of(message)
    assert "If you cannot, begin a vacation: reply with “1 vacation 3”." in words
    assert "If you cannot, begin a vacation: reply with “2 vacation 3”." in words
    assert "If you cannot, ask for more time: reply with “3 say” and your words." in words
    at = games[0].reminder_at + HOUR
    assert reply(message, "1 vacation 3\n3 say May I have a day more?\n", ann, at) == 1
    assert Vacation.objects.get().ends_at == at + 3 * DAY
    assert Message.objects.get().text == "May I have a day more?"


def test_as_many_days_are_suggested_as_can_be_taken(ann, bob, now):
    game = fresh(begin(ann, bob, now=now, days=4))
    away = {"announced_at": now, "zone": "Europe/London", "user": ann}
    begins = game.reminder_at + 60 * DAY
    Vacation.objects.create(begins_at=begins, ends_at=begins + 28 * DAY, **away)
    (message,) = reminders_to(ann, game.reminder_at)
    assert "reply with “vacation 2”." in words_of(message)


def test_it_is_not_the_last_if_the_deadline_has_moved_before_it_is_sent(ann, bob, now):
    game = fresh(begin(ann, bob, now=now, days=4))
    due = game.reminder_at
    remind_due(now=due)
    grant_time(game_id=game.pk, user=bob, now=due)
    assert fresh(game).reminder_at is not None
    (message,) = reminders_to(ann, due)
    assert "Your time runs low" in words_of(message)
    assert "last reminder" not in words_of(message)


def test_it_is_told_in_the_readers_language_and_zone(ann, bob, now):
    game = fresh(begin(bob, ann, now=now, days=4))
    (message,) = reminders_to(bob, game.reminder_at)
    assert "C’est le dernier rappel" in words_of(message)
    assert "votre temps sera écoulé le samedi 14 mars 2026 à 13:00 (Europe/Paris)" in words_of(
        message
    )
