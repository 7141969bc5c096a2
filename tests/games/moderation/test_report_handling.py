"""What moderators do with reports, and what the reporter learns of it."""

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from games import errors
from games.models import Event, Game, Message, ModerationLogEntry
from games.moderation import log, reports, roles
from games.moderation.roles import Role
from games.queries.conversations import said_at
from games.services.conduct.messages import say
from games.services.conduct.reports import report_game, report_message, report_person
from games.services.endings import hand_over
from notifications.models import Notice
from notifications.outbox.delivery import send_due
from notifications.outbox.report_mails import tell_reporters
from tests.factories import StaffFactory
from tests.games.moderating import WHY
from tests.games.play import DAY, begin, fresh, refused

pytestmark = pytest.mark.django_db
ANSWER = "We have spoken with him."


@pytest.fixture
def report(bob, cat, now):
    """Cat's report about bob."""
    return report_person(person=bob, reporter=cat, reason="abuse", text="Rude.", now=now)


@pytest.fixture
def host(db):
    return StaffFactory(username="host", role="Hosts")


def fate(report):
    report.refresh_from_db()
    return report.state, report.assignee


def close(report, by, now, **how):
    how = {"upheld": True, "answer": ANSWER} | how
    return reports.resolve(report_id=report.pk, by=by, now=now, **how)


def test_a_report_is_taken_handed_over_and_closed_and_the_log_knows(report, bob, mo, meg, now):
    reports.assign(report_id=report.pk, by=mo, now=now)
    assert fate(report) == ("taken", mo)
    reports.reassign(report_id=report.pk, by=mo, to=meg, why="holidays", now=now)
    assert fate(report) == ("taken", meg)
    close(report, meg, now)
    assert fate(report) == ("upheld", meg)
    assert (report.answer, report.closed_at) == (ANSWER, now)
    done = list(
        ModerationLogEntry.objects.order_by("number").values_list(
            "what", "by__username", "person", "why"
        )
    )
    assert done == [
        ("take-report", "mo", bob.pk, "insults or harassment"),
        ("hand-over-report", "mo", bob.pk, "holidays"),
        ("uphold-report", "meg", bob.pk, ANSWER),
    ]
    assert list(log.faults()) == []


def test_a_report_can_be_closed_at_once_without_action(report, mo, now):
    close(report, mo, now, upheld=False)
    assert fate(report) == ("dismissed", mo)


def test_the_second_moderator_sees_what_the_first_did(report, mo, meg, now):
    reports.assign(report_id=report.pk, by=mo, now=now)
    with refused(errors.InOtherHands, "assigned to mo", status=409):
        reports.assign(report_id=report.pk, by=meg, now=now)
    with refused(errors.InOtherHands, "assigned to mo", status=409):
        close(report, meg, now)
    with refused(errors.InOtherHands, "assigned to mo", status=409):
        reports.reassign(report_id=report.pk, by=meg, to=meg, why=WHY, now=now, seen=0)
    with refused(errors.NothingToChange, "already", status=409):
        reports.assign(report_id=report.pk, by=mo, now=now)
    reports.reassign(report_id=report.pk, by=meg, to=meg, why=WHY, now=now, seen=mo.pk)
    close(report, meg, now)
    for again in (mo, meg):
        with refused(errors.ReportClosed, "meg has already closed this report", status=409):
            close(report, again, now)


def test_a_report_is_handed_to_moderators_only_and_with_a_reason(report, ann, mo, meg, now):
    with refused(errors.NotAModerator, "is not a moderator", status=422):
        reports.reassign(report_id=report.pk, by=mo, to=ann, why=WHY, now=now)
    with refused(errors.NoReason, "It appears in the log", status=422):
        reports.reassign(report_id=report.pk, by=mo, to=meg, why=" ", now=now)


def test_the_reporter_gets_an_answer_in_words(report, mo, now):
    with refused(errors.NoAnswer, "Write an answer", status=422):
        close(report, mo, now, answer=" \n")


def test_nobody_judges_a_report_of_or_about_themselves_or_of_their_game(ann, bob, mo, meg, now):
    game = begin(ann, mo, now=now)
    concerning = [
        report_person(person=mo, reporter=bob, reason="other", text="x", now=now),
        report_person(person=ann, reporter=mo, reason="other", text="x", now=now),
        report_game(game_id=game.pk, reporter=bob, reason="other", text="x", now=now),
    ]
    for one in concerning:
        with refused(errors.OwnReport, "You made this report, or it is about you or", status=403):
            reports.assign(report_id=one.pk, by=mo, now=now)
        with refused(errors.OwnReport, "You made this report, or it is about you or", status=403):
            close(one, mo, now)
        with refused(errors.OwnReport, "You made this report, or it is about you or", status=403):
            reports.reassign(report_id=one.pk, by=meg, to=mo, why=WHY, now=now)
        close(one, meg, now)


def test_players_close_nothing(report, ann, now):
    with refused(errors.MayNotModerate, "Only moderators", status=403):
        close(report, ann, now)


def test_there_must_be_a_report(mo, now):
    with refused(errors.NoSuchReport, "no such report", status=404):
        reports.assign(report_id=1, by=mo, now=now)


# The reporter ----------------------------------------------------------------------------------


