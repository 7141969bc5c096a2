"""A mail whose sender the site's mail server does not confirm is held."""

from datetime import timedelta

import pytest

from games.clock.clock import StopReason
from games.models import Game
from games.services.clock.undelivered_turns import freeze_undelivered
from notifications.incoming.processing import process_due
from notifications.listener import InboundHandler
from notifications.models import AddressState, IncomingMail, Kind, Notice
from notifications.services.replies import bounce_address, reply_address
from notifications.services.reprocessing import process_again
from tests.notifications.incoming_mail import answer, hand_in, listening, report
from tests.notifications.outgoing_mail import tell

pytestmark = pytest.mark.django_db(transaction=True)

SERVER = "mx.example.org"
RECEIVED = "Received: from client.example.net by mx.example.org with ESMTPS id 1; 10 Mar 2026"
PASSED = "dmarc=pass header.from=example.org"
FORGED = "dmarc=fail header.from=example.org; spf=pass smtp.mailfrom=eve@elsewhere.example"
UNCONFIRMED, UNCHECKED = ("held", "unconfirmed"), ("held", "unchecked")


def results(value, server=SERVER):
    return f"Authentication-Results: {server}; {value}"


@pytest.fixture(autouse=True)
def named(settings):
    settings.AUTHSERV_IDS = [SERVER]
    return settings


@pytest.fixture
def send(token, ann, now):
    """Hand a turn of ann's to the listener as the mail server does, and let it be processed."""

    def sending(*headers, sender=ann.email, text="5\n", at=now):
        with listening(InboundHandler(clock=lambda: at)) as port:
            raw = answer(token, text, sender)
            above = "".join(f"{header}\r\n" for header in headers).encode()
            hand_in(port, above + raw, reply_address(token), sender)
        process_due(now=at)
        mail = IncomingMail.objects.latest("pk")
        return mail.state, mail.result

    return sending


def turns_of(game):
    return [turn.notation for turn in game.turns.all()]


def letters_to(address):
    return Notice.objects.filter(kind=Kind.ACCOUNT, address=address)


def test_a_confirmed_mail_is_obeyed(send, game):
    assert send(RECEIVED, results(PASSED)) == ("done", "done")
    assert turns_of(game) == ["5"]


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([RECEIVED, results(FORGED)], UNCONFIRMED),
        ([RECEIVED, results("spf=softfail smtp.mailfrom=ann@example.org; dkim=none")], UNCONFIRMED),
        ([RECEIVED, results("none")], UNCONFIRMED),
        ([RECEIVED, results(FORGED), results(PASSED)], UNCONFIRMED),
        ([RECEIVED, results(f"(( {PASSED}"), results(PASSED)], UNCONFIRMED),
        ([RECEIVED], UNCHECKED),
        ([RECEIVED, results(PASSED, server="mx.elsewhere.example")], UNCHECKED),
        ([RECEIVED, f"X-{results(PASSED)}"], UNCHECKED),
    ],
)
def test_any_other_mail_is_held_and_nothing_is_played(send, game, headers, expected):
    assert send(*headers) == expected
    assert turns_of(game) == []


def test_the_results_are_kept_for_administrators(send):
    send(RECEIVED, results(FORGED))
    mail = IncomingMail.objects.get()
    assert mail.error == "dmarc=fail (example.org), spf=pass (elsewhere.example)"
    assert mail.sender == "ann@example.org"


def test_without_the_setting_nothing_is_checked(send, game, named):
    named.AUTHSERV_IDS = []
    assert send(RECEIVED, results(FORGED)) == ("done", "done")
    assert turns_of(game) == ["5"]


def test_every_header_counts_only_if_the_setting_says_so(send, game, named):
    headers = [RECEIVED, results("dmarc=none"), results("dkim=pass header.d=example.org")]
    assert send(*headers) == UNCONFIRMED
    named.AUTHSERV_EVERY_HEADER = True
    assert send(*headers, text="6\n") == ("done", "done")
    assert turns_of(game) == ["6"]


def test_the_player_is_told_once_a_day_that_a_mail_was_held(send, ann, now):
    for number in range(3):
        send(RECEIVED, results(FORGED), text=f"{number}\n")
    send(RECEIVED, text="7\n")
    (letter,) = letters_to(ann.email)
    assert "nothing was done" in letter.content["text"]
    assert letter.content["in_reply_to"] == IncomingMail.objects.first().message_id
    send(RECEIVED, results(FORGED), text="8\n", at=now + timedelta(days=1))
    assert letters_to(ann.email).count() == 2


@pytest.mark.parametrize("headers", [[RECEIVED, results(FORGED)], [RECEIVED]])
def test_nobody_else_is_written_to_because_of_a_mail_that_may_be_forged(send, headers):
    before = Notice.objects.count()
    assert send(*headers, sender="eve@example.org")[0] == "held"
    assert Notice.objects.count() == before


def test_a_confirmed_stranger_is_a_stranger(send):
    assert send(RECEIVED, results(PASSED), sender="eve@example.org") == ("held", "stranger")
    assert letters_to("eve@example.org").count() == 1


def test_a_held_mail_saves_no_game_from_its_clock_and_is_no_contact(send, game, ann, now):
    freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now)
    send(RECEIVED, results(FORGED))
    assert Game.objects.get().stop_reason == StopReason.UNDELIVERED
    send(RECEIVED, results(PASSED), text="6\n")
    assert Game.objects.get().stop_reason == ""


def test_processed_again_it_is_judged_by_the_setting_of_then(send, game, named, now):
    send(RECEIVED, results(FORGED))
    for ids, expected, played in (([SERVER], "held", []), ([], "done", ["5"])):
        named.AUTHSERV_IDS = ids
        process_again([IncomingMail.objects.get().pk])
        process_due(now=now)
        assert (IncomingMail.objects.get().state, turns_of(game)) == (expected, played)


def test_what_no_person_wrote_is_ignored_whatever_its_results(send):
    assert send(RECEIVED, results(FORGED), "Auto-Submitted: auto-replied")[0] == "ignored"


def test_a_bounce_needs_no_results(token, ann, now):
    tell(now)
    with listening(InboundHandler(clock=lambda: now)) as port:
        hand_in(port, report(token, address=ann.email), bounce_address(token), "")
    process_due(now=now)
    assert IncomingMail.objects.get().result == "hard-bounce"
    assert AddressState.objects.get().address == ann.email
