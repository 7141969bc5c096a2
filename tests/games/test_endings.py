"""Resigning and aborting; every end happens once."""

import pytest

from accounts.server_time import server_now
from games import errors
from games.models import Event
from games.services.deadlines import time_out_due
from games.services.endings import abort, resign
from games.services.invitations import challenge
from games.services.offers import accept_offer, decline_offer, offer_end, withdraw_offer
from tests.games.play import DAY, SECOND, begin, fresh, play, play_all, refused, table

pytestmark = pytest.mark.django_db


def places(game):
    return {seat.user.username: seat.place for seat in game.seats.all()}


def test_who_resigns_loses_whoever_was_to_move(game, ann, bob, now):
    resign(game_id=game.pk, user=bob, now=now + SECOND)
    game = fresh(game)
    assert (game.status, game.ending, game.ended_at) == ("finished", "resigned", now + SECOND)
    assert places(game) == {"ann": 1, "bob": 2}
    assert game.events.get(kind=Event.Kind.ENDED).actor == bob


def test_the_player_to_move_can_resign(game, ann, now):
    resign(game_id=game.pk, user=ann, now=now)
    assert places(fresh(game)) == {"ann": 2, "bob": 1}


def test_a_stranger_ends_nothing(game, cat, now):
    for end in (resign, abort, offer_end, accept_offer, decline_offer, withdraw_offer):
        with refused(errors.NotAPlayer, "You do not play in this game.", status=403):
            end(game_id=game.pk, user=cat, now=now)


def test_nothing_ends_that_does_not_exist(ann, now):
    for end in (resign, abort, offer_end, accept_offer):
        with refused(errors.NoSuchGame, "There is no such game.", status=404):
            end(game_id=987654, user=ann, now=now)


def test_a_game_ends_once(game, ann, bob, now):
    resign(game_id=game.pk, user=bob, now=now)
    for end in (resign, abort, offer_end, accept_offer, decline_offer, withdraw_offer):
        for player in (ann, bob):
            with refused(errors.GameNotRunning, "it is over", status=409):
                end(game_id=game.pk, user=player, now=now)
    assert time_out_due(now=now + 9 * DAY) == 0
    assert game.events.filter(kind=Event.Kind.ENDED).count() == 1


def test_an_open_table_is_not_resigned(ann, now):
    game = table(ann, now=now)
    for end in (resign, abort, offer_end):
        with refused(
            errors.GameNotRunning, "This game has not started yet, or it is over", status=409
        ):
            end(game_id=game.pk, user=ann, now=now)


@pytest.mark.parametrize("turns", [[], ["5"]])
def test_a_game_is_aborted_while_somebody_has_not_played(game, bob, now, turns):
    play_all(game, turns, now=now)
    abort(game_id=game.pk, user=bob, now=now)
    game = fresh(game)
    assert (game.status, game.ending) == ("aborted", "aborted")
    assert places(game) == {"ann": None, "bob": None}
    ended = game.events.get(kind=Event.Kind.ENDED)
    assert (ended.actor, ended.details) == (bob, {"ending": "aborted", "status": "aborted"})


def test_a_game_counts_once_everybody_has_played(game, ann, bob, now):
    play_all(game, ["5", "1"], now=now)
    for player in (ann, bob):
        with refused(errors.CannotAbort, "Everybody has played a turn, so this game", status=409):
            abort(game_id=game.pk, user=player, now=now)


def test_at_the_deadline_a_player_can_still_resign(game, ann, now):
    resign(game_id=game.pk, user=ann, now=now + 2 * DAY)
    assert fresh(game).ending == "resigned"


def test_whose_time_is_over_cannot_escape_before_the_sweep(game, ann, bob, now):
    play_all(game, ["5", "1", "2"], now=now)
    offer_end(game_id=game.pk, user=ann, now=now)
    late = now + 2 * DAY + SECOND
    for escape in (abort, resign, accept_offer, decline_offer):
        with refused(errors.TooLate, "Your time for this turn has run out.", status=409):
            escape(game_id=game.pk, user=bob, now=late)
    time_out_due(now=late)
    assert places(fresh(game)) == {"ann": 1, "bob": 2}


