"""What holds of every game whatever has happened."""

from django.conf import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant

from games.models import Game, Turn
from games.services.record import faults_of
from games.services.result_counts import wrong_counts


class GameInvariants(RuleBasedStateMachine):
    """A state machine over games; `accepted` is how many turns of each were taken, by its pk."""

    def __init__(self):
        super().__init__()
        self.accepted = {}

    @invariant()
    def every_record_verifies(self):
        for game in Game.objects.all():
            assert faults_of(game) == []

    @invariant()
    def every_accepted_turn_stands_once(self):
        for game in Game.objects.all():
            numbers = list(game.turns.order_by("number").values_list("number", flat=True))
            left = game.seats.exclude(left_at=None).count()
            accepted = self.accepted.get(game.pk, 0)
            taken_back = game.turns.filter(via=Turn.Via.TAKEBACK).count()
            assert numbers == list(range(1, accepted + left + taken_back + 1))
            assert game.turn_number == len(numbers)
            assert game.events.filter(kind="turn-played").count() == accepted
            assert game.events.filter(kind="departed").count() == left
            backward = game.events.filter(kind__in=["turn-undone", "taken-back"])
            assert backward.count() == taken_back

    @invariant()
    def only_the_newest_turn_can_be_undone_by_its_player(self):
        for game in Game.objects.exclude(undo_until=None):
            newest = game.turns.get(number=game.turn_number)
            assert game.status == "active"
            assert game.before_turn["number"] == newest.number
            assert (game.undo_by, newest.via) == (newest.player, Turn.Via.WEB)
            assert game.undo_until < newest.played_at + settings.MAIL_HOLD

    @invariant()
    def everybody_sits_once(self):
        for game in Game.objects.all():
            seated = [seat.user_id for seat in game.seats.all() if seat.user_id]
            assert len(seated) == len(set(seated))
            full = len(seated) == game.seats.count()
            assert full == (game.started_at is not None)
            assert game.seats.filter(user=game.creator).exists()

    @invariant()
    def open_tables_expire_and_running_games_have_a_clock(self):
        for game in Game.objects.all():
            assert (game.expires_at is not None) == (game.status == "open")
            runs = game.status == "active" and not game.stop_reason
            assert (game.deadline is not None) == runs
            if game.status == "active":
                position = game.rules.load(game.position)
                assert game.seat_to_move == game.rules.to_move(position) is not None
                mover = game.seats.get(number=game.seat_to_move).user
                assert (game.bot_due_at is not None) == mover.is_bot

    @invariant()
    def every_end_is_one_event_and_has_its_result(self):
        for game in Game.objects.all():
            over = list(game.events.filter(kind__in=["ended", "closed"]))
            assert len(over) == (1 if game.is_over else 0)
            if over:
                assert over[0].kind == ("closed" if game.status == "closed" else "ended")
                assert over[0].at == game.ended_at
                assert over[0].pk == game.events.order_by("pk").last().pk
            places = list(game.seats.values_list("place", flat=True))
            if game.status == "finished":
                assert min(places) == 1
            else:
                assert places == [None] * len(places)

    @invariant()
    def every_result_is_counted_once(self):
        assert list(wrong_counts()) == []

    @invariant()
    def nothing_waits_for_an_answer_at_a_game_that_is_over(self):
        for game in Game.objects.all():
            waiting = game.invitations.filter(state="open").count()
            free = game.seats.filter(user=None).count()
            assert waiting <= (free if game.status == "open" else 0)
            assert game.status == "active" or not game.offers.filter(state="open").exists()
