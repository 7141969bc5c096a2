"""Tables of three and four people: filled, left, shared out among the seats."""

import re
from html import unescape

import pytest
from django.http import QueryDict
from django.urls import reverse

from games import errors
from games.forms.tables import NewTableForm
from games.models import Game
from games.rules.base import Option
from games.rules.morpion.rules import Morpion
from games.services import tables
from games.services.invitations import accept, challenge, decline, invite
from games.services.tables import free_seats, join_table, leave_table
from tests.factories import PersonFactory
from tests.games.multiplayer import (
    gather,
    names,
)
from tests.games.play import DAY, fresh, kinds, refused
from tests.games.variants import FORM, VARIANTS, superpion

pytestmark = pytest.mark.django_db
SEAT_NAMES = {
    "four": ["Blue", "Red", "Yellow", "Black"],
    "teams": ["Blue", "Red", "Yellow", "Black"],
    "three": ["Blue", "Red", "Yellow"],
    "two": ["Blue and Red", "Yellow and Black"],
    "superduel": ["Blue and Yellow", "Red and Black"],
}


# Tables ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "seats"), VARIANTS.items())
def test_a_game_begins_when_the_last_seat_is_taken(people, now, variant, seats):
    game = superpion(people[0], variant, now=now)
    for number, person in enumerate(people[1:seats], start=1):
        assert (fresh(game).status, free_seats(game)) == ("open", seats - number)
        join_table(game_id=game.pk, user=person, now=now)
    game = fresh(game)
    assert (game.status, game.seat_to_move, game.deadline) == ("active", 0, now + 2 * DAY)
    assert names(game) == [person.username for person in people[:seats]]
    assert kinds(game) == ["opened", *["joined"] * (seats - 1), "started"]


def test_who_gets_up_frees_the_seat_for_somebody_else(people, now):
    ann, bob, cat, dan = people
    game = superpion(ann, "three", now=now)
    join_table(game_id=game.pk, user=bob, now=now)
    leave_table(game_id=game.pk, user=bob, now=now)
    join_table(game_id=game.pk, user=cat, now=now)
    assert fresh(game).status == "open"
    join_table(game_id=game.pk, user=dan, now=now)
    assert names(game) == ["ann", "cat", "dan"]
    with refused(errors.TableNotOpen, "", status=409):
        join_table(game_id=game.pk, user=bob, now=now)


def test_nobody_sits_twice_at_a_table_of_four(people, now):
    ann, bob, *_ = people
    game = superpion(ann, "four", now=now)
    join_table(game_id=game.pk, user=bob, now=now)
    for person in (ann, bob):
        with refused(errors.SeatedAlready, "", status=409):
            join_table(game_id=game.pk, user=person, now=now)


def test_challenges_and_invitations_keep_a_seat_each(people, now):
    ann, bob, cat, dan = people
    eve = PersonFactory(username="eve")
    game = superpion(ann, "four", now=now)
    first = challenge(game_id=game.pk, by=ann, user=bob, now=now)
    second = invite(game_id=game.pk, by=ann, email="cat@example.org", now=now)
    join_table(game_id=game.pk, user=dan, now=now)
    assert free_seats(game) == 0
    with refused(errors.TableFull, "", status=409):
        challenge(game_id=game.pk, by=ann, user=eve, now=now)
    with refused(errors.TableFull, "", status=409):
        join_table(game_id=game.pk, user=cat, now=now)
    accept(invitation_id=second.pk, user=cat, now=now)
    assert fresh(game).status == "open"
    accept(invitation_id=first.pk, user=bob, now=now)
    assert fresh(game).status == "active"
    assert sorted(names(game)) == ["ann", "bob", "cat", "dan"]


def test_of_a_private_table_one_who_declines_leaves_the_others_waiting(people, now):
    ann, bob, cat, _ = people
    game = superpion(ann, "three", now=now, is_public=False)
    to_bob = challenge(game_id=game.pk, by=ann, user=bob, now=now)
    to_cat = challenge(game_id=game.pk, by=ann, user=cat, now=now)
    decline(invitation_id=to_bob.pk, user=bob, now=now)
    assert (fresh(game).status, free_seats(game)) == ("open", 1)
    decline(invitation_id=to_cat.pk, user=cat, now=now)
    assert (fresh(game).status, fresh(game).ending) == ("closed", "declined")


def test_the_lobby_shows_a_table_until_its_last_seat_is_kept(people, client, now):
    ann, bob, _, dan = people
    game = superpion(ann, "three", now=now)
    join_table(game_id=game.pk, user=bob, now=now)
    address = f'href="{game.get_absolute_url()}"'
    assert address in client.get(reverse("lobby")).content.decode()
    challenge(game_id=game.pk, by=ann, user=dan, now=now)
    assert address not in client.get(reverse("lobby")).content.decode()


# Seats -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "seats"), VARIANTS.items())
def test_the_maker_sits_on_any_seat_that_the_variant_has(people, now, variant, seats):
    ann, *others = people
    for seat in range(seats):
        game = superpion(ann, variant, now=now, seat=seat)
        for person in others[: seats - 1]:
            join_table(game_id=game.pk, user=person, now=now)
        assert names(game)[seat] == "ann"
        assert None not in names(game)


