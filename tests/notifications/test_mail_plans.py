"""On PostgreSQL the lists of mail are read through indexes, however many mails there are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.services.upkeep import upkeep
from notifications.models import AddressState, IncomingMail, Notice
from notifications.services.staff_digests import mail_state
from tests.factories import PersonFactory
from tests.games.play import DAY
from tests.staffed import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

MANY = 20_000
BIG = ("notifications_notice", "notifications_incomingmail", "notifications_addressstate")
NOTICES, MAILS, ADDRESSES = (
    reverse(f"admin:{name}_changelist")
    for name in (
        "notifications_notice",
        "notifications_incomingmail",
        "notifications_addressstate",
    )
)
PAGES = [
    NOTICES,
    f"{NOTICES}?state__exact=failed",
    f"{NOTICES}?kind__exact=digest",
    f"{NOTICES}?q=nobody77@example.org",
    f"{NOTICES}?q=pat",
    f"{NOTICES}?q=12",
    MAILS,
    f"{MAILS}?state__exact=parked",
    f"{MAILS}?state__exact=held",
    f"{MAILS}?q=s77@example.org",
    f"{MAILS}?q=pat",
    ADDRESSES,
    f"{ADDRESSES}?suspended=yes",
    f"{ADDRESSES}?q=a77@example.org",
]


@pytest.fixture
def full(now):
    """Twenty thousand of each; a few failed, were put aside, or are suspended."""
    pat, lee = PersonFactory(username="pat"), PersonFactory(username="lee")
    times = {"created_at": now, "due_at": now}
    Notice.objects.bulk_create(
        Notice(
            kind="digest" if n % 1000 == 0 else "your-turn",
            state="failed" if n % 1000 == 1 else "sent",
            user=pat if n % 1000 == 2 else lee,
            address=f"nobody{n}@example.org",
            message_id=str(n),
            **times,
        )
        for n in range(MANY)
    )
    aside = {0: "parked", 1: "held"}
    IncomingMail.objects.bulk_create(
        IncomingMail(
            raw=b"x" * 500,
            door="smtp",
            token_hash=str(n),
            digest=str(n),
            state=aside.get(n % 1000, "done"),
            user=pat if n % 1000 == 2 else lee,
            sender=f"s{n}@example.org",
            received_at=now,
            processed_at=now,
        )
        for n in range(MANY)
    )
    AddressState.objects.bulk_create(
        AddressState(address=f"a{n}@example.org", suspended_at=now if n % 1000 == 0 else None)
        for n in range(MANY)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def read_through(sql):
    """Return the big tables that a question reads from end to end."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}")
        lines = "\n".join(line for (line,) in cursor.fetchall())
    return [name for name in BIG if f"Seq Scan on {name}" in lines]


def test_no_list_filter_or_search_reads_through_all_mail(client, full):
    signed_in(client, "host")
    client.get(reverse("admin:index"))
    found = {}
    for path in PAGES:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(path).status_code == 200
        asked = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
        assert any(name in sql for sql in asked for name in BIG)
        found |= {f"{path}: {sql[:300]}": read_through(sql) for sql in asked if read_through(sql)}
    assert found == {}


def test_the_moderators_digest_reads_through_no_mail(full, now):
    with CaptureQueriesContext(connection) as queries:
        mail_state(now + DAY)
        upkeep(now + DAY)
    asked = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
    assert [sql for sql in asked if read_through(sql)] == []


def test_the_look_at_plans_sees_a_question_without_an_index(full):
    assert read_through(str(Notice.objects.filter(attempts=3).query)) == [BIG[0]]
