"""The digest: every game that awaits its reader, numbered, and the news kept for it."""

from datetime import timedelta

import pytest
from django.core import mail
from django.db import IntegrityError, transaction

from games.services import endings
from notifications.kinds.digest import kind as digest_letters
from notifications.models import DAILY, DigestSchedule, Kind, Notice, ReplyAddress, SkipReason
from notifications.outbox.delivery import retry, send_due
from notifications.outbox.digests import send_digests
from notifications.services.preferences import digest_schedule_of, save_digest_schedule
from tests.games.play import DAY, SECOND, begin, play
from tests.notifications.outgoing_mail import digest, html_of, use_server
from tests.racing import at_once
from tests.servers import free_port

pytestmark = pytest.mark.django_db

State = Notice.State
HOUR = timedelta(hours=1)


def text_of(message):
    return message.get_body(("plain",)).get_content()


def quiet():
    make_notices_of_all_events = Notice.objects.exclude(kind=Kind.DIGEST)
    make_notices_of_all_events.filter(state=State.WAITING).update(state=State.SENT)


# When ------------------------------------------------------------------------------------------


def test_it_comes_at_its_hour_and_then_a_day_later(games, due, ann, now):
    assert due.isoformat() == "2026-03-11T08:00:00+00:00"
    assert digest(due - SECOND) is None
    assert digest(due) is not None
    assert digest(due + SECOND) is None
    assert digest_schedule_of(ann).digest_due_at == due + DAY
    assert digest(due + DAY - SECOND) is None
    assert digest(due + DAY) is not None


def test_every_few_hours_it_keeps_its_beat(games, ann, now):
    save_digest_schedule(user=ann, later_hours=8, digest_every=6, digest_hour=8, now=now)
    assert digest(now + 6 * HOUR - SECOND) is None
    assert digest(now + 6 * HOUR) is not None
    assert digest(now + 13 * HOUR) is not None
    assert digest_schedule_of(ann).digest_due_at == now + 18 * HOUR


def test_after_days_without_service_it_comes_once(games, due, ann):
    back = due + 3 * DAY + 2 * HOUR
    assert digest(back) is not None
    assert digest(back + SECOND) is None
    assert digest_schedule_of(ann).digest_due_at == due + 4 * DAY


def test_two_writers_at_once_write_it_once(games, due):
    assert send_digests(now=due) == 1
    assert send_digests(now=due) == 0
    assert Notice.objects.filter(kind=Kind.DIGEST).count() == 1


@pytest.mark.django_db(transaction=True)
def test_racing_writers_write_it_once(games, due):
    assert sum(at_once(lambda: send_digests(now=due), times=4)) == 1
    assert Notice.objects.filter(kind=Kind.DIGEST).count() == 1


def test_an_unchanged_schedule_keeps_its_time(due, ann, now):
    again = save_digest_schedule(
        user=ann, later_hours=2, digest_every=DAILY, digest_hour=8, now=due - SECOND
    )
    assert again.digest_due_at == due
    moved = save_digest_schedule(
        user=ann, later_hours=2, digest_every=DAILY, digest_hour=9, now=due - SECOND
    )
    assert moved.digest_due_at == due + HOUR


def test_without_a_digest_nothing_is_due(due, ann, now):
    save_digest_schedule(user=ann, later_hours=8, digest_every=None, digest_hour=8, now=now)
    assert send_digests(now=due + 9 * DAY) == 0


@pytest.mark.parametrize(
    "row", [{"digest_every": 24}, {"digest_hour": 24}, {"digest_every": 0}], ids=str
)
def test_the_database_refuses_plans_that_make_no_sense(ann, now, row):
    with pytest.raises(IntegrityError), transaction.atomic():
        DigestSchedule.objects.create(user=ann, **row)


# What ------------------------------------------------------------------------------------------


def test_nothing_to_tell_is_no_mail(due, ann, bob, now):
    begin(bob, ann, now=now)
    assert digest(due) is None
    assert not Notice.objects.filter(kind=Kind.DIGEST).exists()
    assert digest_schedule_of(ann).digest_due_at == due + DAY


