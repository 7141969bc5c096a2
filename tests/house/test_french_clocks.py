"""Stopped clocks, offers about time and outages, in the language of whoever reads of them."""

from datetime import timedelta

import pytest
from django.urls import reverse

from games.models import Game, Heartbeat, Offer
from games.moderation.site import begin_maintenance
from games.services.clock.added_time import grant_time
from games.services.clock.outages import record_heartbeat
from games.services.clock.stops import end_pause, end_stops
from games.services.clock.undelivered_turns import freeze_undelivered, record_contact
from games.services.offers import (
    accept_offer,
    decline_offer,
    offer_pace,
    offer_pause,
    withdraw_offer,
)
from notifications.models import Kind
from tests.factories import ModeratorFactory
from tests.games.clock.test_pace_changes import FISCHER, TOTAL
from tests.games.play import play
from tests.house.languages import assert_speaks, sent
from tests.house.test_french import assert_page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

DAY = timedelta(days=1)


def address(game, name):
    return reverse(name, args=[game.pk])


def test_the_time_of_a_game_and_offers_about_it(house):
    game, ours = house.mine, {"game_id": house.mine.pk, "now": house.now}
    answering = address(game, "game_answer_offer")
    assert_page(house, house.post(address(game, "game_offer_pause"), days=7))
    assert_page(house, house.post(address(game, "game_offer_pace"), pace=7))
    assert_page(house, house.post(address(game, "game_offer_pace"), pace=7), 409)
    assert_page(house, house.post(answering, answer="withdraw"), 409)
    for offer in Offer.objects.all():
        assert_page(house, house.post(answering, answer="withdraw", offer=offer.pk))
    offer_pace(user=house.other, pace=TOTAL, **ours)
    offer_pause(user=house.other, days=30, **ours)
    assert_page(house, house.get(page_of(game)))
    for offer in Offer.objects.filter(state="open"):
        assert_page(house, house.post(answering, answer="accept", offer=offer.pk))
    assert_page(house, house.get("/"))
    assert_page(house, house.post(address(game, "game_resume")))
    assert_page(house, house.post(address(game, "game_resume")), 409)
    play(game, house.reader, "5", now=house.now)
    assert_page(house, house.get(page_of(game)))
    assert_page(house, house.post(address(game, "game_grant_time")))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("game_offer_pause", {"days": "4"}),
        ("game_offer_pause", {}),
        ("game_offer_pace", {"pace": "99"}),
        ("game_offer_pace", {"pace": "\0"}),
        ("game_answer_offer", {"answer": "accept", "offer": "9" * 30}),
        ("game_answer_offer", {"answer": "accept", "offer": "-1"}),
        ("game_answer_offer", {"answer": "accept", "offer": "½"}),
    ],
)
def test_what_nobody_can_choose_is_refused_in_words(house, name, wrong):
    answer = house.post(address(house.mine, name), **wrong)
    assert_page(house, answer, 409 if "offer" in wrong else 422)
    assert not Offer.objects.exists()


def test_a_game_whose_time_is_over_and_not_ended_yet(house):
    """“encore plus de temps” would mean more time still."""
    Game.objects.filter(pk=house.mine.pk).update(deadline=house.now, time_left=timedelta())
    page = house.get(page_of(house.mine))
    assert_page(house, page)
    until, seat = {
        "en": ("no time is left.", "no time left"),
        "fr": ("il ne reste plus de temps.", "temps écoulé"),
    }[house.language]
    assert until in page.text
    assert seat in page.text
    home = house.get("/")
    assert_page(house, home)
    assert {"en": "the time is over", "fr": "le temps est écoulé"}[house.language] in home.text


def test_a_clock_that_stands_because_no_mail_arrived(house):
    game = house.mine
    play(game, house.reader, "5", now=house.now)
    freeze_undelivered(game_id=game.pk, turn_number=1, user=house.other, now=house.now)
    assert_page(house, house.get(page_of(game)))
    assert_page(house, house.get("/"))


def test_the_ledger_of_outages(house):
    assert_page(house, house.get(reverse("outages")))
    Heartbeat.objects.create(pk=1, at=house.now - DAY)
    record_heartbeat(now=house.now - DAY / 2)
    host = ModeratorFactory(username="host")
    begin_maintenance(
        note="disque neuf" * (house.language == "fr"), by=host, why="so", now=house.now
    )
    page = house.get(reverse("outages"))
    assert_page(house, page)
    assert {"en": "12 hours", "fr": "12 heures"}[house.language] in page.text
    assert_page(house, house.post(address(house.mine, "game_resign")), 503)


def test_the_ledger_has_pages(house):
    for number in range(60):
        Heartbeat.objects.update_or_create(pk=1, defaults={"at": house.now - (99 - number) * DAY})
        record_heartbeat(now=house.now - (99 - number) * DAY + DAY / 2)
    first, second = house.get(reverse("outages")), house.get(reverse("outages") + "?page=2")
    assert [page.text.count("ledger-entry") for page in (first, second)] == [50, 10]
    assert_page(house, second)


def mails_about_time(house):
    """Let pauses and paces be offered, answered and ended, and a player be out of reach."""
    game, ours = house.mine, {"game_id": house.mine.pk, "now": house.now}
    list(sent(house.now))
    for make in (
        lambda who: offer_pause(user=who, days=3, **ours),
        lambda who: offer_pace(user=who, pace=FISCHER, **ours),
    ):
        for creator, answer in (
            (house.other, decline_offer),
            (house.reader, withdraw_offer),
        ):
            make(creator)
            yield from sent(house.now)
            answer(user=house.reader, **ours)
            yield from sent(house.now)
    game.offers.all().delete()  # what came to nothing cannot be offered again in this position
    offer_pace(user=house.other, pace=TOTAL, **ours)
    accept_offer(user=house.reader, **ours)
    yield from sent(house.now)
    for ended_by in (house.reader, None):
        offer_pause(user=house.other, days=7, **ours)
        accept_offer(user=house.reader, **ours)
        yield from sent(house.now)
        if ended_by:
            end_pause(user=ended_by, **ours)
        else:
            end_stops(now=house.now + 7 * DAY)
        yield from sent(house.now)
    grant_time(user=house.other, **ours)
    yield from sent(house.now)
    for kept in (False, True):
        freeze_undelivered(turn_number=0, user=house.reader, **ours)
        yield from sent(house.now)
        house.reader.refresh_from_db()
        if kept:
            end_stops(now=house.now + 60 * DAY)
        else:
            record_contact(house.reader, now=house.now)
        yield from sent(house.now)
    game.refresh_from_db()
    assert game.ending == "unreachable"


def test_every_mail_about_time(house):
    house.other.language = house.language
    house.other.save()
    mails = list(mails_about_time(house))
    assert {kind for kind, _ in mails} >= {Kind.OFFER, Kind.CLOCK, Kind.GAME_OVER}
    for _, text in mails:
        assert_speaks(house.language, text)
