"""The lists of people and reports, and the pages of one: quick, and with what matters."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Message
from games.moderation import people, reports
from games.moderation.admin.user_page import (
    mailbox,
    users_signed_in_together,
    users_with_same_mailbox,
)
from games.moderation.people import Running
from games.services.conduct.messages import say
from games.services.conduct.reports import report_game, report_message, report_person
from tests.factories import PersonFactory, StaffFactory
from tests.games.play import begin, play_all, table

pytestmark = pytest.mark.django_db
MOST_QUERIES = 12
PEOPLE, REPORTS = "admin:accounts_user_changelist", "admin:games_report_changelist"


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def admin(client, mod):
    client.force_login(mod)
    client.get(reverse("admin:index"))
    return client


@pytest.fixture
def trouble(ann, bob, cat, mod, now):
    """Bob's bad day: games, insults, reports, sanctions, and two who resemble him."""
    game = play_all(begin(ann, bob, now=now), ["5", "1"], now=now)
    for number in range(20):
        who = bob if number % 2 else ann
        said = say(game_id=game.pk, user=who, text=f"Word {number}.", via=Message.Via.WEB, now=now)
        if number == 9:
            insult = said
    report = report_message(
        message_id=insult.pk, reporter=ann, reason="abuse", text="Rude.", now=now
    )
    report_person(person=bob, reporter=cat, reason="cheating", text="Two.", now=now)
    report_person(person=cat, reporter=bob, reason="spam", text="Ads.", now=now)
    people.warn_user(person_id=bob.pk, by=mod, why="Be kind.", now=now)
    people.mute_user(person_id=bob.pk, by=mod, why="Enough.", until=None, now=now)
    for _ in range(4):
        begin(bob, cat, now=now)
    twin = PersonFactory(username="twin", email="b.o.b+2@example.org")
    for number, person in enumerate([bob, twin]):
        UserSession.objects.create(
            user=person, ip="192.0.2.7", session_key=f"key{number}", user_agent="x"
        )
    return {"report": report, "game": game, "twin": twin, "insult": insult}


def read(admin, path, **query):
    """Return a page that asked the database few enough questions."""
    with CaptureQueriesContext(connection) as asked:
        answer = admin.get(path, query)
    assert answer.status_code == 200
    said = "\n".join(query["sql"] for query in asked)
    assert len(asked) <= MOST_QUERIES, said
    return answer


def listed(admin, name, **query):
    return list(read(admin, reverse(name), **query).context["cl"].result_list)


def test_the_page_of_a_person_says_what_matters(admin, trouble, bob):
    page = read(admin, reverse("admin:accounts_user_change", args=[bob.pk])).text
    for words in ("Be kind.", "Enough.", "permanently", "not read yet", "twin", "person muted"):
        assert words in page
    assert "the same mailbox" in page
    assert "signed in from the same place" in page
    assert "prove nothing" in page
    assert "192.0.2.7" not in page
    for report in (*bob.reports_about.all(), *bob.reports.all()):
        assert reverse("admin:games_report_change", args=[report.pk]) in page
    for game in bob.seats.values_list("game", flat=True):
        assert reverse("admin:games_game_change", args=[game]) in page


def test_the_page_of_a_report_shows_the_message_in_its_conversation(admin, trouble):
    report, insult = trouble["report"], trouble["insult"]
    page = read(admin, reverse("admin:games_report_change", args=[report.pk])).text
    assert "Rude." in page
    assert page.count("moderation-reported") == 1
    for number in range(3, 16):
        assert f"Word {number}." in page
    assert "Word 2." not in page
    assert "Word 16." not in page
    assert insult.text in page.partition("moderation-reported")[2][:800]
    assert "<svg" in page
    assert reverse("admin:accounts_user_change", args=[report.reporter_id]) in page


