"""Errors of our own lose no mail: it is tried again, parked after a day, and no clock runs on."""

from datetime import timedelta
from itertools import pairwise

import psycopg
import pytest
from django.conf import settings as conf
from django.core import mail
from django.db import OperationalError, close_old_connections, connection
from django.db.models import Min
from django.urls import reverse

from games.clock.clock import StopReason
from games.models import Game
from games.services.conduct.messages import say
from notifications.emails.skeletons import skeletons
from notifications.models import Kind, Notice
from notifications.outbox import delivery
from notifications.outbox.delivery import CLAIM_TIMEOUT, retry, send_due
from notifications.outbox.digests import send_digests
from notifications.outbox.recipients import make_notices
from notifications.outbox.retries import retry_delay_after_own_error
from notifications.outbox.staff_digests import mail_state
from tests import smtp
from tests.notifications.faults import AfterClaim, PassingFault, watching
from tests.notifications.outbox.test_delivery import notice_to
from tests.notifications.outgoing_mail import environment, play, use_server
from tests.staff_users import staffed

pytestmark = pytest.mark.slow

State = Notice.State
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def break_template(settings, tmp_path):
    """Puts a broken template before ours; returns what mends it."""
    engine = settings.TEMPLATES[0]

    def breaking(name="mails/letter.txt", text="{{ reader|no_such_filter }}"):
        planted = tmp_path / name
        planted.parent.mkdir(parents=True, exist_ok=True)
        planted.write_text(text) if text is not None else planted.mkdir()
        settings.TEMPLATES = [engine | {"DIRS": [tmp_path, *engine["DIRS"]]}]
        skeletons.cache_clear()  # what our templates gave is remembered

        def repair():
            settings.TEMPLATES = [engine]
            skeletons.cache_clear()

        return repair

    return breaking


def turn_notice():
    return Notice.objects.get(kind=Kind.YOUR_TURN)


def stopped(game):
    return Game.objects.values_list("stop_reason", flat=True).get(pk=game.pk)


def run(at, *, until):
    """Send whenever something is due; return those moments."""
    moments = []
    while at is not None and at <= until:
        send_due(now=at)
        moments.append(at)
        at = Notice.objects.filter(state=State.WAITING).aggregate(at=Min("due_at"))["at"]
    return moments


# The database ------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_passing_database_error_before_the_mail_only_delays_it(at, told, sink):
    with watching(PassingFault(), when=AfterClaim()):
        assert send_due(now=at) == 0
    notice = turn_notice()
    assert (notice.state, notice.due_at, notice.claimed_at) == (State.WAITING, at + MINUTE, None)
    assert "OperationalError" in notice.reason
    assert stopped(told) == ""
    assert send_due(now=at + MINUTE) == 1
    notice = turn_notice()
    assert (notice.state, notice.reason, notice.failing_since) == (State.SENT, "", None)
    assert [message["Message-ID"] for message in sink.messages] == [notice.message_id]


@pytest.fixture
def no_waiting(monkeypatch):
    """Try to mark a mail that was sent without waiting in between."""
    monkeypatch.setattr(delivery, "MARK_WAITS", (0, 0, 0))


@pytest.mark.django_db(transaction=True)
def test_a_mail_that_was_sent_is_marked_although_the_database_failed(at, sink, no_waiting):
    fault = PassingFault()
    sink.on_data = fault.strike
    with watching(fault):
        assert send_due(now=at) == 1
    assert turn_notice().state == State.SENT
    assert send_due(now=at + DAY) == 0
    assert len(sink.messages) == 1


@pytest.mark.django_db(transaction=True)
def test_a_mail_that_could_not_be_marked_comes_again_with_the_same_id(at, sink, no_waiting):
    fault = PassingFault(passes=False)
    sink.on_data = fault.strike
    with watching(fault), pytest.raises(OperationalError):
        send_due(now=at)
    close_old_connections()
    sink.on_data = None
    notice = turn_notice()
    assert (notice.state, notice.claimed_at) == (State.CLAIMED, at)
    assert send_due(now=at + CLAIM_TIMEOUT - timedelta(seconds=1)) == 0
    assert send_due(now=at + CLAIM_TIMEOUT) == 1
    assert [message["Message-ID"] for message in sink.messages] == [notice.message_id] * 2
    assert turn_notice().state == State.SENT


