"""What time each player has, and why the clock is stopped: on the page, in the reader's zone."""

import re
from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from accounts.models import Vacation
from games.clock.clock import StopReason
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.models import Outage, Terms
from games.models.game import CLOCK_COLUMNS
from games.queries.clock_display import clock_view
from games.queries.game_rows import due_in_words
from games.services.clock.game_clock import mover, recompute_deadline, stop_clock
from games.services.deadlines import time_out_due
from tests.factories import PersonFactory
from tests.games.multiplayer import gather, play_on
from tests.games.play import DAY, SECOND, begin, fresh, play
from tests.games.vacations import go_away, off_on

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
FISCHER = TimeControl(PaceKind.FISCHER, DAY, 7 * DAY, 14 * DAY)


def seen(game, now):
    """Return what each player has, and why the clock is stopped."""
    times = clock_view(fresh(game), now=now)
    return [time.left for time in times.seats], times.stopped


def page(client, person, game):
    client.force_login(person)
    response = client.get(game.get_absolute_url())
    assert response.status_code == 200
    return response.content.decode()


def words(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


# The times ---------------------------------------------------------------------------------------


def test_the_time_of_the_mover_runs_and_the_others_keep_theirs(ann, bob, now):
    game = begin(ann, bob, now=now, terms=Terms(FISCHER))
    assert seen(game, now) == ([7 * DAY, 7 * DAY], None)
    assert seen(game, now + 2 * DAY) == ([5 * DAY, 7 * DAY], None)
    play(game, ann, "5", now=now + 2 * DAY)
    assert seen(game, now + 3 * DAY) == ([6 * DAY, 6 * DAY], None)


def test_after_the_deadline_no_time_is_left_and_never_less(game, now):
    assert seen(game, now + 2 * DAY)[0] == [timedelta(0), 2 * DAY]
    assert seen(game, now + 50 * DAY)[0] == [timedelta(0), 2 * DAY]


def test_a_game_that_does_not_run_has_no_times(game, now):
    time_out_due(now=now + 3 * DAY)
    assert clock_view(fresh(game), now=now + 3 * DAY) is None


def test_only_who_plays_has_time(ann, bob, cat, now):
    game = play_on(gather([ann, bob, cat], now=now, variant="three"), 1, now=now)
    time_out_due(now=game.deadline + SECOND)
    times = clock_view(fresh(game), now=game.deadline + SECOND)
    assert [time.seat.user.username for time in times.seats] == ["ann", "cat"]


# Why it stands -----------------------------------------------------------------------------------


def test_a_day_off_says_so_until_it_ends(ann, bob):
    off_on(ann, days_off=[5, 6])
    friday = datetime(2026, 3, 13, 12, tzinfo=UTC)
    game = begin(ann, bob, now=friday)
    monday = datetime(2026, 3, 16, tzinfo=UTC)
    for moment in (datetime(2026, 3, 14, tzinfo=UTC), monday - SECOND):
        left, stopped = seen(game, moment)
        assert left[0] == 1.5 * DAY
        assert (stopped.why, stopped.until, stopped.name) == ("day-off", monday, "ann")
    assert seen(game, friday)[1] is None
    assert seen(game, monday)[1] is None


def test_where_the_deadline_is_further_away_than_what_is_left_it_says_why(ann, bob, client):
    """The weekend is that of 14 and 15 March, with two days for each turn."""
    off_on(ann, days_off=[5, 6])
    friday = datetime(2026, 3, 13, 12, tzinfo=UTC)
    game = begin(ann, bob, now=friday)
    days = (0, 1, 1.5, 2.5)
    there = [clock_view(fresh(game), now=friday + after * DAY) for after in days]
    assert [times.will_stop for times in there] == [True, False, False, False]
    with time_machine.travel(friday, tick=False):
        assert there[0].remark in words(page(client, ann, game))
    assert there[3].remark == ""


def test_a_vacation_behind_days_off_is_told_of_too(ann, bob):
    off_on(ann, days_off=[5, 6])
    friday = datetime(2026, 3, 13, 12, tzinfo=UTC)
    game = begin(ann, bob, now=friday)
    go_away(ann, friday + 3.5 * DAY, days=3, now=friday)
    assert clock_view(fresh(game), now=friday + DAY).will_stop
    assert not clock_view(fresh(game), now=friday + 4 * DAY).will_stop


def test_quiet_hours_say_so(ann, bob):
    off_on(ann, quiet_from=time(22), quiet_until=time(8), time_zone="Asia/Kathmandu")
    game = begin(ann, bob, now=datetime(2026, 3, 10, 12, tzinfo=UTC))
    _, stopped = seen(game, datetime(2026, 3, 10, 18, tzinfo=UTC))
    assert (stopped.why, stopped.until) == ("day-off", datetime(2026, 3, 11, 2, 15, tzinfo=UTC))


def test_a_vacation_says_so_until_it_ends(game, ann, now):
    Vacation.objects.create(user=ann, begins_at=now + HOUR, ends_at=now + 5 * DAY, announced_at=now)
    assert seen(game, now + HOUR - SECOND)[1] is None
    left, stopped = seen(game, now + 2 * DAY)
    assert left == [2 * DAY - HOUR, 2 * DAY]
    assert (stopped.why, stopped.until) == ("vacation", now + 5 * DAY)
    assert stopped.sentence == "ann is on vacation."
    assert seen(game, now + 5 * DAY)[1] is None


@pytest.mark.parametrize(
    ("begins", "ends", "seen_on", "until", "why"),
    [
        (12, 14, 13, 16, "vacation-and-days-off"),
        (16, 20, 14, 20, "vacation-and-days-off"),
        (12, 18, 14, 18, "vacation"),
        (17, 20, 14, 16, "day-off"),
    ],
)
def test_a_vacation_and_a_weekend_that_run_into_each_other_are_both_named(
    ann, bob, begins, ends, seen_on, until, why
):
    """The weekend is that of 14 and 15 March."""
    off_on(ann, days_off=[5, 6])
    march = [datetime(2026, 3, day, tzinfo=UTC) for day in range(1, 31)]
    game = begin(ann, bob, now=march[8])
    times = {"begins_at": march[begins - 1], "ends_at": march[ends - 1]}
    Vacation.objects.create(user=ann, announced_at=march[8], **times)
    _, stopped = seen(game, march[seen_on - 1] + HOUR)
    assert (stopped.why, stopped.until) == (why, march[until - 1])
    assert ("and days off" in stopped.sentence) == (why == "vacation-and-days-off")


def test_where_vacations_do_not_count_nobody_is_away(ann, bob, now):
    terms = Terms(per_turn(2 * DAY), allows_vacations=False, allows_days_off=False)
    off_on(ann, days_off=[1, 2])
    game = begin(ann, bob, now=now, terms=terms)
    Vacation.objects.create(user=ann, begins_at=now, ends_at=now + 5 * DAY, announced_at=now)
    assert seen(game, now + DAY) == ([DAY, 2 * DAY], None)


def test_an_outage_that_lasts_says_so_without_an_end(game, now):
    Outage.objects.create(kind="maintenance", began_at=now + HOUR, noted_at=now)
    left, stopped = seen(game, now + 5 * HOUR)
    assert left[0] == 2 * DAY - HOUR
    assert (stopped.why, stopped.until) == ("outage", None)


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (StopReason.PAUSED, "The players agreed on a pause."),
        (
            StopReason.UNDELIVERED,
            "No mail reaches ann. Their time resumes when they visit; "
            "they have at least a day then.",
        ),
        (StopReason.SUBSTITUTE, "A seat waits for somebody to take it over."),
        (StopReason.MODERATOR, "A moderator looks into this game."),
    ],
)
def test_each_stop_says_why_and_until_when(game, ann, now, why, said, client):
    until = timezone.now() + 3 * DAY
    stop_clock(game, why, wait=until - (now + HOUR), now=now + HOUR)
    game.save(update_fields=CLOCK_COLUMNS)
    left, stopped = seen(game, now + 9 * DAY)
    assert left == [2 * DAY - HOUR, 2 * DAY]
    assert (stopped.why, stopped.until, stopped.sentence) == (why, until, said)
    text = words(page(client, ann, game))
    assert "The clock is stopped until" in text
    assert said in text
    assert "the clock is stopped" in words(client.get("/").content.decode())


