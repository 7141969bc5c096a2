"""Tables and games of three and four people, through the whole service."""

import re
from html import unescape

import pytest
from django.urls import reverse

from accounts.models import User
from games.models import Game, Invitation
from games.services import tables
from games.services.errors import (
    AlreadyInvited,
    AlreadySeated,
    BadSeat,
    NoOffer,
    TableFull,
    TableNotOpen,
)
from games.services.invitations import accept, challenge, decline, invite
from games.services.offers import accept_offer, decline_offer, offer_end
from games.services.programs import act, ask_partner
from games.services.proposals import Opponent, propose
from games.services.record import faults_of
from games.services.rematches import ask_rematch
from games.services.tables import free_seats, join_table, leave_table
from tests.factories import PersonFactory, ProgramFactory
from tests.games.play import DAY, fresh, kinds, play, refused, table
from tests.games.several import (
    LONGEST,
    gather,
    mover,
    names,
    places,
    play_on,
    play_out,
    points,
    some_turn,
)

pytestmark = pytest.mark.django_db

VARIANTS = {"four": 4, "teams": 4, "three": 3, "two": 2, "superduel": 2}
SEAT_NAMES = {
    "four": ["Blue", "Red", "Yellow", "Black"],
    "teams": ["Blue", "Red", "Yellow", "Black"],
    "three": ["Blue", "Red", "Yellow"],
    "two": ["Blue and Red", "Yellow and Black"],
    "superduel": ["Blue and Yellow", "Red and Black"],
}


@pytest.fixture
def people(ann, bob, cat, dan):
    """Four people, in the order in which they sit."""
    return [ann, bob, cat, dan]


def superpion(maker, variant, *, now, **choices):
    return table(maker, now=now, slug="superpion", options={"variant": variant}, **choices)


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
    with refused(TableNotOpen, "", status=409):
        join_table(game_id=game.pk, user=bob, now=now)


def test_nobody_sits_twice_at_a_table_of_four(people, now):
    ann, bob, *_ = people
    game = superpion(ann, "four", now=now)
    join_table(game_id=game.pk, user=bob, now=now)
    for person in (ann, bob):
        with refused(AlreadySeated, "", status=409):
            join_table(game_id=game.pk, user=person, now=now)


def test_challenges_and_invitations_keep_a_seat_each(people, now):
    ann, bob, cat, dan = people
    eve = PersonFactory(username="eve")
    game = superpion(ann, "four", now=now)
    first = challenge(game_id=game.pk, by=ann, user=bob, now=now)
    second = invite(game_id=game.pk, by=ann, email="cat@example.org", now=now)
    join_table(game_id=game.pk, user=dan, now=now)
    assert free_seats(game) == 0
    with refused(TableFull, "", status=409):
        challenge(game_id=game.pk, by=ann, user=eve, now=now)
    with refused(TableFull, "", status=409):
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


@pytest.mark.parametrize(("variant", "seats"), VARIANTS.items())
def test_a_seat_that_the_variant_lacks_is_refused(ann, now, variant, seats):
    for seat in (-1, seats):
        with refused(BadSeat, "", status=422):
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
    found = re.search(r'<select name="maker_seat".*?</select>', html, re.S)[0]
    options = re.findall(r'<option value="(.*?)".*?>(.*?)</option>', found, re.S)
    return [(value, unescape(words)) for value, words in options]


def in_words(seat_names):
    first, *others = seat_names
    said = [f"I am {first} and begin", *(f"I am {name}" for name in others)]
    return [("", "chance decides"), *((str(seat), words) for seat, words in enumerate(said))]


FORM = {
    "game": "superpion",
    "whom": "anybody",
    "name": "",
    "option-empty": "K",
    "option-quiet_rounds": "10",
    "maker_seat": "",
    "days": "3",
    "is_public": "on",
}


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
    assert client.post(reverse("new_table"), sent | {"maker_seat": str(seats)}).status_code == 422
    assert not Game.objects.exists()
    response = client.post(reverse("new_table"), sent | {"maker_seat": str(seats - 1)})
    game = Game.objects.get()
    assert response["Location"] == game.get_absolute_url()
    assert (game.maker_seat, game.seats.count()) == (seats - 1, seats)
    page = client.get(game.get_absolute_url())
    assert [place["name"] for place in page.context["seats"]] == SEAT_NAMES[variant]


