"""The pages of a link to a table: making it, copying it, opening it, sitting down."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game, TableLink
from games.services.tables import create_link, token_of_link
from tests.factories import GuestFactory
from tests.games.browsing import html_of, post
from tests.games.play import fresh, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(ann):
    """Ann's private table."""
    return table(ann, now=timezone.now(), is_public=False)


@pytest.fixture
def path(waiting, ann):
    """The path of the link to the table."""
    link = create_link(game_id=waiting.pk, by=ann, now=timezone.now())
    return reverse("table_link", args=[token_of_link(link)])


def link_on(page):
    found = re.findall(r'type="url"\s+readonly\s+value="([^"]+)"', page)
    assert len(found) <= 1
    return found[0].removeprefix(settings.SITE_URL) if found else ""


def test_the_creator_makes_replaces_and_cancels_a_link(as_ann, waiting):
    own = waiting.get_absolute_url()
    assert link_on(html_of(as_ann, own)) == ""
    shown = []
    for _ in range(2):
        answer = as_ann.post(reverse("table_change_link", args=[waiting.pk]), {"do": "create"})
        assert answer["Location"] == own
        shown.append(link_on(html_of(as_ann, own)))
    assert link_on(html_of(as_ann, own)) == shown[1]
    assert Client().get(shown[0]).status_code == 404
    assert Client().get(shown[1]).status_code == 200
    post(as_ann, "table_change_link", waiting.pk, do="revoke")
    assert link_on(html_of(as_ann, own)) == ""
    assert Client().get(shown[1]).status_code == 404
    assert not TableLink.objects.exists()


def test_nobody_else_sees_the_link(client, ann, bob, now):
    game = table(ann, now=now)
    create_link(game_id=game.pk, by=ann, now=now)
    client.force_login(bob)
    assert link_on(html_of(client, game.get_absolute_url())) == ""


def test_a_stranger_sees_the_table_and_signs_up_first(path):
    page = html_of(Client(), path)
    assert "ann invites you to a game of Morpion" in page
    assert "<svg" in page
    assert "2 days for each turn" in page
    assert f"{reverse('account_signup')}?next={path}" in page
    assert f"{reverse('account_login')}?next={path}" in page
    answer = Client().post(path + "join/")
    assert answer["Location"] == f"{reverse('account_login')}?next={path}"
    assert TableLink.objects.exists()


def test_who_is_signed_in_sits_down_and_is_led_to_the_game_from_then_on(client, waiting, path, cat):
    client.force_login(cat)
    assert "Sit down" in html_of(client, path)
    assert fresh(waiting).status == Game.Status.OPEN  # opening the link changes nothing
    answer = client.post(path + "join/")
    assert answer["Location"] == waiting.get_absolute_url()
    assert fresh(waiting).status == Game.Status.ACTIVE
    assert client.get(path)["Location"] == waiting.get_absolute_url()
    late = html_of(Client(), path, status=409)
    assert "This table is no longer waiting for players." in late


def test_a_guest_is_led_to_sign_up(client, path):
    client.force_login(GuestFactory())
    page = html_of(client, path)
    assert "Sign up and play" in page
    assert "Sit down" not in page


def test_a_new_table_may_be_for_whoever_has_its_link(as_ann):
    form = {"game": "morpion", "pace": "turn", "days": "3", "on_timeout": "withdraw"}
    answer = as_ann.post(reverse("new_table"), form | {"whom": "link", "is_public": "on"})
    assert answer.status_code == 302
    page = html_of(as_ann, answer["Location"])
    assert link_on(page).startswith("/invitations/table/")
    assert not Game.objects.get().is_public


def test_the_page_speaks_french(path):
    page = html_of(Client(headers={"accept-language": "fr"}), path)
    assert "ann vous invite à jouer" in page
