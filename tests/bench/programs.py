"""How well the programs play, against OpenSpiel and against simpler programs, in one run.

`make bench-programs` runs the quick form, a few games a row; ARGS=--full plays as many as the
intervals in docs/programs.md, for hours, and ARGS="--only taquet" the rows with that word. Each
opening is played from every side. It fails if a goal is not reached: in the quick form, if even
the upper end of the Wilson interval lies below it.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pyspiel

from games.rules.alpha_beta import AlphaBeta
from games.rules.base import AnyRules, Options
from games.rules.budget import Budget
from games.rules.matches import Contestant, Score, level_of, play_match
from games.rules.morpiae.program import (
    CIRCLE,
    MorpiaeProgram,
    SearchedMorpiae,
    alternating_gains,
    state_of,
)
from games.rules.morpiae.rules import Morpiae
from games.rules.morpion.program import MorpionProgram
from games.rules.morpion.rules import Morpion
from games.rules.playouts import RandomGames, best_child
from games.rules.supermorpion.program import SuperMorpionProgram
from games.rules.supermorpion.rules import LEGAL, SuperMorpion, actions_played
from games.rules.superpion.program import SearchedSuperpion, SuperpionProgram
from games.rules.superpion.rules import Superpion
from games.rules.taquet.program import TaquetProgram
from games.rules.taquet.rules import Taquet

VARIANTS = ("two", "superduel", "teams", "three", "four")
NO_LIMIT = 1 << 60

MORPION = MorpionProgram(Morpion())
TAQUET = TaquetProgram(Taquet())
SUPER_MORPION = SuperMorpionProgram(SuperMorpion())
MORPIAE = MorpiaeProgram(Morpiae())
SUPERPION = SuperpionProgram(Superpion())


# Contestants -------------------------------------------------------------------------------------


def in_time(program, seconds: float) -> Contestant:
    """Return the best level of a program with so much CPU time for each action."""
    return Contestant(
        f"best level, {seconds:g} s",
        lambda position, seed: program.choose_turn_in_time(position, seconds, seed),
    )


def openspiel(simulations: int) -> Contestant:
    """Return OpenSpiel's tree search at Super Morpion (which it plays in two steps a turn)."""
    game = pyspiel.load_game("ultimate_tic_tac_toe")

    def choose(position, seed: int):
        state = game.new_initial_state()

        def must_choose_board() -> bool:
            player = state.current_player()
            return state.action_to_string(player, state.legal_actions()[0]).startswith("Choose")

        for board, cell in actions_played(position):
            if must_choose_board():
                state.apply_action(board)
            state.apply_action(cell)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, seed, False)
        if must_choose_board():
            board = bot.step(state)
            state.apply_action(board)
        else:
            board = position[LEGAL][0][0]
        return ((board, bot.step(state)),)

    return Contestant(f"OpenSpiel MCTS, {simulations} simulations", choose)


def whole_turn(rules: AnyRules, choose_action):
    """Return a choice of turns that chooses action by action."""

    def choose(position, seed: int):
        chance, turn, actions = random.Random(seed), rules.turn(position), []
        while rules.to_move(position) is not None and rules.turn(position) == turn:
            legal = list(rules.legal_actions(position))
            chance.shuffle(legal)
            actions.append(legal[0] if len(legal) == 1 else choose_action(position, legal, chance))
            position = rules.play(position, actions[-1])
        return actions

    return choose


def rollouts(rules: AnyRules, seconds: float) -> Contestant:
    """Return a tree search by random games to the end, or to 200 actions and then counted."""

    def choose_action(position, legal, chance: random.Random):
        budget = Budget(NO_LIMIT, seconds)
        return best_child(RandomGames(rules, chance).search(position, budget)).action

    return Contestant(f"random-rollout search, {seconds:g} s", whole_turn(rules, choose_action))


class AllOfTheNext(SearchedMorpiae):
    """Morpiae with the estimate that was there when the goal was set.

    It is the lead and the whole of what the lines that are there will colour in turn.
    """

    def value(self, state):
        ours, theirs = state.coloured[self._seat], state.coloured[1 - self._seat]
        next_ones = alternating_gains(state)
        lead = ours.bit_count() - theirs.bit_count()
        return CIRCLE * (lead + next_ones if self.is_ours(state) else lead - next_ones)


def two_ply(kind: type[SearchedMorpiae], title: str) -> Contestant:
    """Return a search of one's own line and the answer, with one of two estimates."""

    def choose_action(position, legal, chance: random.Random):
        search = AlphaBeta(kind(MORPIAE.rules.to_move(position), contempt=0))
        return search.search(state_of(position), legal, 2, Budget(NO_LIMIT)).action

    return Contestant(title, whole_turn(MORPIAE.rules, choose_action))


def greedy() -> Contestant:
    """Return who takes the action after which Superpion's estimate is best."""

    def choose_action(position, legal, chance: random.Random):
        side = position.seating.side[position.colour]
        search = AlphaBeta(SearchedSuperpion(side))
        return search.search(position, legal, 1, Budget(NO_LIMIT)).action

    return Contestant("greedy program", whole_turn(SUPERPION.rules, choose_action))


