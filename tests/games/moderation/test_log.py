"""The moderators' log: append-only, and it shows when somebody bent it."""

import hashlib
import json

import pytest
from django.db import DatabaseError, connection, transaction

from games import errors
from games.models import ModerationLogEntry
from games.moderation import log
from notifications.outbox.staff_digests import write_staff_digest
from tests import table_snapshot
from tests.factories import PersonFactory
from tests.games.play import SECOND, begin, refused
from tests.table_snapshot import triggers_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def acts(ann, bob, cat, now):
    """Return three acts of cat's: about a game, about a person, about nothing."""
    game = begin(ann, bob, now=now)
    return [
        log.write_entry(by=cat, what="pause", why="looks odd", now=now, game=game),
        log.write_entry(by=cat, what="warn", why="rude", now=now + SECOND, person=ann),
        log.write_entry(by=cat, what="announce", why="é", now=now, details={"b": 1, "a": [2]}),
    ]


def test_entries_are_numbered_without_gaps_and_verify(acts):
    assert [act.number for act in acts] == [1, 2, 3]
    assert list(log.faults()) == []


def test_the_chain_can_be_followed_by_anybody_who_reads_the_log(acts):
    first, second, _ = ModerationLogEntry.objects.order_by("number")
    said = [first.hash, 2, second.by_id, second.at.isoformat(timespec="microseconds"), "warn"]
    said += ["rude", None, second.person_id, {}]
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == second.hash


@pytest.mark.parametrize("why", ["", "  \n"])
def test_an_act_without_a_reason_is_refused(ann, now, why):
    with refused(errors.NoReason, "It appears in the log", status=422):
        log.write_entry(by=ann, what="pause", why=why, now=now)


def test_the_database_refuses_to_change_an_entry(acts):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        ModerationLogEntry.objects.filter(number=1).update(why="something else")
    assert ModerationLogEntry.objects.get(number=1).why == "looks odd"


def test_the_database_refuses_to_delete_an_entry(acts):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        ModerationLogEntry.objects.filter(number=3).delete()
    assert ModerationLogEntry.objects.filter(number=3).exists()


EMPTYING = ["games_act", "games_game CASCADE", "accounts_user CASCADE"]


@pytest.mark.postgresql
@pytest.mark.parametrize("table", EMPTYING)
def test_the_database_refuses_to_empty_the_log(acts, table):
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            cursor.execute(f"TRUNCATE {table}")
    assert ModerationLogEntry.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_the_log_refuses_again_once_a_test_has_put_the_tables_back(cat, now):
    log.write_entry(by=cat, what="announce", why="x", now=now)
    table_snapshot.restore()
    assert not ModerationLogEntry.objects.exists()
    log.write_entry(by=PersonFactory(), what="announce", why="x", now=now)
    for change in (
        ModerationLogEntry.objects.all().delete,
        lambda: ModerationLogEntry.objects.update(why="y"),
    ):
        with pytest.raises(DatabaseError, match="append-only"):
            change()


def bend(sql):
    """Change the log as somebody who owns the database could."""
    with triggers_off(), connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("UPDATE games_act SET why = 'polite' WHERE number = 2", "entry 2 does not match its hash"),
        ("UPDATE games_act SET game_id = NULL WHERE number = 1", "entry 1 does not match its hash"),
        ("UPDATE games_act SET hash = 'x' WHERE number = 3", "entry 3 does not match its hash"),
        ("DELETE FROM games_act WHERE number = 2", "entry 2 is missing"),
    ],
)
def test_who_bends_the_log_behind_its_back_is_seen(acts, sql, fault):
    bend(sql)
    assert list(log.faults()) == [fault]


def anchored(acts):
    """Return what a digest said of the log when it ended with the last of these acts."""
    return log.read_anchor(str(log.Anchor(acts[-1].number, acts[-1].hash)))


def test_entries_of_no_game_that_are_cut_off_the_end_are_seen_with_an_anchor(acts):
    anchor = anchored(acts)
    bend("DELETE FROM games_act WHERE number = 3")
    assert list(log.faults()) == []
    assert list(log.faults(anchor)) == ["entry 3 is missing"]


def test_a_log_that_was_written_anew_is_seen_with_an_anchor(acts, cat, now):
    anchor = anchored(acts)
    bend("DELETE FROM games_act WHERE number = 3")
    log.write_entry(by=cat, what="announce", why="something else", now=now)
    log.write_entry(by=cat, what="announce", why="and more", now=now)
    assert list(log.faults()) == []
    assert list(log.faults(anchor)) == ["entry 3 is not the one in the digest"]


def test_an_anchor_stays_true_when_the_log_grows(acts, cat, now):
    anchor = anchored(acts)
    log.write_entry(by=cat, what="announce", why="and more", now=now)
    assert list(log.faults(anchor)) == []


GOOD = "0123456789abcdef"


@pytest.mark.parametrize("text", [f"12-{GOOD}", f" #12-{GOOD.upper()} ", f"12-{GOOD * 4}"])
def test_an_anchor_is_read_as_people_type_it(text):
    assert str(log.read_anchor(text)) == f"12-{GOOD}"


@pytest.mark.parametrize(
    "text", ["", "12", GOOD, f"0-{GOOD}", f"12-{GOOD[1:]}", f"12-{GOOD}g", f"{'9' * 19}-{GOOD}"]
)
def test_anything_else_is_no_anchor(text):
    with refused(errors.BadAnchor, "a number, a hyphen, and sixteen letters and", status=422):
        log.read_anchor(text)


def test_entries_of_no_game_cut_off_the_end_are_seen_by_what_a_digest_said(acts, now):
    write_staff_digest(now=now)
    bend("DELETE FROM games_act WHERE number = 3")
    assert list(log.faults()) == ["entry 3 is missing"]


def test_acts_since_the_newest_digest_are_no_fault(acts, cat, now):
    write_staff_digest(now=now)
    log.write_entry(by=cat, what="announce", why="and more", now=now)
    assert list(log.faults()) == []
