"""Addresses that only look like a player's, or that a database takes for theirs."""

from datetime import timedelta
from email import policy
from email.message import EmailMessage
from email.utils import make_msgid

import pytest

from games.models import Game, Invitation, Message
from games.services import invitations
from notifications.models import IncomingMail, Notice, ReplyAddress
from tests.factories import PersonFactory
from tests.notifications.incoming_mail import hand_in

pytestmark = pytest.mark.django_db(transaction=True)

FAY = "fay@mini.example"
DOTLESS = "fay@m\u0131n\u0131.example"  # PostgreSQL: UPPER('ı') = 'I'
DOTLESS_ASCII = "fay@xn--mn-hpab.example"


@pytest.fixture
def fay(db):
    return PersonFactory(username="fay", email=FAY)


def answer_from(office, sender, text):
    """Answer the only letter that went out, from an address that may not be ASCII."""
    (letters,) = office.inboxes.values()
    mail = EmailMessage(policy=policy.SMTPUTF8)
    mail["From"] = sender
    mail["To"] = letters[0]["Reply-To"]
    mail["Subject"] = "Re: a game"
    mail["Message-ID"] = make_msgid(domain="mail.example.org")
    mail.set_content(text)
    hand_in(office.port, mail.as_bytes(), mail["To"], sender="someone@example.org")
    office.now += timedelta(seconds=30)
    office.carry()


@pytest.mark.parametrize("sender", [DOTLESS, DOTLESS_ASCII, DOTLESS_ASCII.upper()])
def test_answering_from_a_lookalike_domain_is_not_answering_as_the_player(
    office, table, ann, fay, sender
):
    invitations.invite(game_id=table.pk, by=ann, email=DOTLESS, now=office.now)
    office.carry()
    answer_from(office, sender, "accept\nI am Fay and I hate you")
    assert fay not in {seat.user for seat in Game.objects.get().seats.all()}
    assert not Message.objects.filter(author=fay).exists()


def test_a_mail_from_the_invited_lookalike_domain_makes_an_account_of_its_own(
    office, table, ann, fay
):
    invitations.invite(game_id=table.pk, by=ann, email=DOTLESS, now=office.now)
    office.carry()
    assert list(office.inboxes) == [DOTLESS_ASCII]
    answer_from(office, DOTLESS, "accept\nHello")
    newcomer = Game.objects.get().seats.get(number=1).user
    assert newcomer.email == newcomer.emailaddress_set.get().email == DOTLESS_ASCII
    assert Message.objects.get().author == newcomer


@pytest.mark.parametrize("sender", ["EVE@B\u00fccher.example", "eve@XN--Bcher-kva.example"])
def test_an_answer_counts_however_its_domain_is_written(office, table, ann, sender):
    invitations.invite(game_id=table.pk, by=ann, email="Eve@B\u00fccher.Example", now=office.now)
    office.carry()
    answer_from(office, sender, "accept")
    newcomer = Game.objects.get().seats.get(number=1).user
    assert newcomer.email == "eve@xn--bcher-kva.example"
    kept = [
        Invitation.objects.get().email,
        Notice.objects.get(kind="invitation").address,
        ReplyAddress.objects.get(purpose="invitation").address,
        IncomingMail.objects.get().sender,
    ]
    assert kept == ["eve@xn--bcher-kva.example"] * 4


@pytest.mark.parametrize("sender", ["mi\u212ae@example.net", "m\u0131ke@example.net"])
def test_letters_that_become_ascii_in_another_case_are_other_letters(office, table, ann, sender):
    """The Kelvin sign in lower case is k; ı in upper case is I."""
    invitations.invite(game_id=table.pk, by=ann, email="mike@example.net", now=office.now)
    office.carry()
    answer_from(office, sender, "accept")
    assert IncomingMail.objects.get().state == "held"
    assert Game.objects.get().status == Game.Status.OPEN
    assert list(office.inboxes) == ["mike@example.net"], "nobody can be answered there"