def test_a_zone_that_changes_in_the_middle_of_a_turn_creates_no_time(ann, bob):
    off_on(ann, days_off=[5, 6], time_zone="Pacific/Apia")
    game = begin(ann, bob, now=datetime(2026, 3, 12, 12, tzinfo=UTC))
    before = fresh(game).deadline
    off_on(ann, time_zone="America/Sao_Paulo")
    moved = fresh(game)
    recompute_deadline(moved, player=mover(moved), now=datetime(2026, 3, 13, 12, tzinfo=UTC))
    assert moved.deadline == before


# On the page -------------------------------------------------------------------------------------


def test_the_page_tells_each_reader_the_deadline_in_their_own_zone(client, ann, bob):
    game = begin(ann, bob, now=timezone.now(), days=2)
    deadline = game.deadline
    for person, zone in ((ann, "Europe/London"), (bob, "Europe/Paris")):
        html = page(client, person, game)
        local = timezone.localtime(deadline, person.zone)
        assert f'<time datetime="{local.isoformat()}">' in html
        assert f"({zone})" in html


def test_the_page_says_what_both_players_have(client, ann, bob):
    game = begin(ann, bob, now=timezone.now(), terms=Terms(FISCHER))
    text = words(page(client, ann, game))
    assert ", in 7 days. Playing time left: 6 days, 23 hours." in text
    assert "7 days from their next turn on" in text


