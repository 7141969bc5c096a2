"""Once more, with the seats changed."""

import pytest

from games import errors
from games.models import Game
from games.services.endings import abort, resign
from games.services.invitations import ask_rematch, decline
from games.services.tables import expire_due, join_table, withdraw_table
from tests.games.play import begin, fresh, kinds, refused, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def lost(game, ann, now):
    """A game that ann, on seat 0, has lost to bob."""
    return resign(game_id=game.pk, user=ann, now=now)


def names(game):
    return [seat.user and seat.user.username for seat in game.seats.order_by("number")]


def test_who_asks_sits_one_seat_further_on_and_challenges_the_other(lost, ann, bob, now):
    rematch = fresh(ask_rematch(game_id=lost.pk, user=ann, now=now))
    assert (rematch.rematch_of, rematch.creator, rematch.status) == (lost, ann, "open")
    assert names(rematch) == [None, "ann"]
    invitation = rematch.invitations.get()
    assert (invitation.user, invitation.seat_number) == (bob, 0)
    same = ("rules_slug", "options", "terms", "is_public")
    assert [getattr(rematch, name) for name in same] == [getattr(lost, name) for name in same]
    assert kinds(rematch) == ["opened", "challenged"]


def test_the_other_who_asks_too_accepts_and_the_seats_are_changed(lost, ann, bob, now):
    asked = ask_rematch(game_id=lost.pk, user=ann, now=now)
    begun = ask_rematch(game_id=lost.pk, user=bob, now=now)
    assert begun.pk == asked.pk
    assert fresh(begun).status == "active"
    assert names(begun) == ["bob", "ann"]


def test_a_private_game_has_a_private_rematch(ann, bob, now):
    game = begin(ann, bob, now=now, is_public=False)
    resign(game_id=game.pk, user=ann, now=now)
    assert not ask_rematch(game_id=game.pk, user=bob, now=now).is_public


def test_an_aborted_game_can_be_played_again(game, ann, now):
    abort(game_id=game.pk, user=ann, now=now)
    assert ask_rematch(game_id=game.pk, user=ann, now=now).status == "open"


def test_asking_for_a_rematch_again_leads_to_the_one_that_there_is(lost, ann, bob, now):
    asked = ask_rematch(game_id=lost.pk, user=ann, now=now)
    assert ask_rematch(game_id=lost.pk, user=ann, now=now) == asked
    assert ask_rematch(game_id=lost.pk, user=bob, now=now) == asked
    for player in (ann, bob):
        assert ask_rematch(game_id=lost.pk, user=player, now=now) == asked
    assert Game.objects.filter(rematch_of=lost).count() == 1
    assert kinds(asked).count("started") == 1


def test_a_rematch_that_was_declined_can_be_asked_for_anew(lost, ann, bob, now):
    first = ask_rematch(game_id=lost.pk, user=ann, now=now)
    decline(invitation_id=first.invitations.get().pk, user=bob, now=now)
    second = ask_rematch(game_id=lost.pk, user=bob, now=now)
    assert (fresh(first).status, second.status, second.creator) == ("closed", "open", bob)
    assert fresh(lost).rematch == second


def closed_by(how, lost, ann, bob, now):
    """Let ann ask for a rematch, and let it be closed; return when."""
    asked = ask_rematch(game_id=lost.pk, user=ann, now=now)
    if how == "declined":
        decline(invitation_id=asked.invitations.get().pk, user=bob, now=now)
    elif how == "withdrawn":
        withdraw_table(game_id=asked.pk, user=ann, now=now)
    else:
        now = fresh(asked).expires_at
        expire_due(now=now)
    assert fresh(asked).ending == how
    return now


@pytest.mark.parametrize("how", ["declined", "withdrawn", "expired"])
def test_nobody_asks_twice_for_a_rematch_of_one_game(how, lost, ann, bob, now):
    now = closed_by(how, lost, ann, bob, now)
    with refused(errors.RematchAskedAlready, "The other players can still ask", status=409):
        ask_rematch(game_id=lost.pk, user=ann, now=now)
    again = ask_rematch(game_id=lost.pk, user=bob, now=now)
    withdraw_table(game_id=again.pk, user=bob, now=now)
    with refused(errors.RematchAskedAlready, "or you can create a new table", status=409):
        ask_rematch(game_id=lost.pk, user=bob, now=now)
    assert Game.objects.filter(rematch_of=lost).count() == 2


def test_another_game_of_the_same_players_has_a_rematch_of_its_own(lost, ann, bob, now):
    closed_by("declined", lost, ann, bob, now)
    other = begin(ann, bob, now=now)
    resign(game_id=other.pk, user=bob, now=now)
    assert ask_rematch(game_id=other.pk, user=ann, now=now).status == "open"


def test_the_page_offers_a_rematch_only_to_who_has_not_asked(lost, ann, bob, client, now):
    closed_by("declined", lost, ann, bob, now)
    button = f'action="/games/{lost.pk}/rematch/"'
    for player, is_offered in ((ann, False), (bob, True)):
        client.force_login(player)
        assert (button in client.get(lost.get_absolute_url()).content.decode()) is is_offered
    client.force_login(ann)
    answer = client.post(f"/games/{lost.pk}/rematch/")
    assert answer.status_code == 409
    assert "You have already asked for a rematch of this game." in answer.content.decode()


def test_a_rematch_is_for_who_can_still_come_to_it(lost, ann, bob, now):
    rematch = ask_rematch(game_id=lost.pk, user=ann, now=now)
    rematch.invitations.update(state="declined", answered_at=now)
    with refused(errors.RematchMade, "This game already has a rematch.", status=409):
        ask_rematch(game_id=lost.pk, user=bob, now=now)


def test_a_game_that_runs_has_no_rematch(game, ann, now):
    with refused(errors.GameNotOver, "when the game is over", status=409):
        ask_rematch(game_id=game.pk, user=ann, now=now)


def test_a_table_that_closed_has_no_rematch(ann, now):
    game = table(ann, now=now)
    withdraw_table(game_id=game.pk, user=ann, now=now)
    with refused(errors.GameNotOver, "when the game is over", status=409):
        ask_rematch(game_id=game.pk, user=ann, now=now)


def test_a_stranger_asks_for_no_rematch(lost, cat, now):
    with refused(errors.NotAPlayer, "You do not play in this game.", status=403):
        ask_rematch(game_id=lost.pk, user=cat, now=now)


def test_a_game_that_does_not_exist_has_no_rematch(ann, now):
    with refused(errors.NoSuchGame, "There is no such game.", status=404):
        ask_rematch(game_id=987654, user=ann, now=now)


def test_a_stranger_cannot_take_the_seat_that_is_kept_at_a_public_rematch(lost, ann, cat, now):
    from games import errors

    rematch = ask_rematch(game_id=lost.pk, user=ann, now=now)
    with refused(errors.TableFull, "Every seat at this table is taken or reserved", status=409):
        join_table(game_id=rematch.pk, user=cat, now=now)


def test_a_declined_rematch_closes_its_table(lost, ann, bob, now):
    rematch = ask_rematch(game_id=lost.pk, user=ann, now=now)
    decline(invitation_id=rematch.invitations.get().pk, user=bob, now=now)
    assert (fresh(rematch).status, fresh(rematch).ending) == ("closed", "declined")
