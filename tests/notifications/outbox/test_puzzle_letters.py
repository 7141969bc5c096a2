"""The puzzle of the day by mail: once a day, at the reader's hour, to those who wish."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Puzzle
from games.services.puzzles import answer_puzzle, puzzle_of
from notifications.models import (
    Cadence,
    DigestSchedule,
    Kind,
    Notice,
    PuzzleSubscription,
    SkipReason,
)
from notifications.outbox.delivery import send_due
from notifications.outbox.puzzle_letters import write_puzzle_letters
from notifications.services.addresses import suspend_address
from notifications.services.preferences import (
    save_digest_schedule,
    set_cadence,
    subscribe_to_puzzles,
)
from tests.factories import PersonFactory
from tests.notifications.outgoing_mail import html_of

DAY = timedelta(days=1)


@pytest.fixture
def due(ann, db):
    """Ann has subscribed; return when her first letter is due. Its puzzle and the next are made."""
    subscribe_to_puzzles(user=ann, now=datetime(2026, 3, 9, 12, tzinfo=UTC))
    at = PuzzleSubscription.objects.get(user=ann).due_at
    Puzzle.objects.bulk_create(puzzle_of(at.date() + n * DAY) for n in range(2))
    return at


def letters(now):
    """Write and send what is due; return the letters with a puzzle."""
    mail.outbox.clear()
    write_puzzle_letters(now=now)
    send_due(now=now)
    return [one for one in mail.outbox if one.extra_headers["X-Pli-Kind"] == "puzzle"]


def test_a_letter_comes_once_a_day_at_the_hour_of_the_digest(ann, due):
    assert due.astimezone(ann.zone).hour == 8
    assert not letters(due - timedelta(seconds=1))
    assert len(letters(due)) == 1
    assert not letters(due + timedelta(hours=1))
    assert len(letters(due + DAY)) == 1


def test_the_letter_shows_the_board_and_how_to_answer_and_stop(ann, due):
    (letter,) = letters(due)
    puzzle = Puzzle.objects.get(day=due.date())
    assert "possible turns" in letter.body
    assert puzzle.answer in letter.body.replace(" ", "")
    assert "Reply with your turn and nothing else." in letter.body
    assert 'alt="' in html_of(letter)
    assert "cid:board@pli" in html_of(letter)
    assert "puzzle" in letter.extra_headers["List-Unsubscribe"]
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter.extra_headers["Reply-To"].startswith("reply-")


def test_the_letter_is_in_french_for_who_reads_french(ann, due):
    ann.language = "fr"
    ann.save()
    (letter,) = letters(due)
    assert letter.subject.startswith("Problème du jour\N{NO-BREAK SPACE}: ")
    assert "Répondez par votre coup et rien d’autre." in letter.body


def test_a_new_hour_of_the_digest_moves_the_letter_but_brings_no_second_one(ann, due):
    assert letters(due)
    given = {"later_hours": 8, "digest_every": None, "digest_hour": 20, "now": due}
    save_digest_schedule(user=ann, **given)
    later = PuzzleSubscription.objects.get(user=ann).due_at
    assert later.astimezone(ann.zone).hour == 20
    assert not letters(later)


def test_who_has_answered_gets_no_letter(ann, due):
    puzzle = Puzzle.objects.get(day=due.date())
    answer_puzzle(day=puzzle.day, user=ann, text=puzzle.answer, now=due)
    assert not letters(due)


def test_a_puzzle_answered_while_its_letter_waits_is_not_sent(ann, due):
    write_puzzle_letters(now=due)
    puzzle = Puzzle.objects.get(day=due.date())
    answer_puzzle(day=puzzle.day, user=ann, text=puzzle.answer, now=due)
    send_due(now=due)
    assert not mail.outbox
    assert Notice.objects.get(kind="puzzle").skip_reason == SkipReason.ANSWERED


def test_no_letter_goes_to_an_address_that_bounced(ann, due):
    suspend_address(address=ann.email, diagnostic="550", notice=None, now=due)
    assert not letters(due)


def test_letters_wait_until_the_puzzle_is_made(ann, due):
    puzzle = Puzzle.objects.get(day=due.date())
    Puzzle.objects.filter(pk=puzzle.pk).delete()
    assert not letters(due)
    Puzzle.objects.bulk_create([puzzle_of(due.date())])
    assert len(letters(due + timedelta(minutes=1))) == 1


def test_whoever_unsubscribes_gets_no_more(ann, due):
    write_puzzle_letters(now=due)
    set_cadence(user=ann, kind=Kind.PUZZLE, cadence=Cadence.OFF)
    send_due(now=due)
    assert Notice.objects.get(kind="puzzle").skip_reason == SkipReason.SWITCHED_OFF
    assert not letters(due + DAY)
    subscribe_to_puzzles(user=ann, now=due + DAY)
    assert PuzzleSubscription.objects.filter(user=ann).exists()


def test_many_letters_are_written_with_as_few_queries_as_one(ann, due):
    with CaptureQueriesContext(connection) as one:
        assert write_puzzle_letters(now=due) == 1
    for person in PersonFactory.create_batch(5):
        subscribe_to_puzzles(user=person, now=due)
    PuzzleSubscription.objects.update(due_at=due, newest_day=None)
    with CaptureQueriesContext(connection) as many:
        assert write_puzzle_letters(now=due) == 6
    assert len(many) == len(one)


def test_no_puzzle_is_left_out_where_clocks_go_back(db):
    """At one o'clock in Paris: 23:00 UTC on 24 October 2026, and then 0:00 UTC on the 26th."""
    eve = PersonFactory(username="eve", time_zone="Europe/Paris")
    DigestSchedule.objects.create(user=eve, digest_hour=1)
    noon = datetime(2026, 10, 23, 12, tzinfo=UTC)
    subscribe_to_puzzles(user=eve, now=noon)
    for number in range(6):
        puzzle_of(noon.date() + number * DAY).save()
    for hour in range(5 * 24):
        write_puzzle_letters(now=noon + timedelta(hours=hour))
    sent = [notice.content["puzzle"] for notice in Notice.objects.order_by("pk")]
    days = [Puzzle.objects.get(pk=key).day.day for key in sent]
    assert days == list(range(days[0], days[0] + len(days)))
    assert 25 in days
