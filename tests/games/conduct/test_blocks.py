"""Who has blocked somebody gets no challenges and no messages from them, and they are not told."""

from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from accounts.models import Block
from games import errors
from games.models import Invitation, Message
from games.queries.conversations import messages_to, said_at
from games.queries.lists import lobby
from games.queries.seats import invitations_to
from games.services import endings, invitations
from games.services.conduct.blocks import block, unblock
from games.services.conduct.messages import say
from games.services.invitations import challenge, invite
from games.services.tables import join_table
from notifications.outbox.delivery import send_due
from tests.games.play import begin, play, refused, table
from tests.notifications.outgoing_mail import after_hold, told

pytestmark = pytest.mark.django_db


def speak(game, user, text, now):
    return say(game_id=game.pk, user=user, text=text, via=Message.Via.MAIL, now=now)


def test_a_challenge_is_refused_without_saying_why(ann, bob, now):
    block(by=bob, of=ann, now=now)
    waiting = table(ann, now=now)
    with refused(
        errors.TakesNoChallenges, "This player does not accept challenges from", status=403
    ):
        challenge(game_id=waiting.pk, by=ann, user=bob, now=now)


def test_a_rematch_is_a_challenge_too(ann, bob, now):
    game = begin(ann, bob, now=now)
    endings.resign(game_id=game.pk, user=ann, now=now)
    block(by=bob, of=ann, now=now)
    with refused(
        errors.TakesNoChallenges, "This player does not accept challenges from", status=403
    ):
        invitations.ask_rematch(game_id=game.pk, user=ann, now=now)


def test_an_invitation_to_an_address_never_arrives(ann, bob, now):
    block(by=bob, of=ann, now=now)
    waiting = table(ann, now=now)
    told(now)
    invite(game_id=waiting.pk, by=ann, email=bob.email, now=now)
    assert told(now) == []
    assert not invitations_to(bob).exists()
    unblock(by=bob, of=ann, now=now)
    assert invitations_to(bob).count() == 1


def test_a_mail_that_waits_for_its_moment_does_not_leave_any_more(ann, bob, now):
    waiting = table(ann, now=now)
    invite(game_id=waiting.pk, by=ann, email=bob.email, now=now)
    assert ("invitation", bob.email) in told(now)
    block(by=bob, of=ann, now=now)
    mail.outbox.clear()
    send_due(now=after_hold(now))
    assert mail.outbox == []


def test_challenges_that_stand_are_declined(ann, bob, cat, now):
    waiting, other = table(ann, now=now), table(cat, now=now)
    asked = challenge(game_id=waiting.pk, by=ann, user=bob, now=now)
    by_cat = challenge(game_id=other.pk, by=cat, user=bob, now=now)
    block(by=bob, of=ann, now=now)
    asked.refresh_from_db()
    by_cat.refresh_from_db()
    assert (asked.state, by_cat.state) == (Invitation.State.DECLINED, Invitation.State.OPEN)


def test_messages_are_kept_but_neither_shown_nor_mailed(ann, bob, now):
    game = begin(ann, bob, now=now)
    told(now)
    before = speak(game, ann, "Before", now)
    assert told(now) == [("message", "bob")]
    block(by=bob, of=ann, now=now)
    after = speak(game, ann, "After", now)
    own = speak(game, bob, "Mine", now)
    assert told(now) == [("message", "ann")]
    mail.outbox.clear()
    send_due(now=now + timedelta(hours=1))
    assert "Mine" in "".join(letter.body for letter in mail.outbox)
    assert not any(word in letter.body for letter in mail.outbox for word in ("Before", "After"))
    assert list(said_at(game, bob)) == [own]
    assert messages_to(bob, game, after=0) == []
    assert list(said_at(game, ann)) == [before, after, own]


def test_games_that_run_go_on(ann, bob, now):
    game = begin(ann, bob, now=now)
    block(by=bob, of=ann, now=now)
    play(game, ann, "5", now=now)
    play(game, bob, "1", now=now)
    assert ("your-turn", "ann") in told(now)