@pytest.mark.parametrize(
    ("variant", "partners"), [("teams", ["cat", "dan", "ann", "bob"]), ("superduel", [])]
)
def test_the_list_of_seats_says_who_plays_with_whom(people, client, now, variant, partners):
    game = gather(people[: VARIANTS[variant]], now=now, variant=variant)
    html = client.get(game.get_absolute_url()).content.decode()
    notes = [line.strip() for line in html.splitlines() if line.strip().startswith("with ")]
    assert [note.removeprefix("with ").lower() for note in notes] == partners


@pytest.mark.parametrize(("variant", "seats"), VARIANTS.items())
def test_a_seat_that_the_variant_lacks_is_refused(ann, now, variant, seats):
    for seat in (-1, seats):
        with refused(errors.BadSeat, "", status=422):
            superpion(ann, variant, now=now, seat=seat)


def test_chance_decides_who_of_four_sits_where(people, now, monkeypatch):
    class Backwards:
        def shuffle(self, users):
            users.reverse()

    monkeypatch.setattr(tables, "chance", Backwards())
    assert names(gather(people, now=now, seat=None)) == ["dan", "cat", "bob", "ann"]
    assert names(gather(people, now=now, seat=0)) == ["ann", "bob", "cat", "dan"]


def seat_choices(html):
    """Return the seats that a new-table form offers, as (value, words) pairs."""
    found = re.search(r'<select name="creator_seat".*?</select>', html, re.S)[0]
    options = re.findall(r'<option value="(.*?)".*?>(.*?)</option>', found, re.S)
    return [(value, unescape(words)) for value, words in options]


def in_words(seat_names):
    first, *others = seat_names
    said = [f"I play {first} and go first", *(f"I play {name}" for name in others)]
    return [("", "at random"), *((str(seat), words) for seat, words in enumerate(said))]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_form_names_the_seats_of_the_variant_chosen_so_far(client, ann, variant):
    client.force_login(ann)
    html = client.get(
        reverse("new_table"), FORM | {"option-variant": variant}, headers={"HX-Request": "true"}
    ).content.decode()
    assert seat_choices(html) == in_words(SEAT_NAMES[variant])
    assert f'<option value="{variant}" selected>' in html


def test_the_form_names_the_seats_round_the_empty_camp(client, ann):
    client.force_login(ann)
    chosen = FORM | {"option-variant": "three", "option-empty": "R"}
    html = client.get(reverse("new_table"), chosen).content.decode()
    assert seat_choices(html) == in_words(["Blue", "Yellow", "Black"])


def form_after(client, **given):
    chosen = {key: value for key, value in FORM.items() if key != "option-empty"}
    return client.get(reverse("new_table"), chosen | given).content.decode()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_form_asks_for_the_empty_camp_where_there_is_one_alone(client, ann, variant):
    client.force_login(ann)
    html = form_after(client, **{"option-variant": variant})
    assert ("option-empty" in html) == (variant == "three")
    assert "option-quiet_rounds" in html
    if variant == "three":
        assert '<option value="K" selected>' in html


def test_an_option_is_asked_for_no_more_when_another_choice_leaves_it_without_a_meaning():
    class WithAnOption(Morpion):
        def options(self):
            stars = Option("stars", "Stars", 3, minimum=1, maximum=9, only_with=("night", True))
            return Option("night", "Night", default=True), stars

    form = NewTableForm(WithAnOption())
    assert [field.name for field in form.option_fields] == ["option-night", "option-stars"]
    form.start_from(QueryDict("option-stars=5"))
    assert [field.name for field in form.option_fields] == ["option-night"]


def test_a_table_of_three_is_not_made_before_its_empty_camp_is_chosen(client, ann):
    client.force_login(ann)
    sent = FORM | {"option-variant": "three"}
    camp = sent.pop("option-empty")
    response = client.post(reverse("new_table"), sent)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == ["option-empty"]
    assert 'name="option-empty"' in response.content.decode()
    assert not Game.objects.exists()
    client.post(reverse("new_table"), sent | {"option-empty": camp})
    assert Game.objects.get().options["empty"] == camp


@pytest.mark.parametrize("variant", ["four", "three"])
def test_the_facts_of_a_table_name_the_empty_camp_where_there_is_one_alone(
    client, ann, now, variant
):
    game = superpion(ann, variant, now=now)
    client.force_login(ann)
    html = client.get(game.get_absolute_url()).content.decode()
    assert "Rounds without a capture" in html
    assert ("The camp that nobody plays" in html) == (variant == "three")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_form_that_is_refused_names_the_seats_that_were_chosen_from(client, ann, variant):
    client.force_login(ann)
    sent = FORM | {"option-variant": variant, "days": "0"}
    response = client.post(reverse("new_table"), sent)
    assert response.status_code == 422
    assert seat_choices(response.content.decode()) == in_words(SEAT_NAMES[variant])


@pytest.mark.parametrize(("variant", "seats"), VARIANTS.items())
def test_the_last_seat_of_a_variant_can_be_chosen_and_the_one_after_it_not(
    client, ann, variant, seats
):
    client.force_login(ann)
    sent = FORM | {"option-variant": variant}
    assert client.post(reverse("new_table"), sent | {"creator_seat": str(seats)}).status_code == 422
    assert not Game.objects.exists()
    response = client.post(reverse("new_table"), sent | {"creator_seat": str(seats - 1)})
    game = Game.objects.get()
    assert response["Location"] == game.get_absolute_url()
    assert (game.creator_seat, game.seats.count()) == (seats - 1, seats)
    page = client.get(game.get_absolute_url())
    assert [place["name"] for place in page.context["seats"]] == SEAT_NAMES[variant]
