"""Profiles: results, answering times and games, each for whom the player chose, and their cost."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.models import User
from games.models import Game, KindResults, OpponentResults, Seat, Turn
from games.services.conduct.blocks import block
from games.services.conduct.follows import follow_player
from games.services.endings import resign
from games.services.result_counts import wrong_counts
from games.services.takebacks import undo_turn
from tests.bench.reads import rows_read
from tests.factories import GuestFactory
from tests.games.browsing import html_of, post
from tests.games.play import DAY, SECOND, begin, play, play_all
from tests.games.vacations import go_away

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
MOST_QUERIES = 8
DRAW = ["1", "2", "3", "5", "4", "6", "8", "7", "9"]

VIEWERS = ["nobody", "guest", "cat", "bob", "ann"]
SHOWN_TO = {
    "everybody": VIEWERS,
    "members": ["cat", "bob", "ann"],
    "nobody": ["ann"],
}
"""Who sees what ann shows to an audience."""


def words(html):
    """Return what a page says, without the tags."""
    return " ".join(strip_tags(html).split())


def table_rows(html, heading):
    """Return the rows of the table under a heading, as the texts of their cells."""
    _before, *found = html.split(f'aria-labelledby="{heading}"')
    section = found[0].split("</section>")[0] if found else ""
    rows = re.findall(r"<tr>(.*?)</tr>", section, re.DOTALL)
    return [words(row).split() for row in rows]


def see(client, people, viewer, path="/people/ann/"):
    """Return the page as one of VIEWERS sees it."""
    client.logout()
    if viewer != "nobody":
        client.force_login(people[viewer])
    return html_of(client, path)


@pytest.fixture
def viewers(ann, bob, cat):
    """Everybody but the stranger, by name; they read English."""
    bob.language = "en"
    bob.save()
    return {"ann": ann, "bob": bob, "cat": cat, "guest": GuestFactory()}


@pytest.fixture
def results(ann, bob, cat, partner):
    """Ann's games: won, drawn and lost against bob, won against cat, lost against a bot."""
    now = timezone.now()
    for loser in (ann, bob):
        resign(game_id=begin(ann, bob, now=now).pk, user=loser, now=now)
    play_all(begin(ann, bob, now=now), DRAW, now=now)
    resign(game_id=begin(ann, cat, now=now, slug="taquet").pk, user=cat, now=now)
    resign(game_id=begin(ann, partner, now=now).pk, user=ann, now=now)
    begin(ann, bob, now=now)


def test_results_by_game_and_opponent(client, results, viewers):
    html = see(client, viewers, "nobody")
    assert table_rows(html, "results")[1:] == [
        ["Morpion", "3", "1", "1", "1"],
        ["Taquet", "1", "1", "0", "0"],
        ["All", "games", "4", "2", "1", "1"],
    ]
    assert table_rows(html, "opponents")[1:] == [
        ["bob", "3", "1", "1", "1"],
        ["cat", "1", "1", "0", "0"],
    ]
    said = words(html)
    assert "Being played 1 game " in said
    assert "4 of 4 games finished without running out of time" in said
    assert "Your games together" not in said
    assert "Challenge" not in said


def test_a_player_sees_their_results_against_another(client, results, viewers):
    said = words(see(client, viewers, "bob"))
    assert "You won 1, drew 1 and lost 1 of 3 games of two against ann." in said
    link = re.search(r'href="(/finished/\?with=ann)"', see(client, viewers, "bob"))[1]
    found = html_of(client, link)
    assert found.count('class="game-row-title"') == 3
    assert "Only games with ann." in words(found)
    assert "Your games together" not in words(see(client, viewers, "ann"))
    own = see(client, viewers, "ann")
    assert re.findall(r"/finished/\?with=\w+", own) == [
        "/finished/?with=bob",
        "/finished/?with=cat",
    ]
    assert html_of(client, "/finished/?with=cat").count('class="game-row-title"') == 1
    assert html_of(client, "/finished/?with=ca").count('class="game-row-title"') == 0
    assert html_of(client, "/finished/?with=ann").count('class="game-row-title"') == 0