def test_who_blocks_may_still_challenge(ann, bob, now):
    block(by=ann, of=bob, now=now)
    challenge(game_id=table(ann, now=now).pk, by=ann, user=bob, now=now)
    assert invitations_to(bob).count() == 1


def test_nobody_sits_down_with_who_has_blocked_them(ann, bob, cat, now):
    waiting = table(bob, now=now)
    block(by=bob, of=ann, now=now)
    with refused(errors.NotWelcome, "You cannot join this game", status=403):
        join_table(game_id=waiting.pk, user=ann, now=now)
    assert list(lobby(ann)) == []
    assert list(lobby(cat)) == [waiting]
    unblock(by=bob, of=ann, now=now)
    assert list(lobby(ann)) == [waiting]
    assert join_table(game_id=waiting.pk, user=ann, now=now).status == "active"


def test_nor_where_another_guest_has_but_who_was_asked_may_come(ann, bob, cat, now, three_seats):
    waiting = table(bob, now=now)
    join_table(game_id=waiting.pk, user=cat, now=now)
    block(by=cat, of=ann, now=now)
    with refused(errors.NotWelcome, "You cannot join this game", status=403):
        join_table(game_id=waiting.pk, user=ann, now=now)
    challenge(game_id=waiting.pk, by=bob, user=ann, now=now)
    join_table(game_id=waiting.pk, user=ann, now=now)
    assert waiting.seats.filter(user=ann).exists()


def test_who_blocks_may_still_sit_down(ann, bob, now):
    block(by=ann, of=bob, now=now)
    assert join_table(game_id=table(bob, now=now).pk, user=ann, now=now).status == "active"


def test_nobody_blocks_themselves_or_a_bot(ann, partner, now):
    for whom in (ann, partner):
        with refused(errors.CannotBlock, "cannot be blocked", status=422):
            block(by=ann, of=whom, now=now)


def test_twice_is_once(ann, bob, now):
    assert block(by=ann, of=bob, now=now) == block(by=ann, of=bob, now=now)
    assert unblock(by=ann, of=bob, now=now)
    assert not unblock(by=ann, of=bob, now=now)


# Pages -----------------------------------------------------------------------------------------


def test_one_blocks_from_the_profile_and_ends_it_under_settings(as_ann, ann, bob):
    assert 'value="block"' in as_ann.get(bob.get_absolute_url()).text
    answer = as_ann.post(reverse("block", args=[bob.pk]), {"do": "block"}, follow=True)
    assert "no more challenges or messages from bob" in answer.text
    assert Block.objects.filter(by=ann, of=bob).exists()
    assert reverse("block", args=[bob.pk]) in as_ann.get(reverse("your_conduct")).text
    sent = {"do": "end", "from": "settings"}
    answer = as_ann.post(reverse("block", args=[bob.pk]), sent, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("your_conduct")
    assert not Block.objects.exists()


def test_the_blocked_one_sees_nothing_of_it(as_ann, ann, bob):
    before = as_ann.get(bob.get_absolute_url()).text
    block(by=bob, of=ann, now=timezone.now())
    after = as_ann.get(bob.get_absolute_url()).text
    assert before.count("block") == after.count("block")
    assert "no messages from them" not in after


def test_there_is_nothing_to_block_on_ones_own_or_a_bots_page(as_ann, ann, partner, client):
    for person in (ann, partner):
        assert 'value="block"' not in as_ann.get(person.get_absolute_url()).text
    as_ann.logout()
    assert 'value="block"' not in as_ann.get(ann.get_absolute_url()).text


def test_a_table_for_who_has_blocked_one_is_refused_on_the_page(as_ann, ann, bob):
    block(by=bob, of=ann, now=timezone.now())
    sent = {"game": "morpion", "days": 3, "creator_seat": "", "whom": "player", "name": "bob"}
    answer = as_ann.post(reverse("new_table"), sent)
    assert answer.status_code == 403
    assert "This player does not accept challenges from" in answer.text
