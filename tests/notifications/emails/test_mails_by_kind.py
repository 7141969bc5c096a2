"""What the mails of each kind say, whoever's words they hold, and when they hold no more."""

from datetime import timedelta

import pytest
from django.core import mail

from accounts.models import User
from games.services import deadlines, endings, invitations, offers, reminders, tables
from games.services.clock.availability import announce_vacation
from notifications.models import Notice, SkipReason
from notifications.outbox.recipients import make_notices
from tests.factories import PersonFactory
from tests.notifications.mail_parts import sent_to, text_of
from tests.notifications.outgoing_mail import forget, html_of, play, tell

# What the other kinds say ------------------------------------------------------------------------


def test_the_mail_about_a_new_game_names_the_first_player(game, ann, bob, now):
    theirs = text_of(sent_to(ann, now, "game-begun"))
    assert "Play your turn" in theirs
    assert "12:00 (Europe/London)" in theirs.replace("\n", " ")
    others = next(
        m.body for m in mail.outbox if m.to == [bob.email] and "game-begun" in str(m.extra_headers)
    )
    assert "ann" in others
    assert "Europe/Paris" not in others


def test_a_reminder_names_the_deadline(game, ann, now, allowance):
    tell(now)
    late = now + allowance * 3 / 4
    reminders.remind_due(now=late)
    text = text_of(sent_to(ann, late, "reminder"))
    assert "Saturday 14 March 2026, 12:00 (Europe/London), in 24 hours." in text.replace("\n", " ")


def test_a_vacation_that_began_by_itself_says_when_its_player_is_back(game, ann, now, allowance):
    """That is the end of the one that was announced for right afterwards."""
    User.objects.filter(pk=ann.pk).update(automatic_vacation=True)
    late, day = now + allowance, timedelta(days=1)
    announce_vacation(user=ann, begins_at=late + day, ends_at=late + 5 * day, now=now)
    deadlines.time_out_due(now=late + timedelta(seconds=1))
    text = " ".join(text_of(sent_to(ann, late, "vacation")).split())
    assert "your clock is stopped until Thursday 19 March 2026, 12:00 (Europe/London)" in text
    assert "The clock is stopped until Thursday 19 March 2026, 12:00 (Europe/London)." in text


def test_the_end_says_who_won_and_why(game, ann, bob, now):
    tell(now)
    bob.language = "en"
    bob.save()
    endings.resign(game_id=game.pk, user=bob, now=now)
    text = text_of(sent_to(ann, now, "game-over"))
    assert "You have won." in text
    assert "bob resigned." in text
    losers = next(m.body for m in mail.outbox if m.to == [bob.email])
    assert "ann has won." in losers
    assert "You resigned." in losers


def test_an_end_on_time_says_so(game, ann, bob, now, allowance):
    for player, turn in ((ann, "5"), (bob, "1"), (ann, "2")):
        play(game, player, turn, now)
    tell(now)
    late = now + allowance + timedelta(minutes=1)
    deadlines.time_out_due(now=late)
    assert "bob ran out of time." in text_of(sent_to(ann, late, "game-over"))


def test_a_game_never_begun_says_who_did_not_play(game, bob, now, allowance):
    tell(now)
    bob.language = "en"
    bob.save()
    late = now + allowance + timedelta(minutes=1)
    deadlines.time_out_due(now=late)
    assert "ann never played a turn." in text_of(sent_to(bob, late, "game-over"))


def test_a_game_that_the_second_player_never_begins_says_so(game, ann, bob, now, allowance):
    play(game, ann, "5", now)
    tell(now)
    late = now + allowance + timedelta(minutes=1)
    deadlines.time_out_due(now=late)
    assert "bob never played a turn." in text_of(sent_to(ann, late, "game-over"))


def test_a_draw_by_agreement_is_a_draw(game, ann, bob, now):
    offers.offer_end(game_id=game.pk, user=bob, now=now)
    tell(now)
    offers.accept_offer(game_id=game.pk, user=ann, now=now)
    assert "A draw." in text_of(sent_to(ann, now, "game-over"))


def test_an_offer_can_be_answered_from_its_mail(game, ann, bob, now):
    tell(now)
    offers.offer_end(game_id=game.pk, user=bob, now=now)
    text = text_of(sent_to(ann, now, "offer"))
    assert "bob offers to end the game." in text
    assert f"Answer the offer:\nhttp://localhost:8000/games/{game.pk}/" in text


def test_a_challenge_leads_to_its_invitation(challenge, bob, now):
    bob.language = "en"
    bob.save()
    message = sent_to(bob, now, "challenge")
    assert message["Subject"].startswith("ann challenges you to Morpion")
    assert "http://localhost:8000/invitations/" in text_of(message)
    assert "4 days" in text_of(message)


def test_an_invitation_has_a_link_and_nothing_to_unsubscribe_from(table, ann, now):
    invitation = invitations.invite(game_id=table.pk, by=ann, email="dora@example.net", now=now)
    tell(now)
    (message,) = mail.outbox
    assert message.to == ["dora@example.net"]
    assert "ann invites you" in message.subject
    assert f"/invitations/{invitations.link_token(invitation)}/" in message.body
    assert "List-Unsubscribe" not in message.extra_headers
    assert "References" not in message.extra_headers