@pytest.mark.parametrize("audience", SHOWN_TO)
def test_each_part_is_shown_to_whom_the_player_chose(client, results, ann, viewers, audience):
    answers(ann, viewers["bob"], [HOUR] * 10)
    for field, mark in (
        ("results_shown_to", 'id="results"'),
        ("results_shown_to", 'id="opponents"'),
        ("results_shown_to", "Being played"),
        ("results_shown_to", "without running out of time"),
        ("times_shown_to", "<dt>Answers</dt>"),
    ):
        User.objects.filter(pk=ann.pk).update(
            results_shown_to="everybody", times_shown_to="everybody", games_shown_to="everybody"
        )
        User.objects.filter(pk=ann.pk).update(**{field: audience})
        for viewer in VIEWERS:
            html = see(client, viewers, viewer)
            is_shown = viewer in SHOWN_TO[audience]
            assert (mark in html) == is_shown, (field, viewer)
            assert ("does not show everything" in html) == (not is_shown)


def games_listed(html):
    return {
        int(pk) for pk in re.findall(r'<h3 class="game-row-title">\s*<a href="/games/(\d+)/', html)
    }


@pytest.mark.parametrize("audience", SHOWN_TO)
def test_the_list_of_games_is_shown_to_whom_the_player_chose(client, ann, viewers, audience):
    now = timezone.now()
    game = begin(ann, viewers["bob"], now=now)
    hidden = begin(ann, viewers["bob"], now=now, is_public=False)
    User.objects.filter(pk=ann.pk).update(games_shown_to=audience)
    for viewer in VIEWERS:
        listed = games_listed(see(client, viewers, viewer))
        if viewer == "ann":
            assert listed == {game.pk, hidden.pk}
        elif viewer in SHOWN_TO[audience]:
            assert listed == {game.pk}
        else:  # an opponent always sees the games that they share
            assert listed == ({game.pk, hidden.pk} if viewer == "bob" else set())
        # A public game stays public at its own address.
        assert html_of(client, game.get_absolute_url())


@pytest.mark.parametrize("audience", SHOWN_TO)
def test_an_opponents_profile_does_not_show_what_ann_hides(client, results, ann, viewers, audience):
    User.objects.filter(pk=ann.pk).update(results_shown_to=audience)
    for viewer in VIEWERS:
        rows = table_rows(see(client, viewers, viewer, "/people/cat/"), "opponents")
        is_shown = viewer in (*SHOWN_TO[audience], "cat")
        assert [row[-4:] for row in rows if row[0] == "ann"] == [["1", "0", "0", "1"]] * is_shown


# How fast somebody answers -----------------------------------------------------------------------


def answers(player, other, took):
    """Let `player` answer in a game that is over, each turn after so long."""
    now, waits = timezone.now() - 300 * DAY, list(took)
    while waits:
        game = begin(player, other, now=now, days=14)
        for text in DRAW[:8]:
            mine = game.turn_number % 2 == 0
            now += (waits.pop(0) if waits else timedelta()) if mine else SECOND
            game = play_all(game, [text], now=now)
        resign(game_id=game.pk, user=other, now=now)


def test_how_fast_somebody_answers(client, ann, bob, viewers):
    answers(ann, bob, [HOUR] * 7 + [5 * HOUR] * 10 + [2 * DAY] * 2 + [9 * DAY])
    said = words(see(client, viewers, "cat"))
    assert "usually within 5 hours, nine turns of ten within 2 days" in said
    assert "the newest 20 turns in games against people that are over" in said


def test_a_few_turns_say_nothing(client, ann, bob, viewers):
    answers(ann, bob, [HOUR] * 8)
    assert "<dt>Answers</dt>" not in see(client, viewers, "cat")


