"""Write private analyses: variations from a game's positions, notes, and who may read them."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors, planning_errors
from games.models import AnalysisNode, Game, SharedAnalysis
from games.models.analysis import LONGEST_NOTATION, LONGEST_NOTE, MOST_POSITIONS
from games.plain_text import tidy
from games.queries.analysis import Nodes, nodes_of, position_of
from games.queries.seats import Viewer, may_see_as_player, seat_of
from games.rules.base import MoveError, is_too_long
from games.services.locking import locked_game_for
from games.services.site_status import check_open


def check_may_analyse(game: Game, user: Viewer) -> None:
    """Check that a user may analyse a game: players always, others when it is over.

    Raises NoSuchGame, AnalysisForPlayers, GuestsDoNotAnalyse.
    """
    if game.started_at is None:
        raise errors.NoSuchGame
    if seat_of(game, user) is not None:
        return
    if not may_see_as_player(game, user):
        raise errors.NoSuchGame
    if not game.is_over:
        raise planning_errors.AnalysisForPlayers
    if not isinstance(user, User) or user.is_guest:
        raise planning_errors.GuestsDoNotAnalyse


@transaction.atomic
def play_variation(
    *, game_id: int, user: User, turn: int, parent_id: int | None, text: str, now: datetime
) -> AnalysisNode:
    """Add the position after one more turn to a user's analysis, and return it.

    The turn is played at the position `parent_id` of the analysis or, if that is None, at the
    game's own position after entry `turn` of its record. A turn that is there already is returned.
    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchGame, AnalysisForPlayers,
    GuestsDoNotAnalyse, NoSuchPosition, TurnTooLong, MoveRefused, AnalysisFull.
    """
    game, nodes = _locked_analysis(game_id, user, now)
    parent = _node_at(game, nodes, turn, parent_id)
    if is_too_long(text):
        raise errors.TurnTooLong
    before = position_of(game, nodes, turn, parent)
    try:
        notation = game.rules.format_turn(before, game.rules.parse_turn(before, text))
    except MoveError as error:
        raise errors.MoveRefused(error) from error
    if len(notation) > LONGEST_NOTATION:
        raise errors.TurnTooLong
    for node in nodes.values():
        if parent is not None and (node.parent_id, node.notation) == (parent.pk, notation):
            return node
    if len(nodes) + (1 if parent else 2) > MOST_POSITIONS:
        raise planning_errors.AnalysisFull(most=MOST_POSITIONS)
    if parent is None:
        parent = _create_root(game, user, turn, now)
    return AnalysisNode.objects.create(
        game=game, user=user, turn=parent.turn, parent=parent, notation=notation, created_at=now
    )


@transaction.atomic
def write_note(
    *, game_id: int, user: User, turn: int, node_id: int | None, text: str, now: datetime
) -> AnalysisNode | None:
    """Write the note on a position of a user's analysis; no text removes it.

    Returns the position: None if nothing is kept of the game's own position. It is named as in
    `play_variation`.
    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchGame, AnalysisForPlayers,
    GuestsDoNotAnalyse, NoSuchPosition, NoteTooLong, AnalysisFull.
    """
    game, nodes = _locked_analysis(game_id, user, now)
    node = _node_at(game, nodes, turn, node_id)
    note = tidy(text)
    if len(note) > LONGEST_NOTE:
        raise planning_errors.NoteTooLong(most=LONGEST_NOTE, length=len(note))
    if node is None:
        if not note:
            return None
        if len(nodes) >= MOST_POSITIONS:
            raise planning_errors.AnalysisFull(most=MOST_POSITIONS)
        node = _create_root(game, user, turn, now)
    node.note = note
    node.save(update_fields=["note"])
    has_children = any(other.parent_id == node.pk for other in nodes.values())
    if node.parent_id is None and not note and not has_children:
        _delete(game, user, nodes, {node.pk})
        return None
    return node


@transaction.atomic
def delete_variation(
    *, game_id: int, user: User, node_id: int, now: datetime
) -> AnalysisNode | None:
    """Delete a position of a user's analysis and all that follows it; return the one before it.

    None is returned instead of a game's own position of which nothing is kept then.
    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchGame, AnalysisForPlayers,
    GuestsDoNotAnalyse, NoSuchPosition.
    """
    game, nodes = _locked_analysis(game_id, user, now)
    if node_id not in nodes:
        raise planning_errors.NoSuchPosition
    gone = {node_id}
    for node in nodes.values():  # parents come before their children
        if node.parent_id in gone:
            gone.add(node.pk)
    before = nodes.get(nodes[node_id].parent_id or 0)
    if before is not None and before.parent_id is None and not before.note:
        others = {node.pk for node in nodes.values() if node.parent_id == before.pk} - gone
        if not others:
            gone.add(before.pk)
            before = None
    _delete(game, user, nodes, gone)
    return before


@transaction.atomic
def share_analysis(*, game_id: int, user: User, now: datetime) -> None:
    """Let everybody who may see a game that is over read the user's analysis of it.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchGame, AnalysisForPlayers,
    GuestsDoNotAnalyse, SharedTooEarly, NothingToShare.
    """
    game, nodes = _locked_analysis(game_id, user, now)
    if not game.is_over:
        raise planning_errors.SharedTooEarly
    if not nodes:
        raise planning_errors.NothingToShare
    SharedAnalysis.objects.update_or_create(game=game, user=user, defaults={"shared_at": now})


@transaction.atomic
def stop_sharing(*, game_id: int, user: User, now: datetime) -> None:
    """Let nobody but the user read their analysis of a game, as before they shared it.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchGame, AnalysisForPlayers,
    GuestsDoNotAnalyse.
    """
    _locked_analysis(game_id, user, now)
    SharedAnalysis.objects.filter(game=game_id, user=user).delete()


def _locked_analysis(game_id: int, user: User, now: datetime) -> tuple[Game, Nodes]:
    """Return a game that the user may analyse, locked, and all nodes of their analysis."""
    game = locked_game_for(user, game_id, now)
    check_open()
    check_may_analyse(game, user)
    return game, nodes_of(game, user)


def _node_at(game: Game, nodes: Nodes, turn: int, node_id: int | None) -> AnalysisNode | None:
    """Return a node by its key, or the root at `turn`: None if it is not kept yet.

    Raises NoSuchPosition.
    """
    if node_id is None:
        if not 0 <= turn <= game.turn_number:
            raise planning_errors.NoSuchPosition
        roots = (node for node in nodes.values() if (node.turn, node.parent_id) == (turn, None))
        return next(roots, None)
    if node_id not in nodes:
        raise planning_errors.NoSuchPosition
    return nodes[node_id]


def _create_root(game: Game, user: User, turn: int, now: datetime) -> AnalysisNode:
    return AnalysisNode.objects.create(game=game, user=user, turn=turn, created_at=now)


def _delete(game: Game, user: User, nodes: Nodes, gone: set[int]) -> None:
    """Delete nodes with all that follows them; an analysis without any is no longer shared."""
    # All at once: Django does not look for them one generation after the other.
    AnalysisNode.objects.filter(pk__in=gone).delete()
    if len(gone) == len(nodes):
        SharedAnalysis.objects.filter(game=game, user=user).delete()
