"""After a deletion neither name, address nor words of the person are anywhere."""

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.apps import apps
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from accounts.models import Block, Follow, User
from accounts.names import name_keys, search_words
from accounts.security_log import record
from games.models import Game, Message, PlannedTurn, Turn
from games.moderation import game_actions, people
from games.moderation.log import faults
from games.queries.record_files import check_record_file
from games.services import analysis
from games.services.conduct.messages import say
from games.services.conduct.reports import report_message, report_person
from games.services.invitations import challenge, invite
from games.services.ladders.places import join_ladder
from games.services.puzzles import make_puzzles, show_solution
from games.services.record import faults_of
from notifications.deletion.coverage import DELETED
from notifications.deletion.deleting import delete_due_accounts
from notifications.deletion.requests import ask_for_deletion, remind_of_deletions
from notifications.exports.making import make_exports
from notifications.exports.requests import ask_for_export
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import UnknownRecipient, receive
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.services.replies import reply_address
from notifications.webhooks.endpoints import add_webhook
from tests.factories import PersonFactory
from tests.games.multiplayer import gather
from tests.games.play import begin, fresh, table
from tests.games.wishes.making import wish_for
from tests.notifications.deletion.searching import found_in
from tests.notifications.incoming_mail import answer, turn_token
from tests.permissions.asking import sign_in
from tests.sample_site import populate

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NAME, FIRST_NAME, SHOWN = "Quxwolly", "Vrimpelstock", "Zébulon Krøjdahl"
ADDRESS, SECOND, OLD = "krojdahl@quxbox.example", "zk2@quxbox.example", "before@quxbox.example"
WORDS = "mirabellenschnaps"
LOOKS = sorted(
    {key for name in (NAME, SHOWN) for key in name_keys(name)} | search_words(NAME, SHOWN)
)
MADE_HERE = {
    *("account.EmailAddress", "accounts.Block", "accounts.Follow", "accounts.SearchWord"),
    *("accounts.SecurityEvent", "accounts.TakenName", "accounts.Vacation", "games.AnalysisNode"),
    *("games.PlannedTurn", "games.PuzzleAttempt", "games.SharedAnalysis"),
    "notifications.CalendarFeed",
    *("notifications.DataExport", "notifications.MailPreference", "notifications.Notice"),
    *("notifications.ReplyAddress", "notifications.Webhook", "usersessions.UserSession"),
}
"""What the person of this test has; of each model nothing may be left."""
NEEDLES = [NAME, FIRST_NAME, SHOWN, ADDRESS, SECOND, OLD, WORDS, *LOOKS]


def receive_from(person, token, text, now, sender=ADDRESS):
    return receive(
        answer(token, text, sender),
        recipient=reply_address(token),
        envelope_from=sender,
        door="smtp",
        now=now,
    )


def invited_before_signing_up(host, now):
    """Let a host invite the address that the person has later, and others invite them."""
    invite(game_id=table(host, now=now).pk, by=host, email=ADDRESS, now=now)
    make_notices(now=now)
    send_due(now=now + timedelta(minutes=5))


def try_and_note(game, node, person, now):
    """Let a person note something on a variation, look at a solution, and wish for opponents."""
    note = {"node_id": node.pk, "text": WORDS, "now": now}
    analysis.write_note(game_id=game.pk, user=person, turn=2, **note)
    make_puzzles(now=now)
    show_solution(day=now.date(), user=person, now=now)
    wish_for(person, now=now)
    join_ladder(rules_slug="morpion", user=person, now=now)