def test_an_end_lapses_what_was_offered(game, ann, bob, now):
    offer = offer_end(game_id=game.pk, user=ann, now=now)
    resign(game_id=game.pk, user=bob, now=now + SECOND)
    offer.refresh_from_db()
    assert (offer.state, offer.closed_at) == ("lapsed", now + SECOND)


def test_ending_one_game_leaves_the_others_alone(ann, bob, cat, now):
    ended, other = begin(ann, bob, now=now), begin(ann, bob, now=now)
    offer = offer_end(game_id=other.pk, user=ann, now=now)
    waiting = table(ann, now=now)
    invitation = challenge(game_id=waiting.pk, by=ann, user=cat, now=now)
    resign(game_id=ended.pk, user=ann, now=now)
    offer.refresh_from_db()
    invitation.refresh_from_db()
    assert (fresh(other).status, offer.state, invitation.state) == ("active", "open", "open")
    assert places(fresh(other)) == {"ann": None, "bob": None}


# Aborting before one has played ----------------------------------------------------------------


@pytest.fixture
def aborts(ann, bob, now):
    """Ann has aborted five games, one a day, before she had played in them."""
    for number in range(5):
        at = now + number * DAY
        abort(game_id=begin(ann, bob, now=at).pk, user=ann, now=at)
    return now + 4 * DAY


def test_the_sixth_game_in_thirty_days_is_not_aborted_before_ones_first_turn(ann, bob, aborts, now):
    game = begin(ann, bob, now=aborts)
    with refused(
        errors.AbortedEnough, "5 games before your first turn within 30", status=429
    ) as no:
        abort(game_id=game.pk, user=ann, now=aborts)
    assert "from Thursday 9 April 2026, 13:00 on" in no.value.sentence  # in London, in summer
    assert no.value.values["most"] == 5
    again = now + 30 * DAY
    game = begin(ann, bob, now=again - SECOND)
    with refused(errors.AbortedEnough, "Until then, play or resign.", status=429):
        abort(game_id=game.pk, user=ann, now=again - SECOND)
    abort(game_id=game.pk, user=ann, now=again)
    game = begin(ann, bob, now=again)
    with refused(errors.AbortedEnough, "You can abort another from", status=429):
        abort(game_id=game.pk, user=ann, now=again)


def test_who_has_played_may_abort_a_game_that_the_other_does_not_begin(ann, bob, aborts):
    game = begin(ann, bob, now=aborts)
    play(game, ann, "5", now=aborts)
    assert abort(game_id=game.pk, user=ann, now=aborts).ending == "aborted"


def test_games_that_one_had_played_in_do_not_count(ann, bob, now):
    for _ in range(6):
        game = begin(ann, bob, now=now)
        play(game, ann, "5", now=now)
        abort(game_id=game.pk, user=ann, now=now)
    assert abort(game_id=begin(ann, bob, now=now).pk, user=ann, now=now).ending == "aborted"


def test_what_the_others_abort_does_not_count(ann, bob, aborts):
    game = begin(ann, bob, now=aborts)
    assert abort(game_id=game.pk, user=bob, now=aborts).ending == "aborted"


def test_games_with_the_practice_partner_are_aborted_freely(ann, bob, partner, aborts):
    game = begin(ann, partner, now=aborts)
    assert abort(game_id=game.pk, user=ann, now=aborts).ending == "aborted"


def test_the_page_does_not_offer_what_would_be_refused(ann, bob, client, settings):
    settings.ABORTS_BEFORE_PLAYING = 1
    abort(game_id=begin(ann, bob, now=server_now()).pk, user=ann, now=server_now())
    game = begin(ann, bob, now=server_now())
    for player, is_offered in ((ann, False), (bob, True)):
        client.force_login(player)
        page = client.get(game.get_absolute_url()).content.decode()
        assert (f'action="/games/{game.pk}/abort/"' in page) is is_offered
