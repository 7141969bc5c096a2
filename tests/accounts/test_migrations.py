"""What the migrations make of addresses and names that were stored before the rules."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import connection

from accounts.models import SearchWord, TakenName, User
from games.models import Invitation
from games.services import invitations
from notifications.models import AddressState, ErrorReply, IncomingMail, Notice, ReplyAddress
from tests.factories import GuestFactory, PersonFactory
from tests.games.play import table as open_table

pytestmark = pytest.mark.django_db


def migration(app, name):
    return import_module(f"{app}.migrations.{name}")


ADDRESSES = migration("accounts", "0008_addresses_in_normal_form")
GUARD = migration("accounts", "0009_only_normal_addresses")
NAMES = migration("accounts", "0010_taken_names")
WORDS = migration("accounts", "0019_fill_search_words")
INVITED = migration("games", "0009_invitations_to_normal_addresses")
MAIL = migration("notifications", "0006_mail_of_normal_addresses")

RENAMED = {"ErrorAnswer": "ErrorReply"}
BEFORE_RENAMES = SimpleNamespace(
    get_model=lambda app, name: apps.get_model(app, RENAMED.get(name, name))
)
"""The models by the names that they had when the migrations were written."""


@pytest.fixture
def editor(db):
    """Run statements as a migration does, several of them in one transaction."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        yield SimpleNamespace(connection=connection, execute=cursor.execute)


@pytest.fixture
def unguarded(editor):
    """A database as it was before: allauth keeps what it is given."""
    GUARD.take_away(apps, editor)


def have(person, *addresses):
    """Store addresses as they are, the first of them the primary one."""
    EmailAddress.objects.filter(user=person).delete()
    EmailAddress.objects.bulk_create(
        EmailAddress(user=person, email=address, verified=verified, primary=not number)
        for number, (address, verified) in enumerate(addresses)
    )
    User.objects.filter(pk=person.pk).update(email=addresses[0][0])


def normalized(editor, capsys):
    """Migrate; return what was said and what every user has now: address, verified, primary."""
    ADDRESSES.normalize(apps, editor)
    GUARD.put(apps, editor)
    has = {}
    for row in EmailAddress.objects.order_by("pk").select_related("user"):
        has.setdefault(row.user.username, []).append((row.email, row.verified, row.primary))
    return capsys.readouterr().out, has


def email_of(person):
    return User.objects.get(pk=person.pk).email


def test_addresses_that_are_normal_stay_and_nothing_is_said(unguarded, editor, capsys, ann, bob):
    said, has = normalized(editor, capsys)
    assert said == ""
    assert has == {
        "ann": [("ann@example.org", True, True)],
        "bob": [("bob@example.org", True, True)],
    }


def test_an_address_becomes_normal_and_that_is_said(unguarded, editor, capsys, ann):
    have(ann, ("Ann@B\u00fccher.example", True))
    said, has = normalized(editor, capsys)
    assert has == {"ann": [("ann@xn--bcher-kva.example", True, True)]}
    assert email_of(ann) == "ann@xn--bcher-kva.example"
    assert "ann: Ann@B\u00fccher.example is ann@xn--bcher-kva.example now\n" in said


def test_who_verified_the_normal_form_keeps_it(unguarded, editor, capsys, ann, bob):
    have(ann, ("Jo@Example.net", True))
    have(bob, ("jo@example.net", True))
    said, has = normalized(editor, capsys)
    assert has == {
        "ann": [("jo@example.net", False, True)],
        "bob": [("jo@example.net", True, True)],
    }
    assert "ann: Jo@Example.net is jo@example.net now, not verified: somebody else has" in said


def test_of_two_that_become_one_the_older_keeps_it(unguarded, editor, capsys, ann, bob):
    have(bob, ("JO@example.net", True))
    have(ann, ("Jo@example.net", True))
    _, has = normalized(editor, capsys)
    assert has == {
        "ann": [("jo@example.net", False, True)],
        "bob": [("jo@example.net", True, True)],
    }


def test_who_did_not_verify_an_address_takes_it_from_nobody(unguarded, editor, capsys, ann, bob):
    have(ann, ("Jo@example.net", False))
    have(bob, ("jo@example.net", False))
    _, has = normalized(editor, capsys)
    assert has == {
        "ann": [("jo@example.net", False, True)],
        "bob": [("jo@example.net", False, True)],
    }


