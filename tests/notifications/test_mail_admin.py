"""What administrators see of mail that came in, and of addresses that take none."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games import errors
from games.models import ModerationLogEntry
from notifications.errors import NothingToRetry
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.mail_commands import dispatch
from notifications.models import AddressState, IncomingMail
from notifications.outbox.staff_digests import mail_state
from notifications.services import addresses
from notifications.services.replies import hash_of, reply_address
from notifications.services.reprocessing import (
    dismiss_mails,
    reprocess,
    resume_mail_to,
)
from tests.factories import StaffFactory
from tests.games.play import refused
from tests.notifications.incoming_mail import answer
from tests.staff_users import signed_in, staffed

LIST = reverse("admin:notifications_incomingmail_changelist")
NOTICES = reverse("admin:notifications_notice_changelist")
ADDRESSES = reverse("admin:notifications_addressstate_changelist")


@pytest.fixture
def parked(token, ann, monkeypatch, now):
    """A mail of ann's that broke the processor."""

    def act(mail, reply, *, received_at, now, at_play_address=False):
        raise ZeroDivisionError("in the middle")

    with monkeypatch.context() as patch:
        patch.setattr(dispatch, "execute", act)
        mail = receive(
            answer(token, "dear diary\n", ann.email),
            recipient=reply_address(token),
            envelope_from=ann.email,
            door="smtp",
            now=now,
        )
        process_due(now=now)
        process_due(now=now + timedelta(days=1))
    return mail


@pytest.fixture
def host(client, db):
    client.force_login(staffed("host"))
    return client


def again(client, *mails):
    chosen = {"action": "process_once_more", "_selected_action": [mail.pk for mail in mails]}
    return client.post(LIST, chosen | {"confirmed": 1, "why": "mended"}, follow=True)


def resumed(client):
    chosen = {"action": "send_again", "_selected_action": [AddressState.objects.get().pk]}
    return client.post(ADDRESSES, chosen | {"confirmed": 1, "why": "they wrote"}, follow=True)


def detail(mail):
    return reverse("admin:notifications_incomingmail_change", args=[mail.pk])


def test_a_parked_mail_shows_its_error(host, parked, ann):
    assert ann.email in host.get(LIST, {"state__exact": "parked"}).content.decode()
    page = host.get(detail(parked)).content.decode()
    assert "ZeroDivisionError: in the middle" in page
    assert 'name="_save"' not in page


def test_neither_the_text_nor_the_token_nor_its_hash_is_shown(host, parked, token):
    for page in (LIST, detail(parked), reverse("admin:notifications_notice_changelist")):
        shown = host.get(page).content.decode()
        assert "dear diary" not in shown
        assert token not in shown
        assert hash_of(token) not in shown


def test_a_parked_mail_can_be_processed_again(host, parked):
    chosen = {"action": "process_once_more", "_selected_action": [parked.pk]}
    assert 'name="why"' in host.post(LIST, chosen).content.decode()
    parked.refresh_from_db()
    assert parked.state == IncomingMail.State.PARKED
    assert "1 mail will be processed again." in again(host, parked).content.decode()
    parked.refresh_from_db()
    assert (parked.state, parked.attempts) == (IncomingMail.State.WAITING, 0)
    act = ModerationLogEntry.objects.get()
    assert (act.what, act.by.username, act.why) == ("process-again", "hana", "mended")
    assert act.details == {"mails": [parked.pk]}
    assert "they were dealt with, or their text was" in again(host, parked).content.decode()


@pytest.mark.parametrize(("who", "may"), [("player", False), ("moderator", True), ("host", True)])
def test_a_moderator_dismisses_a_parked_mail_and_the_digest_tells_of_it_no_more(
    client, parked, now, who, may
):
    signed_in(client, who)
    assert mail_state(now).parked == 1
    chosen = {"action": "dismiss_mails", "_selected_action": [parked.pk]}
    client.post(LIST, chosen | {"confirmed": 1, "why": ""})
    assert mail_state(now).parked == 1, "no reason was given"
    page = client.post(LIST, chosen | {"confirmed": 1, "why": "spam"}, follow=True)
    parked.refresh_from_db()
    assert (mail_state(now).parked == 0) == may
    assert [(act.what, act.why) for act in ModerationLogEntry.objects.all()] == [
        ("dismiss-mail", "spam")
    ] * may
    if may:
        assert "1 mail is dismissed." in page.content.decode()
        assert (parked.state, parked.result) == (IncomingMail.State.IGNORED, "dismissed")
        assert "ZeroDivisionError" in parked.error
        again = client.post(LIST, chosen | {"confirmed": 1, "why": "spam"}, follow=True)
        assert "they were dealt with, or their text was" in again.content.decode()


def test_dismissing_is_not_offered_to_read_only_staff(client, parked):
    person = StaffFactory()
    person.user_permissions.add(Permission.objects.get(codename="view_incomingmail"))
    client.force_login(person)
    page = client.get(LIST)
    assert page.status_code == 200
    assert "dismiss_mails" not in page.content.decode()


def test_a_dismissed_mail_can_still_be_processed(host, parked, now):
    dismiss_mails([parked.pk], by=staffed("moderator"), why="spam", now=now)
    again(host, parked)
    assert process_due(now=now) == 1
    parked.refresh_from_db()
    assert parked.state == IncomingMail.State.DONE


def test_only_what_was_put_aside_is_dismissed(parked, ann, now):
    mona = staffed("moderator")
    with refused(errors.MayNotModerate, "Only moderators can do that.", status=403):
        dismiss_mails([parked.pk], by=ann, why="x", now=now)
    IncomingMail.objects.update(state=IncomingMail.State.DONE)
    with refused(NothingToRetry, "they were dealt with, or their text was", status=409):
        dismiss_mails([parked.pk], by=mona, why="x", now=now)