def test_a_report_whose_mail_cannot_be_written_does_not_hold_up_the_next(
    game, ann, bob, mo, now, caplog
):
    broken = begin(ann, bob, now=now)
    for about in (broken, game):
        said = say(game_id=about.pk, user=ann, text="Fool", via=Message.Via.WEB, now=now)
        made = report_message(message_id=said.pk, reporter=bob, reason="abuse", text="x", now=now)
        close(made, mo, now)
    Game.objects.filter(pk=broken.pk).update(rules_slug="no-such-game")
    assert tell_reporters(now=now) == 1
    assert "no-such-game" in caplog.text
    Game.objects.filter(pk=broken.pk).update(rules_slug=game.rules_slug)
    assert tell_reporters(now=now) == 1, "it is told as soon as it can be"


def test_the_reporter_gets_one_mail_in_their_language(game, ann, bob, mo, now):
    said = say(game_id=game.pk, user=ann, text="Fool", via=Message.Via.WEB, now=now)
    made = report_message(message_id=said.pk, reporter=bob, reason="abuse", text="x", now=now)
    assert tell_reporters(now=now) == 0
    close(made, mo, now)
    assert tell_reporters(now=now) == 1
    assert tell_reporters(now=now) == 0
    notice = Notice.objects.get(user=bob, kind="account")
    mail.outbox.clear()
    send_due(now=now)
    (letter,) = [one for one in mail.outbox if one.to == [notice.address]]
    assert ANSWER in letter.body
    assert "Fool" not in letter.body
    assert "mo" not in letter.body.replace(ANSWER, "").split()


def test_the_reporter_reads_state_and_answer_on_their_page(client, report, cat, mo):
    client.force_login(cat)
    assert "open" in client.get(reverse("your_conduct")).text
    close(report, mo, timezone.now())
    page = client.get(reverse("your_conduct")).text
    assert ANSWER in page
    assert "action taken" in page


# Messages --------------------------------------------------------------------------------------


def test_hiding_a_message_is_an_event_and_in_the_log_and_mails_nobody(game, ann, bob, mo, now):
    said = say(game_id=game.pk, user=ann, text="Fool", via=Message.Via.WEB, now=now)
    hidden = reports.hide_message(message_id=said.pk, by=mo, why=WHY, now=now)
    assert hidden.hidden_at == now
    act = ModerationLogEntry.objects.get()
    assert (act.what, act.game, act.person, act.why) == ("hide-message", game, ann, WHY)
    event = game.events.get(kind=Event.Kind.MODERATED)
    assert event.details == {"what": "hide-message", "why": WHY, "act": 1, "message": said.pk}
    with refused(errors.NothingToChange, "already", status=409):
        reports.hide_message(message_id=said.pk, by=mo, why=WHY, now=now)
    reports.show_message(message_id=said.pk, by=mo, why=WHY, now=now)
    assert said_at(game, bob)[0].hidden_at is None


def test_hiding_is_for_moderators_who_do_not_play_there_and_say_why(game, ann, mo, meg, now):
    said = say(game_id=game.pk, user=ann, text="Fool", via=Message.Via.WEB, now=now)
    with refused(errors.MayNotModerate, "Only moderators", status=403):
        reports.hide_message(message_id=said.pk, by=ann, why=WHY, now=now)
    with refused(errors.NoReason, "It appears in the log", status=422):
        reports.hide_message(message_id=said.pk, by=mo, why="", now=now)
    with refused(errors.NoSuchMessage, "no such message", status=404):
        reports.hide_message(message_id=said.pk + 1, by=mo, why=WHY, now=now)
    hand_over(fresh(game), game.seats.get(number=1), mo, now, time=DAY)
    with refused(errors.OwnGame, "You play in this game, or did", status=403):
        reports.hide_message(message_id=said.pk, by=mo, why=WHY, now=now)


# Roles -----------------------------------------------------------------------------------------


def test_an_administrator_changes_roles_and_it_is_logged(ann, host, now):
    for role in (Role.MODERATOR, Role.ADMINISTRATOR, Role.PLAYER):
        roles.set_role(person_id=ann.pk, by=host, role=role, why=WHY, now=now)
        ann.refresh_from_db()
        assert roles.role_of(ann) == role
        assert ann.is_staff == (role != Role.PLAYER)
        assert ann.groups.count() == (role != Role.PLAYER)
    details = list(ModerationLogEntry.objects.order_by("number").values_list("details", flat=True))
    assert details[0] == {"former": "player", "role": "moderator"}
    assert len(details) == 3


def test_moderators_cannot_change_roles_and_nobody_changes_their_own(ann, mo, host, moderator, now):
    give = {"role": Role.ADMINISTRATOR, "now": now}
    with refused(errors.NotAnAdministrator, "Only an administrator can do that", status=403):
        roles.set_role(person_id=ann.pk, by=mo, why=WHY, **give)
    with refused(errors.NotThemselves, "to your own account", status=403):
        roles.set_role(person_id=host.pk, by=host, why=WHY, **give)
    with refused(errors.SuperuserIsSafe, "Only a superuser can act on a superuser", status=403):
        roles.set_role(person_id=moderator.pk, by=host, why=WHY, **give)
    with refused(errors.NoReason, "It appears in the log", status=422):
        roles.set_role(person_id=ann.pk, by=host, why="", **give)
    roles.set_role(person_id=ann.pk, by=host, why=WHY, **give)
    with refused(errors.NothingToChange, "already", status=409):
        roles.set_role(person_id=ann.pk, by=host, why=WHY, **give)


def test_the_first_page_of_the_admin_tells_of_reports_that_wait(client, report, mo, now):
    client.force_login(StaffFactory(username="mod", role="Moderators"))
    told = "1 report waits for an answer"
    assert told in client.get(reverse("admin:index")).text
    close(report, mo, now)
    assert told not in client.get(reverse("admin:index")).text
