"""The pages of clubs and of their matches."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Audience
from accounts.server_time import server_now
from games.models import Club, ClubMatch, Game, Rating
from games.queries.clubs import club_page
from games.services.clubs.announcements import announce
from games.services.clubs.boards import run_clubs
from games.services.clubs.members import ask_for_membership
from games.services.clubs.tables import open_club_table
from tests.factories import PersonFactory
from tests.games.clubs.meeting import DAY, DAYS, agreed_match, club_of, roles, two_clubs

pytestmark = pytest.mark.django_db

FORM = {"pace": "turn", "days": "3", "allows_vacations": "on"}


def text_of(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def do(client, club, act, **data):
    return client.post(reverse("act_in_club", args=[club.slug]), {"act": act, **data})


@pytest.fixture
def dan(db):
    return PersonFactory(username="dan")


def test_a_club_is_opened_joined_and_closed_on_its_pages(as_ann, dan):
    client = Client()
    assert as_ann.post(reverse("new_club"), {"name": "x"}).status_code == 422
    answer = as_ann.post(reverse("new_club"), {"name": "Chess & Co", "description": "<i>Us</i>"})
    club = Club.objects.get()
    assert answer.url == club.get_absolute_url() == "/clubs/chess-co/"
    assert "Chess &amp; Co" in text_of(client.get(reverse("clubs")))
    assert "&lt;i&gt;Us" in client.get(club.get_absolute_url()).content.decode()
    client.force_login(dan)
    do(client, club, "ask")
    assert "have not answered yet" in text_of(client.get(club.get_absolute_url()))
    assert "Admit" in text_of(as_ann.get(club.get_absolute_url()))
    do(as_ann, club, "admit", person=dan.pk)
    do(as_ann, club, "manager", person=dan.pk)
    assert roles(club) == {"ann": "owner", "dan": "manager"}
    chosen = as_ann.get(f"{club.get_absolute_url()}?member={dan.pk}&act=hand-over").content.decode()
    assert 'value="hand-over"' in chosen
    do(client, club, "letters-off")
    assert "You do not get the letters" in text_of(client.get(club.get_absolute_url()))
    do(as_ann, club, "member", person=dan.pk)
    do(as_ann, club, "describe", name="Chess", description="")
    do(as_ann, club, "announce", text="Dear members")
    assert "Dear members" in text_of(client.get(club.get_absolute_url()))
    client.logout()
    assert "Dear members" not in text_of(client.get(club.get_absolute_url()))
    assert do(as_ann, club, "remove", person=dan.pk, text="").status_code == 422
    do(as_ann, club, "remove", person=dan.pk, text="Rude")
    assert do(as_ann, club, "leave").status_code == 409
    assert do(as_ann, club, "dance").status_code == 404
    assert 'value="close"' in as_ann.get(f"{club.get_absolute_url()}?act=close").content.decode()
    do(as_ann, club, "close")
    assert "was closed on" in text_of(client.get(club.get_absolute_url()))
    assert "Chess" not in text_of(client.get(reverse("clubs")))


def test_tables_are_seen_and_taken_by_members_alone(as_ann, ann, dan, cat):
    client, club = Client(), club_of(ann, dan, now=server_now())
    address = reverse("new_club_table", args=[club.slug])
    assert f"{address}?game=morpion" in as_ann.get(address).content.decode()
    assert as_ann.get(f"{address}?game=chess-of-mars").status_code in (404, 422)
    assert as_ann.post(address, {"game": "morpion", "step": "look", **FORM}).status_code == 200
    assert as_ann.post(address, {"game": "morpion", **FORM}).status_code == 302
    game = Game.objects.get()
    assert (game.is_public, game.club_table.club) == (False, club)
    for person, seen in ((cat, False), (dan, True)):
        client.force_login(person)
        page = client.get(club.get_absolute_url()).content.decode()
        assert ("Tables of the club" in page) is seen
        assert ('value="sit-down"' in page) is seen
        assert bool(club_page(club, person, now=server_now()).tables) is seen
        assert client.get(game.get_absolute_url()).status_code == 404
        assert do(client, club, "sit-down", game=game.pk).status_code == (302 if seen else 403)
    game.refresh_from_db()
    assert game.status == "active"
    assert 'value="sit-down"' not in client.get(club.get_absolute_url()).content.decode()


def test_a_match_from_the_challenge_to_its_table(client):
    now = server_now()
    (home, away), (hosts, guests) = two_clubs(now)
    client.force_login(hosts[0])
    address = reverse("challenge_club", args=[home.slug])
    assert f"{address}?against={away.slug}" in client.get(away.get_absolute_url()).content.decode()
    shown = client.get(f"{address}?against={away.slug}").content.decode()
    assert f"{address}?against={away.slug}&amp;game=morpion" in shown
    start = timezone.localtime(now + 3 * DAY)
    data = {"game": "morpion", "against": away.slug, "most_boards": 3, "game_days": 20, **FORM}
    early = data | {"starts_at": f"{timezone.localtime(now):%Y-%m-%dT%H:%M}"}
    assert client.post(address, early).status_code == 422
    client.post(address, data | {"starts_at": f"{start:%Y-%m-%dT%H:%M}"})
    match = ClubMatch.objects.get()
    path = reverse("act_in_club_match", args=[match.pk])
    assert "not accepted yet" in text_of(client.get(home.get_absolute_url()))
    assert client.post(path, {"act": "accept"}).status_code == 403
    for club, team in ((home, hosts), (away, guests)):
        for person in team[:2]:
            client.force_login(person)
            if person == guests[0]:
                assert "Accept the challenge" in text_of(client.get(match.get_absolute_url()))
                assert client.post(path, {"act": "accept"}).status_code == 302
            client.post(path, {"act": "enter", "club": club.pk})
    assert "You want to play in this match" in text_of(client.get(match.get_absolute_url()))
    client.post(path, {"act": "quit"})
    client.post(path, {"act": "enter", "club": away.pk})
    assert client.post(path, {"act": "dance"}).status_code == 404
    match.refresh_from_db()
    run_clubs(now=match.starts_at)
    client.logout()
    page = client.get(match.get_absolute_url())
    for row in match.boards.all():
        assert f'href="{reverse("game", args=[row.game_id])}"' in page.content.decode()
    assert "0 : 0" in text_of(page)
    french = text_of(client.get(match.get_absolute_url(), headers={"accept-language": "fr"}))
    assert "Plateaux" in french
    assert client.get(reverse("club_match", args=[match.pk + 1])).status_code == 404
    assert client.get(f"/clubs/matches/{2**70}/").status_code == 404


def test_the_order_by_rating_leaves_out_who_shows_no_results(as_ann, ann, bob, cat):
    now = server_now()
    club = club_of(ann, bob, cat, now=now)
    for person, mu in ((ann, 1500), (bob, 1800), (cat, 1600)):
        Rating.objects.create(
            player=person,
            rules_slug="morpion",
            table_kind="2",
            level=0,
            mu=mu,
            sigma=40,
            games=9,
            of_program=False,
            changed_at=now,
        )
    cat.results_shown_to = Audience.NOBODY
    cat.save()
    order = text_of(as_ann.get(club.get_absolute_url())).partition("Order by rating")[2]
    shown = order.partition("Members")[0]
    assert shown.index("bob") < shown.index("ann")
    assert "cat" not in shown
    assert "1800" in shown


def test_no_page_makes_more_queries_for_more_members(client, django_assert_max_num_queries):
    now = server_now()
    match, hosts, _guests = agreed_match(now - timedelta(days=3), size=6, most_boards=6)
    run_clubs(now=match.starts_at)
    club = match.home
    for number in range(4):
        ask_for_membership(club_id=club.pk, user=PersonFactory(username=f"asker{number}"), now=now)
        what = {"rules_slug": "morpion", "options": {}, "terms": DAYS, "now": now}
        open_club_table(club_id=club.pk, user=hosts[1], **what)
    announce(club_id=club.pk, user=hosts[0], text="Hello", now=now)
    client.force_login(hosts[0])
    for path, most in (
        (reverse("clubs"), 8),
        (club.get_absolute_url(), 20),
        (match.get_absolute_url(), 13),
    ):
        client.get(path)
        with django_assert_max_num_queries(most):
            assert client.get(path).status_code == 200
