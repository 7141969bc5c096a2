"""`manage.py security_log` gives hosts what was kept, as CSV or JSON."""

import csv
import io
import json
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command

from accounts.models import SecurityEvent
from accounts.security_log import record

pytestmark = pytest.mark.django_db

Kind = SecurityEvent.Kind
COLUMNS = ["at", "user", "kind", "times", "ip", "user_agent", "details"]


def run(*arguments):
    out = io.StringIO()
    call_command("security_log", *arguments, stdout=out)
    return out.getvalue()


def day(number):
    return datetime(2026, 3, number, 12, 0, tzinfo=UTC)


@pytest.fixture
def events(ann, bob):
    """A failure of nobody's, then something of Ann, then of Bob, a day each."""
    record(Kind.FAILURE, user=None, request=None, now=day(1), method="password", again=False)
    record(Kind.ADDRESS_ADDED, user=ann, request=None, now=day(2), email="ann@example.net")
    record(Kind.SIGN_IN, user=bob, request=None, now=day(3), method="code")
    SecurityEvent.objects.filter(user=ann).update(ip="203.0.113.9", user_agent='Lynx, "2"')


def test_csv_holds_every_event_oldest_first(events):
    rows = list(csv.reader(io.StringIO(run("--format", "csv"))))
    assert rows[0] == COLUMNS
    assert [row[1:3] for row in rows[1:]] == [
        ["", "failure"],
        ["ann", "address-added"],
        ["bob", "sign-in"],
    ]
    assert rows[2] == [
        "2026-03-02T12:00:00+00:00",
        "ann",
        "address-added",
        "1",
        "203.0.113.9",
        'Lynx, "2"',
        '{"email": "ann@example.net"}',
    ]


def test_json_holds_the_same(events):
    found = json.loads(run("--format", "json"))
    assert [list(event) for event in found] == [COLUMNS] * 3
    assert found[0]["user"] is None
    assert found[1]["details"] == {"email": "ann@example.net"}
    assert found[1]["ip"] == "203.0.113.9"


def test_csv_is_what_it_gives_unasked(events):
    assert run() == run("--format", "csv")


def test_nothing_is_an_empty_list(db):
    assert json.loads(run("--format", "json")) == []
    assert run().split() == [",".join(COLUMNS)]


@pytest.mark.parametrize(
    ("since", "users"),
    [
        ("2026-03-02", ["ann", "bob"]),
        ("2026-03-02T12:00:00+00:00", ["ann", "bob"]),
        ("2026-03-02T12:00:01+00:00", ["bob"]),
        ("2026-03-02 12:00:01", ["bob"]),
        ("2026-03-04", []),
    ],
)
def test_only_what_happened_since_a_day_or_a_time(events, since, users):
    found = json.loads(run("--format", "json", "--since", since))
    assert [event["user"] for event in found] == users


def test_only_what_concerns_one_person_however_the_name_is_written(events):
    found = json.loads(run("--format", "json", "--user", "ANN"))
    assert [event["user"] for event in found] == ["ann"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--user", "nobody-here"], "nobody-here"),
        (["--since", "yesterday"], "2026-01-31"),
        (["--since", "2026-02-30"], "2026-01-31"),
        (["--format", "xml"], "xml"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_reason(events, arguments, said):
    with pytest.raises(CommandError, match=said):
        run(*arguments)


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r"])
def test_no_program_takes_a_browsers_name_for_a_formula(ann, sign):
    record(Kind.SIGN_IN, user=ann, request=None, now=day(1))
    SecurityEvent.objects.update(user_agent=f"{sign}HYPERLINK(0)")
    cells = list(csv.reader(io.StringIO(run())))[1]
    assert cells[5] == f"'{sign}HYPERLINK(0)"


def test_many_events_cost_few_queries(ann, django_assert_max_num_queries):
    SecurityEvent.objects.bulk_create(
        SecurityEvent(user=ann, kind=Kind.SIGN_IN, at=day(1)) for _ in range(50)
    )
    with django_assert_max_num_queries(2):
        assert len(json.loads(run("--format", "json"))) == 50
