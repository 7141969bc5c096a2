"""Who is told what when a player leaves a game of several and comes back at once."""

import pytest
from django.core import mail

from notifications.emails.game_context import TurnUndone, game_context
from notifications.models import Notice, SkipReason
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.outbox.undelivered import was_told
from tests.games.multiplayer import play_on
from tests.games.play import DAY, SECOND, fresh
from tests.games.resigning import give_up
from tests.games.test_undo_departures import is_final, undo
from tests.notifications.outgoing_mail import after_hold, tell

pytestmark = pytest.mark.django_db


def test_nobody_is_told_of_a_departure_that_was_undone(four, people, now):
    tell(now)
    mail.outbox.clear()
    give_up(four, people[1], now=now + 100 * SECOND)
    make_notices(now=now + 100 * SECOND)
    assert Notice.objects.waiting().filter(kind="player-left").count() == 3
    undo(four, people[1], now=now + 110 * SECOND)
    make_notices(now=now + 110 * SECOND)
    send_due(now=now + 400 * SECOND)
    assert mail.outbox == []
    dropped = Notice.objects.filter(kind="player-left", state="dropped")
    assert {notice.skip_reason for notice in dropped} == {SkipReason.NOTHING_TO_TELL}
    assert dropped.count() == 3
    # Nor a second time of one that follows.
    give_up(four, people[1], now=now + DAY)
    tell(now + DAY)
    assert sorted(letter.to[0].partition("@")[0] for letter in mail.outbox) == [
        *("ann", "cat", "dan")
    ]


def test_nobody_is_told_if_it_was_undone_before_notices_were_written(four, people, now):
    give_up(four, people[1], now=now)
    undo(four, people[1], now=now + SECOND)
    make_notices(now=now + SECOND)
    assert not Notice.objects.filter(kind="player-left").exists()


def test_the_mail_about_a_turn_is_sent_and_tells_its_player(four, people, now):
    tell(now)
    game = play_on(four, 1, now=now)
    make_notices(now=now)
    give_up(game, people[2], now=now + 60 * SECOND)
    undo(game, people[2], now=now + 70 * SECOND)
    mail.outbox.clear()
    send_due(now=now + 100 * SECOND)
    assert [letter.to for letter in mail.outbox] == [["bob@example.org"]]
    assert was_told(fresh(game))


def test_the_mail_about_a_turn_is_written_after_who_left_came_back(four, people, now):
    tell(now)
    game = play_on(four, 1, now=now)
    give_up(game, people[2], now=now)
    undo(game, people[2], now=now + SECOND)
    mail.outbox.clear()
    tell(now + 2 * SECOND)
    assert [letter.to for letter in mail.outbox] == [["bob@example.org"]]


def test_it_is_final_when_a_mail_was_dropped_because_of_it(four, people, now):
    tell(now)
    game = play_on(four, 1, now=now)
    make_notices(now=now)
    give_up(game, people[2], now=now + 60 * SECOND)
    send_due(now=now + 95 * SECOND)
    assert Notice.objects.filter(user=people[1], kind="your-turn").latest("pk").state == "dropped"
    is_final(game, people[2], now=now + 100 * SECOND)


def test_it_is_final_when_a_mail_was_not_written_because_of_it(four, people, now):
    tell(now)
    game = play_on(four, 1, now=now)
    give_up(game, people[2], now=now)
    make_notices(now=now + SECOND)
    assert not Notice.objects.filter(user=people[1], kind="your-turn").exists()
    is_final(game, people[2], now=now + 2 * SECOND)


def test_it_is_final_when_the_mail_has_left(four, people, now):
    give_up(four, people[1], now=now)
    tell(now)
    assert "ann@example.org" in [letter.to[0] for letter in mail.outbox]
    is_final(four, people[1], now=after_hold(now))


def test_a_mail_is_not_written_with_a_departure_that_was_undone_meanwhile(four, people, now):
    give_up(four, people[1], now=now)
    left = fresh(four)
    undo(left, people[1], now=now + SECOND)
    with pytest.raises(TurnUndone):
        game_context(left, people[0], now + 2 * SECOND)
