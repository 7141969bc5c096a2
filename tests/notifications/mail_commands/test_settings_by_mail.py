"""Settings by mail: language, zone, name, digest, pictures, confirmations."""

import pytest

from accounts.models import User
from games.models import Game, Message
from notifications.models import Cadence, DigestSchedule, IncomingMail, Kind, Notice
from notifications.services.preferences import cadence_of
from tests.notifications.mail_commands.players_by_mail import number_of, text_of, words_of

pytestmark = pytest.mark.slow

ANN, BOB = "ann@example.org", "bob@example.org"


def fresh(user):
    return User.objects.get(pk=user.pk)


@pytest.mark.parametrize("line", ["settings", "réglages", "My settings?"])
def test_the_settings_with_the_line_that_changes_each(played, office, line):
    answer = text_of(office.answer(ANN, line))
    assert "Language: English\r\n    language fr" in answer
    assert "Digest: no digest\r\n    digest 8h, digest off" in answer
    assert "Pictures in mails: yes\r\n    pictures off, pictures on" in answer


@pytest.mark.parametrize(
    "line", ["language fr", "Language French", "langue français", "LANGUE: FR"]
)
def test_the_language_and_the_answer_in_it(played, office, ann, line):
    answer = words_of(office.answer(ANN, line))
    assert fresh(ann).language == "fr"
    assert "français" in answer
    assert "Dear" not in answer
    back = words_of(office.answer(ANN, "langue anglais"))
    assert fresh(ann).language == "en"
    assert "From now on we write to you in English." in back


@pytest.mark.parametrize(
    ("line", "zone"),
    [
        ("zone Europe/Paris", "Europe/Paris"),
        ("fuseau horaire europe/paris", "Europe/Paris"),
        ("time zone New York", "America/New_York"),
        ("timezone: Tokyo", "Asia/Tokyo"),
    ],
)
def test_the_time_zone(played, office, ann, line, zone):
    answer = words_of(office.answer(ANN, line))
    assert fresh(ann).time_zone == zone
    assert f"time zone {zone}." in answer


@pytest.mark.parametrize(
    "line",
    [
        *("language", "language klingon", "zone", "zone Atlantis", "zone Europe"),
        *("digest", "digest at noon", "digest 25h", "pictures", "pictures please"),
        *("confirmations", "confirmations maybe", "name"),
    ],
)
def test_what_cannot_be_read_is_refused_with_an_example(played, office, ann, line):
    before = fresh(ann).__dict__ | {"_state": None}
    answer = words_of(office.answer(ANN, line))
    assert "Write for example “" in answer
    assert fresh(ann).__dict__ | {"_state": None} == before
    assert not DigestSchedule.objects.exists()


def test_a_name_is_asked_back(played, office, ann):
    answer = words_of(office.answer(ANN, "name Anna Maria"))
    assert office.result() == ("done", "asked")
    assert "Your opponents would see you as Anna Maria." in answer
    assert fresh(ann).display_name == ""
    assert "You are called Anna Maria now." in words_of(office.answer(ANN, "yes"))
    assert fresh(ann).display_name == "Anna Maria"


def test_a_name_that_the_page_refuses(played, office, ann):
    answer = words_of(office.answer(ANN, "name Admin"))
    assert office.result() == ("done", "refused")
    assert "That setting was not changed." in answer
    assert fresh(ann).display_name == ""


@pytest.mark.parametrize(
    ("line", "hour"),
    [("digest 8h", 8), ("digest at 19:00", 19), ("récapitulatif 7", 7), ("digest daily at 0", 0)],
)
def test_the_digest(played, office, ann, line, hour):
    answer = words_of(office.answer(ANN, line))
    schedule = DigestSchedule.objects.get(user=ann)
    assert (schedule.digest_every, schedule.digest_hour) == (24, hour)
    assert f"once a day at {hour:02}:00" in answer
    assert cadence_of(ann, Kind.YOUR_TURN) == Cadence.DIGEST
    assert cadence_of(ann, Kind.REMINDER) == Cadence.AT_ONCE
    office.answer(ANN, "digest off")
    assert DigestSchedule.objects.get(user=ann).digest_every is None
    assert cadence_of(ann, Kind.YOUR_TURN) == Cadence.AT_ONCE


def pictures_of(mail):
    return [part for part in mail.walk() if part.get_content_maintype() == "image"]


@pytest.mark.parametrize("line", ["pictures off", "images non", "Pictures: OFF"])
def test_mails_without_pictures(played, office, ann, line):
    begun = office.newest(ANN)
    assert pictures_of(office.answer(ANN, "board", to=begun))
    office.answer(ANN, line)
    assert not fresh(ann).mail_pictures
    letter = office.answer(ANN, "plateau", to=begun)
    assert pictures_of(letter) == []
    html = letter.get_body(("html",)).get_content()
    assert "<img" not in html
    assert "1 2 3 4 5 6 7 8 9" in " ".join(html.split())
    office.answer(ANN, "pictures on")
    assert pictures_of(office.answer(ANN, "show", to=begun))


def test_every_kind_of_letter_is_without_pictures(played, office, ann, bob):
    User.objects.update(mail_pictures=False)
    office.answer(ANN, "5")
    office.carry()
    turn = office.newest(BOB)
    assert turn["X-Pli-Kind"] == "your-turn"
    assert pictures_of(turn) == []
    assert "<pre" in turn.get_body(("html",)).get_content()
    assert "[X]" in text_of(turn)


def test_without_confirmations_a_turn_is_played_in_silence(played, office, ann):
    office.answer(ANN, "confirmations off")
    answers = Notice.objects.filter(kind=Kind.ANSWER).count()
    office.hand_in(ANN, "5\nHello", to=office.inboxes[ANN][0])
    office.carry()
    assert number_of(played) == 1
    assert Message.objects.get().text == "Hello"
    assert Notice.objects.filter(kind=Kind.ANSWER).count() == answers
    mail = IncomingMail.objects.latest("pk")
    assert (mail.state, mail.result, mail.user) == ("done", "done", ann)


@pytest.mark.parametrize("line", ["77", "5?", "board", "5 7", "resign"])
def test_without_confirmations_all_else_is_answered(played, office, ann, line):
    User.objects.update(mail_confirmations=False)
    answers = Notice.objects.filter(kind=Kind.ANSWER).count()
    office.answer(ANN, line)
    assert Notice.objects.filter(kind=Kind.ANSWER).count() == answers + 1


def test_without_confirmations_a_turn_that_was_played_already_is_answered(played, office, ann):
    User.objects.update(mail_confirmations=False)
    first = office.newest(ANN)
    office.hand_in(ANN, "5", to=first)
    office.carry()
    assert "was already played" in words_of(office.answer(ANN, "5 ", to=first))


def test_without_confirmations_a_message_that_was_not_sent_is_told(played, office, ann):
    User.objects.update(mail_confirmations=False)
    answer = words_of(office.answer(ANN, "5\n" + "very long " * 400))
    assert number_of(played) == 1
    assert "Your turn 5 is played." in answer
    assert not Message.objects.exists()


@pytest.mark.parametrize(
    "line", ["language barriers are hard", "name your price today ok", "zone out now, friend!"]
)
def test_talk_changes_nothing(played, office, ann, line):
    before = fresh(ann).__dict__ | {"_state": None}
    office.answer(ANN, line)
    assert fresh(ann).__dict__ | {"_state": None} == before
    assert office.result() == ("done", "refused")
    assert Game.objects.get().turn_number == 0