@pytest.fixture
def lived(client):
    """A site in which somebody did everything; `person` and `site`, and a `token` of theirs."""
    now = timezone.now()
    site = populate(now=now)
    person, bob, cat = site.ann, site.bob, site.cat
    invited_before_signing_up(site.dan, now)
    person.username, person.email = FIRST_NAME, ADDRESS
    person.set_password("secret")
    person.save()
    addresses = EmailAddress.objects.filter(user=person)
    addresses.filter(primary=True).update(email=ADDRESS)
    addresses.filter(primary=False).update(email=SECOND, verified=True)
    people.rename_user(person_id=person.pk, by=site.mona, username=NAME, why="rude", now=now)
    person.refresh_from_db()
    person.display_name = SHOWN
    person.save()
    record("address-removed", user=person, request=None, email=OLD)

    said = {"text": f"{WORDS} for all", "via": Message.Via.WEB, "now": now}
    mine = say(game_id=site.private.pk, user=person, **said)
    say(game_id=site.public.pk, user=person, **said)
    try_and_note(site.public, site.analysed, person, now)
    told = {"reason": "abuse", "text": f"{WORDS}!", "now": now}
    report_person(person=bob, reporter=person, **told)
    report_message(message_id=mine.pk, reporter=bob, **told)
    report_person(person=person, reporter=cat, reason="abuse", text=f"{SHOWN}?", now=now)
    people.warn_user(person_id=person.pk, by=site.mona, why=f"{NAME}: {WORDS}", now=now)
    held = {"game_id": site.public.pk, "by": site.mona, "why": f"for {NAME}", "now": now}
    game_actions.give_time(more=timedelta(days=1), **held)
    for one in (person, EmailAddress.objects.get(email=SECOND)):
        LogEntry.objects.create(
            user=site.root,
            content_type=ContentType.objects.get_for_model(one),
            object_id=str(one.pk),
            object_repr=f"{one}",
            change_message=f'[{{"changed": {{"fields": ["{ADDRESS}"]}}}}]',
            action_flag=CHANGE,
        )
    Block.objects.create(by=person, of=site.dan, at=now)
    Follow.objects.create(by=bob, of=person, at=now)
    challenge(game_id=table(bob, now=now).pk, by=bob, user=person, now=now)
    invite(game_id=table(cat, now=now).pk, by=cat, email=SECOND, now=now)
    add_webhook(owner=person, username=NAME, url=f"https://{WORDS}.example/", now=now)
    PlannedTurn.objects.create(
        game=site.public,
        user=person,
        begins_after=2,
        line=[],
        notation="9",
        key="0" * 64,
        planned_at=now,
    )
    gather([bob, person, cat, site.hana], now=now)

    game = begin(person, bob, now=now)
    token = turn_token(person, now)
    receive_from(person, token, f"5\nsay {WORDS} by mail\n", now)
    theirs = turn_token(bob, now)
    receive_from(bob, theirs, f"1\nsay hello\n> {SHOWN} played\n", now, sender=bob.email)
    receive_from(person, token, f"{WORDS}, from elsewhere\n", now, sender=OLD)
    assert process_due(now=now) == 3
    assert Turn.objects.filter(game=game).count() >= 1
    ask_for_export(user=person, now=now)
    make_exports(now=now)
    sign_in(client, person)
    client.post(reverse("account_reauthenticate"), {"password": "wrong"})
    make_notices(now=now)
    send_due(now=now + timedelta(minutes=5))
    return person, site, token


def rows_of(person):
    """Return of which models in DELETED there are rows of a user."""
    found = set()
    for model in apps.get_models(include_auto_created=True):
        label = model._meta.label
        users = [field.name for field in model._meta.fields if field.related_model is User]
        if label in DELETED and any(
            model._default_manager.filter(**{name: person}).exists() for name in users
        ):
            found.add(label)
    return found


def delete(person, *, now=None):
    """Ask for the deletion of an account, wait, and carry out both passes of it."""
    now = now or timezone.now()
    ask_for_deletion(user=person, typed_name=person.username, request=None, now=now)
    soon = now + settings.DELETION_WAIT - timedelta(days=1)
    assert remind_of_deletions(now=soon) == 1
    due = now + settings.DELETION_WAIT
    with time_machine.travel(due, tick=False):
        assert delete_due_accounts(now=due) == 1
        make_notices(now=due)
        send_due(now=due + timedelta(minutes=5))
        assert delete_due_accounts(now=due) == 0
    later = due + timedelta(hours=1)
    with time_machine.travel(later, tick=False):
        assert delete_due_accounts(now=later) == 1
        assert delete_due_accounts(now=later + timedelta(days=1)) == 0


def test_after_a_deletion_nothing_of_the_person_is_found(lived):
    person, _site, token = lived
    before = found_in(NEEDLES)
    assert [needle for needle, places in before.items() if not places] == []
    assert {"games_message.text", "notifications_incomingmail.raw", "games_act.why"} <= before[
        WORDS
    ]
    had = rows_of(person)

    delete(person)
    assert {needle: places for needle, places in found_in(NEEDLES).items() if places} == {}
    assert rows_of(person) == set()
    assert had >= MADE_HERE

    left = User.objects.get(pk=person.pk)
    assert (str(left), left.is_active, left.deletion_due_at) == ("former player", False, None)
    assert list(faults()) == []
    with pytest.raises(UnknownRecipient):
        receive_from(person, token, "5\n", timezone.now())
    PersonFactory(username=NAME, display_name=SHOWN, email=ADDRESS)


def test_the_records_stay_and_verify(lived, client):
    person, site, _ = lived
    hashes = list(Turn.objects.order_by("pk").values_list("hash", flat=True))
    delete(person)
    kept = list(Turn.objects.order_by("pk").values_list("hash", flat=True))
    assert kept[: len(hashes)] == hashes
    for game in Game.objects.filter(seats__user=person, started_at__isnull=False):
        assert list(faults_of(game)) == []
        assert game.is_over or game.seats.get(user=person).left_at is not None
    assert fresh(site.public).ending == "resigned"
    client.force_login(site.bob)
    record_file = client.get(reverse("download_record", args=[site.public.pk]))
    check_record_file(record_file.content.decode())
    assert "former player" in record_file.json()["players"]
    page = client.get(site.public.get_absolute_url()).content.decode()
    assert "former player" in page
    assert "This message was deleted" in page
    assert "former~" not in page
    assert client.get(f"/people/former~{person.pk}/").status_code == 404


def test_what_sqlite_deletes_is_overwritten():
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA secure_delete").fetchone() == (1,)
