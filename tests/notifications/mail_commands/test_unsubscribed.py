"""A click on “unsubscribe” is confirmed by a mail that says how to undo it."""

import pytest
from django.urls import reverse

from accounts.models import User
from notifications.models import Cadence, Kind, MailPreference, Notice
from notifications.services.one_click import unsubscribe_user
from notifications.services.preferences import set_cadence
from notifications.services.unsubscribe import BadToken, unsubscribe_token
from tests.notifications.mail_commands.players_by_mail import text_of, words_of

pytestmark = pytest.mark.django_db(transaction=True)

ONE_CLICK = {"List-Unsubscribe": "One-Click"}
"""What a mail program posts (RFC 8058)."""


def unsubscribe(client, mail):
    """Post to the link that a mail program finds in the header of a mail."""
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip("<>")
    assert client.post(link[link.index("/", 9) :], ONE_CLICK).status_code == 200


def next_letter(office):
    """Return the newest letter to ann; the page went by the clock of this machine."""
    office.now = Notice.objects.get(kind="answer").due_at
    office.carry()
    return office.newest("ann@example.org")


@pytest.fixture
def told(office, played):
    """Return ann's letter that it is her turn."""
    (mail,) = (m for m in office.inboxes["ann@example.org"] if m["List-Unsubscribe"])
    return mail


def test_one_click_is_answered_and_undone_by_an_answer(office, client, told, ann):
    unsubscribe(client, told)
    letter = next_letter(office)
    assert letter["X-Pli-Kind"] == "answer"
    assert letter["Subject"] == "Mail switched off"
    kind = MailPreference.objects.get(user=ann, cadence=Cadence.OFF).kind
    words = words_of(letter)
    assert "You get no more mail of the kind “" in words
    assert "as you asked with one click" in words
    assert "reply “loud”" in words
    office.answer("ann@example.org", "loud")
    assert MailPreference.objects.get(user=ann, kind=kind).cadence == Cadence.AT_ONCE


def test_a_second_click_writes_no_second_letter(office, client, told):
    unsubscribe(client, told)
    unsubscribe(client, told)
    assert Notice.objects.filter(kind="answer").count() == 1


@pytest.mark.parametrize(("kind", "runs"), [("your-turn", True), ("vacation", False)])
def test_who_misses_their_turns_is_warned(office, client, ann, kind, runs):
    client.post(reverse("unsubscribe", args=[unsubscribe_token(ann, kind)]), ONE_CLICK)
    assert ("Your games go on" in words_of(next_letter(office))) == runs


def test_the_letter_is_in_the_readers_language(office, client, told, ann):
    ann.language = "fr"
    ann.save()
    unsubscribe(client, told)
    assert "loud" not in text_of(next_letter(office))
    office.answer("ann@example.org", "bruit")
    assert not MailPreference.objects.filter(user=ann, cadence=Cadence.OFF).exists()


def test_looking_at_the_page_writes_nothing(client, ann, transactional_db):
    client.get(reverse("unsubscribe", args=[unsubscribe_token(ann, "your-turn")]))
    assert not Notice.objects.exists()


def test_what_was_off_before_is_not_told_of(client, ann, transactional_db):
    set_cadence(user=ann, kind="your-turn", cadence=Cadence.OFF)
    client.post(reverse("unsubscribe", args=[unsubscribe_token(ann, "your-turn")]))
    assert not Notice.objects.exists()


def test_an_account_that_is_gone_meanwhile_is_a_bad_link(ann, now):
    kept = User.objects.get(pk=ann.pk)
    ann.delete()
    with pytest.raises(BadToken):
        unsubscribe_user(kept, Kind.YOUR_TURN, now=now)
    assert not Notice.objects.exists()
