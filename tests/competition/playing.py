"""How the games of the simulated world are played: who comes when, and how each game ends.

A game gets its script when it begins. It is played to its last turn, or after a turn of each the
loser resigns or does not come any more; draws are agreed, or fill the board. Only games in which
somebody has something to do are looked at.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import timedelta

from games import errors
from games.models import Game, Seat, Turn
from games.services.endings import resign
from games.services.offers import accept_offer, offer_end
from games.services.turns import play_turn
from tests.competition.people import Person, draw_winner

DAY = timedelta(days=1)

ENDS = {"played": 0.4, "resigned": 0.35, "left": 0.25}
"""How games end that somebody wins."""

FIRST_WINS, SECOND_WINS, FULL = "14253", "142596", "123546879"
"""Whole games of Morpion, a cell a turn."""


@dataclass
class Script:
    """The turns of a game, and what happens after them: a key of `ENDS`, or "agreed"."""

    players: tuple[Person, Person]
    turns: str
    ends: str
    days: int
    """How many days its players have for a turn."""


class Players:
    """Everybody at the board: `people` are all by the key of their account."""

    def __init__(self, people, chance):
        self.people, self.chance = people, chance
        self.scripts = {}
        self.due = defaultdict(list)
        self.newest = 0
        self.refused = Counter()
        self.forgotten = set()

    def take_up_new_games(self, day):
        """Write the scripts of the games that have begun since."""
        seats = Seat.objects.filter(game__pk__gt=self.newest).order_by("game", "number")
        found = defaultdict(list)
        for game, user, allowance in seats.values_list("game", "user", "game__allowance"):
            found[game, allowance.days].append(self.people[user])
        for (game, days), players in found.items():
            self.scripts[game] = self.write_script(tuple(players), days)
            self.newest = max(self.newest, game)
            self.plan(game, players[0], day)

    def write_script(self, players, days):
        """Return how a game of two players goes, whom their strengths make win or lose."""
        winner = draw_winner(*players, self.chance)
        (ends,) = self.chance.choices(list(ENDS), list(ENDS.values()))
        if winner is None:
            turns, ends = (FULL, "played") if ends == "played" else (FULL[:2], "agreed")
        else:
            turns = FIRST_WINS if winner is players[0] else SECOND_WINS
            if ends != "played":
                # A turn of each, and then it is the loser's.
                turns = turns[:3] if winner is players[0] else turns[:2]
        return Script(players, turns, ends, days)

    def plan(self, game, person, day):
        """Note on which day a player comes to a game, if they do."""
        if self.chance.random() < person.forgets:
            self.forgotten.add(game)
            return
        longest = self.scripts[game].days - 1
        self.due[day + 1 + int(self.chance.random() * person.slowness * longest)].append(game)

    def play(self, day, now):
        """Let everybody act whose day it is."""
        due = sorted(self.due.pop(day, ()))
        running = Game.objects.running().filter(pk__in=due).order_by("pk")
        for game, number, seat in running.values_list("pk", "turn_number", "seat_to_move"):
            script = self.scripts[game]
            mover = script.players[seat]
            if mover.is_away(now):
                self.due[day + 1].append(game)
                continue
            try:
                ended = self.act(game, script, number, mover, now)
            except errors.Refusal as refusal:
                self.refused[type(refusal).__name__] += 1
                if isinstance(refusal, errors.Barred):
                    self.due[day + 1].append(game)
                continue
            if not ended:
                self.plan(game, script.players[1 - seat], day)

    def act(self, game, script, number, mover, now):
        """Play the next turn of a script, or end the game; return whether nobody comes any more."""
        if number < len(script.turns):
            play_turn(
                game_id=game,
                user=mover.user,
                text=script.turns[number],
                expected_turn=number,
                via=Turn.Via.WEB,
                now=now,
            )
            is_last = number + 1 == len(script.turns)
            return is_last and script.ends in ("played", "left")
        if script.ends == "resigned":
            resign(game_id=game, user=mover.user, now=now)
        else:
            other = script.players[1 - script.players.index(mover)]
            offer_end(game_id=game, user=mover.user, now=now)
            accept_offer(game_id=game, user=other.user, now=now)
        return True
