"""The moderators' digest: once a day, to each in their language, if there is something to tell."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse

from games.models import Outage
from games.moderation import log
from games.moderation.action_names import SiteAction
from games.moderation.game_actions import pause_game, resume_game
from notifications.models import (
    AddressState,
    IncomingMail,
    Kind,
    MailPreference,
    Notice,
    StaffDigest,
)
from notifications.outbox.delivery import retry, send_due
from notifications.outbox.staff_digests import write_staff_digest
from tests.factories import StaffFactory
from tests.games.moderation.test_log import bend
from tests.games.play import DAY, SECOND, begin
from tests.racing import at_once
from tests.staff_users import staffed

HOUR = timedelta(hours=1)


@pytest.fixture
def hour(now):
    """Six o'clock, UTC, of a day on which there is something to tell from then on."""
    return now.replace(hour=6)


@pytest.fixture
def mona(db):
    return staffed("moderator")


@pytest.fixture
def held(ann, bob, mona, hour):
    """A game that mona has paused."""
    game = begin(ann, bob, now=hour - 10 * DAY)
    pause_game(game_id=game.pk, by=mona, why="x", now=hour - 10 * DAY)
    return game


def told():
    return list(Notice.objects.filter(kind=Kind.STAFF_DIGEST).order_by("pk"))


def letters(at):
    mail.outbox.clear()
    send_due(now=at)
    return {letter.to[0]: letter for letter in mail.outbox if "X-Pli-Kind" in letter.extra_headers}


# When --------------------------------------------------------------------------------------------


def test_it_is_written_at_its_hour_once_a_day(held, hour):
    assert write_staff_digest(now=hour - SECOND) == 1, "that of the day before, which nobody wrote"
    assert write_staff_digest(now=hour - SECOND) == 0
    assert write_staff_digest(now=hour) == 1
    assert write_staff_digest(now=hour + DAY - SECOND) == 0
    assert write_staff_digest(now=hour + DAY) == 1
    assert [row.day.isoformat() for row in StaffDigest.objects.order_by("day")] == [
        "2026-03-09",
        "2026-03-10",
        "2026-03-11",
    ]


@pytest.mark.parametrize("set_to", [0, 17])
def test_the_hour_is_a_setting_in_utc(held, hour, settings, set_to):
    settings.STAFF_DIGEST_HOUR = set_to
    at = hour.replace(hour=set_to)
    write_staff_digest(now=at - SECOND)
    assert write_staff_digest(now=at) == 1


def test_one_that_was_missed_comes_late_and_once(held, hour):
    write_staff_digest(now=hour)
    assert write_staff_digest(now=hour + 5 * DAY + 7 * HOUR) == 1
    assert write_staff_digest(now=hour + 5 * DAY + 8 * HOUR) == 0


def test_with_nothing_to_tell_there_is_none_for_that_day(mona, hour):
    assert write_staff_digest(now=hour) == 0
    assert told() == []
    assert StaffDigest.objects.get().told == 0


@pytest.mark.django_db(transaction=True)
def test_however_many_processes_write_it_everybody_gets_one(held, hour):
    told_by = at_once(lambda: write_staff_digest(now=hour), times=4)
    assert sorted(told_by) == [0, 0, 0, 1]
    assert len(told()) == 1


# To whom -----------------------------------------------------------------------------------------


def test_moderators_and_hosts_with_a_verified_address_are_told(held, mona, hour):
    host = staffed("host")
    silent = StaffFactory(username="silent", role="Moderators")
    EmailAddress.objects.filter(user=silent).update(verified=False)
    gone = StaffFactory(username="gone", role="Moderators", is_active=False)
    former = StaffFactory(username="former")
    write_staff_digest(now=hour)
    assert [notice.user for notice in told()] == [mona, host]
    assert {silent, gone, former}.isdisjoint(notice.user for notice in told())


def test_each_reads_it_in_their_language_with_links_into_the_admin(held, mona, hour, settings):
    StaffFactory(username="fred", role="Hosts", language="fr")
    write_staff_digest(now=hour)
    found = letters(hour)
    english, french = found["mona@example.org"], found["fred@example.org"]
    assert english.subject == "Pli: 2 tasks for the moderators"
    assert "1 game is paused by a moderator." in english.body
    link = settings.SITE_URL + reverse("admin:games_game_changelist") + "?frozen=moderator"
    assert link in english.body
    assert link in english.alternatives[0][0]
    assert "1 partie est mise en pause" in french.body
    assert french.extra_headers["Auto-Submitted"] == "auto-generated"
    assert "Reply-To" not in french.extra_headers


def test_a_former_moderator_gets_no_digest(held, mona, hour):
    write_staff_digest(now=hour)
    mona.groups.clear()
    assert letters(hour) == {}
    assert told()[0].state == Notice.State.DROPPED


def test_it_is_no_mail_that_players_choose(client, ann, held, mona, hour):
    client.force_login(ann)
    assert "staff-digest" not in client.get(reverse("mail_preferences")).content.decode()
    MailPreference.objects.create(user=mona, kind=Kind.STAFF_DIGEST, cadence="off")
    write_staff_digest(now=hour)
    assert list(letters(hour)) == ["mona@example.org"]


# What --------------------------------------------------------------------------------------------


def mail_in(state, at, key, raw=b"x", result=""):
    IncomingMail.objects.create(
        raw=raw,
        result=result,
        door="smtp",
        token_hash=key,
        digest=key,
        state=state,
        received_at=at,
        processed_at=at,
    )


