"""How many games wait for whoever looks, on every page, and the way from one to the next."""

import re

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.clock.time_control import per_turn
from games.models import Seat, Terms
from games.models.seat import awaiting_count
from games.moderation.game_actions import reopen_game
from games.queries.home import home_page
from games.queries.seats import count_awaiting, game_for
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.offers import accept_offer, offer_pause
from tests.games.browsing import html_of
from tests.games.moderating import WHY, a_moderator, lose_on_time
from tests.games.multiplayer import gather, play_on
from tests.games.play import DAY, SECOND, begin, fresh, play, play_all, table

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def now():
    """What pages take for the present."""
    return timezone.now()


def counted(user, games):
    """Return how many games wait, as a page counts them; the home page and games must agree."""
    count = count_awaiting(user)
    assert count == len(home_page(user).awaiting)
    assert {game_for(game.pk, user).awaiting_count for game in games} <= {count}
    return count


def shown(html):
    """Return the number and the hidden words beside "My games"."""
    found = re.search(r'id="awaiting-count".{,500}', html, re.DOTALL)
    number = re.search(r'class="nav-count">(\d+)<', found[0])
    words = re.search(r'class="visually-hidden">([^<]+)<', found[0])
    return (int(number[1]), words[1]) if number else None


def test_a_game_counts_while_its_turn_is_the_users(ann, bob, now):
    first, second = begin(ann, bob, now=now), begin(ann, bob, now=now)
    begin(bob, ann, now=now)
    games = [first, second]
    table(ann, now=now)
    assert (counted(ann, games), counted(bob, games)) == (2, 1)
    play(first, ann, "5", now=now)
    assert (counted(ann, games), counted(bob, games)) == (1, 2)
    resign(game_id=second.pk, user=ann, now=now)
    assert (counted(ann, games), counted(bob, games)) == (0, 2)


def test_the_seat_of_a_partner_counts_and_one_that_was_left_does_not(people, now):
    terms = Terms(per_turn(2 * DAY), on_timeout="partner")
    game = play_on(gather(people, now=now, variant="teams", terms=terms), 1, now=now)
    bob, dan = people[1], people[3]
    assert (counted(bob, [game]), counted(dan, [game])) == (1, 0)
    assert time_out_due(now=game.deadline + SECOND) == 1
    assert Seat.objects.get(game=game, number=1).played_by_partner == dan
    assert (counted(bob, [game]), counted(dan, [game])) == (0, 1)
    Seat.objects.filter(game=game, number=1).update(left_at=None)
    assert (counted(bob, [game]), counted(dan, [game])) == (0, 1)


def test_a_vacant_seat_waits_for_nobody(people, now):
    terms = Terms(per_turn(2 * DAY), on_timeout="substitute")
    game = play_on(gather(people, now=now, terms=terms), 4, now=now)
    assert counted(people[0], [game]) == 1
    time_out_due(now=game.deadline + SECOND)
    assert fresh(game).stop_reason == "substitute"
    assert counted(people[0], [game]) == 0


def test_a_reopened_game_counts_again(ann, bob, now):
    game = lose_on_time(play_all(begin(ann, bob, now=now), ["5", "1"], now=now), now=now)
    assert Seat.objects.filter(game=game, place=None).count() == 0
    assert counted(ann, [game]) == 0
    with transaction.atomic():
        reopen_game(game_id=game.pk, by=a_moderator("zoe"), why=WHY, now=now)
    assert counted(ann, [game]) == 1


@pytest.mark.parametrize("path", ["/", "/tables/", "/rules/", "/settings/time/"])
def test_every_page_counts(as_ann, ann, bob, now, path):
    assert shown(html_of(as_ann, path)) is None
    begin(ann, bob, now=now)
    assert shown(html_of(as_ann, path)) == (1, "My games, 1 waiting for you")
    begin(ann, bob, now=now)
    assert shown(html_of(as_ann, path)) == (2, "My games, 2 waiting for you")
    assert "awaiting-count" not in html_of(Client(), path if path.count("/") < 3 else "/rules/")


def test_a_turn_that_is_played_in_the_page_counts_anew(as_ann, ann, bob, now):
    game, _other = begin(ann, bob, now=now), begin(ann, bob, now=now)
    assert shown(html_of(as_ann, game.get_absolute_url())) == (2, "My games, 2 waiting for you")
    sent = {"text": "5", "expected_turn": 0}
    answer = as_ann.post(reverse("game_play", args=[game.pk]), sent, headers=HTMX)
    html = answer.content.decode()
    assert 'id="awaiting-count" hx-swap-oob="true"' in html
    assert shown(html) == (1, "My games, 1 waiting for you")


