"""Ladders by mail: the letters of a challenge, an answer to one, and the commands."""

from datetime import timedelta

import pytest

from games.models import LadderChallenge, LadderPlace
from games.services.ladders.challenges import challenge_player
from games.services.ladders.places import join_ladder
from games.services.ladders.upkeep import run_ladders
from notifications.mail_parser import LadderCommand, LaddersCommand, parse_command
from notifications.models import IncomingMail
from notifications.outbox.ladder_letters import tell_ladders
from tests.notifications.mail_commands.players_by_mail import words_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"
DAY = timedelta(days=1)


def letters(office):
    """Write and send the letters that are due; return the new ones by their reader's address."""
    before = {address: len(mails) for address, mails in office.inboxes.items()}
    tell_ladders(now=office.now)
    office.carry()
    found = {}
    for address, mails in office.inboxes.items():
        for one in mails[before.get(address, 0) :]:
            if one["X-Pli-Kind"] == "ladder":
                found[address] = one
    return found


@pytest.fixture
def challenge(played, office, ann, bob):
    """Bob, who is below, challenges ann."""
    for person in (ann, bob):
        join_ladder(rules_slug="taquet", user=person, now=office.now)
    return challenge_player(rules_slug="taquet", user=bob, opponent=ann, now=office.now)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ladders", LaddersCommand()),
        ("Échelles.", LaddersCommand()),
        ("join ladder taquet", LadderCommand("join", "taquet")),
        ("rejoindre l’échelle de taquet", LadderCommand("join", "taquet")),
        ("leave the ladder of super morpion", LadderCommand("leave", "super morpion")),
        ("quitter l'échelle de taquet", LadderCommand("leave", "taquet")),
        ("challenge bob on ladder taquet", LadderCommand("challenge", "taquet", "bob")),
        ("défier bob sur l’échelle de taquet", LadderCommand("challenge", "taquet", "bob")),
    ],
)
def test_the_grammar(line, command):
    assert parse_command([line])[0] == command


@pytest.mark.parametrize("line", ["ladders are fun", "join us on the ladder", "challenge accepted"])
def test_talk_is_no_command(line):
    assert not isinstance(parse_command([line])[0], LaddersCommand | LadderCommand)


def test_joining_challenging_and_leaving_are_asked_first(played, office, ann, bob):
    join_ladder(rules_slug="taquet", user=bob, now=office.now)
    asked = office.answer(ANN, "join ladder taquet")
    assert office.result() == ("done", "asked")
    assert not LadderPlace.objects.filter(user=ann).exists()
    assert "at place 2" in words_of(office.answer(ANN, "yes", to=asked))
    asked = office.answer(ANN, "challenge bob on ladder taquet")
    assert office.result() == ("done", "asked")
    assert not LadderChallenge.objects.exists()
    assert "You have challenged bob." in words_of(office.answer(ANN, "yes", to=asked))
    assert LadderChallenge.objects.get().challenged == bob
    assert "your place: 2 of 2" in words_of(office.answer(ANN, "ladders"))
    asked = office.answer(ANN, "leave ladder taquet")
    assert "You have left the ladder." in words_of(office.answer(ANN, "yes", to=asked))
    said = words_of(office.answer(ANN, "join ladder chess"))
    assert office.result() == ("done", "refused")
    assert "There is no such ladder." in said


def test_a_reply_accepts_the_challenge(office, challenge):
    (letter,) = letters(office).values()
    assert letter["To"] == ANN
    assert "bob challenges you on the ladder of Taquet" in letter["Subject"]
    assert letters(office) == {}  # once
    assert "The game begins." in words_of(office.answer(ANN, "accept", to=letter))
    challenge.refresh_from_db()
    assert challenge.state == "playing"
    assert letters(office) == {}
    said = words_of(office.answer(ANN, "decline", to=letter))
    assert "answered or withdrawn already" in said


def test_a_reply_declines_and_the_challenger_is_told(office, challenge):
    (letter,) = letters(office).values()
    assert "which was free" in words_of(office.answer(ANN, "decline", to=letter))
    found = letters(office)
    assert set(found) == {BOB}
    assert "Votre défi est refusé" in words_of(found[BOB])


def test_an_answer_that_came_in_time_counts_however_late_it_is_read(office, challenge):
    (letter,) = letters(office).values()
    office.hand_in(ANN, "accept", to=letter)
    IncomingMail.objects.update(received_at=challenge.due_at)
    office.now = challenge.due_at + DAY
    assert run_ladders(now=office.now) == 0
    office.carry()
    assert run_ladders(now=office.now) == 0
    challenge.refresh_from_db()
    assert challenge.state == "playing"


def test_an_answer_that_came_too_late_counts_no_more(office, challenge):
    (letter,) = letters(office).values()
    office.now = challenge.due_at + DAY
    said = words_of(office.answer(ANN, "accept", to=letter))
    assert "The time to answer this challenge is over." in said
    run_ladders(now=office.now)
    challenge.refresh_from_db()
    assert challenge.outcome == "unanswered"


def test_both_are_told_that_nobody_answered(office, challenge, ann):
    letters(office)
    office.now = challenge.due_at + DAY
    run_ladders(now=office.now)
    found = letters(office)
    assert set(found) == {ANN, BOB}
    assert "You have not answered in time" in words_of(found[ANN])
    assert "Your place now: 2." in words_of(found[ANN])


def test_who_is_off_the_ladder_for_idleness_is_told(office, challenge, ann):
    letters(office)
    LadderPlace.objects.filter(user=ann).update(
        place=None, left_at=office.now, left_because="idle", left_place=1
    )
    (letter,) = letters(office).values()
    assert letters(office) == {}  # once
    assert "You are no longer on the ladder of Taquet" in letter["Subject"]