def test_turns_against_bots_after_takebacks_and_in_running_games_do_not_count(
    client, ann, bob, partner, viewers
):
    answers(ann, bob, [HOUR] * 12)
    now = timezone.now()
    against_bot = begin(ann, partner, now=now, days=14)
    play(against_bot, ann, "5", now=now + 9 * DAY)
    resign(game_id=against_bot.pk, user=ann, now=now + 9 * DAY)
    game = play_all(begin(ann, bob, now=now, days=14), ["5"], now=now + 9 * DAY)
    undo_turn(game_id=game.pk, user=ann, now=now + 9 * DAY)
    play(game, ann, "1", now=now + 9 * DAY + SECOND)
    said = words(see(client, viewers, "cat"))
    assert "usually within 1 hour, nine turns of ten within 1 hour" in said
    assert "the newest 12 turns" in said
    resign(game_id=game.pk, user=bob, now=now + 9 * DAY + SECOND)
    assert "the newest 13 turns" in words(see(client, viewers, "cat"))


# What one can do ---------------------------------------------------------------------------------


def actions(html):
    """Return the links and buttons of a profile's card, in order."""
    card = html.split('<article class="card medium">')[1].split("</article>")[0]
    found = re.findall(
        r"<(?:a|button)\b[^>]*>(.*?)</(?:a|button)>|<summary>(.*?)</summary>", card, re.DOTALL
    )
    return [words(" ".join(one)) for one in found]


def test_what_one_can_do(client, ann, bob, viewers, partner):
    common = ["Challenge", "Follow", "Report to the moderators", "Block", "Block ann"]
    assert actions(see(client, viewers, "bob")) == common
    assert actions(see(client, viewers, "nobody")) == actions(see(client, viewers, "guest")) == []
    assert actions(see(client, viewers, "ann")) == ["Settings", "What others see"]
    assert actions(see(client, viewers, "ann", f"/people/{partner.username}/")) == ["Challenge"]
    follow_player(by=bob, of=ann, now=timezone.now())
    assert actions(see(client, viewers, "bob"))[1] == "Stop following"
    block(by=bob, of=ann, now=timezone.now())
    assert actions(see(client, viewers, "bob")) == ["Unblock", "Report to the moderators"]
    assert actions(see(client, viewers, "ann", "/people/bob/")) == [
        *("Challenge", "Follow", "Report to the moderators", "Block", "Block bob")
    ]
    ann.is_active = False
    ann.save()
    assert actions(see(client, viewers, "cat")) == common[2:]


def test_a_challenge_from_a_profile_names_the_player(client, ann, viewers):
    html = see(client, viewers, "bob")
    form = html_of(client, re.search(r'href="(/tables/new/[^"]+)"', html)[1].replace("&amp;", "&"))
    link = re.search(r'href="(/tables/new/\?[^"]*game=morpion[^"]*)"', form)[1]
    table = html_of(client, link.replace("&amp;", "&"))
    assert re.search(r'value="player"[^>]*checked', table)
    assert re.search(r'name="name"[^>]*value="ann"', table)


def test_following_and_back(as_ann, ann, bob):
    answer = post(as_ann, "follow", bob.pk, do="follow")
    assert answer.url == "/people/bob/"
    assert "You follow bob. Nobody else sees this." in html_of(as_ann, answer.url)
    answer = post(as_ann, "follow", bob.pk, do="end", **{"from": "people"})
    assert answer.url == "/people/"
    assert "You no longer follow bob." in html_of(as_ann, answer.url)


# The settings ------------------------------------------------------------------------------------


def test_the_settings_are_saved_and_wrong_ones_refused(as_ann, ann):
    chosen = {
        "results_shown_to": "nobody",
        "times_shown_to": "everybody",
        "games_shown_to": "members",
    }
    assert post(as_ann, "public_profile", **chosen).status_code == 302
    ann.refresh_from_db()
    assert (ann.results_shown_to, ann.times_shown_to, ann.games_shown_to) == tuple(chosen.values())
    assert (ann.is_findable, ann.takes_strangers) == (False, False)
    answer = post(as_ann, "public_profile", **chosen | {"results_shown_to": "strangers"})
    assert "field-error" in answer.content.decode()
    assert (
        post(as_ann, "public_profile", **chosen, is_findable="on", is_bot="on").status_code == 302
    )
    ann.refresh_from_db()
    assert (ann.is_findable, ann.takes_strangers, ann.is_bot) == (True, False, False)