def led_on(client, **query):
    """Return where the address of the next game leads, and what is told there."""
    answer = client.get(reverse("next_game"), query, follow=True)
    told = [str(one) for one in answer.context.get("messages", ())]
    return answer.redirect_chain[0][0], told


@pytest.fixture
def three(ann, bob, now):
    """Three games that wait for ann, by deadline; they did not begin in that order."""
    games = [begin(ann, bob, now=now, days=days) for days in (7, 2, 14)]
    return [games[1], games[0], games[2]]


def test_the_next_game_is_that_with_the_next_deadline(as_ann, ann, bob, three, now):
    begin(bob, ann, now=now, days=1)
    paths = [game.get_absolute_url() for game in three]
    for game, then in zip(three, [*paths[1:], paths[0]], strict=True):
        assert led_on(as_ann, after=game.pk) == (then, [])
    for after in ("", "x", "9" * 30, "0"):
        assert led_on(as_ann, after=after) == (paths[0], [])
    play(three[1], ann, "5", now=now)
    assert led_on(as_ann, after=three[1].pk) == (paths[0], [])
    assert led_on(as_ann, after=three[0].pk) == (paths[2], [])


def test_a_game_whose_clock_is_stopped_comes_last(as_ann, ann, bob, three, now):
    pause = {"game_id": three[0].pk, "now": now}
    offer_pause(**pause, user=ann, days=3)
    accept_offer(**pause, user=bob)
    assert fresh(three[0]).deadline is None
    assert led_on(as_ann, after=three[2].pk)[0] == three[0].get_absolute_url()


def test_without_another_game_it_leads_to_my_games(as_ann, ann, bob, now):
    game = begin(ann, bob, now=now)
    assert led_on(as_ann, after=game.pk) == ("/", ["No other game is waiting for you."])
    play(game, ann, "5", now=now)
    assert led_on(as_ann, after=game.pk) == ("/", ["Well done: no game is waiting for you."])


def test_a_seat_that_was_left_is_no_next_game(people, client, now):
    terms = Terms(per_turn(2 * DAY), on_timeout="substitute")
    game = play_on(gather(people, now=now, terms=terms), 4, now=now)
    client.force_login(people[0])
    assert led_on(client)[0] == game.get_absolute_url()
    time_out_due(now=game.deadline + SECOND)
    assert led_on(client)[0] == "/"


def link_to_next(html):
    """Return the words and the look of the link to the next game."""
    link = r'<a class="(game-next[^"]*)"([^>]*data-key="n"[^>]*)>([^<]+)<'
    found = re.search(link, html)
    if found is None:
        return None
    return found[3].strip(), found[1], re.search(r'href="([^"]+)"', found[2])[1]


def test_a_game_leads_to_the_next_one(as_ann, ann, bob, three, now):
    path, here = three[0].get_absolute_url(), f"/next/?after={three[0].pk}"
    skip = ("Skip (2)", "game-next", here)
    assert link_to_next(html_of(as_ann, path)) == skip
    sent = {"text": "5", "expected_turn": 0}
    answer = as_ann.post(reverse("game_play", args=[three[0].pk]), sent, headers=HTMX)
    then = ("Next game (2)", "game-next button button-small button-primary", here)
    assert link_to_next(answer.content.decode()) == link_to_next(html_of(as_ann, path)) == then
    assert link_to_next(html_of(as_ann, f"{path}turns/0/")) is None
    for game in three[1:]:
        assert link_to_next(html_of(as_ann, path)) is not None
        play(game, ann, "5", now=now)
    assert link_to_next(html_of(as_ann, path)) is None


def test_a_stranger_has_no_next_game(client, three):
    assert link_to_next(html_of(client, three[0].get_absolute_url())) is None


def test_the_count_reads_by_index(ann):
    with connection.cursor() as cursor:
        how = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
        values = {"user": ann.pk, "now": "2026-11-23", "in_a_day": "2026-11-24"}
        cursor.execute(f"{how} SELECT {awaiting_count('%(user)s')}", values)
        plan = "\n".join(str(row[-1]) for row in cursor.fetchall())
    assert not re.search(r"Seq Scan|SCAN (own|other|waits)", plan), plan
    assert re.search(r"user_id\W*=", plan), plan