# Rows --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One match: the goal is a share of points, None for what is only measured."""

    title: str
    rules: AnyRules
    options: Options
    first: Contestant
    second: Contestant
    quick: int
    full: int
    goal: float | None
    opening_turns: int = 2


def rows(superpion_seconds: float) -> Iterator[Row]:
    """Yield the table of goals, then the ladder of each game's levels."""
    sm = SUPER_MORPION.rules
    for seconds, simulations, quick, full in ((0.1, 5_000, 20, 200), (1.0, 20_000, 4, 100)):
        yield Row(
            "super-morpion", sm, {}, in_time(SUPER_MORPION, seconds), openspiel(simulations),
            quick, full, 0.95,
        )  # fmt: skip
    morpiae, options = MORPIAE.rules, MORPIAE.rules.check_options({})
    for opponent, goal in (
        (two_ply(AllOfTheNext, "two-ply search"), 0.75),
        (two_ply(SearchedMorpiae, "two-ply search with our estimate"), None),
        (rollouts(morpiae, 0.5), 0.85),
    ):
        first = in_time(MORPIAE, 0.5)
        yield Row("morpiae", morpiae, options, first, opponent, 4, 100, goal)
    superpion = SUPERPION.rules
    for variant in VARIANTS:
        options = superpion.check_options({"variant": variant})
        for opponent, goal in ((greedy(), 0.95), (rollouts(superpion, superpion_seconds), 0.80)):
            first = in_time(SUPERPION, superpion_seconds)
            yield Row(
                f"superpion {variant}", superpion, options, first, opponent, 0, 20, goal
            )  # no quick form: a game takes minutes
    for program, quick, full in (
        (MORPION, 200, 1000),
        (TAQUET, 100, 1000),
        (SUPER_MORPION, 6, 100),
        (MORPIAE, 6, 100),
        (SUPERPION, 2, 20),
    ):
        rules = program.rules
        variant = {"variant": "two"} if program is SUPERPION else {}
        for level in range(2, len(program.levels) + 1):
            slow = program.levels[level - 1].seconds > 2
            yield Row(
                f"{rules.slug} ladder", rules, rules.check_options(variant),
                level_of(program, level), level_of(program, level - 1),
                2 if slow else quick, full, 0.70, program.opening_turns,
            )  # fmt: skip


def play(row: Row, games: int) -> Score:
    """Return the first contestant's score; say on the way how it stands."""
    for score in play_match(
        row.rules, row.options, row.first, row.second, games, opening_turns=row.opening_turns
    ):
        print(f"  {score}", file=sys.stderr, flush=True)
    return score


def taquet_gives_nothing_away(games: int) -> tuple[int, Score]:
    """Play the best level in the lost second seat against a reader of five turns.

    Return how many of its turns made the result worse, and its score.
    """
    rules, score, worse = TAQUET.rules, Score(), 0
    for seed in range(games):
        position = rules.initial({})
        while rules.outcome(position) is None:
            level = 5 if rules.to_move(position) else 4
            turn = TAQUET.choose_turn(position, level, seed)
            if level == 5:
                before = TAQUET.verdict(position).result
                worse += -TAQUET.verdict(rules.play_turn(position, turn)).result < before
            position = rules.play_turn(position, turn)
        score.add(rules.outcome(position), [1])
    return worse, score


def morpion_losses(games: int) -> Score:
    """Return the best level's score at Morpion against every level."""
    best = level_of(MORPION, 5)
    for level in range(1, 6):
        *_, score = play_match(
            MORPION.rules, {}, best, level_of(MORPION, level), games, opening_turns=0
        )
        if score.losses:
            break
    return score


def main() -> int:
    """Print a line for each match; return 1 if a goal is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true", help="as many games as the intervals need")
    parser.add_argument("--only", default="", help="the rows with this in their name")
    parser.add_argument("--games", type=int, default=0, help="so many games in each row")
    parser.add_argument("--superpion", type=float, default=1.0, help="its seconds an action")
    options = parser.parse_args()
    missed = 0
    if options.only in "taquet table":
        worse, score = taquet_gives_nothing_away(1000 if options.full else 200)
        good = not worse and score.points / score.games >= 0.95
        missed += not good
        print(
            f"taquet, best level second against a reader of five: {score}; "
            f"{worse} turns made a result worse, goals 95 % and none{'' if good else '  MISSED'}"
        )
    if options.only in "morpion table":
        score = morpion_losses(1000 if options.full else 200)
        missed += score.losses > 0
        print(f"morpion, best level against itself: {score}, goal: none lost to any level")
    for row in rows(options.superpion):
        label = f"{row.title}, {row.first.name} against {row.second.name}"
        if options.only not in label:
            continue
        games = options.games or (row.full if options.full else row.quick)
        if not games:
            continue
        score = play(row, games)
        share = score.points / score.games if options.full else score.interval[1]
        good = row.goal is None or share >= row.goal
        missed += not good
        times = " and ".join(f"{one.seconds / one.turns:.3f}" for one in (row.first, row.second))
        print(
            f"{label}: {score}, "
            f"goal {100 * (row.goal or 0):.0f} %; {times} s CPU a turn"
            f"{'' if good else '  MISSED'}",
            flush=True,
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
