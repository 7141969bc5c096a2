"""The page on which players look for opponents."""

from datetime import timedelta

import pytest

from accounts.models import Vacation
from accounts.server_time import server_now
from games.models import Game, Wish
from games.services.wishes import pair_wishes
from tests.factories import GuestFactory, PersonFactory
from tests.games.play import DAY
from tests.games.wishes.making import THREE_DAYS, wish_for

pytestmark = pytest.mark.django_db

FORM = {"game": "taquet", "pace": "2", "lowest": "1400", "highest": "", "at_once": "2"}


@pytest.fixture
def ann(client):
    person = PersonFactory(username="ann")
    client.force_login(person)
    return person


def text_of(client, address="/wishes/"):
    return " ".join(client.get(address).content.decode().split())


def test_home_and_tables_lead_to_it(client, ann):
    for address in ("/", "/tables/"):
        assert 'href="/wishes/"' in text_of(client, address)


def test_a_wish_is_made_shown_changed_and_withdrawn(client, ann):
    assert 'name="pace"' in text_of(client, "/wishes/?game=taquet")
    assert client.post("/wishes/", FORM).status_code == 302
    wish = Wish.objects.get()
    assert (wish.user, wish.rules_slug, wish.time_control) == (ann, "taquet", THREE_DAYS)
    assert (wish.lowest, wish.highest, wish.at_once, wish.via) == (1400, None, 2, "web")
    page = text_of(client)
    assert "3 days for each turn" in page
    assert "Nobody else is waiting for the same yet." in page
    assert "Too few players have been paired at this pace to say how long it takes." in page
    changed = {f"wish-{wish.pk}-{name}": "3" for name in ("lowest", "highest", "at_once")}
    assert client.post(f"/wishes/{wish.pk}/", changed).status_code == 302
    wish.refresh_from_db()
    assert (wish.lowest, wish.highest, wish.at_once) == (3, 3, 3)
    assert client.post(f"/wishes/{wish.pk}/", {}).status_code == 302
    wish.refresh_from_db()
    assert wish.at_once == 3
    assert client.post(f"/wishes/{wish.pk}/", {"act": "withdraw"}).status_code == 302
    assert Wish.objects.get().withdrawn_at is not None
    assert client.post(f"/wishes/{wish.pk}/", {"act": "withdraw"}).status_code == 404
    assert "Your wishes" not in text_of(client)


def test_options_of_a_game_are_chosen(client, ann):
    sent = FORM | {"game": "morpiae", "option-hints": "on", "option-target": ""}
    assert client.post("/wishes/", sent).status_code == 302
    assert Wish.objects.get().options["hints"] is True
    assert "Show where lines can be drawn: yes" in text_of(client)


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"lowest": "1600", "highest": "1500"}, "The lowest rating must not be above the highest"),
        ({"lowest": "-1"}, "The lowest rating must not be above the highest"),
        ({"at_once": "99"}, "less than or equal to 10"),
        ({"at_once": ""}, "required"),
        ({"pace": "99"}, "valid choice"),
    ],
)
def test_what_makes_no_sense_is_said_at_the_form(client, ann, sent, says):
    answer = client.post("/wishes/", FORM | sent)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Wish.objects.exists()


def test_how_long_it_usually_takes_is_said(client, ann, now):
    for hours in (4, 5, 6, 6):
        wish_for(PersonFactory(), now=now - hours * timedelta(hours=1))
    assert pair_wishes(now=now) == 2
    wish_for(ann, now=now)
    page = text_of(client)
    assert "It usually takes 6 hours to find an opponent here." in page
    assert "We have been looking for" in page


def test_a_program_can_be_played_meanwhile(client, ann, now):
    wish_for(ann, now=now, slug="taquet")
    page = text_of(client)
    assert 'action="/play/"' in page
    assert 'name="game" value="taquet"' in page
    assert client.post("/play/", {"game": "taquet", "level": "1"}).status_code == 302
    assert Game.objects.get().seats.filter(user__is_bot=True).exists()


def test_why_it_does_not_look_is_said(client, ann, now):
    wish = wish_for(ann, now=now)
    wish_for(PersonFactory(), now=now)
    pair_wishes(now=now)
    assert "You have as many games as you wished for." in text_of(client)
    Wish.objects.filter(pk=wish.pk).update(rests_since=now, waits_since=None)
    assert "You let a game of this wish run out of time" in text_of(client)
    Wish.objects.filter(pk=wish.pk).update(rests_since=None)
    today = server_now()
    Vacation.objects.create(user=ann, begins_at=today, ends_at=today + DAY, announced_at=today)
    assert "You are on vacation" in text_of(client)


def test_guests_are_led_to_sign_up(client):
    client.force_login(GuestFactory())
    page = text_of(client)
    assert "Guests play against programs only." in page
    assert "A new wish" not in page
    assert client.post("/wishes/", FORM).status_code == 403
