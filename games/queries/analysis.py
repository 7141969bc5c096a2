"""Read analyses: their positions, the words of each turn, and the tree of variations."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, gettext

from accounts.models import User
from accounts.server_time import server_now
from games import planning_errors
from games.models import AnalysisNode, Game, SharedAnalysis
from games.queries.positions import (
    Moment,
    moment_at,
    position_at,
    turns_of,
    words_of,
    words_of_moment,
)
from games.queries.seats import Viewer, player_at
from games.rules.base import AnyRules
from games.services.suspensions import is_suspended

KEPT = 1000
"""Of how many turns of analyses a process remembers the positions and the words."""

Nodes = Mapping[int, AnalysisNode]
"""All nodes of one user's analysis of one game, by their keys; parents come before children."""


def nodes_of(game: Game, owner: User) -> Nodes:
    """Return the nodes of a user's analysis of a game."""
    found = AnalysisNode.objects.filter(game=game, user=owner).order_by("pk")
    return {node.pk: node for node in found}


def line_to(nodes: Nodes, node: AnalysisNode | None) -> list[AnalysisNode]:
    """Return the nodes from the one after the root to this one; none for a root and for None."""
    line = []
    while node is not None and node.parent_id is not None:
        line.append(node)
        node = nodes[node.parent_id]
    return line[::-1]


def position_of(game: Game, nodes: Nodes, turn: int, node: AnalysisNode | None) -> Any:
    """Return the position of a node; of the game after entry `turn` if the node is None."""
    position = position_at(game, turn if node is None else node.turn)
    for step in line_to(nodes, node):
        position = game.rules.play_turn(position, game.rules.parse_turn(position, step.notation))
    return position


@dataclass(frozen=True)
class AnalysedTurn:
    """A turn of an analysis, with the position after it and what it does in words.

    `number` counts on from the entries of the game's record.
    """

    node: AnalysisNode
    number: int
    seat: int
    words: str
    moment: Moment


@dataclass(frozen=True)
class AnalysisTree:
    """The variations from one position of a game.

    `root` is null if nothing is kept of the position itself. `turns` are those of the variations,
    by the keys of their nodes.
    """

    game: Game
    nodes: Nodes
    turn: int
    root: AnalysisNode | None
    start: Moment
    start_words: str
    turns: Mapping[int, AnalysedTurn]

    def children(self) -> dict[int, list[AnalysedTurn]]:
        """Return the turns that follow each node, in the order in which they were added."""
        found: dict[int, list[AnalysedTurn]] = {}
        for turn in self.turns.values():
            found.setdefault(turn.node.parent_id or 0, []).append(turn)
        return found


def analysis_tree(game: Game, nodes: Nodes, turn: int) -> AnalysisTree:
    """Return the variations from the position after entry `turn`, in the active language.

    Raises NoSuchPosition.
    """
    if not 0 <= turn <= game.turn_number:
        raise planning_errors.NoSuchPosition
    start, rules, language = moment_at(game, turn), game.rules, get_language()
    root, turns = None, dict[int, AnalysedTurn]()
    for node in nodes.values():
        if node.turn != turn:
            continue
        if node.parent_id is None:
            root = node
            continue
        parent = turns.get(node.parent_id)
        before = parent.moment.position if parent else start.position
        moment, does = _play(rules, before, node.notation, language)
        seat = rules.to_move(before) or 0
        number = (parent.number if parent else turn) + 1
        words = gettext("%(player)s %(words)s") % {"player": name_at(game, seat), "words": does}
        turns[node.pk] = AnalysedTurn(node, number, seat, words, moment)
    start_words = ""
    if turn:
        player = turns_of(game).get(number=turn).player
        values = {"player": player, "words": words_of_moment(game, start)}
        start_words = gettext("%(player)s %(words)s") % values
    return AnalysisTree(game, nodes, turn, root, start, start_words, turns)


@lru_cache(KEPT)
def _play(rules: AnyRules, before: Any, notation: str, language: str | None) -> tuple[Moment, str]:
    """Return what a turn leads to, and what it does in the active `language`."""
    actions = rules.parse_turn(before, notation)
    after = Moment(rules.play_turn(before, actions), before, actions)
    return after, words_of(rules, before, actions)


def name_at(game: Game, seat: int) -> str:
    """Return who plays a seat; the seat's name in the game if nobody does."""
    player = player_at(game, seat)
    if player is not None:
        return str(player)
    return game.rules.seat_name(game.options, seat).translated(gettext)


def shared_analyses(game: Game) -> list[SharedAnalysis]:
    """Return the analyses of a game that are shared, with their users, oldest first.

    There are none while the game is running, and a moderator who reopens a game ends all sharing.
    Those of suspended and closed accounts are left out.
    """
    if not game.is_over or game.ended_at is None:
        return []
    now = server_now()
    found = SharedAnalysis.objects.filter(game=game, shared_at__gte=game.ended_at)
    found = found.select_related("user").order_by("pk")
    return [shared for shared in found if not is_suspended(shared.user, now)]


def readable_node(game: Game, reader: Viewer, node_id: int) -> AnalysisNode:
    """Return a node of an analysis that `reader`, who sees the game, may read, with its user.

    That is their own, or one that is shared. Raises NoSuchPosition.
    """
    node = AnalysisNode.objects.select_related("user").filter(game=game, pk=node_id).first()
    if node is None:
        raise planning_errors.NoSuchPosition
    if node.user_id != reader.pk and node.user not in {one.user for one in shared_analyses(game)}:
        raise planning_errors.NoSuchPosition
    return node
