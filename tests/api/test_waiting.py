"""Long polls: they end when something is due, and few hold a thread."""

import threading
import time

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import ApiToken, User
from games.api import waiting
from games.api.waiting import MOST_WAITING, wait_until
from tests.games.play import begin, play
from tests.journeys.processes import until

QUICK = 0.02


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch):
    monkeypatch.setattr(waiting, "EVERY", QUICK)


def test_who_waits_is_answered_when_something_changes():
    changed = threading.Event()
    answered = []
    one = threading.Thread(
        target=lambda: answered.append(wait_until(changed.is_set, 50, account=1))
    )
    one.start()
    time.sleep(5 * QUICK)
    assert answered == []
    changed.set()
    one.join(30)
    assert answered == [True]


def test_nobody_waits_longer_than_asked_for():
    looked = []
    assert wait_until(lambda: bool(looked.append(1)), 10 * QUICK, account=1)
    assert len(looked) > 2


def test_only_few_wait_at_a_time():
    """The others are told at once that they could not; the places come free again."""
    ends = threading.Event()
    waiters = [
        threading.Thread(target=wait_until, args=(ends.is_set, 50, number))
        for number in range(MOST_WAITING)
    ]
    for one in waiters:
        one.start()
    until(lambda: len(waiting._waiting) == MOST_WAITING, "all places are taken")
    assert not wait_until(lambda: False, 50, account=9)
    assert wait_until(lambda: True, 50, account=9)  # what is due is answered all the same
    ends.set()
    for one in waiters:
        one.join(30)
    assert wait_until(lambda: False, QUICK, account=9)


def test_one_account_has_one_place():
    ends = threading.Event()
    one = threading.Thread(target=wait_until, args=(ends.is_set, 50, 1))
    one.start()
    until(lambda: waiting._waiting, "it waits")
    assert not wait_until(lambda: False, 50, account=1)
    assert wait_until(lambda: False, QUICK, account=2)
    ends.set()
    one.join(30)
    assert wait_until(lambda: False, QUICK, account=1)


@pytest.mark.django_db(transaction=True)
def test_who_waits_holds_no_connection(monkeypatch):
    held = []

    def look():
        connection.ensure_connection()
        held.append(1)
        return len(held) > 2

    def sleep(seconds):
        held.append("open" if connection.connection is not None else "closed")

    monkeypatch.setattr(waiting.time, "sleep", sleep)
    wait_until(look, 50, account=1)
    assert "open" not in held
    assert "closed" in held


@pytest.mark.django_db(transaction=True)
def test_a_waiting_program_is_told_of_its_turn(as_bob, ann, bob, now):
    game = begin(ann, bob, now=now)
    known = as_bob.get("/me/turns")["ETag"]
    answers = []

    def ask():
        try:
            answers.append(as_bob.get("/me/turns", {"wait": 50}, **{"If-None-Match": known}))
        finally:
            connection.close()

    one = threading.Thread(target=ask)
    one.start()
    until(lambda: waiting._waiting, "the program waits")
    play(game, ann, "5", now=now)
    one.join(60)
    [answer] = answers
    assert [due["game"] for due in answer.data["turns"]] == [game.pk]


@pytest.mark.django_db
def test_without_a_place_the_answer_says_when_to_ask_again(as_ann, monkeypatch):
    monkeypatch.setattr(waiting, "MOST_WAITING", 1)
    known = as_ann.get("/me/turns")["ETag"]
    waiting._waiting.add(0)
    answer = as_ann.get("/me/turns", {"wait": 50}, **{"If-None-Match": known})
    assert (answer.status_code, answer["Retry-After"]) == (304, "5")
    waiting._waiting.remove(0)
    answer = as_ann.get("/me/turns", {"wait": 1}, **{"If-None-Match": known})
    assert answer.status_code == 304
    assert "Retry-After" not in answer


@pytest.mark.parametrize(
    "ends",
    [
        lambda user: ApiToken.objects.all().delete(),
        lambda user: ApiToken.objects.update(expires_at=timezone.now()),
        lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
    ],
)
@pytest.mark.django_db
def test_who_is_no_longer_let_in_gets_no_answer_for_having_waited(
    as_ann, ann, bob, now, ends, monkeypatch
):
    game = begin(bob, ann, now=now)
    tag = as_ann.get("/me/turns")["ETag"]

    def pass_time(_seconds):
        ends(ann)
        play(game, bob, "5", now=now)

    monkeypatch.setattr(waiting.time, "sleep", pass_time)
    answer = as_ann.get("/me/turns", {"wait": 50}, **{"If-None-Match": tag})
    assert answer.status_code in (401, 403)
    assert "turns" not in answer.data