# Partners ----------------------------------------------------------------------------------------


@pytest.fixture
def programs(partner):
    """The practice partner and the two more programs that there are from the start."""
    others = User.objects.filter(is_program=True).exclude(pk=partner.pk).order_by("pk")
    assert len(others) == 2
    return [partner, *others]


def against_partners(maker, variant, now):
    return propose(
        maker=maker,
        rules_slug="superpion",
        options={"variant": variant},
        allowance=DAY,
        opponent=Opponent("partner"),
        is_public=True,
        maker_seat=0,
        now=now,
    )


@pytest.mark.parametrize(("variant", "seats"), VARIANTS.items())
def test_partners_fill_all_free_seats_so_that_one_can_play_at_once(
    ann, programs, now, variant, seats
):
    game = against_partners(ann, variant, now)
    assert (game.invitations.count(), free_seats(game)) == (seats - 1, 0)
    assert act(now=now) == seats - 1
    game = fresh(game)
    assert (game.status, mover(game)) == ("active", ann)
    assert {seat.user for seat in game.seats.all()} == {ann, *programs[: seats - 1]}


def test_without_enough_partners_there_is_no_table(ann, programs, now):
    User.objects.filter(pk=programs[2].pk).update(is_active=False)
    with refused(AlreadyInvited, "", status=409):
        against_partners(ann, "four", now)
    assert against_partners(ann, "three", now).invitations.count() == 2


def test_a_program_of_ones_own_sits_down_where_the_partners_are_too_few(ann, programs, now):
    User.objects.filter(pk=programs[2].pk).update(is_active=False)
    more = ProgramFactory()
    game = against_partners(ann, "four", now)
    act(now=now)
    assert {seat.user for seat in game.seats.all()} == {ann, *programs[:2], more}


def test_one_partner_more_is_asked_to_a_table_where_people_sit(people, programs, now):
    ann, bob, cat, _ = people
    game = superpion(ann, "four", now=now)
    for person in (bob, cat):
        join_table(game_id=game.pk, user=person, now=now)
    ask_partner(game_id=game.pk, by=ann, now=now)
    act(now=now)
    assert names(game) == ["ann", "bob", "cat", programs[0].username]
    assert fresh(game).status == "active"


def test_the_partners_play_on_until_it_is_the_persons_turn(ann, programs, now):
    game = against_partners(ann, "four", now)
    act(now=now)
    for round_ in range(3):
        play(game, ann, some_turn(fresh(game)), now=now)
        assert [act(now=now) for _ in range(4)] == [1, 1, 1, 0]
        game = fresh(game)
        assert (game.turn_number, mover(game)) == (4 * round_ + 4, ann)
    assert faults_of(game) == []


# Whole games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_people_play_a_whole_game_to_places_and_points(people, client, now, variant):
    game = play_out(gather(people[: VARIANTS[variant]], now=now, variant=variant), now=now)
    outcome = game.rules.outcome(game.rules.load(game.position))
    assert (game.status, game.ending) == ("finished", outcome.reason)
    assert None not in points(game)
    assert (tuple(places(game)), tuple(points(game))) == (outcome.places, outcome.points)
    assert (min(places(game)), game.deadline, game.seat_to_move) == (1, None, None)
    assert faults_of(game) == []
    assert {turn.player for turn in game.turns.all()} == set(people[: VARIANTS[variant]])
    assert client.get(game.get_absolute_url()).status_code == 200


def test_four_programs_play_a_whole_game_by_themselves(programs, now):
    game = gather([*programs, ProgramFactory()], now=now)
    for _ in range(LONGEST):
        if act(now=now) == 0:
            break
    game = fresh(game)
    assert game.status == "finished"
    assert None not in [*places(game), *points(game)]
    assert set(game.turns.values_list("via", flat=True)) == {"program"}
    assert faults_of(game) == []