@pytest.mark.django_db(transaction=True)
def test_a_claim_that_fails_changes_nothing(at, sink):
    def claims(sql):
        return sql.startswith(("BEGIN", "SELECT")) and fault.failures == 0

    fault = PassingFault()
    with watching(fault, when=claims), pytest.raises(OperationalError):
        send_due(now=at)
    close_old_connections()  # as whatever calls it does after each call
    assert turn_notice().state == State.WAITING
    assert send_due(now=at) == 1


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_refused_mail_is_not_given_up_while_its_clock_cannot_be_stopped(at, told, settings):
    """Somebody else holds the game's row: without its clock the player would lose untold."""
    with (
        psycopg.connect(environment()["DATABASE_URL"]) as other,
        smtp.running(smtp.Sink({"bob@example.org": "550 5.1.1 No such user"})) as port,
    ):
        other.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", [told.pk])
        use_server(settings, port)
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
        assert send_due(now=at) == 0
        notice = turn_notice()
        assert (notice.state, notice.due_at) == (State.WAITING, at + MINUTE)
        assert "lock timeout" in notice.reason
        other.rollback()
        send_due(now=at + MINUTE)
    assert stopped(told) == StopReason.UNDELIVERED


# Templates and the disk --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"), [("{{ reader|no_such_filter }}", "no_such_filter"), (None, "IsADirectory")]
)
def test_a_mail_that_cannot_be_written_waits_until_it_can(at, told, break_template, text, words):
    repair = break_template(text=text)
    assert send_due(now=at) == 0
    notice = turn_notice()
    assert (notice.state, notice.due_at) == (State.WAITING, at + MINUTE)
    assert words in notice.reason
    assert stopped(told) == ""
    repair()
    assert send_due(now=at + MINUTE) == 1
    assert turn_notice().state == State.SENT
    assert [message.to for message in mail.outbox] == [["bob@example.org"]]


def test_others_get_their_mail_meanwhile(at, break_template, now):
    break_template()
    notice_to("cat@example.org", now, due_at=at + timedelta(seconds=1))
    assert send_due(now=at + timedelta(seconds=1)) == 1
    assert [message.to for message in mail.outbox] == [["cat@example.org"]]


def test_tries_become_rarer_and_end_after_a_day(at, told, break_template):
    break_template()
    tried = run(at, until=at + 2 * DAY)
    gaps = [later - earlier for earlier, later in pairwise(tried)]
    assert [gap / MINUTE for gap in gaps[:8]] == [1, 1, 2, 4, 8, 16, 32, 60]
    assert set(gaps[8:]) == {HOUR}
    assert DAY <= tried[-1] - at < DAY + HOUR
    notice = turn_notice()
    assert notice.state == State.PARKED
    assert "no_such_filter" in notice.reason


def test_the_clock_stops_once_a_mail_is_parked(at, told, break_template):
    break_template()
    run(at, until=at + DAY - HOUR)
    assert (turn_notice().state, stopped(told)) == (State.WAITING, "")
    run(turn_notice().due_at, until=at + DAY + HOUR)
    assert (turn_notice().state, stopped(told)) == (State.PARKED, StopReason.UNDELIVERED)


def test_the_clock_stops_if_time_would_be_over_before_the_next_attempt(at, told, break_template):
    break_template()
    run(at, until=at + 5 * HOUR)
    Game.objects.filter(pk=told.pk).update(deadline=turn_notice().due_at + 59 * MINUTE)
    assert stopped(told) == ""
    run(turn_notice().due_at, until=at + 6 * HOUR)
    assert turn_notice().state == State.WAITING
    assert stopped(told) == StopReason.UNDELIVERED


def test_a_digest_that_is_parked_stops_the_clocks_of_all_its_turns(games, ann, due, break_template):
    first, _, third = games
    Notice.objects.all().update(state=State.DROPPED)
    send_digests(now=due)
    break_template("digest/templates/letter.txt")
    run(due, until=due + 2 * DAY)
    notice = Notice.objects.get(kind=Kind.DIGEST)
    assert notice.state == State.PARKED
    assert [stopped(game) for game in (first, third)] == [StopReason.UNDELIVERED] * 2


