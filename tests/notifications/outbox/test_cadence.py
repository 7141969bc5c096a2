"""When mail goes out: held a moment, later, with the digest, or once the reader has gone."""

from datetime import timedelta

import pytest
from django.core import mail

from games.models import GamePresence
from games.services import endings, offers
from games.services.conduct.messages import note_presence
from notifications.models import Cadence, DigestSchedule, Kind, Notice, SkipReason
from notifications.outbox.recipients import make_notices
from notifications.outbox.scheduling import LONGEST_LOOK, reschedule
from notifications.services.preferences import save_digest_schedule, set_cadence
from tests.games.play import SECOND
from tests.notifications.outgoing_mail import play, sent

State = Notice.State
HOUR = timedelta(hours=1)


@pytest.fixture
def turn(told, ann, now):
    """The notice that tells bob of ann's turn."""
    play(told, ann, "5", now)
    make_notices(now=now)
    return Notice.objects.get(kind=Kind.YOUR_TURN)


def state_of(notice):
    notice.refresh_from_db()
    return notice.state, notice.skip_reason


TO_BOB = [("bob", "your-turn")]


# The hold --------------------------------------------------------------------------------------


def test_news_are_held_for_ninety_seconds(turn, now):
    assert sent(now + 89 * SECOND) == []
    assert sent(now + 90 * SECOND) == TO_BOB


def test_the_hold_is_the_hosts_to_choose(told, ann, now, settings):
    settings.MAIL_HOLD = 5 * SECOND
    play(told, ann, "5", now)
    make_notices(now=now)
    assert sent(now + 4 * SECOND) == []
    assert sent(now + 5 * SECOND) == TO_BOB


def test_the_hold_takes_at_most_half_of_the_time_that_is_left(told, ann, now):
    type(told).objects.filter(pk=told.pk).update(deadline=now + HOUR)
    play(told, ann, "5", now)
    type(told).objects.filter(pk=told.pk).update(deadline=now + 60 * SECOND)
    make_notices(now=now)
    assert sent(now + 29 * SECOND) == []
    assert sent(now + 30 * SECOND) == TO_BOB


def test_an_invitation_to_an_address_is_not_held(table, ann, now):
    from games.services.invitations import invite

    invite(game_id=table.pk, by=ann, email="dora@example.net", now=now)
    make_notices(now=now)
    assert sent(now) == [("dora", "invitation")]


def test_an_offer_withdrawn_within_the_hold_is_not_mailed(told, ann, now):
    offers.offer_end(game_id=told.pk, user=ann, now=now)
    make_notices(now=now)
    later = now + 60 * SECOND
    offers.withdraw_offer(game_id=told.pk, user=ann, now=later)
    make_notices(now=later)
    assert sent(now + HOUR) == []
    reasons = Notice.objects.filter(kind=Kind.OFFER).values_list("skip_reason", flat=True)
    assert set(reasons) == {
        SkipReason.OFFER_CLOSED,
        SkipReason.OFFER_UNKNOWN,
    }


# One mail for what happens together ------------------------------------------------------------


def test_a_second_event_within_the_hold_is_in_the_same_mail(turn, told, ann, now):
    offers.offer_end(game_id=told.pk, user=ann, now=now + 89 * SECOND)
    make_notices(now=now + 89 * SECOND)
    assert sent(now + 90 * SECOND) == TO_BOB
    (message,) = mail.outbox
    assert "ann offers to end the game." in " ".join(message.body.split())
    offer = Notice.objects.get(kind=Kind.OFFER)
    assert state_of(turn) == (State.SENT, "")
    assert state_of(offer) == (State.DROPPED, SkipReason.TOLD_TOGETHER)
    assert sent(now + HOUR) == []


def test_an_event_after_the_first_mail_left_is_a_mail_of_its_own(turn, told, ann, now):
    assert sent(now + 90 * SECOND) == TO_BOB
    offers.offer_end(game_id=told.pk, user=ann, now=now + 91 * SECOND)
    make_notices(now=now + 91 * SECOND)
    assert sent(now + 180 * SECOND) == []
    assert sent(now + 181 * SECOND) == [("bob", "offer")]


def test_the_end_leads_whatever_came_before(told, ann, bob, now):
    offers.offer_end(game_id=told.pk, user=ann, now=now)
    endings.resign(game_id=told.pk, user=ann, now=now + SECOND)
    make_notices(now=now + SECOND)
    assert sent(now + 91 * SECOND) == [("ann", "game-over"), ("bob", "game-over")]


def test_games_are_not_told_in_each_others_mails(turn, ann, bob, now):
    from tests.games.play import begin

    begin(ann, bob, now=now, slug="taquet")
    make_notices(now=now)
    assert sent(now + 90 * SECOND) == [
        ("ann", "game-begun"),
        ("bob", "game-begun"),
        ("bob", "your-turn"),
    ]


def test_the_beginning_and_the_first_turn_are_one_mail(game, ann, bob, now):
    bob.language = "en"
    bob.save()
    play(game, ann, "5", now)
    make_notices(now=now)
    assert sent(now + 90 * SECOND) == [("ann", "game-begun"), ("bob", "your-turn")]
    body = next(m.body for m in mail.outbox if m.to == ["bob@example.org"])
    assert "The game begins. You play Morpion with ann, as Nought." in " ".join(body.split())
    assert body.count("ann plays in the centre.") == body.count("It is your turn.") == 1


