"""A program takes a seat over that was left, where the table's terms say so."""

from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse

from accounts.server_time import server_now
from games import errors
from games.clock.time_control import per_turn
from games.models import Event, Game, Substitution, Terms
from games.services.clock.game_clock import mover
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.invitations import accept, challenge
from games.services.record import faults_of
from games.services.tables import join_table
from games.services.thinking import play_for_bots
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from tests.api.client import Api, token_for
from tests.factories import PersonFactory
from tests.games.play import DAY, SECOND, fresh, play, refused, table

pytestmark = pytest.mark.django_db

TERMS = Terms(per_turn(2 * DAY), on_timeout="program", substitute_level=2)
THREE = {"variant": "three"}


@pytest.fixture
def three(partner, now):
    """Return a running game of three people in which a program takes over seats that are left."""
    people = [PersonFactory(username=name) for name in ("ann", "bob", "cat")]
    game = table(people[0], now=now, slug="superpion", options=THREE, terms=TERMS)
    for person in people[1:]:
        join_table(game_id=game.pk, user=person, now=now)
    return fresh(game)


def play_first(game, count, *, now):
    """Play the first legal turns of `count` players."""
    for _ in range(count):
        game = fresh(game)
        rules, position = game.rules, game.rules.load(game.position)
        actions = []
        while rules.turn(position) == game.turn_number and rules.to_move(position) is not None:
            actions.append(rules.legal_actions(position)[0])
            position = rules.play(position, actions[-1])
            if rules.to_move(position) != game.seat_to_move:
                break
        text = rules.format_turn(rules.load(game.position), tuple(actions))
        play(game, mover(game), text, now=now)
    return fresh(game)


def test_a_program_takes_the_seat_of_a_player_who_ran_out_of_time(three, partner, now):
    game = play_first(three, 3, now=now)
    late = now + 2 * DAY + SECOND
    former = mover(game)
    assert time_out_due(now=late) == 1
    after = fresh(game)
    seat = after.seats.get(number=after.seat_to_move)
    assert (after.status, seat.user, seat.level, seat.left_at) == ("active", partner, 2, None)
    taken = Substitution.objects.get()
    assert (taken.former, taken.by) == (former, partner)
    assert after.events.filter(kind=Event.Kind.SEAT_TAKEN_OVER).count() == 1
    assert after.deadline == late + 2 * DAY
    assert play_for_bots(now=late) == 1
    assert fresh(game).turn_number == game.turn_number + 1
    assert faults_of(fresh(game)) == []


def test_a_program_takes_the_seat_of_a_player_who_resigns_out_of_turn(three, partner, now):
    game = play_first(three, 1, now=now)
    gone = three.seats.get(number=0).user
    resign(game_id=game.pk, user=gone, now=now)
    after = fresh(game)
    seat = after.seats.get(number=0)
    assert (seat.user, seat.level, after.seat_to_move) == (partner, 2, game.seat_to_move)
    assert after.deadline == game.deadline


def letters(now):
    """Send all mails; return their texts by address."""
    mail.outbox.clear()
    make_notices(now=now)
    send_due(now=now + timedelta(hours=2))
    return {one.to[0]: one.body for one in mail.outbox}


def test_the_others_are_told_why_a_program_plays(three, now):
    game = play_first(three, 3, now=now)
    letters(now)
    gone = mover(game)
    resign(game_id=game.pk, user=gone, now=now)
    told = letters(now)
    assert len(told) == 2
    assert gone.email not in told
    for body in told.values():
        assert f"{gone} resigned. From now on Practice partner plays for them." in body


def test_who_ran_out_of_time_is_told_that_a_program_plays(three, now):
    game = play_first(three, 3, now=now)
    letters(now)
    former, late = mover(game), now + 2 * DAY + SECOND
    send_due(now=late)
    time_out_due(now=late)
    told = letters(late)
    assert len(told) == 3
    assert "You ran out of time. From now on Practice partner plays for you" in told[former.email]


@pytest.fixture
def private(partner):
    """A private game of three, begun now: this test goes by the server's clock."""
    now = server_now()
    people = [PersonFactory(username=name) for name in ("ann", "bob", "cat")]
    choices = {"slug": "superpion", "options": THREE, "terms": TERMS, "is_public": False}
    game = table(people[0], now=now, **choices)
    for person in people[1:]:
        asked = challenge(game_id=game.pk, by=people[0], user=person, now=now)
        accept(invitation_id=asked.pk, user=person, now=now)
    return play_first(game, 1, now=now)


def test_who_leaves_a_private_game_to_a_program_goes_home(private, client):
    client.force_login(private.creator)
    left = client.post(reverse("game_resign", args=[private.pk]))
    assert left["Location"] == reverse("home")
    assert "You have resigned." in client.get(left["Location"]).content.decode()
    assert client.get(private.get_absolute_url()).status_code == 404


def test_who_leaves_a_private_game_by_the_api_is_answered_with_it(private):
    api = Api(token_for(private.creator, now=server_now()))
    left = api.post(f"/games/{private.pk}/resign")
    assert left.status_code == 200
    assert left.data["your_seat"] is None
    assert [seat["level"] for seat in left.data["seats"]] == [2, None, None]


def test_the_last_person_is_followed_by_no_program(three, partner, now):
    game = play_first(three, 3, now=now)
    ann, bob, cat = (game.seats.get(number=number).user for number in range(3))
    resign(game_id=game.pk, user=bob, now=now)
    resign(game_id=game.pk, user=cat, now=now)
    levels = dict(fresh(game).seats.values_list("number", "level"))
    assert levels == {0: None, 1: 2, 2: 2}
    resign(game_id=game.pk, user=ann, now=now)
    assert fresh(game).seats.get(number=0).user == ann
    assert fresh(game).seats.get(number=0).left_at == now


def test_elsewhere_no_program_takes_a_seat(partner, now):
    people = [PersonFactory(username=name) for name in ("ann", "bob", "cat")]
    terms = Terms(per_turn(2 * DAY))
    game = table(people[0], now=now, slug="superpion", options=THREE, terms=terms)
    for person in people[1:]:
        join_table(game_id=game.pk, user=person, now=now)
    game = play_first(game, 3, now=now)
    resign(game_id=game.pk, user=people[1], now=now)
    assert not fresh(game).seats.filter(level__isnull=False).exists()


def test_the_level_must_be_one_of_the_game(ann, now):
    terms = Terms(per_turn(2 * DAY), on_timeout="program", substitute_level=9)
    with refused(errors.NoSuchLevel, "have the levels 1 to 5", status=422):
        table(ann, now=now, slug="superpion", options=THREE, terms=terms)


def test_the_terms_are_chosen_in_the_form_and_shown_before_sitting_down(client, ann):
    client.force_login(ann)
    sent = {"game": "superpion", "option-variant": "three", "whom": "anybody", "days": "3"}
    sent |= {"option-empty": "K", "option-quiet_rounds": "20"}
    sent |= {"on_timeout": "program", "substitute_level": "3", "creator_seat": "", "pace": "turn"}
    client.post(reverse("new_table"), sent)
    game = Game.objects.get()
    assert (game.on_timeout, game.substitute_level) == ("program", 3)
    client.logout()  # a table is shown to strangers too
    html = client.get(game.get_absolute_url()).content.decode()
    assert "A program takes the seat over, also of a player who resigns:" in html