def test_the_creator_is_told_who_declined(challenge, ann, bob, now):
    tell(now)
    invitations.decline(invitation_id=challenge.pk, user=bob, now=now)
    text = text_of(sent_to(ann, now, "table-news"))
    assert "bob declined." in text
    assert "the table is closed" in text
    assert "http://localhost:8000/tables/new/" in text


# Strangers' words --------------------------------------------------------------------------------


HOSTILE = "<img src=x onerror=alert(1)>&'\"\r\nBcc: evil@example.org\u202e"


@pytest.fixture
def mallory(ann):
    """Ann under a name that would do harm."""
    ann.display_name = HOSTILE[:60]
    ann.save()
    return ann


def test_html_in_a_name_stays_text(mallory, to_bob):
    html = html_of(to_bob())
    assert "<img src=x" not in html
    assert "&lt;img src=x onerror=alert(1)&gt;" in html


def test_a_name_in_the_text_body_is_as_it_was_written(mallory, to_bob):
    text = text_of(to_bob())
    assert "<img src=x onerror=alert(1)>&'\" Bcc: evil@example.org plays" in text
    assert "&lt;" not in text
    assert "\u202e" not in text


def test_a_name_cannot_add_a_header(mallory, to_bob):
    message = to_bob()
    assert message["Bcc"] is None
    assert "\n" not in message["Subject"]
    assert "Bcc: evil" in message["Subject"]


@pytest.mark.parametrize("name", ['A&B\'s "<b>"', "日本 %(name)s {{ x }}"])
def test_names_are_whole_in_every_kind_of_mail(table, ann, now, name):
    ann.display_name = name
    ann.save()
    dora = PersonFactory(username="dora", language="en")
    challenge = invitations.challenge(game_id=table.pk, by=ann, user=dora, now=now)
    tell(now)
    game = invitations.accept(invitation_id=challenge.pk, user=dora, now=now)
    tell(now)
    play(game, ann, "5", now)
    tell(now)
    offers.offer_end(game_id=game.pk, user=ann, now=now)
    tell(now)
    endings.resign(game_id=game.pk, user=ann, now=now)
    tell(now)
    hers = [m for m in mail.outbox if m.to == [dora.email]]
    assert [m.extra_headers["X-Pli-Kind"] for m in hers] == [
        "challenge",
        "game-begun",
        "your-turn",
        "offer",
        "game-over",
    ]
    for message in hers:
        assert name in message.subject
        assert name in message.body
        assert "<b>" not in html_of(message)
        assert "&amp;lt;" not in html_of(message)


# Only what still holds ---------------------------------------------------------------------------


def reasons():
    dropped = Notice.objects.filter(state=Notice.State.DROPPED)
    return [(n.kind, n.user.username, n.skip_reason) for n in dropped.select_related("user")]


def test_a_turn_played_before_the_mail_left_is_not_announced(game, ann, bob, now):
    make_notices(now=now)
    forget()
    play(game, ann, "5", now)
    make_notices(now=now)
    play(game, bob, "1", now)
    tell(now)
    assert reasons() == [("your-turn", "bob", SkipReason.NOT_THEIR_TURN)]
    assert [m.to for m in mail.outbox] == [[ann.email]]


def test_an_older_turn_is_not_announced_although_it_is_their_turn_again(game, ann, bob, now):
    play(game, ann, "5", now)
    make_notices(now=now)
    forget()
    play(game, bob, "1", now)
    make_notices(now=now)
    for user, text in [(ann, "2"), (bob, "8")]:
        play(game, user, text, now)
    tell(now)
    assert reasons() == [("your-turn", "ann", SkipReason.NOT_THEIR_TURN)]
    assert [m.to for m in mail.outbox] == [[ann.email]]


def test_a_game_over_before_the_reminder_left_reminds_nobody(game, bob, now, allowance):
    make_notices(now=now)
    forget()
    reminders.remind_due(now=(late := now + allowance * 3 / 4))
    make_notices(now=late)
    endings.resign(game_id=game.pk, user=bob, now=late)
    tell(late)
    assert reasons() == [("reminder", "ann", SkipReason.NOT_THEIR_TURN)]


def test_an_invitation_withdrawn_before_its_mail_left_is_not_sent(challenge, ann, now):
    make_notices(now=now)
    tables.withdraw_table(game_id=challenge.game_id, user=ann, now=now)
    tell(now)
    assert reasons() == [("challenge", "bob", SkipReason.INVITATION_CLOSED)]
    assert mail.outbox == []


def test_an_offer_taken_back_before_its_mail_left_is_not_sent(game, ann, now):
    make_notices(now=now)
    forget()
    offers.offer_end(game_id=game.pk, user=ann, now=now)
    make_notices(now=now)
    offers.withdraw_offer(game_id=game.pk, user=ann, now=now)
    tell(now)
    assert set(reasons()) == {
        ("offer", "bob", SkipReason.OFFER_CLOSED),
        ("offer", "bob", SkipReason.OFFER_UNKNOWN),
    }
    assert mail.outbox == []


def test_an_address_lost_before_the_mail_left_gets_nothing(challenge, bob, now):
    make_notices(now=now)
    bob.emailaddress_set.all().delete()
    tell(now)
    assert reasons() == [("challenge", "bob", SkipReason.NO_ADDRESS)]
