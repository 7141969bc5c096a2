"""What holds of every game whatever has happened."""

from django.conf import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant

from games.models import Game, Turn
from games.services.record import faults_of
from games.services.result_counts import wrong_counts
from tests.games.play import database


class GameInvariants(RuleBasedStateMachine):
    """A state machine over games; `accepted` is how many turns of each were taken, by its pk."""

    def __init__(self):
        super().__init__()
        self.accepted = {}
        self.checked = None

    @invariant()
    def every_game_is_whole(self):
        """Check all games, unless no row has changed since: rows that are the same stay right."""
        now = database(), dict(self.accepted)
        if now == self.checked:
            return
        rows = ("turns", "seats__user", "events", "invitations", "offers")
        for game in Game.objects.prefetch_related(*rows):
            assert faults_of(game) == []
            every_accepted_turn_stands_once(game, self.accepted.get(game.pk, 0))
            only_the_newest_turn_can_be_undone_by_its_player(game)
            everybody_sits_once(game)
            an_open_table_expires_and_a_running_game_has_a_clock(game)
            an_end_is_one_event_and_has_its_result(game)
            nothing_waits_for_an_answer_at_a_game_that_is_over(game)
        assert list(wrong_counts()) == []
        self.checked = now


def every_accepted_turn_stands_once(game, accepted):
    numbers = sorted(turn.number for turn in game.turns.all())
    left = sum(seat.left_at is not None for seat in game.seats.all())
    taken_back = sum(turn.via == Turn.Via.TAKEBACK for turn in game.turns.all())
    kinds = [event.kind for event in game.events.all()]
    came_back = kinds.count("departure-undone")
    assert numbers == list(range(1, accepted + left + came_back + taken_back + 1))
    assert game.turn_number == len(numbers)
    assert kinds.count("turn-played") == accepted
    assert kinds.count("departed") == left
    assert kinds.count("turn-undone") + kinds.count("taken-back") + came_back == taken_back


def only_the_newest_turn_can_be_undone_by_its_player(game):
    if game.undo_until is None:
        return
    if game.undoes_departure:
        only_who_left_last_can_come_back(game)
        return
    if game.is_over:
        only_who_ended_it_can_undo_the_end(game)
        return
    (newest,) = [turn for turn in game.turns.all() if turn.number == game.turn_number]
    assert game.status == "active"
    assert game.before_turn["number"] == newest.number
    assert (game.undo_by, newest.via) == (newest.player, Turn.Via.WEB)
    assert game.undo_until < newest.played_at + settings.MAIL_HOLD


def only_who_left_last_can_come_back(game):
    newest = max(game.turns.all(), key=lambda turn: turn.number)
    (seat,) = [seat for seat in game.seats.all() if seat.user_id == game.undo_by_id]
    assert (newest.via, newest.player_id) == (Turn.Via.LEFT, game.undo_by_id)
    assert (seat.left_because, seat.left_at) == ("resigned", newest.played_at)
    assert game.before_turn["departed"] == game.turn_number > game.before_turn["number"]
    assert game.undo_until < seat.left_at + settings.MAIL_HOLD


def only_who_ended_it_can_undo_the_end(game):
    (ended,) = [event for event in game.events.all() if event.kind == "ended"]
    assert game.ending in {"resigned", "aborted", "agreed"}
    assert game.undo_by == ended.actor
    assert game.before_turn["number"] == game.turn_number
    assert game.undo_until < game.ended_at + settings.MAIL_HOLD


def everybody_sits_once(game):
    seated = [seat.user_id for seat in game.seats.all() if seat.user_id]
    assert len(seated) == len(set(seated))
    full = len(seated) == len(game.seats.all())
    assert full == (game.started_at is not None)
    assert game.creator_id in [seat.user_id for seat in game.seats.all()]


def an_open_table_expires_and_a_running_game_has_a_clock(game):
    assert (game.expires_at is not None) == (game.status == "open")
    runs = game.status == "active" and not game.stop_reason
    assert (game.deadline is not None) == runs
    if game.status == "active":
        position = game.rules.load(game.position)
        assert game.seat_to_move == game.rules.to_move(position) is not None
        (mover,) = [seat.user for seat in game.seats.all() if seat.number == game.seat_to_move]
        assert (game.bot_due_at is not None) == mover.is_bot


def an_end_is_one_event_and_has_its_result(game):
    over = [event for event in game.events.all() if event.kind in {"ended", "closed"}]
    assert len(over) == (1 if game.is_over else 0)
    if over:
        assert over[0].kind == ("closed" if game.status == "closed" else "ended")
        assert over[0].at == game.ended_at
        assert over[0].pk == max(event.pk for event in game.events.all())
    places = [seat.place for seat in game.seats.all()]
    if game.status == "finished":
        assert min(places) == 1
    else:
        assert places == [None] * len(places)


def nothing_waits_for_an_answer_at_a_game_that_is_over(game):
    waiting = [invitation.state for invitation in game.invitations.all()].count("open")
    free = sum(seat.user_id is None for seat in game.seats.all())
    assert waiting <= (free if game.status == "open" else 0)
    open_offers = [offer for offer in game.offers.all() if offer.state == "open"]
    assert game.status == "active" or not open_offers
