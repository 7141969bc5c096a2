"""Without a second factor, moderators and administrators are players like any other."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.roles import ADMINISTRATORS, MODERATORS
from games import errors
from games.models import Message
from games.moderation import game_actions, people, reports, roles, site
from games.services.conduct.messages import say
from games.services.conduct.reports import report_person
from notifications.outbox.staff_digests import staff
from notifications.services import reprocessing
from tests.factories import StaffFactory
from tests.games.moderating import WHY
from tests.games.play import begin, play, table

pytestmark = pytest.mark.django_db

SAID = "the quince tart is in the oven"


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture(params=[MODERATORS, ADMINISTRATORS])
def bare(request, db):
    """Staff of a role, without a second factor."""
    person = StaffFactory(username="bare", role=request.param)
    person.authenticator_set.all().delete()
    return person


@pytest.fixture
def private(ann, bob, now):
    """A private game with a turn and a message."""
    game = begin(ann, bob, now=now, is_public=False)
    play(game, ann, "5", now=now)
    say(game_id=game.pk, user=ann, text=SAID, via=Message.Via.WEB, now=now)
    return game


@pytest.mark.parametrize("name", ["game", "game_turn", "game_replay", "game_news", "game_preview"])
def test_a_private_game_is_not_there_for_them(client, private, bare, name):
    client.force_login(bare)
    more = [0] if name == "game_turn" else []
    path = reverse(name, args=[private.pk, *more])
    assert client.get(path, {"shows": "less"}).status_code == 404


def test_nor_are_its_messages_and_what_can_be_reported_of_it(client, private, bare):
    client.force_login(bare)
    said = private.messages.get()
    assert client.get(reverse("report", args=["message", said.pk])).status_code == 404
    assert client.get(reverse("report", args=["game", private.pk])).status_code == 404


def test_of_a_public_game_they_read_neither_conversation_nor_reasons(client, ann, bob, mo, bare):
    now = timezone.now()
    game = begin(ann, bob, now=now)
    say(game_id=game.pk, user=ann, text=SAID, via=Message.Via.WEB, now=now)
    game_actions.pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    for reader, reads in ((bare, False), (mo, True)):
        client.force_login(reader)
        page = client.get(game.get_absolute_url()).text
        assert (SAID in page, WHY in page) == (reads, reads)


def test_no_service_acts_for_them(private, ann, bob, bare, mo, now):
    made = report_person(person=ann, reporter=bob, reason="spam", text="x", now=now)
    tried = [
        lambda: game_actions.pause_game(game_id=private.pk, by=bare, why=WHY, now=now),
        lambda: people.warn_user(person_id=ann.pk, by=bare, why=WHY, now=now),
        lambda: roles.set_role(
            person_id=ann.pk, by=bare, role=roles.Role.ADMINISTRATOR, why=WHY, now=now
        ),
        lambda: reports.assign(report_id=made.pk, by=bare, now=now),
        lambda: reports.reassign(report_id=made.pk, by=mo, to=bare, why=WHY, now=now),
        lambda: site.begin_maintenance(note="", by=bare, why=WHY, now=now),
        lambda: site.publish_announcement(
            by=bare,
            english="x",
            french="x",
            from_at=now,
            until=now + timedelta(days=1),
            why=WHY,
            now=now,
        ),
        lambda: reprocessing.reprocess([], by=bare, why=WHY, now=now),
        lambda: reprocessing.dismiss_mails([], by=bare, why=WHY, now=now),
        lambda: reprocessing.resend([], by=bare, why=WHY, now=now),
        lambda: reprocessing.resume_mail_to([], by=bare, why=WHY, now=now),
    ]
    found = []
    for attempt in tried:
        with pytest.raises(errors.Refusal) as refusal:
            attempt()
        found.append(refusal.value.code)
    assert found == [
        "MayNotModerate",
        "MayNotModerate",
        "NotAnAdministrator",
        "MayNotModerate",
        "NotAModerator",
        *["NotAnAdministrator"] * 3,
        "MayNotModerate",
        *["NotAnAdministrator"] * 2,
    ]


def test_the_daily_digest_is_not_for_them(bare, mo):
    assert list(staff()) == [mo]


def test_a_private_table_is_not_there_either(client, ann, bare, now):
    client.force_login(bare)
    made = table(ann, now=now, is_public=False)
    assert client.get(made.get_absolute_url()).status_code == 404


def test_they_are_led_to_setting_one_up(client, bare):
    client.force_login(bare)
    assert reverse("admin:index") in client.get("/").text
    assert client.get(reverse("admin:index")).url == reverse("mfa_index")
