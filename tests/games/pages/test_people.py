"""The page of players: the search by name, and whom one follows."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts.models import SearchWord, User
from games.queries.people import MOST_FOUND, find_people, followed_by
from games.services.conduct.blocks import block
from games.services.conduct.follows import follow_player
from tests.bench.reads import rows_read
from tests.factories import GuestFactory, PersonFactory
from tests.games.browsing import html_of
from tests.games.play import begin

pytestmark = pytest.mark.django_db


def found(text):
    return [str(person) for person in find_people(text)]


@pytest.fixture
def named(db):
    """People with names of several words, accents and other letters."""
    for username, display_name in (
        ("zoe-k", "Zoé Kœnig"),
        ("soren", "Søren Ångström"),
        ("lukasz", "Łukasz Żak"),
        ("masha", "Маша Петрова"),
        ("han", "王小明"),
        ("strasse", "Anna Straße"),
    ):
        PersonFactory(username=username, display_name=display_name)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("zoe", ["Zoé Kœnig"]),
        ("ZOÉ k", ["Zoé Kœnig"]),
        ("koen", ["Zoé Kœnig"]),
        ("  kœnig  ", ["Zoé Kœnig"]),
        ("zoe-k", ["Zoé Kœnig"]),
        ("@zoe-k", ["Zoé Kœnig"]),
        ("oe", []),
        ("zoe koenig x", []),
        ("soren a", ["Søren Ångström"]),
        ("ÅNG", ["Søren Ångström"]),
        ("lukasz z", ["Łukasz Żak"]),
        ("петр", ["Маша Петрова"]),
        ("王小", ["王小明"]),
        ("STRASSE", ["Anna Straße"]),
        ("anna strasse", ["Anna Straße"]),
        ("z", []),
        ("é", []),
        ("", []),
        ("--", []),
        ("%%", []),
        ("__", []),
        ("zoe\0", []),
        ("x" * 500, []),
    ],
)
def test_names_are_found_by_the_beginning_of_a_word(named, text, who):
    assert found(text) == who


def test_another_name_is_found_and_the_former_is_not(named):
    person = User.objects.get(username="zoe-k")
    person.display_name = "Zoé Roi"
    person.save()
    assert found("koenig") == []
    assert found("roi") == ["Zoé Roi"]
    person.username = "queen"
    person.save(update_fields=["username"])
    assert found("zoe-k") == []
    assert found("quee") == ["Zoé Roi"]


def test_who_is_not_found(named):
    GuestFactory(username="zoe-guest")
    User.objects.filter(username="soren").update(is_active=False)
    User.objects.filter(username="lukasz").update(is_findable=False)
    assert found("zoe") == ["Zoé Kœnig"]
    assert found("soren") == found("lukasz") == []
    User.objects.update(is_active=True, is_findable=True)
    assert found("soren") != []
    assert found("lukasz") != []


def test_a_bot_is_found_by_its_name_in_each_language(partner):
    User.objects.filter(pk=partner.pk).update(display_name="Practice partner")
    for language, typed in (("en", "practice part"), ("fr", "parten")):
        with translation.override(language):
            assert partner in find_people(typed), language


def test_no_more_than_so_many_are_found():
    for number in range(MOST_FOUND + 5):
        PersonFactory(username=f"many{number:02}", display_name=f"Many Many Many {number:02}")
    assert found("many") == [f"Many Many Many {number:02}" for number in range(MOST_FOUND)]


def test_the_page_finds_and_marks_bots_and_says_no_addresses(as_ann, named, bob):
    html = html_of(as_ann, "/people/?q=zoe")
    assert 'href="/people/zoe-k/"' in html
    assert "@example.org" not in html
    assert "Nobody of this name" in html_of(as_ann, "/people/?q=nobody-of-this-name")
    assert "Type at least two letters." in html_of(as_ann, "/people/?q=z")
    assert re.search(
        r'<span class="badge badge-quiet">bot</span>', html_of(as_ann, "/people/?q=practice")
    )
    assert "&lt;script&gt;" in html_of(as_ann, "/people/?q=%3Cscript%3E")
    assert as_ann.get("/people/?q=%00%00").status_code == 200


def test_one_cannot_search_without_end(as_ann, settings):
    settings.ACCOUNT_RATE_LIMITS = {"search_people": "2/m/user"}
    answers = [as_ann.get("/people/?q=zoe").status_code for _ in range(3)]
    assert answers == [200, 200, 429]
    assert as_ann.get("/people/").status_code == 200  # the list of whom one follows stays


# Whom one follows --------------------------------------------------------------------------------


def test_the_list_of_whom_one_follows(as_ann, client, ann, bob, cat, dan):
    now = timezone.now()
    for person in (bob, cat, dan):
        follow_player(by=ann, of=person, now=now)
    begin(bob, dan, now=now)
    begin(bob, cat, now=now, is_public=False)
    assert [one.running for one in followed_by(ann)] == [1, 0, 1]
    User.objects.filter(pk=dan.pk).update(games_shown_to="nobody")
    running = {str(one.person): one.running for one in followed_by(ann)}
    assert list(running.items()) == [("bob", 1), ("cat", 0), ("dan", 0)]
    html = html_of(as_ann, "/people/")
    assert html.count("plays 1 public game") == 1
    block(by=bob, of=ann, now=now)
    assert 'href="/people/bob/"' not in html_of(as_ann, "/people/")
    client.force_login(cat)
    assert "Nobody yet." in html_of(client, "/people/")


# What it costs -----------------------------------------------------------------------------------

MANY = 20_000


@pytest.mark.postgresql
@pytest.mark.slow
def test_a_search_reads_by_index(as_ann):
    people = User.objects.bulk_create(
        [User(username=f"anna{number}", email="") for number in range(MANY)], batch_size=2000
    )
    SearchWord.objects.bulk_create(
        [SearchWord(user=person, words=person.username) for person in people], batch_size=2000
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    html_of(as_ann, "/rules/")
    for text, count in (("an", 20), ("anna19999", 1), ("zz", 0)):
        with CaptureQueriesContext(connection) as asked:
            html = html_of(as_ann, f"/people/?q={text}")
        assert html.count('<li class="person">') == count
        made = [one["sql"] for one in asked if one["sql"].lstrip().startswith("SELECT")]
        made = [sql for sql in made if "shared_cache" not in sql]  # how often one has searched
        assert len(made) <= 6, made
        read = {sql: rows_read(sql) for sql in made}
        assert not {sql for sql, rows in read.items() if max(rows.values(), default=0) > 200}