def test_a_moderator_does_not_read_who_reported_them(admin, mod, ann, bob, now):
    game = begin(ann, mod, now=now)
    said = say(game_id=game.pk, user=mod, text="Ha.", via=Message.Via.WEB, now=now)
    made = report_message(
        message_id=said.pk, reporter=ann, reason="abuse", text="He laughs.", now=now
    )
    report_person(person=mod, reporter=bob, reason="other", text="Proud.", now=now)
    paths = [
        reverse(REPORTS),
        reverse("admin:games_report_change", args=[made.pk]),
        reverse("admin:accounts_user_change", args=[mod.pk]),
        reverse("admin:games_game_change", args=[game.pk]),
    ]
    pages = [admin.get(path).text for path in paths]
    assert f"#{made.pk}" in pages[0] or f">{made.pk}<" in pages[0]
    assert "only the other moderators see" in pages[1]
    for page in pages:
        assert "He laughs." not in page
        assert "Proud." not in page
    assert all(">ann<" not in page and ">bob<" not in page for page in pages[:2])
    admin.force_login(StaffFactory(username="meg", role="Moderators"))
    admin.get(reverse("admin:index"))
    assert "He laughs." in admin.get(paths[1]).text
    assert "He laughs." in admin.get(paths[3]).text


def test_reports_about_games_and_tables_have_pages_too(admin, ann, cat, now):
    for game in (table(ann, now=now), begin(ann, cat, now=now)):
        made = report_game(game_id=game.pk, reporter=cat, reason="other", text="x", now=now)
        assert read(admin, reverse("admin:games_report_change", args=[made.pk]))


def test_the_queue_is_filtered_by_state_reason_and_hands(admin, trouble, mod, now):
    of_message, of_bob, of_cat = trouble["report"], *mod_reports(trouble)
    reports.assign(report_id=of_bob.pk, by=mod, now=now)
    reports.resolve(report_id=of_cat.pk, by=mod, upheld=False, answer="No.", now=now)
    assert listed(admin, REPORTS) == [of_bob, of_message]
    assert listed(admin, REPORTS, state="all") == [of_cat, of_bob, of_message]
    assert listed(admin, REPORTS, state="open") == [of_message]
    assert listed(admin, REPORTS, state="dismissed") == [of_cat]
    assert listed(admin, REPORTS, reason__exact="abuse") == [of_message]
    assert listed(admin, REPORTS, hands="mine") == [of_bob]
    assert listed(admin, REPORTS, hands="nobody") == [of_message]
    assert listed(admin, REPORTS, q=f"#{trouble['game'].pk}") == [of_message]
    assert listed(admin, REPORTS, q="bo") == [of_bob, of_message]
    assert listed(admin, REPORTS, q="nobody") == []


def mod_reports(trouble):
    reports = type(trouble["report"]).objects
    return reports.get(reason="cheating"), reports.get(reason="spam")


def test_people_are_found_by_the_beginning_of_their_names_and_by_what_they_are(
    admin, trouble, bob, cat, mod, now
):
    assert listed(admin, PEOPLE, q="BO") == [bob]
    assert listed(admin, PEOPLE, q="@bob") == [bob]
    assert listed(admin, PEOPLE, q="ob") == []
    assert listed(admin, PEOPLE, q=bob.email) == []
    people.ban_user(person_id=cat.pk, by=mod, why="x", running=Running.CLOCK, now=now)
    assert listed(admin, PEOPLE, sanction="barred") == [cat]
    assert listed(admin, PEOPLE, sanction="muted") == [bob]
    assert listed(admin, PEOPLE, sanction="warned") == [bob]
    assert listed(admin, PEOPLE, who="staff") == [mod]
    assert all(person.is_bot for person in listed(admin, PEOPLE, who="programs"))
    assert listed(admin, PEOPLE, who="closed") == []


def test_hosts_find_people_by_their_address_too(client, bob):
    client.force_login(StaffFactory(username="host", role="Hosts"))
    client.get(reverse("admin:index"))
    assert listed(client, PEOPLE, q="bob@exam") == [bob]


@pytest.mark.parametrize("key", ["0", "x", "9" * 40, "²"])
@pytest.mark.parametrize("name", ["accounts_user", "games_report", "games_message"])
def test_what_there_is_not_has_no_page(admin, name, key):
    assert admin.get(reverse(f"admin:{name}_change", args=[key])).status_code in (302, 404)


# Asking ----------------------------------------------------------------------------------------