def test_in_teams_partners_share_their_place(people, now):
    game = play_out(gather(people, now=now, variant="teams"), now=now)
    first, second, third, fourth = places(game)
    assert (first, second) == (third, fourth)
    assert {first, second} <= {1, 2}


@pytest.mark.parametrize("who", ["nobody", "ann", "bob", "cat", "dan", "eve"])
def test_everybody_sees_the_game_and_the_mover_alone_may_play(client, people, now, who):
    game = play_on(gather(people, now=now), 5, now=now)
    known = {person.username: person for person in [*people, PersonFactory(username="eve")]}
    if who != "nobody":
        client.force_login(known[who])
    page = client.get(game.get_absolute_url())
    assert page.status_code == 200
    assert ("data-board-form" in page.content.decode()) == (who == "bob")
    assert [place["to_move"] for place in page.context["seats"]] == [False, True, False, False]


# Afterwards --------------------------------------------------------------------------------------


def agree(game, people, now):
    offerer, *others = people
    offer_end(game_id=game.pk, user=offerer, now=now)
    for person in others:
        accept_offer(game_id=game.pk, user=person, now=now)
    return fresh(game)


@pytest.mark.parametrize(("variant", "seats"), VARIANTS.items())
def test_in_a_rematch_everybody_sits_one_seat_further_on(people, now, variant, seats):
    there = people[:seats]
    game = agree(gather(there, now=now, variant=variant), there, now)
    rematch = ask_rematch(game_id=game.pk, user=there[1], now=now)
    kept = {i.user.username: i.seat_number for i in rematch.invitations.select_related("user")}
    others = [number for number in range(seats) if number != 1]
    assert kept == {there[number].username: (number + 1) % seats for number in others}
    for number in others:
        assert fresh(rematch).status == "open"
        ask_rematch(game_id=game.pk, user=there[number], now=now)
    rematch = fresh(rematch)
    assert rematch.status == "active"
    assert names(rematch) == [there[number - 1].username for number in range(seats)]
    assert rematch.options == game.options
    assert mover(rematch) == there[-1]


def test_a_rematch_that_one_of_four_declines_waits_for_the_others(people, now):
    """Who declines may think better of it: the seat is not given to a stranger."""
    game = agree(gather(people, now=now), people, now)
    rematch = ask_rematch(game_id=game.pk, user=people[0], now=now)
    for person in people[1:]:
        asked = rematch.invitations.get(user=person, state=Invitation.State.OPEN)
        assert fresh(rematch).status == "open"
        decline(invitation_id=asked.pk, user=person, now=now)
    assert (fresh(rematch).status, fresh(rematch).ending) == ("closed", "declined")


@pytest.mark.parametrize("variant", ["four", "teams", "three"])
def test_an_end_is_agreed_when_everybody_has_agreed(people, now, variant):
    there = people[: VARIANTS[variant]]
    game = gather(there, now=now, variant=variant)
    offer_end(game_id=game.pk, user=there[0], now=now)
    for person in there[1:]:
        assert fresh(game).status == "active"
        accept_offer(game_id=game.pk, user=person, now=now)
        if not fresh(game).is_over:
            with refused(NoOffer, "", status=409):
                accept_offer(game_id=game.pk, user=person, now=now)
    game = fresh(game)
    assert (game.status, game.ending) == ("finished", "agreed")
    assert (set(places(game)), set(points(game))) == ({1}, {30})


def test_one_who_declines_of_four_is_enough_to_play_on(people, now):
    ann, bob, cat, dan = people
    game = gather(people, now=now)
    offer = offer_end(game_id=game.pk, user=ann, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now)
    decline_offer(game_id=game.pk, user=cat, now=now)
    offer.refresh_from_db()
    assert (offer.state, fresh(game).status) == ("declined", "active")
    with refused(NoOffer, "", status=409):
        accept_offer(game_id=game.pk, user=dan, now=now)