def test_news_that_no_server_took_wait_and_are_told_together(
    turn, told, ann, now, settings, monkeypatch
):
    from tests.notifications.outgoing_mail import use_server
    from tests.servers import free_port

    offers.offer_end(game_id=told.pk, user=ann, now=now)
    make_notices(now=now)
    backend = settings.EMAIL_BACKEND
    use_server(settings, free_port())
    assert sent(now + 90 * SECOND) == []
    both = Notice.objects.filter(kind__in=[Kind.YOUR_TURN, Kind.OFFER])
    due = now + 150 * SECOND
    assert set(both.values_list("state", "due_at", "attempts")) == {(State.WAITING, due, 1)}
    settings.EMAIL_BACKEND = backend
    assert sent(due) == TO_BOB
    assert sorted(both.values_list("state", flat=True)) == [State.DROPPED, State.SENT]


# Looking at the game ---------------------------------------------------------------------------


def test_a_reader_at_the_games_page_gets_the_mail_after_leaving_it(turn, told, bob, now, settings):
    assert timedelta(minutes=3) == settings.MAIL_LOOKING
    gone = now + 60 * SECOND + settings.MAIL_LOOKING
    note_presence(told.pk, bob.pk, now=now + 60 * SECOND)
    assert sent(now + 90 * SECOND) == []
    assert state_of(turn) == (State.WAITING, "")
    assert turn.due_at == gone
    assert turn.attempts == 0
    assert sent(gone - SECOND) == []
    assert sent(gone) == TO_BOB


def test_a_page_that_stays_open_delays_the_mail_but_not_for_ever(turn, told, bob, now):
    end = now + LONGEST_LOOK
    at = now
    while at < end:
        note_presence(told.pk, bob.pk, now=at)
        assert sent(at) == []
        at += 30 * SECOND
    note_presence(told.pk, bob.pk, now=end)
    assert sent(end - SECOND) == []
    assert sent(end) == TO_BOB


def test_a_reader_at_the_games_page_keeps_at_least_half_of_their_time(turn, told, bob, now):
    type(told).objects.filter(pk=told.pk).update(deadline=now + 10 * timedelta(minutes=1))
    middle = now + timedelta(minutes=5)
    note_presence(told.pk, bob.pk, now=middle - 2 * SECOND)
    assert sent(middle - SECOND) == []
    assert sent(middle) == TO_BOB


def test_a_player_who_acted_on_the_page_gets_no_mail(turn, told, bob, now):
    note_presence(told.pk, bob.pk, now=now)
    assert sent(now + 90 * SECOND) == []
    play(told, bob, "1", now + 100 * SECOND)
    assert sent(now + HOUR) == []
    assert state_of(turn) == (State.DROPPED, SkipReason.NOT_THEIR_TURN)


def test_looking_at_one_game_or_by_somebody_else_delays_nothing(turn, told, ann, bob, now):
    from tests.games.play import begin

    other = begin(ann, bob, now=now, slug="taquet")
    for game, user in ((told, ann), (other, bob)):
        note_presence(game.pk, user.pk, now=now + 89 * SECOND)
    assert sent(now + 90 * SECOND) == TO_BOB


# Later -----------------------------------------------------------------------------------------


@pytest.fixture
def later(bob, now):
    save_digest_schedule(user=bob, later_hours=4, digest_every=None, digest_hour=8, now=now)
    set_cadence(user=bob, kind=Kind.YOUR_TURN, cadence=Cadence.LATER)


def test_later_is_after_so_many_hours(later, turn, now):
    assert sent(now + 4 * HOUR - SECOND) == []
    assert sent(now + 4 * HOUR) == TO_BOB


def test_later_is_not_needed_once_seen_on_the_page(later, turn, told, bob, now):
    note_presence(told.pk, bob.pk, now=now)
    assert sent(now + 4 * HOUR) == []
    assert state_of(turn) == (State.DROPPED, SkipReason.SEEN)


def test_having_looked_before_is_not_having_seen_it(later, turn, told, bob, now):
    note_presence(told.pk, bob.pk, now=now - SECOND)
    assert sent(now + 4 * HOUR) == TO_BOB


def test_later_is_sooner_when_a_turn_is_short(later, told, ann, now):
    play(told, ann, "5", now)
    type(told).objects.filter(pk=told.pk).update(deadline=now + 6 * HOUR)
    make_notices(now=now)
    assert sent(now + 3 * HOUR - SECOND) == []
    assert sent(now + 3 * HOUR) == TO_BOB


def test_waiting_notices_follow_a_new_choice(later, turn, bob, now):
    set_cadence(user=bob, kind=Kind.YOUR_TURN, cadence=Cadence.AT_ONCE)
    reschedule(bob, now=now + HOUR)
    assert sent(now + HOUR - SECOND) == []
    assert sent(now + HOUR) == TO_BOB


def test_never_is_never(turn, bob, now):
    set_cadence(user=bob, kind=Kind.YOUR_TURN, cadence=Cadence.OFF)
    assert sent(now + 90 * SECOND) == []
    assert state_of(turn) == (State.DROPPED, SkipReason.SWITCHED_OFF)


def test_news_kept_for_a_digest_are_sent_by_themselves_if_there_is_no_digest(turn, bob, now):
    set_cadence(user=bob, kind=Kind.YOUR_TURN, cadence=Cadence.DIGEST)
    assert not DigestSchedule.objects.exists()
    assert sent(now + 90 * SECOND) == TO_BOB


def test_presence_is_not_written_by_mails(turn, now):
    sent(now + 90 * SECOND)
    assert not GamePresence.objects.exists()
