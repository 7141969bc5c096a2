"""Letters with the puzzle written by several workers at once, and by workers that are killed."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail

from games.models import Puzzle
from games.services.puzzles import puzzle_of
from notifications.models import Notice, PuzzleSubscription
from notifications.outbox.delivery import send_due
from notifications.services.preferences import subscribe_to_puzzles
from tests.factories import PersonFactory
from tests.games.parallel import at_once, write_letters_until_killed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

DAY = timedelta(days=1)
READERS = 12


@pytest.fixture
def due():
    """Twelve readers wish for the puzzle; return when all their first letters are due."""
    at = datetime(2026, 3, 10, 8, tzinfo=UTC)
    for number in range(READERS):
        subscribe_to_puzzles(user=PersonFactory(username=f"reader{number}"), now=at - DAY)
    PuzzleSubscription.objects.update(due_at=at)
    Puzzle.objects.bulk_create(puzzle_of(at.date() + n * DAY) for n in range(2))
    return at


def writing(*moments):
    return [("write_letters", {"now": moment}) for moment in moments]


def letters():
    """Return how many puzzles each address is sent a letter with, sent or waiting."""
    return Counter(
        Notice.objects.filter(kind="puzzle").values_list("user__username", "content__puzzle")
    )


def check_all_are_sent(due):
    """Everybody has one letter, and the mail server gets each once, however often it is asked."""
    assert set(letters().values()) == {1}
    assert len(letters()) == READERS
    sent = sum(send_due(now=due + timedelta(minutes=number)) for number in range(3))
    assert sent == READERS
    assert len({address for one in mail.outbox for address in one.to}) == READERS


def test_workers_at_once_write_each_reader_one_letter_a_day(due):
    """Also in the next rounds of the same day, and again on the next day."""
    moments = [due, due + timedelta(seconds=30), due + DAY, due + DAY + timedelta(seconds=30)]
    taken = at_once(*[writing(*moments) for _ in range(4)])
    assert sum(sum(rounds) for rounds in taken) == 2 * READERS
    assert set(letters().values()) == {1}
    assert len(letters()) == 2 * READERS


@pytest.mark.parametrize(
    "point",
    [
        "newest_puzzle",
        "with_address",
        "Notice.objects.bulk_create",
        "PuzzleSubscription.objects.bulk_update",
        "wakeups.notify_workers",
    ],
)
def test_a_worker_that_is_killed_has_written_nothing(due, point):
    write_letters_until_killed(due, point)
    assert not letters()
    at_once(writing(due), writing(due))
    check_all_are_sent(due)


def test_what_a_worker_wrote_before_it_was_killed_is_sent_once(due):
    write_letters_until_killed(due, "write_puzzle_letters")
    assert len(letters()) == READERS
    at_once(writing(due), writing(due))
    check_all_are_sent(due)