def test_the_page_of_a_stand_in_says_for_whom_they_play(client, ann, bob, cat):
    now = timezone.now()
    dan = PersonFactory(username="dan")
    terms = Terms(per_turn(2 * DAY), on_timeout="partner")
    game = gather([ann, bob, cat, dan], now=now - 3 * DAY, variant="teams", terms=terms)
    game = play_on(game, 1, now=now - 2.5 * DAY)
    time_out_due(now=now)
    html = page(client, dan, game)
    assert "It is your turn, for bob." in words(html)
    assert "dan plays for them" in words(html)
    assert f'action="/games/{game.pk}/play/"' in html
    home = client.get("/").content.decode()
    assert home.index("Waiting for you") < home.index(f"/games/{game.pk}/")
    board = {"turn": "", "square": "a1", "expected_turn": "1"}
    assert client.get(reverse("game_preview", args=[game.pk]), board).status_code == 200
    client.force_login(bob)
    assert client.get(reverse("game_preview", args=[game.pk]), board).status_code == 409
    assert f'action="/games/{game.pk}/play/"' not in page(client, bob, game)


# Taking a seat over ------------------------------------------------------------------------------


@pytest.fixture
def sought(ann, bob, cat):
    """A seat of bob's that somebody may take over today."""
    now = timezone.now()
    terms = Terms(per_turn(2 * DAY), on_timeout="substitute")
    game = gather([ann, bob, cat], now=now - 4 * DAY, variant="three", terms=terms)
    game = play_on(game, 1, now=now - 3 * DAY)
    assert time_out_due(now=now - HOUR) == 1
    return fresh(game)


def test_a_stranger_sees_the_seat_on_the_page_of_tables_and_takes_it(client, sought):
    eve = PersonFactory(username="eve")
    client.force_login(eve)
    button = f'action="{reverse("seat_claim", args=[sought.pk])}"'
    assert button in client.get("/tables/").content.decode()
    html = page(client, eve, sought)
    assert button in html
    assert "The game is looking for a substitute for the player to move." in words(html)
    answer = client.post(reverse("seat_claim", args=[sought.pk]), follow=True)
    assert "The seat is yours. It is your turn." in words(answer.content.decode())
    assert fresh(sought).seats.get(number=1).user == eve
    assert button not in client.get("/tables/").content.decode()


def test_players_and_the_former_one_are_not_offered_the_seat(client, sought, ann, bob):
    address = reverse("seat_claim", args=[sought.pk])
    for person in (ann, bob):
        assert address not in page(client, person, sought)
        assert address not in client.get("/tables/").content.decode()
        assert client.post(address).status_code == 409
    assert fresh(sought).stop_reason == "substitute"


def test_who_is_not_signed_in_is_asked_to_and_a_get_takes_no_seat(client, sought):
    address = reverse("seat_claim", args=[sought.pk])
    signing_in = f"{reverse('account_login')}?next={sought.get_absolute_url()}"
    assert signing_in in client.get("/tables/").content.decode()
    assert client.post(address).url.startswith("/account")
    client.force_login(PersonFactory(username="eve"))
    assert client.get(address).status_code == 405
    assert fresh(sought).stop_reason == "substitute"


def test_while_a_seat_is_sought_nobody_is_offered_to_end_by_agreement(client, sought, ann):
    assert reverse("game_offer", args=[sought.pk]) not in page(client, ann, sought)


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (timedelta(), "the time is over"),
        (-DAY, "the time is over"),
        (SECOND, "due in less than a minute"),
        (60 * SECOND, "due in 1 minute"),
        (2 * DAY, "due in 2 days"),
    ],
)
def test_a_list_says_how_far_ahead_a_deadline_is_and_never_no_minutes(left, said, now):
    with time_machine.travel(now, tick=False):
        assert due_in_words(now + left, now).replace("\xa0", " ") == said
