"""How long a turn may last is said before anybody sits down: on pages and in mails."""

import re
from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from games.clock.durations import rounded_up_in_words
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.models import Game, Terms
from games.queries.turn_bounds import turn_bounds
from games.services.clock.added_time import grant_time
from games.services.invitations import challenge, invite, link_token
from games.services.tables import join_table
from tests.games.multiplayer import gather
from tests.games.play import DAY, begin, fresh, play, table
from tests.games.vacations import off_on
from tests.notifications.outgoing_mail import html_of, tell

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
FISCHER = TimeControl(PaceKind.FISCHER, allowance=DAY, bank=3 * DAY, cap=7 * DAY)
TOTAL = TimeControl(PaceKind.TOTAL, bank=30 * DAY)
VACATIONS = "On top come vacations: players may be away up to 30 days a year."
VACATIONS_FR = "Les vacances s’y ajoutent : on peut s’absenter jusqu’à 30 jours par an."


@pytest.fixture(autouse=True)
def at_now(now):
    with time_machine.travel(now, tick=False):
        yield


@pytest.fixture
def weekend(ann):
    """Ann, who is off on Saturday and Sunday: three days are five then."""
    off_on(ann, days_off=[5, 6], time_zone="UTC")
    ann.refresh_from_db()
    return ann


def loaded(game):
    return Game.objects.with_players().get(pk=game.pk)


def bounds(game, viewer, now):
    return turn_bounds(loaded(game), viewer, now=now)


def words(response):
    assert response.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def flat(text):
    return re.sub(r"\s+", " ", text)


# What is said ------------------------------------------------------------------------------------


def test_each_has_a_bound_from_their_own_week(weekend, bob, now):
    game = table(weekend, now=now, days=3)
    assert bounds(game, bob, now) == [
        "Each turn of ann lasts at most 5 days.",
        "Each of your turns lasts at most 3 days.",
        VACATIONS,
        "If somebody changes their days off or quiet hours, a turn lasts at most 6 days.",
    ]


def test_somebody_without_an_account_reads_of_the_others_alone(weekend, now):
    game = table(weekend, now=now, days=3)
    said = bounds(game, AnonymousUser(), now)
    assert said[:2] == ["Each turn of ann lasts at most 5 days.", VACATIONS]


def test_who_makes_a_table_reads_of_those_who_are_asked(ann, bob, cat, now):
    off_on(bob, quiet_from=time(20), quiet_until=time(8), time_zone="UTC")
    game = table(ann, now=now, days=3)
    challenge(game_id=game.pk, by=ann, user=bob, now=now)
    said = bounds(game, ann, now)[:2]
    assert said == [
        "Each turn of bob lasts at most 6 days.",
        "Each of your turns lasts at most 3 days.",
    ]
    assert not any("bob" in sentence for sentence in bounds(game, cat, now))


@pytest.mark.parametrize(
    ("pace", "longest"),
    [(per_turn(DAY), "1 day"), (FISCHER, "7 days"), (TOTAL, "30 days")],
)
def test_a_pace_bounds_a_turn_by_what_there_can_be_for_it(ann, bob, now, pace, longest):
    game = table(ann, now=now, terms=Terms(pace))
    assert bounds(game, bob, now)[0] == f"Each turn of ann lasts at most {longest}."


def test_where_no_days_off_count_they_lengthen_nothing(weekend, bob, now):
    terms = Terms(per_turn(3 * DAY), allows_days_off=False)
    said = bounds(table(weekend, now=now, terms=terms), bob, now)
    assert said[0] == "Each turn of ann lasts at most 3 days."
    assert len(said) == 3


def test_where_no_vacations_count_nobody_may_be_away(ann, bob, now):
    terms = Terms(per_turn(3 * DAY), allows_vacations=False)
    said = bounds(table(ann, now=now, terms=terms), bob, now)
    assert "Nobody may be away: the clock runs during vacations." in said


def test_where_the_site_has_no_vacations_nobody_may_be_away(ann, bob, now, settings):
    settings.VACATION_DAYS_A_YEAR = 0
    assert "Nobody may be away: the clock runs during vacations." in bounds(
        table(ann, now=now), bob, now
    )


def test_time_that_was_given_counts(ann, bob, now):
    game = begin(ann, bob, now=now, terms=Terms(FISCHER))
    for _ in range(5):
        grant_time(game_id=game.pk, user=bob, now=now)
    assert bounds(game, bob, now)[0] == "Each turn of ann lasts at most 8 days."