def test_nothing_is_done_before_it_was_confirmed(admin, ann):
    path = reverse("admin:accounts_user_do", args=[ann.pk, "warn"])
    asked = admin.post(path, {"why": "Be kind."})
    assert asked.status_code == 200
    assert "Yes, do it" in asked.text
    assert not ann.sanctions.exists()
    assert admin.post(path, {"why": "", "confirmed": "yes"}).status_code == 200
    assert not ann.sanctions.exists()
    done = admin.post(path, {"why": "Be kind.", "confirmed": "yes"}, follow=True)
    assert "The person is warned." in done.text


def test_the_second_of_two_moderators_sees_what_the_first_did(admin, ann, mod, now):
    path = reverse("admin:accounts_user_change", args=[ann.pk])
    assert 'name="seen" value="0" id="rename_seen"' in admin.get(path).text
    meg = StaffFactory(username="meg", role="Moderators")
    people.warn_user(person_id=ann.pk, by=meg, why="Be kind.", now=now)
    act = reverse("admin:accounts_user_do", args=[ann.pk, "rename"])
    sent = {"why": "x", "username": "anna", "confirmed": "yes"}
    told = admin.post(act, sent | {"seen": "0"}, follow=True).text
    assert "meg did this: person warned." in told
    number = ann.log_entries.get().number
    assert f'name="seen" value="{number}" id="rename_seen"' in told
    admin.post(act, sent | {"seen": str(number)})
    ann.refresh_from_db()
    assert ann.username == "anna"


def test_a_refusal_is_said_on_the_page(admin, ann, mod, now):
    people.mute_user(person_id=ann.pk, by=mod, why="x", until=None, now=now)
    path = reverse("admin:accounts_user_do", args=[ann.pk, "mute"])
    done = admin.post(path, {"why": "x", "until": "", "confirmed": "yes"}, follow=True)
    assert "Nothing was done: This sanction is already in force" in done.text


def test_the_end_of_a_suspension_is_read_in_the_moderators_zone(admin, ann, mod, now):
    User.objects.filter(pk=mod.pk).update(time_zone="Asia/Tokyo")
    tomorrow = (now + timedelta(days=2)).replace(hour=12, minute=0, second=0, microsecond=0)
    sent = {"why": "x", "until": f"{tomorrow:%Y-%m-%dT%H:%M}", "confirmed": "yes"}
    admin.post(reverse("admin:accounts_user_do", args=[ann.pk, "suspend"]), sent)
    assert ann.sanctions.get().until == tomorrow - timedelta(hours=9)


# Hints -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "box"),
    [
        ("b.o.b@example.org", "bob@example.org"),
        ("bob+pli@example.org", "bob@example.org"),
        ("b.ob+a+b@ex.ample.org", "bob@ex.ample.org"),
        ("bobby@example.org", "bobby@example.org"),
    ],
)
def test_a_mailbox_is_an_address_without_dots_and_tag(address, box):
    assert mailbox(address) == box


def test_who_shares_a_mailbox_is_found_and_nobody_else(bob):
    alike = [
        PersonFactory(email=address)
        for address in ("b.ob@example.org", "bob+x@example.org", "BO.B+y.z@example.org")
    ]
    for address in (
        "bobby@example.org",
        "bob@example.com",
        "bob+x@exam.ple.org",
        "b_b@example.org",
    ):
        PersonFactory(email=address)
    assert sorted(users_with_same_mailbox(bob), key=lambda p: p.pk) == alike
    assert EmailAddress.objects.filter(email__icontains="bob").count() > len(alike)
    assert users_with_same_mailbox(PersonFactory(email="")) == []


def test_who_is_signed_in_from_the_same_place_is_found_once(ann, bob, cat, now):
    places = [(ann, "192.0.2.1", 0), (bob, "192.0.2.1", 2), (bob, "192.0.2.1", 1)]
    places += [(cat, "192.0.2.2", 0)]
    for number, (person, ip, days) in enumerate(places):
        UserSession.objects.create(
            user=person,
            ip=ip,
            session_key=str(number),
            user_agent="x",
            last_seen_at=now - timedelta(days=days),
        )
    (found,) = users_signed_in_together(ann)
    assert found == (bob, now - timedelta(days=1))
    assert users_signed_in_together(cat) == []