def test_it_tells_what_of_mail_needs_attention(mona, hour):
    for n, (state, ago) in enumerate([("parked", 9), ("held", 0), ("held", 2), ("ignored", 0)]):
        mail_in(state, hour - ago * DAY, str(n))
    mail_in("parked", hour - DAY, "forgotten", raw=b"")
    for n, ago in enumerate([0, 2]):
        Notice.objects.create(
            kind=Kind.YOUR_TURN,
            user=mona,
            message_id=str(n),
            state="failed",
            created_at=hour - ago * DAY,
            due_at=hour,
        )
        AddressState.objects.create(address=f"{n}@example.org", suspended_at=hour - ago * DAY)
    write_staff_digest(now=hour)
    assert told()[0].content == {"parked": 1, "held": 1, "failed": 1, "suspended": 1}
    body = letters(hour)["mona@example.org"].body
    for words in (
        "1 mail could not be processed because of an internal error and is parked.",
        "1 mail from a stranger was held",
        "1 mail of ours since yesterday could not be sent.",
        "1 address was suspended",
        "?state__exact=parked",
        "?suspended=yes",
    ):
        assert words in body.replace("\n", " ")


def test_it_tells_why_mails_were_held(mona, hour):
    results = ["stranger", "unconfirmed", "unconfirmed", "unchecked"]
    for n, result in enumerate(results):
        mail_in("held", hour, str(n), result=result)
    mail_in("ignored", hour, "dismissed", result="unconfirmed")
    write_staff_digest(now=hour)
    assert told()[0].content == {"held": 1, "unconfirmed": 2, "unchecked": 1}
    body = " ".join(letters(hour)["mona@example.org"].body.split())
    for words in (
        "1 mail from a stranger was held",
        "2 mails were held since yesterday: the mail server does not confirm their senders.",
        "1 mail was held since yesterday: it carries no results of the mail server",
    ):
        assert words in body.replace("\n", " ")


def test_it_tells_of_outages(mona, hour):
    Outage.objects.create(
        kind="gap", began_at=hour - 3 * HOUR, ended_at=hour - HOUR, noted_at=hour - HOUR
    )
    write_staff_digest(now=hour)
    assert "Outage (this service was down): from" in letters(hour)["mona@example.org"].body


def test_it_has_the_newest_anchor_of_the_log_if_that_has_grown(held, mona, hour, settings):
    resume_game(game_id=held.pk, by=mona, why="x", now=hour - DAY)
    write_staff_digest(now=hour)
    anchor = str(log.newest_anchor())
    assert told()[-1].content == {"new_acts": 2, "anchor": anchor}
    body = letters(hour)["mona@example.org"].body
    assert (
        f"2 entries were added to the moderation log, which now ends at {anchor}."
        in body.replace("\n", " ")
    )
    verify = settings.SITE_URL + reverse("admin:games_moderationlogentry_verify")
    assert f"{verify}?anchor={anchor}" in body
    assert write_staff_digest(now=hour + DAY) == 0, "it has not grown"
    announce = SiteAction.ANNOUNCE.value
    log.write_entry(by=mona, what=announce, why="x", now=hour + DAY)
    assert write_staff_digest(now=hour + 2 * DAY) == 1
    assert told()[-1].content == {"new_acts": 1, "anchor": str(log.newest_anchor())}


def test_it_tells_that_entries_were_cut_off_the_log(mona, hour):
    for _ in range(2):
        log.write_entry(by=mona, what=SiteAction.ANNOUNCE.value, why="x", now=hour)
    write_staff_digest(now=hour)
    letters(hour)
    bend("DELETE FROM games_act WHERE number = 2")
    assert write_staff_digest(now=hour + DAY) == 1
    body = letters(hour + DAY)["mona@example.org"].body
    assert "had 2 entries when the last digest was written, and now has only 1" in body.replace(
        "\n", " "
    )


def test_every_line_can_be_written(mona, hour):
    write_staff_digest(now=hour)
    everything = {
        "open_reports": 2,
        "oldest_report": hour.isoformat(),
        "held_games": 2,
        "ending_holds": 2,
        "long_stopped_games": 2,
        "late_games": 2,
        "parked_notices": 2,
        "timeouts": 40,
        "usual_timeouts": 3.5,
        "out_of_time": [["bob", 6]],
        "outages": [["maintenance", hour.isoformat(), ""]],
    }
    Notice.objects.create(
        kind=Kind.STAFF_DIGEST,
        user=mona,
        content=everything,
        message_id="<1@x>",
        created_at=hour,
        due_at=hour,
    )
    body = letters(hour)["mona@example.org"].body
    for words in (
        "2 reports wait for an answer, the oldest made on",
        "2 games that a moderator paused resume automatically within three days.",
        "40 players ran out of time since yesterday; usually 3.5",
        "/admin/games/report/",
        "2 mails of ours could not be sent for a day because of an internal error.",
        "/admin/notifications/notice/?state__exact=parked",
        "bob ran out of time in 6 games",
        "is still going on",
    ):
        assert words in body.replace("\n", " ")


def test_its_content_is_deleted_so_that_it_is_never_sent_again(held, hour):
    write_staff_digest(now=hour)
    Notice.objects.update(state="failed", content={})
    assert retry([notice.pk for notice in told()], now=hour) == 0
