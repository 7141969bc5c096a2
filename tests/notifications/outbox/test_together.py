"""Mails of one batch: they share what they read, and nothing that one of them changes is missed."""

from datetime import timedelta

import pytest
from django.db import connection, transaction

from accounts.models import Vacation
from games.models import Event, Outage
from games.queries.clock_display import clock_view
from games.services.clock.game_clock import availability_of, mover
from games.services.conduct.messages import say
from notifications.kinds.game_begun.kind import KIND as GAME_BEGUN
from notifications.models import Kind, Notice, SkipReason
from notifications.outbox import delivery
from notifications.outbox.claims import claim_group, read_groups
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.services.shared_reads import SharedReads, interruptions, read_games, sharing
from tests.factories import PersonFactory
from tests.games.play import begin, play
from tests.notifications.outgoing_mail import after_hold

State = Notice.State

MOST_QUERIES = 5
"""A mail, from the event to the result, in a batch of 100."""


def turns(people, count, now):
    """Play the first turn in so many games, of which nobody has been told yet."""
    games = []
    for number in range(count):
        one, two = (people[(number + n) % len(people)] for n in (0, 1))
        games.append(begin(one, two, now=now, slug="super-morpion"))
    Event.objects.update(noticed_at=now)
    for number, game in enumerate(games):
        play(game, people[number % len(people)], f"{number % 9 + 1} {number % 8 + 1}", now=now)
    return games


def queries_of(work):
    """Do some work; return how many statements that were."""
    asked = []

    def count(execute, sql, *args):
        asked.append(sql)
        return execute(sql, *args)

    with connection.execute_wrapper(count):
        work()
    return len(asked)


def mail_everything(now):
    make_notices(now=now)
    send_due(now=after_hold(now))


@pytest.fixture
def people(db, settings):
    settings.TABLES_A_DAY = 200
    return PersonFactory.create_batch(20)


@pytest.fixture
def two_for_ann(db, ann, bob, cat, now):
    """Bob and cat have each played against ann: she is told of both games."""
    games = [(begin(other, ann, now=now), other) for other in (bob, cat)]
    Event.objects.update(noticed_at=now)
    for game, other in games:
        play(game, other, "5", now=now)
    make_notices(now=now)
    return after_hold(now)


def states():
    return list(Notice.objects.order_by("pk").values_list("state", "skip_reason"))


@pytest.mark.slow
def test_a_mail_takes_few_queries_and_no_more_in_a_larger_batch(people, mailoutbox, now):
    asked = {}
    for count in (10, 100):
        turns(people, count, now)
        asked[count] = queries_of(lambda: mail_everything(now)) / count
        assert len(mailoutbox) == count
        mailoutbox.clear()
    assert set(Notice.objects.values_list("kind", "state")) == {(Kind.YOUR_TURN, State.SENT)}
    assert asked[100] <= min(MOST_QUERIES, asked[10])


def test_an_address_that_is_refused_gets_no_other_mail_of_the_batch(ann, two_for_ann, sink):
    sink.refused[ann.email] = "550 5.1.1 no such user"
    send_due(now=two_for_ann)
    suspended = (State.DROPPED, SkipReason.ADDRESS_SUSPENDED)
    assert states() == [(State.FAILED, ""), suspended]


def test_what_was_not_begun_when_the_process_is_to_end_waits(two_for_ann, sink):
    sink.on_data = delivery.stopping.set
    try:
        assert send_due(now=two_for_ann) == 1
    finally:
        delivery.stopping.clear()
    assert states() == [(State.SENT, ""), (State.WAITING, "")]
    assert Notice.objects.last().claimed_at is None
    sink.on_data = None
    assert send_due(now=two_for_ann) == 1


def test_what_was_read_long_ago_is_read_again(two_for_ann, monkeypatch, sink):
    monkeypatch.setattr(delivery, "FRESH", 0)
    assert send_due(now=two_for_ann) == 2
    assert len(sink.messages) == 2