def test_an_error_with_one_mail_does_not_delay_the_next_of_the_same_game(
    at, told, ann, bob, break_template, now
):
    repair = break_template()
    send_due(now=at)
    repair()
    play(told, bob, "1", now)
    play(told, ann, "2", now)
    make_notices(now=now)
    later = Notice.objects.filter(kind=Kind.YOUR_TURN, user=bob).latest("pk")
    assert send_due(now=at + timedelta(seconds=1)) > 0
    later.refresh_from_db()
    assert later.state == State.SENT
    assert Notice.objects.filter(kind=Kind.YOUR_TURN, user=bob).earliest("pk").state == "waiting"


def test_a_failed_notice_is_tried_alone(at, told, ann, break_template):
    break_template()
    send_due(now=at)
    say(game_id=told.pk, user=ann, text="Well?", via="web", now=at)
    make_notices(now=at)
    later = Notice.objects.get(kind=Kind.MESSAGE)
    assert at + MINUTE < later.due_at <= at + MINUTE + conf.MAIL_HOLD
    send_due(now=at + MINUTE)
    later.refresh_from_db()
    assert (later.state, later.failing_since) == (State.WAITING, None)


def test_an_answer_of_the_mail_server_ends_the_day(at, sink, break_template):
    repair = break_template()
    send_due(now=at)
    repair()
    sink.refused["bob@example.org"] = "451 4.3.0 Come again"
    send_due(now=at + MINUTE)
    break_template()
    send_due(now=at + 2 * DAY)
    notice = turn_notice()
    assert (notice.state, notice.failing_since) == (State.WAITING, at + 2 * DAY)


# For hosts ---------------------------------------------------------------------------------------


@pytest.fixture
def parked(at, told, break_template):
    """The mail about bob's turn, parked; the template is whole again."""
    repair = break_template()
    run(at, until=at + 2 * DAY)
    repair()
    return turn_notice()


def test_hosts_find_it_with_its_error_and_have_it_tried_again(client, parked):
    client.force_login(staffed("host"))
    notices = reverse("admin:notifications_notice_changelist")
    page = client.get(notices, {"state__exact": "parked"}).content.decode()
    assert "internal error" in page
    assert "no_such_filter" in page
    chosen = {"action": "try_again", "_selected_action": [parked.pk], "confirmed": 1, "why": "x"}
    assert (
        "1 notice will be tried again."
        in client.post(notices, chosen, follow=True).content.decode()
    )
    parked.refresh_from_db()
    assert (parked.state, parked.failing_since) == (State.WAITING, None)


def test_a_parked_notice_that_is_tried_again_has_another_day(parked, break_template, at):
    later = at + 3 * DAY
    assert retry([parked.pk], now=later) == 1
    assert send_due(now=later) == 1
    parked.refresh_from_db()
    assert parked.state == State.SENT


def test_the_digest_of_moderators_counts_it_until_it_is_dealt_with(parked, at):
    assert mail_state(at + 30 * DAY).parked_notices == 1
    retry([parked.pk], now=at + 30 * DAY)
    assert mail_state(at + 30 * DAY).parked_notices == 0


def test_a_code_that_is_parked_is_kept_and_can_be_tried_again(db, settings, now):
    settings.EMAIL_BACKEND = "notifications.no_such_backend.EmailBackend"
    notice = notice_to("ann@example.org", now)
    run(now, until=now + 2 * DAY)
    notice.refresh_from_db()
    assert notice.state == State.PARKED
    assert "no_such_backend" in notice.reason
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert retry([notice.pk], now=now + 2 * DAY) == 1
    assert send_due(now=now + 2 * DAY) == 1
    assert "BCDF-GHJK" in mail.outbox[0].body


def test_waits_take_from_a_minute_to_an_hour_for_a_day(now):
    assert retry_delay_after_own_error(now, now) == MINUTE
    assert retry_delay_after_own_error(now, now + 7 * MINUTE) == 7 * MINUTE
    assert retry_delay_after_own_error(now, now + 23 * HOUR) == HOUR
    assert retry_delay_after_own_error(now, now + DAY) is None


def test_the_mail_servers_no_is_final_at_once(at, told, settings):
    with smtp.running(smtp.Sink({"bob@example.org": "550 5.1.1 No such user"})) as port:
        use_server(settings, port)
        assert send_due(now=at) == 1
    assert (turn_notice().state, stopped(told)) == (State.FAILED, StopReason.UNDELIVERED)
