"""Players report a message, a player or a game; what waits is not reported twice."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from games import errors
from games.models import Message, Report
from games.services.conduct.messages import hide, say
from games.services.conduct.mutes import mute
from games.services.conduct.reports import report_game, report_message, report_person
from tests.factories import PersonFactory
from tests.games.play import DAY, SECOND, begin, refused

pytestmark = pytest.mark.django_db
WORDS = {"reason": "abuse", "text": " He called me names. "}


def speak(game, user, text, now):
    return say(game_id=game.pk, user=user, text=text, via=Message.Via.WEB, now=now)


def test_a_message_is_reported_with_its_game_and_its_author(game, ann, bob, now):
    said = speak(game, bob, "Fool", now)
    made = report_message(message_id=said.pk, reporter=ann, now=now, **WORDS)
    kept = Report.objects.get(pk=made.pk)
    assert (kept.message, kept.game, kept.person) == (said, game, bob)
    assert (kept.reporter, kept.reason, kept.text) == (ann, "abuse", "He called me names.")
    assert (kept.made_at, kept.state, kept.assignee) == (now, "open", None)


def test_a_player_and_a_game_are_reported(game, ann, bob, cat, now):
    of_bob = report_person(person=bob, reporter=cat, now=now, **WORDS)
    of_game = report_game(game_id=game.pk, reporter=cat, now=now, **WORDS)
    assert (of_bob.person, of_bob.game, of_bob.message) == (bob, None, None)
    assert (of_game.person, of_game.game, of_game.message) == (None, game, None)


def test_what_one_may_not_read_one_cannot_report(game, ann, bob, cat, now):
    said, hidden = speak(game, bob, "Fool", now), speak(game, bob, "Twit", now)
    hide(hidden, now=now)
    for reporter, key in ((cat, said.pk), (ann, hidden.pk), (ann, hidden.pk + 1)):
        with refused(errors.NoSuchMessage, "no such message", status=404):
            report_message(message_id=key, reporter=reporter, now=now, **WORDS)
    mute(game_id=game.pk, user=ann, seat_number=1, now=now)
    with refused(errors.NoSuchMessage, "no such message", status=404):
        report_message(message_id=said.pk, reporter=ann, now=now, **WORDS)


def test_a_private_game_is_reported_by_who_may_see_it(ann, bob, cat, now):
    private = begin(ann, bob, now=now, is_public=False)
    with refused(errors.NoSuchGame, "no such game", status=404):
        report_game(game_id=private.pk, reporter=cat, now=now, **WORDS)
    report_game(game_id=private.pk, reporter=bob, now=now, **WORDS)


def test_nobody_reports_themselves(game, ann, now):
    said = speak(game, ann, "Fool", now)
    with refused(errors.OwnConduct, "cannot report yourself", status=422):
        report_message(message_id=said.pk, reporter=ann, now=now, **WORDS)
    with refused(errors.OwnConduct, "cannot report yourself", status=422):
        report_person(person=ann, reporter=ann, now=now, **WORDS)


@pytest.mark.parametrize(
    "words",
    [
        {"reason": "", "text": "x"},
        {"reason": "revenge", "text": "x"},
        {"reason": "spam", "text": " \n\x00"},
        {"reason": "spam", "text": "x" * 2001},
    ],
)
def test_a_report_has_a_reason_and_words(bob, ann, now, words):
    with refused(errors.BadReport, "Choose a reason", status=422):
        report_person(person=bob, reporter=ann, now=now, **words)


def everything(game, said, reporter, now):
    """Return what reports each of the three."""
    return [
        lambda: report_message(message_id=said.pk, reporter=reporter, now=now, **WORDS),
        lambda: report_person(person=said.author, reporter=reporter, now=now, **WORDS),
        lambda: report_game(game_id=game.pk, reporter=reporter, now=now, **WORDS),
    ]


def test_the_same_thing_is_not_reported_twice_while_it_waits(game, ann, bob, now):
    said = speak(game, bob, "Fool", now)
    for send in everything(game, said, ann, now):
        made = send()
        with refused(errors.ReportedAlready, "You have already reported this", status=409):
            send()
        Report.objects.filter(pk=made.pk).update(state="taken")
        with refused(errors.ReportedAlready, "You have already reported this", status=409):
            send()
        Report.objects.filter(pk=made.pk).update(state="dismissed")
        send()
    assert Report.objects.count() == 6


def test_another_message_of_the_same_person_is_something_else(game, ann, bob, now):
    for text in ("Fool", "Twit"):
        said = speak(game, bob, text, now)
        report_message(message_id=said.pk, reporter=ann, now=now, **WORDS)
    assert Report.objects.count() == 2


def test_the_database_itself_keeps_one(game, ann, bob, now):
    said = speak(game, bob, "Fool", now)
    for send in everything(game, said, ann, now):
        again = send()
        again.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            again.save(force_insert=True)


def test_nobody_reports_without_end(ann, now, settings):
    settings.REPORTS_A_DAY = 2
    for _ in range(2):
        report_person(person=PersonFactory(), reporter=ann, now=now, **WORDS)
    third = PersonFactory()
    with refused(errors.TooManyReports, "2 reports within a day", status=429):
        report_person(person=third, reporter=ann, now=now + DAY - SECOND, **WORDS)
    report_person(person=third, reporter=ann, now=now + timedelta(days=1), **WORDS)


# Pages -----------------------------------------------------------------------------------------


def test_all_three_are_reported_from_where_they_are_shown(as_ann, ann, bob):
    game = begin(ann, bob, now=timezone.now())
    said = speak(game, bob, "Fool", timezone.now())
    where = {
        reverse("report", args=["message", said.pk]): game.get_absolute_url(),
        reverse("report", args=["game", game.pk]): game.get_absolute_url(),
        reverse("report", args=["player", bob.pk]): bob.get_absolute_url(),
    }
    for form, page in where.items():
        assert form in as_ann.get(page).text
        assert as_ann.get(form).status_code == 200
        answer = as_ann.post(form, WORDS, follow=True)
        assert answer.redirect_chain[-1][0] == reverse("your_conduct")
        again = as_ann.post(form, WORDS)
        assert again.status_code == 409
        assert "You have already reported this" in again.text
        assert "He called me names." in again.text
    assert Report.objects.count() == 3


def test_own_messages_are_not_offered(as_ann, ann, bob):
    game = begin(ann, bob, now=timezone.now())
    said = speak(game, ann, "Hello", timezone.now())
    assert (
        reverse("report", args=["message", said.pk]) not in as_ann.get(game.get_absolute_url()).text
    )


def test_a_form_without_words_is_shown_again(as_ann, bob):
    path = reverse("report", args=["player", bob.pk])
    assert as_ann.post(path, {"reason": "abuse"}).status_code == 422
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("what", "pk"), [("message", 99), ("player", 99999), ("game", 99), ("thing", 1)]
)
def test_of_what_there_is_not_there_is_no_form(as_ann, what, pk):
    assert as_ann.get(reverse("report", args=[what, pk])).status_code == 404


def test_only_ones_own_reports_are_listed(as_ann, ann, bob, cat):
    report_person(person=cat, reporter=bob, now=timezone.now(), reason="spam", text="Theirs")
    report_person(person=cat, reporter=ann, now=timezone.now(), reason="spam", text="Mine")
    page = as_ann.get(reverse("your_conduct")).text
    assert "Mine" in page
    assert "Theirs" not in page