# What it costs -----------------------------------------------------------------------------------


def queries_of(client, path):
    """Return the statements that a page makes for a user who has visited the site just now."""
    html_of(client, "/rules/")
    with CaptureQueriesContext(connection) as captured:
        html_of(client, path)
    return [one["sql"] for one in captured if "SAVEPOINT" not in one["sql"]]


def fill(player, others, games):
    """Write so many finished games of a player as rows, with a turn each, and their counts."""
    now = timezone.now()
    what = {
        "creator": player,
        "allowance": DAY,
        "created_at": now - 9 * DAY,
        "started_at": now - DAY,
    }
    over = {"status": "finished", "ending": "resigned", "rules_slug": "morpion", "turn_number": 1}
    made = Game.objects.bulk_create(
        [Game(**what, **over, ended_at=now - timedelta(minutes=number)) for number in range(games)],
        batch_size=1000,
    )
    Seat.objects.bulk_create(
        [
            Seat(game=game, number=seat, user=who, place=1 + seat, ended_at=game.ended_at)
            for number, game in enumerate(made)
            for seat, who in enumerate((player, others[number % len(others)]))
        ],
        batch_size=1000,
    )
    turn = {"number": 1, "seat": 0, "player": player, "notation": "5", "via": "web"}
    played_at = {"played_at": now - DAY + HOUR, "hash": "0" * 64}
    turns = [Turn(game=game, **turn, **played_at) for game in made]
    Turn.objects.bulk_create(turns, batch_size=1000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert list(wrong_counts(repair=True))


@pytest.fixture
def crowd(ann):
    """Thirty opponents of ann."""
    return User.objects.bulk_create(
        [User(username=f"opponent{number}", email="") for number in range(30)]
    )


@pytest.mark.parametrize("viewer", ["ann", "bob"])
def test_a_profile_costs_the_same_with_ten_games_and_a_thousand(client, viewers, crowd, viewer):
    ann = viewers["ann"]
    client.force_login(viewers[viewer])
    fill(ann, [viewers["bob"], *crowd], 20)
    few = queries_of(client, "/people/ann/")
    fill(ann, [viewers["bob"], *crowd], 1000)
    many = queries_of(client, "/people/ann/")
    assert len(many) == len(few) <= MOST_QUERIES, many
    html = html_of(client, "/people/ann/")
    assert table_rows(html, "results")[1] == ["Morpion", "1020", "1020", "0", "0"]
    assert len(table_rows(html, "opponents")) == 1 + 10
    assert "usually within 1 hour" in words(html)


def test_a_player_who_is_away_costs_no_more_than_allowed(client, viewers):
    ann, now = viewers["ann"], timezone.now()
    go_away(ann, now, now=now)
    client.force_login(viewers["bob"])
    made = queries_of(client, "/people/ann/")
    assert len(made) <= MOST_QUERIES, made
    assert "is away until" in html_of(client, "/people/ann/")


MANY = 10_000
MOST_READ = 300
"""The most rows of a table that a profile reads, however many games its player has finished."""


@pytest.mark.postgresql
@pytest.mark.slow
def test_ten_thousand_finished_games_are_read_by_index(client, viewers, crowd):
    client.force_login(viewers["bob"])
    fill(viewers["ann"], [viewers["bob"], *crowd], MANY)
    made = queries_of(client, "/people/ann/")
    assert len(made) <= MOST_QUERIES, made
    read = {sql: rows_read(sql) for sql in made if sql.lstrip().startswith("SELECT")}
    much = {sql: rows for sql, rows in read.items() if max(rows.values(), default=0) > MOST_READ}
    assert not much
    assert KindResults.objects.get(player=viewers["ann"]).played == MANY
    assert OpponentResults.objects.filter(player=viewers["ann"]).count() == 31