def test_an_event_that_breaks_delays_no_other(ann, bob, cat, now, monkeypatch):
    broken = begin(ann, bob, now=now)
    begin(ann, cat, now=now)
    recipients = GAME_BEGUN.recipients

    def fail_for_one(event):
        if event.game_id == broken.pk:
            raise ValueError("this event cannot be read")
        return recipients(event)

    monkeypatch.setattr(type(GAME_BEGUN), "recipients", lambda _, event: fail_for_one(event))
    make_notices(now=now)
    assert set(Notice.objects.values_list("user__username", flat=True)) == {"ann", "cat"}
    monkeypatch.undo()
    make_notices(now=now)
    assert Notice.objects.filter(game=broken).count() == 2


def test_reads_that_fail_for_a_batch_are_tried_for_each(two_for_ann, monkeypatch, sink):
    read = delivery.read_together

    def fail_for_many(groups, now):
        if len(groups) > 1:
            raise ValueError("one of them is broken")
        return read(groups, now)

    monkeypatch.setattr(delivery, "read_together", fail_for_many)
    assert send_due(now=two_for_ann) == 2


def test_a_notice_that_has_changed_since_it_was_read_is_not_claimed(game, now):
    make_notices(now=now)
    later = after_hold(now)
    keys = list(Notice.objects.values_list("pk", flat=True))
    for change in (
        {"state": State.CLAIMED, "claimed_at": now},
        {"state": State.SENT},
        {"due_at": later + timedelta(hours=1)},
    ):
        for group in read_groups(keys, later):
            with transaction.atomic():
                Notice.objects.filter(pk=group[-1].pk).update(**change)
                assert not claim_group(group, later)
                transaction.set_rollback(True)
    assert all(claim_group(group, later) for group in read_groups(keys, later))
    assert set(Notice.objects.values_list("state", "claimed_at")) == {(State.CLAIMED, later)}


def test_a_batch_tells_of_each_clock_what_a_mail_by_itself_does(ann, bob, cat, now):
    older = begin(bob, cat, now=now - timedelta(days=9))
    spans = [(-8, -7), (-6, -3), (-1, 1), (1, 2)]
    days = [
        (now + start * timedelta(days=1), now + end * timedelta(days=1)) for start, end in spans
    ]
    for player in (ann, bob, cat):
        for begins, ends in days:
            Vacation.objects.create(
                user=player, begins_at=begins, ends_at=ends, announced_at=begins
            )
    for began, ended in days[:2]:
        Outage.objects.create(kind=Outage.Kind.GAP, began_at=began, ended_at=ended, noted_at=now)
    newer = begin(ann, bob, now=now - timedelta(days=2))
    reads = SharedReads()
    read_games(reads, [older, newer], now=now)
    with sharing(reads):
        for game in (older, newer):
            player = mover(game)
            known = interruptions(game, player, now)
            alone = availability_of(game, player, now)
            assert known.availability_of(game, player, now) == alone
            assert clock_view(game, now=now, interruptions=known) == clock_view(game, now=now)
            assert known.away_until(player.pk, now) == days[-1][1]
    assert len(reads.interruptions.breaks) > len(known.breaks)


def test_what_the_mail_before_has_told_is_not_told_again(game, ann, now, sink):
    Event.objects.update(noticed_at=now)
    say(game_id=game.pk, user=ann, text="Good luck", via="web", now=now)
    play(game, ann, "5", now=now)
    make_notices(now=now)
    # What failed before goes alone, here in the same batch as the message.
    Notice.objects.filter(kind=Kind.YOUR_TURN).update(failing_since=now, due_at=now)
    send_due(now=now + timedelta(hours=1))
    (mail,) = sink.messages
    assert "Good luck" in mail.get_body(("plain",)).get_content()
    told = Notice.objects.get(kind=Kind.MESSAGE)
    assert (told.state, told.skip_reason) == (State.DROPPED, SkipReason.TOLD_TOGETHER)