def test_every_game_that_awaits_the_reader_is_numbered_the_most_urgent_first(games, due):
    first, second, third = games
    message = digest(due)
    text = text_of(message)
    assert message["Subject"] == "2 games are waiting for you"
    assert f"1. Taquet with cat (game {third.pk})" in text
    assert f"2. Morpion with bob (game {first.pk})" in text
    assert f"game {second.pk})" not in text
    assert "cat places a man on b3." in text
    assert "Friday 13 March 2026, 12:00 (Europe/London), in 2 days." in text.replace("\n", " ")
    assert "You can answer as many as you like in one reply" in " ".join(text.split())


def test_the_numbers_of_the_mail_are_those_of_its_reply_address(games, due, ann):
    first, _, third = games
    message = digest(due)
    (reply,) = ReplyAddress.objects.filter(purpose="digest")
    assert (reply.user, reply.game) == (ann, None)
    assert reply.content == [[1, third.pk, 1], [2, first.pk, 0]]
    assert message["Reply-To"].startswith("reply-")


def test_boards_are_in_it_as_text_and_as_pictures(games, due):
    message = digest(due)
    text, html = text_of(message), html_of(message)
    assert "3  .[O]." in text
    assert " 1 2 3\n 4 5 6\n 7 8 9\n" in text
    pictures = [part for part in message.walk() if part.get_content_type() == "image/png"]
    names = [part["Content-ID"].strip("<>") for part in pictures]
    assert names == ["board1@pli", "board2@pli"]
    assert all(f'src="cid:{name}"' in html for name in names)
    assert all(part.get_content().startswith(b"\x89PNG") for part in pictures)


def test_a_game_whose_clock_is_stopped_is_in_it_without_a_deadline(due, ann, bob, now):
    game = begin(ann, bob, now=now)
    standing = {"deadline": None, "clock_started_at": None, "reminder_at": None, "stopped_at": now}
    standing |= {"stop_reason": "moderator"}
    type(game).objects.filter(pk=game.pk).update(**standing)
    message = digest(due)
    assert "1. Morpion with bob" in text_of(message)
    assert "Your time" not in text_of(message)
    assert "Your time" not in html_of(message)


def test_pictures_stop_at_a_number_and_at_a_weight(games, due, monkeypatch):
    monkeypatch.setattr(digest_letters, "MOST_PICTURES", 1)
    message = digest(due)
    assert html_of(message).count("cid:") == 1
    monkeypatch.setattr(digest_letters, "MOST_PICTURES", 9)
    monkeypatch.setattr(digest_letters, "MOST_PICTURE_BYTES", 100)
    message = digest(due + DAY)
    assert "cid:" not in html_of(message)
    assert " 1 2 3\n 4 5 6\n 7 8 9\n" in text_of(message)


def test_a_game_played_before_the_mail_left_is_left_out_and_the_numbers_stay(games, due, ann):
    _, _, third = games
    send_digests(now=due)
    play(third, ann, "a1", now=due)
    mail.outbox.clear()
    send_due(now=due)
    (message,) = [m for m in mail.outbox if m.extra_headers["X-Pli-Kind"] == "digest"]
    assert message.subject == "1 game is waiting for you"
    assert "2. Morpion with bob" in message.body
    assert "“2 9”" in message.body
    assert "Taquet" not in message.body


def test_when_all_was_played_before_the_mail_left_there_is_none(due, ann, bob, now):
    game = begin(ann, bob, now=now)
    quiet()
    send_digests(now=due)
    endings.resign(game_id=game.pk, user=ann, now=due)
    send_due(now=due)
    dropped = Notice.objects.get(kind=Kind.DIGEST)
    assert (dropped.state, dropped.skip_reason) == (
        State.DROPPED,
        SkipReason.NOTHING_TO_TELL,
    )


def test_a_second_try_has_the_same_numbers(games, due, settings):
    first, _, third = games
    backend = settings.EMAIL_BACKEND
    use_server(settings, free_port())
    assert digest(due) is None
    play(third, third.seats.get(number=1).user, "a1", now=due)
    settings.EMAIL_BACKEND = backend
    message = digest(due + timedelta(minutes=1))
    assert "2. Morpion with bob" in text_of(message)
    (reply,) = ReplyAddress.objects.filter(purpose="digest")
    assert reply.content == [[1, third.pk, 1], [2, first.pk, 0]]


def test_a_digest_that_failed_cannot_be_tried_again(games, due):
    send_digests(now=due)
    Notice.objects.filter(kind=Kind.DIGEST).update(state=State.FAILED, content={})
    assert retry(Notice.objects.values_list("pk", flat=True), now=due) == 0