@pytest.mark.parametrize(
    ("who", "sees", "may_retry"),
    [("player", 302, False), ("moderator", 200, False), ("host", 200, True)],
)
def test_moderators_see_and_administrators_retry(client, parked, ann, now, who, sees, may_retry):
    signed_in(client, who)
    addresses.suspend_address(address=ann.email, diagnostic="550 gone", notice=None, now=now)
    for page in (LIST, detail(parked), ADDRESSES):
        assert client.get(page).status_code == sees
    again(client, parked)
    parked.refresh_from_db()
    assert (parked.state == IncomingMail.State.WAITING) == may_retry
    resumed(client)
    assert addresses.is_address_suspended(ann.email) != may_retry


def test_the_services_refuse_everybody_else(parked, ann, now):
    mona, hana = staffed("moderator"), staffed("host")
    for service in (reprocess, resume_mail_to):
        for person in (ann, mona):
            with refused(
                errors.NotAnAdministrator, "Only an administrator can do that", status=403
            ):
                service([parked.pk], by=person, why="x", now=now)
        with refused(NothingToRetry, "they were dealt with, or their text was", status=409):
            service([parked.pk + 1], by=hana, why="x", now=now)


def test_what_a_stranger_sent_acts_only_once_their_address_is_verified(host, token, game, ann, now):
    """Never because a host asked for it: only because the player has proved that it is theirs."""
    mail = receive(
        answer(token, "5\n", "ann@elsewhere.example"),
        recipient=reply_address(token),
        envelope_from="ann@elsewhere.example",
        door="smtp",
        now=now,
    )
    process_due(now=now)
    assert (
        "Not from a verified address" in host.get(LIST, {"state__exact": "held"}).content.decode()
    )
    theirs = EmailAddress.objects.create(user=ann, email="Ann@elsewhere.example", verified=False)
    for verified, state, played in ((False, "held", 0), (True, "done", 1)):
        theirs.verified = verified
        theirs.save()
        again(host, mail)
        process_due(now=now)
        mail.refresh_from_db()
        game.refresh_from_db()
        assert (mail.state, game.turn_number) == (state, played)


@pytest.mark.parametrize(
    ("language", "results", "words"),
    [
        (
            "en",
            "dmarc=fail header.from=example.org",
            "The mail server does not confirm the sender (DMARC, SPF, DKIM). "
            "dmarc=fail (example.org)",
        ),
        ("fr", "none", "Le serveur de messagerie ne confirme pas l’expéditeur (DMARC, SPF, DKIM)."),
        ("en", "", "It carries no results of the mail server named in PLI_AUTHSERV_ID."),
        ("fr", "", "Il ne porte aucun résultat du serveur nommé dans PLI_AUTHSERV_ID."),
    ],
)
def test_the_list_says_why_a_sender_is_not_confirmed(
    host, token, ann, settings, now, language, results, words
):
    settings.AUTHSERV_IDS = ["mx.example.org"]
    header = f"Authentication-Results: mx.example.org; {results}\r\n" if results else ""
    receive(
        header.encode() + answer(token, "5\n", ann.email),
        recipient=reply_address(token),
        envelope_from=ann.email,
        door="smtp",
        now=now,
    )
    process_due(now=now)
    host.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    User.objects.update(language=language)
    assert words in host.get(LIST, {"state__exact": "held"}).content.decode()


def test_an_administrator_can_resume_mail_to_an_address(host, ann, now):
    addresses.suspend_address(address=ann.email, diagnostic="550 gone", notice=None, now=now)
    state = AddressState.objects.get()
    assert "550 gone" in host.get(ADDRESSES).content.decode()
    assert ann.email in host.get(ADDRESSES, {"suspended": "yes"}).content.decode()
    resumed(host)
    assert not addresses.is_address_suspended(ann.email)
    act = ModerationLogEntry.objects.get()
    assert (act.what, act.why, act.details) == (
        "resume-address",
        "they wrote",
        {"addresses": [state.pk]},
    )
    assert ann.email not in host.get(ADDRESSES, {"suspended": "yes"}).content.decode()


PAGES = [
    (LIST, {}),
    (LIST, {"state__exact": "parked"}),
    (LIST, {"q": "an"}),
    (LIST, {"q": "ann@example.org"}),
    (ADDRESSES, {}),
    (ADDRESSES, {"suspended": "yes"}),
    (ADDRESSES, {"q": "ann@example.org"}),
    (NOTICES, {}),
    (NOTICES, {"state__exact": "failed", "kind__exact": "your-turn"}),
    (NOTICES, {"q": "an"}),
    (NOTICES, {"q": "#1"}),
]


@pytest.mark.parametrize(("path", "query"), PAGES, ids=str)
def test_every_list_asks_at_most_twelve_questions_and_counts_no_further_than_it_shows(
    host, parked, ann, now, path, query
):
    parked.user = ann
    for n in range(20):
        parked.pk = None
        parked.digest = parked.message_id = str(n)
        parked.save()
        addresses.suspend_address(address=f"a{n}@example.org", diagnostic="", notice=None, now=now)
    host.get(path)
    with CaptureQueriesContext(connection) as asked:
        assert host.get(path, query).status_code == 200
    assert len(asked) <= 12
    counts = [one["sql"] for one in asked if one["sql"].startswith("SELECT COUNT(")]
    assert counts
    assert all("LIMIT 1000" in sql for sql in counts)
