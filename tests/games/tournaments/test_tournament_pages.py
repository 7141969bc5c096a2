"""The pages of tournaments: what they show, to whom, and what they cost."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Block
from accounts.server_time import server_now
from games.models import Tournament, TournamentGame
from games.services.endings import resign
from games.services.tournaments.rounds import run_tournaments
from tests.factories import PersonFactory
from tests.games.tournaments.simulation import DAY, join_all, open_one, started

LIST, NEW = "/tournaments/", "/tournaments/new/"


@pytest.fixture
def five(ann):
    return [ann, *(PersonFactory(username=f"p{number}") for number in range(4))]


def text_of(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def do(client, tournament, act, **more):
    return client.post(f"/tournaments/{tournament.pk}/do/", {"act": act} | more)


def form_for(now, **changed):
    start = timezone.localtime(now + 3 * DAY).strftime("%Y-%m-%dT%H:%M")
    return {
        "game": "morpion",
        "name": "Spring",
        "form": "knockout",
        "most_players": 8,
        "starts_at": start,
        "game_days": 10,
        "swiss_rounds": 5,
        "best_of": 3,
        "legs": 1,
        "group_size": 4,
        "pace": "turn",
        "days": 3,
        "allows_vacations": "on",
    } | changed


def test_a_player_opens_a_tournament_and_others_see_when_it_is_over(as_ann, ann, client):
    assert "Which game?" in text_of(as_ann.get(NEW))
    assert as_ann.get(f"{NEW}?game=morpion").status_code == 200
    now = server_now()
    assert as_ann.post(NEW, form_for(now, best_of=2)).status_code == 422
    assert as_ann.post(NEW, form_for(now - 30 * DAY)).status_code == 422
    assert as_ann.post(NEW, form_for(now, game="chess")).status_code in (404, 422)
    answer = as_ann.post(NEW, form_for(now))
    made = Tournament.objects.get()
    assert answer.url == made.get_absolute_url()
    assert (made.opened_by, made.name, made.best_of, made.allows_days_off) == (
        ann,
        "Spring",
        3,
        False,
    )
    page = text_of(client.get(made.get_absolute_url()))
    last = timezone.localtime(made.starts_at + 3 * 3 * 10 * DAY)  # three rounds of three games
    assert f"is over on {last:%A} {last.day} {last:%B %Y}" in page
    assert made.seed_hash in page
    assert made.seed not in page
    assert "Spring" in text_of(client.get(LIST))


def test_join_leave_and_cancel(as_ann, ann, five, client):
    tournament = open_one(five[1], server_now())
    page = text_of(as_ann.get(tournament.get_absolute_url()))
    assert "plays up to 1 game at once" in page
    assert do(as_ann, tournament, "join").status_code == 302
    assert tournament.entrants.get().user == ann
    assert "You play in this tournament" in text_of(as_ann.get(tournament.get_absolute_url()))
    assert 'value="leave"' not in as_ann.get(tournament.get_absolute_url()).content.decode()
    asks = as_ann.get(f"{tournament.get_absolute_url()}?act=leave").content.decode()
    assert 'value="leave"' in asks
    assert do(as_ann, tournament, "dance").status_code == 404
    assert do(as_ann, tournament, "cancel").status_code == 403
    assert do(as_ann, tournament, "leave").status_code == 302
    assert not tournament.entrants.exists()
    client.force_login(five[1])
    asks = client.get(f"{tournament.get_absolute_url()}?act=cancel").content.decode()
    assert 'value="cancel"' in asks
    assert do(client, tournament, "cancel").status_code == 302
    assert "was cancelled" in text_of(client.get(tournament.get_absolute_url()))


def test_one_by_link_is_seen_by_nobody_else(as_ann, ann, five, client):
    tournament = open_one(five[1], server_now(), by_link=True)
    address = tournament.get_absolute_url()
    assert client.get(address).status_code == as_ann.get(address).status_code == 404
    assert client.get(f"{address}?key=wrong").status_code == 404
    assert address not in as_ann.get(LIST).content.decode()
    assert do(as_ann, tournament, "join").status_code == 404
    link = f"{address}?key={tournament.key}"
    assert client.get(link).status_code == 200
    assert tournament.key in as_ann.get(link).content.decode()
    assert do(as_ann, tournament, "join", key=tournament.key).status_code == 302
    assert as_ann.get(address).status_code == 200
    assert address in as_ann.get(LIST).content.decode()


def test_each_game_is_a_click_away_in_the_cross_table(client, five, now):
    tournament, start = started(five, now, "round-robin")
    row = TournamentGame.objects.first()
    resign(game_id=row.game_id, user=row.second.user, now=start)
    page = client.get(tournament.get_absolute_url()).content.decode()
    assert TournamentGame.objects.count() == 10
    for game in TournamentGame.objects.all():
        assert page.count(f'href="{reverse("game", args=[game.game_id])}"') == 2
    first = page.split("<tbody>")[1].split("</tr>")[0]
    assert row.first.user.username in first
    assert "<strong>2</strong>" in first
    assert tournament.seed in page


@pytest.mark.parametrize("form", ["swiss", "knockout", "groups"])
def test_rounds_show_every_game_who_is_free_and_who_goes_on(client, five, now, form):
    tournament, start = started(five, now, form, group_size=3)
    for row in TournamentGame.objects.exclude(game=None).order_by("pk"):
        resign(game_id=row.game_id, user=row.second.user, now=start)
    run_tournaments(now=start)
    assert tournament.rounds.count() == 2
    page = client.get(tournament.get_absolute_url()).content.decode()
    for game in TournamentGame.objects.exclude(game=None):
        assert reverse("game", args=[game.game_id]) in page
    said = text_of(client.get(tournament.get_absolute_url()))
    assert "Round 2" in said
    assert (">free<" in page) is (form != "groups")
    assert ("goes on" in said) is (form != "swiss")


def test_one_that_is_over_names_its_winner_in_both_languages(client, five, now):
    tournament, start = started(five[:3], now, "round-robin")
    best = tournament.entrants.first()
    for row in TournamentGame.objects.select_related("first__user", "second__user"):
        loser = row.first if row.second == best else row.second
        resign(game_id=row.game_id, user=loser.user, now=start)
    run_tournaments(now=start)
    address = tournament.get_absolute_url()
    assert f"{best.user.username} has won it" in text_of(client.get(address))
    french = text_of(client.get(address, headers={"accept-language": "fr"}))
    assert f"{best.user.username} l’a remporté" in french


def test_who_has_blocked_a_player_is_told_so_before_joining_and_the_other_is_not(
    as_ann, ann, five, client
):
    tournament = open_one(five[1], server_now())
    join_all(tournament, five[1:3], server_now())
    Block.objects.create(by=ann, of=five[2], at=server_now())
    assert "You have blocked" in text_of(as_ann.get(tournament.get_absolute_url()))
    client.force_login(five[2])
    join_all(tournament, [ann], server_now())
    assert "You have blocked" not in text_of(client.get(tournament.get_absolute_url()))


def test_too_few_players_are_said(client, five, now):
    tournament, _ = started(five[:2], now)
    assert "too few players" in text_of(client.get(tournament.get_absolute_url()))


@pytest.mark.parametrize("form", ["round-robin", "swiss", "knockout", "groups"])
def test_no_page_makes_more_queries_for_more_players(
    as_ann, ann, now, form, django_assert_max_num_queries
):
    people = [ann, *(PersonFactory(username=f"many{number:02}") for number in range(11))]
    tournament, _ = started(people, now - timedelta(days=1), form)
    for path, most in ((LIST, 6), (tournament.get_absolute_url(), 10)):
        as_ann.get(path)
        with django_assert_max_num_queries(most):
            assert as_ann.get(path).status_code == 200
