"""Blocks, mutes and reports, in the language of whoever reads of them."""

import pytest
from django.core import mail
from django.urls import reverse

from games.models import Message, Report
from games.moderation import reports
from games.services.conduct.messages import say
from notifications.outbox.delivery import send_due
from notifications.outbox.report_mails import tell_reporters
from tests.factories import PersonFactory, StaffFactory
from tests.house.languages import assert_speaks, seen
from tests.house.test_french import assert_page, page_of
from tests.notifications.outgoing_mail import html_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def said(house):
    return say(
        game_id=house.mine.pk, user=house.other, text="Xyz", via=Message.Via.WEB, now=house.now
    )


def test_blocking_and_muting(house, said):
    muting = reverse("game_mute", args=[house.mine.pk])
    assert_page(house, house.get(page_of(house.mine)))
    assert_page(house, house.post(muting, seat="1", do="mute"))
    assert_page(house, house.post(muting, seat="1", do="end"))
    assert_page(house, house.post(muting, seat="0"), 422)
    assert_page(house, house.get(house.other.get_absolute_url()))
    blocking = reverse("block", args=[house.other.pk])
    assert_page(house, house.post(blocking, do="block"))
    assert_page(house, house.get(page_of(house.mine)))
    assert_page(house, house.get(reverse("your_conduct")))
    assert_page(house, house.post(blocking, do="end", **{"from": "settings"}))
    assert_page(house, house.post(reverse("block", args=[house.reader.pk])), 422)
    assert_page(house, house.post(reverse("block", args=[house.other.pk]), do="block"))
    house.client.force_login(house.other)
    new = {"game": "morpion", "days": 3, "creator_seat": "", "whom": "player"}
    new["name"] = house.reader.username
    assert_page(house, house.post(reverse("new_table"), **new), 403)


def test_reporting(house, said):
    words = {"reason": "abuse", "text": "Xyz"}
    for what, key in (("message", said.pk), ("player", house.other.pk), ("game", house.mine.pk)):
        path = reverse("report", args=[what, key])
        assert_page(house, house.get(path))
        assert_page(house, house.post(path), 422)
        assert_page(house, house.post(path, **words))
        assert_page(house, house.post(path, **words), 409)
    path = reverse("report", args=["player", house.reader.pk])
    assert_page(house, house.post(path, **words), 422)


@pytest.mark.parametrize("upheld", [True, False])
@pytest.mark.parametrize("what", ["message", "player", "game"])
def test_the_answer_to_a_report(house, said, what, upheld):
    key = {"message": said.pk, "player": house.other.pk, "game": house.mine.pk}[what]
    house.post(reverse("report", args=[what, key]), reason="spam", text="Xyz")
    report, mod = Report.objects.get(), StaffFactory(role="Moderators")
    reports.resolve(report_id=report.pk, by=mod, upheld=upheld, answer="Xyz", now=house.now)
    tell_reporters(now=house.now)
    mail.outbox.clear()
    send_due(now=house.now)
    (letter,) = [one for one in mail.outbox if house.reader.email in one.to]
    assert_speaks(house.language, f"{letter.subject}\n{letter.body}\n{seen(html_of(letter))}")
    assert_page(house, house.get(reverse("your_conduct")))


def test_what_moderators_read_and_do(house, said):
    house.post(reverse("report", args=["message", said.pk]), reason="spam", text="Xyz")
    report = Report.objects.get()
    house.client.force_login(
        StaffFactory(role="Hosts", language=house.language, username="xyz", display_name="")
    )
    house.post(reverse("admin:accounts_user_do", args=[house.other.pk, "warn"]), why="Xyz")
    pages = [
        reverse("admin:games_report_change", args=[report.pk]),
        reverse("admin:games_report_do", args=[report.pk, "close"]),
        reverse("admin:games_report_do", args=[report.pk, "hand-over"]),
        reverse("admin:accounts_user_change", args=[house.other.pk]),
        reverse("admin:accounts_user_do", args=[house.other.pk, "mute"]),
        reverse("admin:accounts_user_do", args=[PersonFactory().pk, "ban"]),
        reverse("admin:accounts_user_do", args=[house.other.pk, "role"]),
    ]
    for path in pages:
        answer = house.get(path)
        assert answer.status_code == 200
        assert_speaks(house.language, seen(answer.text.partition('id="content"')[2]))
