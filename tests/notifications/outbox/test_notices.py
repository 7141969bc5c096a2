"""Who is told of what."""

from datetime import timedelta

import pytest
from django.conf import settings

from games.clock.time_control import per_turn
from games.models import Event, Game, Offer, Terms
from games.services import deadlines, endings, invitations, offers, reminders, tables
from notifications.kinds.base import kind_for, kind_of
from notifications.models import Kind, Notice
from notifications.outbox.recipients import make_notices
from tests.factories import BotFactory, PersonFactory
from tests.notifications.outgoing_mail import play, told

UNTOLD = {
    Event.Kind.OPENED,
    Event.Kind.JOINED,
    Event.Kind.TURN_UNDONE,  # nobody was told of the turn
    Event.Kind.END_UNDONE,  # nor of the end
    Event.Kind.DEPARTURE_UNDONE,  # nor of that
}


def test_every_kind_of_event_is_told_or_left_out_on_purpose():
    assert {event for event in Event.Kind if kind_for(event) is None} == UNTOLD


def test_a_challenge_is_told_to_the_player_asked(challenge, now):
    assert told(now) == [("challenge", "bob")]


def test_an_invitation_goes_to_its_address_in_the_inviters_language(table, ann, now):
    ann.language = "fr"
    ann.save()
    invitations.invite(game_id=table.pk, by=ann, email="dora@example.net", now=now)
    assert told(now) == [("invitation", "dora@example.net")]
    assert Notice.objects.get().language == "fr"


def test_the_beginning_is_told_to_every_player_and_their_turn_with_it(game, now):
    assert ("game-begun", "ann") in (heard := told(now))
    assert ("game-begun", "bob") in heard
    assert not [who for kind, who in heard if kind == "your-turn"]


def test_a_turn_is_told_only_to_the_player_to_move(game, ann, bob, cat, now):
    told(now)
    play(game, ann, "5", now)
    assert told(now) == [("your-turn", "bob")]
    play(game, bob, "1", now)
    assert told(now) == [("your-turn", "ann")]


def test_a_turn_that_was_answered_meanwhile_is_not_told(game, ann, bob, now):
    told(now)
    play(game, ann, "5", now)
    play(game, bob, "1", now)
    assert told(now) == [("your-turn", "ann")]


def test_of_many_turns_only_the_newest_is_told_even_to_the_same_player(game, ann, bob, now):
    told(now)
    for user, text in [(ann, "5"), (bob, "1"), (ann, "2")]:
        play(game, user, text, now)
    assert told(now) == [("your-turn", "bob")]


def test_the_last_turn_tells_everybody_that_the_game_is_over_and_nobody_to_move(
    game, ann, bob, now
):
    told(now)
    for user, text in [(ann, "1"), (bob, "4"), (ann, "2"), (bob, "5"), (ann, "3")]:
        play(game, user, text, now)
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED
    assert told(now) == [("game-over", "ann"), ("game-over", "bob")]


def test_resigning_is_told_to_both(game, bob, now):
    told(now)
    endings.resign(game_id=game.pk, user=bob, now=now)
    assert told(now) == [("game-over", "ann"), ("game-over", "bob")]


def test_breaking_off_is_told_to_both(game, bob, now):
    told(now)
    endings.abort(game_id=game.pk, user=bob, now=now)
    assert told(now) == [("game-over", "ann"), ("game-over", "bob")]


def test_running_out_of_time_is_told_to_both(game, ann, now, allowance):
    told(now)
    play(game, ann, "5", now)
    told(now)
    assert deadlines.time_out_due(now=now + allowance + timedelta(minutes=1)) == 1
    assert told(now) == [("game-over", "ann"), ("game-over", "bob")]


def test_a_reminder_goes_to_the_player_to_move(game, now, allowance):
    told(now)
    late = now + allowance * 3 / 4
    assert reminders.remind_due(now=late) == 1
    assert told(late) == [("reminder", "ann")]


def test_an_offer_and_its_answer_go_to_the_other(game, ann, bob, now):
    told(now)
    offers.offer_end(game_id=game.pk, user=bob, now=now)
    assert told(now) == [("offer", "ann")]
    offers.decline_offer(game_id=game.pk, user=ann, now=now)
    assert told(now) == [("offer", "bob")]