def test_two_ways_to_write_an_address_of_one_user_become_one_row(unguarded, editor, capsys, ann):
    have(ann, ("Jo@example.net", True), ("jo@example.net", False), ("ann@example.org", True))
    said, has = normalized(editor, capsys)
    assert has == {"ann": [("jo@example.net", True, True), ("ann@example.org", True, False)]}
    assert email_of(ann) == "jo@example.net"
    assert "which was there already" in said


def test_an_address_without_a_normal_form_is_removed(unguarded, editor, capsys, ann, bob):
    have(
        ann, ("m\u0131ke@example.net", True), ("ann@example.net", False), ("ann@example.org", True)
    )
    have(bob, ("b\u00f6b@example.org", True))
    said, has = normalized(editor, capsys)
    assert has == {"ann": [("ann@example.net", False, False), ("ann@example.org", True, True)]}
    assert (email_of(ann), email_of(bob)) == ("ann@example.org", "")
    assert "ann: m\u0131ke@example.net was removed: it has no normal form\n" in said


def test_invitations_keep_their_address_and_one_of_two_to_the_same_lapses(editor, ann, now):
    games = [open_table(ann, now=now), open_table(ann, now=now)]
    for number, email in ((0, "jo@b\u00fccher.example"), (1, "jo@b\u00fccher.example")):
        made = invitations.invite(game_id=games[number].pk, by=ann, email="x@y.example", now=now)
        Invitation.objects.filter(pk=made.pk).update(email=email)
    Invitation.objects.create(
        game=games[1], by=ann, email="jo@xn--bcher-kva.example", created_at=now
    )
    INVITED.normalize(apps, editor)
    states = Invitation.objects.order_by("game", "pk").values_list("email", "state")
    assert list(states) == [
        ("jo@xn--bcher-kva.example", "open"),
        ("jo@xn--bcher-kva.example", "lapsed"),
        ("jo@xn--bcher-kva.example", "open"),
    ]


def test_what_is_kept_of_mail_has_normal_addresses(editor, ann, now):
    written, normal = "jo@b\u00fccher.example", "jo@xn--bcher-kva.example"
    AddressState.objects.create(address=written, suspended_at=now)
    for address in (written, normal):
        ErrorReply.objects.create(address=address, reason="stranger", answered_on=now.date())
    Notice.objects.create(
        kind="account", address=written, message_id="<1@x>", created_at=now, due_at=now
    )
    ReplyAddress.objects.create(token_hash="x", purpose="nothing", address=written, created_at=now)
    senders = f"m\u0131ke@example.net, {written}"
    IncomingMail.objects.create(sender=senders, token_hash="x", digest="x", received_at=now)
    MAIL.normalize(BEFORE_RENAMES, editor)
    for model in (AddressState, ErrorReply, Notice, ReplyAddress):
        assert model.objects.get().address == normal
    assert IncomingMail.objects.get().sender == f"m\u0131ke@example.net, {normal}"


def test_each_key_is_given_to_the_first_who_has_it_user_names_first(editor, capsys, db):
    first = PersonFactory(username="someone", display_name="B\u043eb Smith")
    second = PersonFactory(username="other")
    third = PersonFactory(username="third")
    User.objects.filter(pk=second.pk).update(username="bob-smith")
    User.objects.filter(pk=third.pk).update(display_name="SOMEONE")
    TakenName.objects.all().delete()
    NAMES.take(apps, editor)
    owners = dict(TakenName.objects.values_list("key", "user__username"))
    assert owners["bobsrnith"] == "bob-smith"
    assert owners["sorneone"] == "someone"
    assert owners["third"] == "third"
    said = capsys.readouterr().out
    assert f"“bobsrnith” is user {second.pk}'s; it looks like a name of user {first.pk}" in said
    assert User.objects.get(pk=first.pk).display_name == "B\u043eb Smith"


def test_everybody_but_guests_is_found_by_the_words_of_their_names(editor, db, monkeypatch):
    monkeypatch.setattr(WORDS, "BATCH", 2)
    names = [(f"some-{number}", f"Zoé {number}") for number in range(5)]
    people = [PersonFactory(username=one, display_name=other) for one, other in names]
    guest = GuestFactory(username="guest-1")
    kept = set(SearchWord.objects.values_list("user", "words"))
    assert (people[4].pk, "zoe 4") in kept
    SearchWord.objects.filter(user__in=people[:3]).delete()
    SearchWord.objects.create(user=people[3], words="former")
    for _ in range(2):  # as after an interruption
        WORDS.fill(apps, editor)
        assert set(SearchWord.objects.values_list("user", "words")) == kept
    assert not guest.search_words.exists()
