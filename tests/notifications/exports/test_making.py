"""Exports are asked for, made in the background once each, told of by mail, and deleted."""

from datetime import timedelta

import pytest
import time_machine
from django.db import transaction

from games.errors import Refusal
from notifications import errors
from notifications.exports import archive, making, requests
from notifications.exports.making import delete_expired_exports, make_exports
from notifications.exports.requests import EXPORTS_A_DAY, ask_for_export, file_of, newest_export
from notifications.models import DataExport, DataExportPart, Notice
from tests.notifications.exports.reading import exported, files_of
from tests.racing import at_once

pytestmark = pytest.mark.django_db

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
State = DataExport.State


@pytest.fixture(autouse=True)
def _clock(now):
    """Parts are written at the time of the database's clock."""
    with time_machine.travel(now, tick=False):
        yield


def asked(user, now):
    ask_for_export(user=user, now=now)
    return DataExport.objects.get(user=user, state=State.WAITING)


def test_an_export_is_made_told_and_kept_for_seven_days(ann, now):
    export = asked(ann, now)
    assert make_exports(now=now) == 1
    export.refresh_from_db()
    assert (export.state, export.made_at, export.expires_at) == (State.READY, now, now + 7 * DAY)
    assert export.size == sum(map(len, file_of(export)))
    assert "account.json" in files_of(export)
    told = Notice.objects.get(user=ann)
    assert (told.kind, told.address) == ("account", "ann@example.org")
    assert told.content["subject"] == "Your data is ready"
    assert "/settings/data/" in told.content["text"]
    assert make_exports(now=now) == 0

    assert newest_export(ann, now=now + 7 * DAY) is None
    assert delete_expired_exports(now=now + 7 * DAY - MINUTE) == 0
    assert delete_expired_exports(now=now + 7 * DAY) == 1
    assert not DataExportPart.objects.exists()


def test_the_mail_and_the_readme_are_in_the_users_language(bob, now):
    files = exported(bob, now=now)
    assert files["README.txt"].startswith("Les données de bob sur ")
    told = Notice.objects.get(user=bob)
    assert told.content["subject"] == "Vos données sont prêtes"


def test_nobody_without_an_address_is_written_to(ann, now):
    ann.emailaddress_set.all().delete()
    assert exported(ann, now=now)["account.json"]["addresses"] == []
    assert not Notice.objects.exists()


def test_a_new_export_replaces_the_old_one(ann, now):
    exported(ann, now=now)
    second = asked(ann, now + HOUR)
    assert not DataExportPart.objects.exists()
    assert newest_export(ann, now=now + HOUR) == second
    assert list(DataExport.objects.order_by("pk").values_list("state", flat=True)) == [
        State.REPLACED,
        State.WAITING,
    ]


def test_there_is_one_at_a_time(ann, bob, now):
    asked(ann, now)
    with pytest.raises(errors.ExportUnderWay):
        ask_for_export(user=ann, now=now + HOUR)
    DataExport.objects.update(state=State.MAKING, claimed_at=now)
    with pytest.raises(errors.ExportUnderWay):
        ask_for_export(user=ann, now=now + HOUR)
    assert DataExport.objects.count() == 1
    asked(bob, now)


def test_there_are_few_a_day(ann, now):
    for number in range(EXPORTS_A_DAY):
        exported(ann, now=now + number * HOUR)
    parts = DataExportPart.objects.count()
    with pytest.raises(errors.TooManyExports) as refused:
        ask_for_export(user=ann, now=now + DAY - MINUTE)
    assert "3 files" in refused.value.sentence
    assert DataExportPart.objects.count() == parts == 1
    ask_for_export(user=ann, now=now + DAY)


def test_exports_are_made_one_a_run_and_the_oldest_first(ann, bob, now):
    first, second = asked(bob, now), asked(ann, now)
    assert make_exports(now=now) == 1
    states = [DataExport.objects.get(pk=one.pk).state for one in (first, second)]
    assert states == [State.READY, State.WAITING]


def test_what_a_killed_process_left_is_made_anew(ann, now):
    export = asked(ann, now)
    DataExport.objects.update(state=State.MAKING, claimed_at=now, attempts=1)
    DataExportPart.objects.create(export=export, number=0, content=b"half of it")
    assert make_exports(now=now + 4 * MINUTE) == 0
    assert make_exports(now=now + 5 * MINUTE) == 1
    export.refresh_from_db()
    assert (export.state, export.attempts) == (State.READY, 2)
    assert "account.json" in files_of(export)


def test_what_keeps_failing_is_given_up_and_can_be_asked_for_again(ann, now, monkeypatch, caplog):
    export = asked(ann, now)

    def fail(*args):
        raise ZeroDivisionError

    with monkeypatch.context() as broken:
        broken.setattr(making, "add_games", fail)
        for number in range(3):
            assert make_exports(now=now + number * HOUR) == 0
            export.refresh_from_db()
            assert export.state == State.MAKING
        assert "ZeroDivisionError" in export.error
        assert make_exports(now=now + 3 * HOUR) == 1
    export.refresh_from_db()
    assert (export.state, export.expires_at) == (State.FAILED, now + 7 * DAY)
    assert "could not be made" in caplog.text
    assert not Notice.objects.exists()
    assert "games.json" in exported(ann, now=now + 4 * HOUR)


def test_a_process_that_lost_its_claim_writes_nothing(ann, now, monkeypatch, caplog):
    export = asked(ann, now)

    def take_over(archive, user):
        DataExport.objects.update(attempts=2)

    monkeypatch.setattr(making, "add_games", take_over)
    assert make_exports(now=now) == 0
    export.refresh_from_db()
    assert (export.state, export.parts.count()) == (State.MAKING, 0)
    assert "by another process" in caplog.text
    assert not Notice.objects.exists()


def test_a_file_that_is_replaced_while_it_is_read_ends_with_an_error(ann, now, monkeypatch):
    for module in (archive, requests):
        monkeypatch.setattr(module, "PART_SIZE", 512)
    exported(ann, now=now)
    content = file_of(newest_export(ann, now=now))
    assert len(next(content)) == 512
    asked(ann, now + HOUR)
    with pytest.raises(errors.NoExport):
        next(content)


@pytest.mark.django_db(transaction=True)
def test_of_two_requests_at_once_one_is_refused(ann, now):
    def ask():
        try:
            ask_for_export(user=ann, now=now)
        except Refusal as refusal:
            return refusal.code
        return "asked"

    assert sorted(at_once(ask, times=2)) == ["ExportUnderWay", "asked"]
    assert DataExport.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_processes_at_once_make_an_export_once(ann, now):
    asked(ann, now)
    assert sorted(at_once(lambda: make_exports(now=now), times=2)) == [0, 1]
    assert Notice.objects.count() == 1
    assert DataExport.objects.get().attempts == 1
    with transaction.atomic():
        assert "account.json" in files_of(DataExport.objects.get())