def test_a_watcher_of_a_game_that_runs_has_no_turns(ann, bob, cat, now):
    said = bounds(begin(ann, bob, now=now), cat, now)
    assert [sentence.partition(" lasts")[0] for sentence in said[:2]] == [
        "Each turn of ann",
        "Each turn of bob",
    ]


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (5 * DAY, "5 days"),
        (5 * DAY + timedelta(seconds=1), "5 days, 1 hour"),
        (23 * HOUR + timedelta(minutes=30), "1 day"),
        (HOUR, "1 hour"),
        (timedelta(minutes=1, microseconds=1), "2 minutes"),
    ],
)
def test_a_bound_is_rounded_up(span, said):
    with translation.override("en"):
        assert rounded_up_in_words(span) == said


def test_more_seats_cost_no_more_queries(people, now):
    def count(game):
        found = loaded(game)
        with CaptureQueriesContext(connection) as asked:
            turn_bounds(found, people[0], now=now)
        return len(asked)

    two = begin(*people[:2], now=now)
    assert count(two) == count(gather(people, now=now)) == 0
    asking = table(people[0], now=now)
    challenge(game_id=asking.pk, by=people[0], user=people[1], now=now)
    assert count(asking) == 1


# Where it is said --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "theirs", "mine", "away"),
    [
        (
            "en",
            "Each turn of ann lasts at most 5 days.",
            "Each of your turns lasts at most 3 days.",
            VACATIONS,
        ),
        (
            "fr",
            "Chaque tour de ann dure au plus 5 jours.",
            "Chacun de vos tours dure au plus 3 jours.",
            VACATIONS_FR,
        ),
    ],
)
def test_pages_and_mails_say_it_in_the_readers_language(
    client, weekend, bob, now, language, theirs, mine, away
):
    bob.language = language
    bob.save()
    game = table(weekend, now=now, days=3)
    invited = table(weekend, now=now, days=3)
    invitation = challenge(game_id=invited.pk, by=weekend, user=bob, now=now)
    client.force_login(bob)
    link = reverse("invitation", args=[link_token(invitation)])
    for path in (game.get_absolute_url(), invited.get_absolute_url(), link):
        page = words(client.get(path, headers={"accept-language": language}))
        assert theirs in page
        assert mine in page
        assert away in page
    mail.outbox.clear()
    tell(now)
    (message,) = (m for m in mail.outbox if m.to == [bob.email])
    for text in (message.body, html_of(message)):
        said = flat(re.sub(r"<[^>]+>", " ", text))
        assert theirs in said
        assert mine in said


@pytest.mark.parametrize(
    ("language", "theirs"),
    [
        ("en", "Each turn of ann lasts at most 5 days."),
        ("fr", "Chaque tour de ann dure au plus 5 jours."),
    ],
)
def test_an_invited_address_reads_of_the_others(client, weekend, now, language, theirs):
    weekend.language = language
    weekend.save()
    game = table(weekend, now=now, days=3)
    invitation = invite(game_id=game.pk, by=weekend, email="eve@example.net", now=now)
    link = reverse("invitation", args=[link_token(invitation)])
    page = words(client.get(link, headers={"accept-language": language}))
    assert theirs in page
    assert "your turns" not in page
    assert "vos tours" not in page
    mail.outbox.clear()
    tell(now)
    (message,) = (m for m in mail.outbox if m.to == ["eve@example.net"])
    assert theirs in flat(message.body)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "their turns last at most 5 days"), ("fr", "ses tours durent au plus 5 jours")],
)
def test_the_list_of_tables_says_it(client, weekend, now, language, said):
    table(weekend, now=now, days=3)
    for path in (reverse("lobby"), reverse("home")):
        assert said in words(client.get(path, headers={"accept-language": language}))


def test_the_page_of_a_table_for_a_stranger(client, weekend, now):
    game = table(weekend, now=now, days=3)
    page = words(client.get(game.get_absolute_url()))
    assert "Each turn of ann lasts at most 5 days." in page
    assert "your turns" not in page


# It holds ----------------------------------------------------------------------------------------


def test_a_turn_that_begins_with_days_off_ends_at_the_bound(weekend, bob, now):
    saturday = datetime(2026, 3, 14, tzinfo=UTC)
    game = table(bob, now=now, days=3)
    join_table(game_id=game.pk, user=weekend, now=saturday)
    play(game, bob, "5", now=saturday)
    assert fresh(game).deadline == saturday + 5 * DAY