def test_an_offer_taken_back_is_told_to_the_other(game, ann, now):
    told(now)
    offers.offer_end(game_id=game.pk, user=ann, now=now)
    told(now)
    offers.withdraw_offer(game_id=game.pk, user=ann, now=now)
    assert told(now) == [("offer", "bob")]
    assert Offer.objects.get().state == Offer.State.WITHDRAWN


def test_declining_is_told_once_to_the_maker_although_the_table_closes_with_it(challenge, bob, now):
    told(now)
    invitations.decline(invitation_id=challenge.pk, user=bob, now=now)
    assert told(now) == [("table-news", "ann")]


def test_an_expired_table_is_told_to_its_creator(table, now):
    late = now + settings.UNANSWERED_TABLE_LIFETIME
    told(now)
    assert tables.expire_due(now=late) == 1
    assert told(late) == [("table-news", "ann")]


def test_no_mail_tells_of_closing_ones_own_empty_table(table, ann, now):
    told(now)
    tables.withdraw_table(game_id=table.pk, user=ann, now=now)
    assert told(now) == []


def test_leaving_again_and_again_is_told_once(ann, bob, cat, now, allowance):
    four = tables.open_table(
        creator=ann, rules_slug="superpion", options={}, terms=Terms(per_turn(allowance)), now=now
    )

    def come_and_go(user):
        tables.join_table(game_id=four.pk, user=user, now=now)
        tables.leave_table(game_id=four.pk, user=user, now=now)
        return told(now)

    assert come_and_go(bob) == [("table-news", "ann")]
    assert come_and_go(bob) == []
    assert come_and_go(cat) == [("table-news", "ann")]


def test_bots_are_told_nothing(table, ann, now):
    bot = BotFactory(username="partner")
    told(now)
    invitations.challenge(game_id=table.pk, by=ann, user=bot, now=now)
    assert told(now) == [("game-begun", "ann")]


@pytest.mark.parametrize("flaw", ["unverified", "inactive"])
def test_users_without_a_usable_address_get_no_notice(table, ann, now, flaw):
    dora = PersonFactory(username="dora")
    told(now)
    invitations.challenge(game_id=table.pk, by=ann, user=dora, now=now)
    if flaw == "unverified":
        dora.emailaddress_set.update(verified=False)
    else:
        dora.is_active = False
        dora.save()
    assert told(now) == []


def test_an_event_is_told_once_however_often_one_looks(game, now):
    assert make_notices(now=now) > 0
    count = Notice.objects.count()
    assert make_notices(now=now) == 0
    assert Notice.objects.count() == count
    assert not Event.objects.filter(noticed_at=None).exists()


def test_one_event_that_cannot_be_read_does_not_hold_up_the_others(
    game, ann, now, monkeypatch, caplog
):
    Event.objects.update(noticed_at=now)
    broken = play(game, ann, "5", now)
    bad = Event.objects.filter(kind=Event.Kind.TURN_PLAYED).get()
    endings.resign(game_id=game.pk, user=ann, now=now)
    monkeypatch.setattr(kind_of(Kind.YOUR_TURN), "recipients", lambda event: 1 / 0)
    assert broken.turn.number == 1
    assert told(now) == [("game-over", "ann"), ("game-over", "bob")]
    bad.refresh_from_db()
    assert bad.noticed_at is None
    assert "ZeroDivisionError" in caplog.text


def test_message_ids_differ_and_are_of_our_domain(game, now, settings):
    settings.MAIL_DOMAIN = "mail.example.org"
    make_notices(now=now)
    ids = list(Notice.objects.values_list("message_id", flat=True))
    assert len(set(ids)) == len(ids) > 1
    assert all(i.startswith("<") and i.endswith("@mail.example.org>") for i in ids)


def test_new_notices_wake_the_workers(game, now, monkeypatch):
    sent = []
    monkeypatch.setattr("notifications.outbox.recipients.wakeups.notify_workers", sent.append)
    make_notices(now=now)
    assert set(sent) == {"notices"}
    sent.clear()
    make_notices(now=now)
    assert sent == []
    assert "notices" in settings.WAKEUP_TASKS
