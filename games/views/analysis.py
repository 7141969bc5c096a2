"""The analysis board: variations from a position of a game, and notes, which only one user sees.

When the game is over, they can let everybody who may see the game read them.
"""

from collections import Counter
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import replace_url

from accounts.models import User
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors, planning_errors
from games.models import AnalysisNode, Game
from games.models.analysis import LONGEST_NOTE
from games.queries.analysis import (
    AnalysisTree,
    Nodes,
    analysis_tree,
    line_to,
    name_at,
    nodes_of,
    position_of,
    readable_node,
    shared_analyses,
)
from games.queries.positions import Choice, choices_at, choices_for_script, shown_choices_at
from games.queries.seats import seat_played
from games.rules.base import MAX_TEXT
from games.services import analysis as services
from games.services.plans import plan_of_line
from games.views.page import asked_by_htmx, parse_int_or_none, visible_game
from games.views.sides import keep_side, next_side
from games.views.turn_previews import is_whole_turn, parse_beginning, preview_turn


@login_required
@require_safe
@never_cache
def analysis(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Show the user's analysis of a game, at its own position after entry `turn` or the newest."""
    game = _own_game(request, pk)
    nodes = nodes_of(game, request.user)
    turn = _read_number(request.GET.get("turn") or str(game.turn_number))
    tree = analysis_tree(game, nodes, turn)
    return _page(request, tree, tree.root, request.user)


@require_safe
@never_cache
def analysis_node(request: HttpRequest, pk: int, node: int) -> HttpResponse:
    """Show a position of an analysis: one of the user's own, or one that is shared."""
    game = visible_game(request, pk)
    found = readable_node(game, request.user, node)
    if found.user == request.user:
        services.check_may_analyse(game, request.user)
    nodes = nodes_of(game, found.user)
    return _page(request, analysis_tree(game, nodes, found.turn), found, found.user)


@require_safe
@never_cache
def analyses_shared(request: HttpRequest, pk: int) -> HttpResponse:
    """List the analyses of a game that their authors share."""
    game = visible_game(request, pk)
    if game.started_at is None:
        raise errors.NoSuchGame
    shared = [
        {"author": one.user, "starts": _starts(game, nodes_of(game, one.user))}
        for one in shared_analyses(game)
    ]
    context = {"game": game, "shared": shared}
    return render(request, "games/shared_analyses.html", context)


@login_required
@require_safe
@never_cache
def analysis_preview(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Answer the board's page module, as the preview of a game's page does.

    `root` and `node` name the position: what `turn`, or its beginning, leads to there; with
    `square`, the actions that begin on that square after it.
    """
    game = _own_game(request, pk)
    asked, rules = request.GET, game.rules
    try:
        nodes = nodes_of(game, request.user)
        before = position_of(game, nodes, *_position_asked(game, nodes, asked))
        text, square = asked.get("turn", ""), asked.get("square")
        if square is None:
            return JsonResponse(preview_turn(game, before, text, _side(game, request.user))[0])
        after = parse_beginning(rules, before, text)[1] if text else before
        is_whole = bool(text) and is_whole_turn(rules, before, after)
        choices = () if is_whole else choices_at(rules, after, first_square=square)
        return JsonResponse({"actions": choices_for_script(choices)})
    except errors.Refusal as refusal:
        return JsonResponse({"error": refusal.sentence}, status=refusal.status)


@login_required
@require_POST
def play_variation(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Add a turn to the user's analysis, or preview it when `step` is "preview"."""
    game, sent = _own_game(request, pk), request.POST
    nodes = nodes_of(game, request.user)
    turn, node = _position_asked(game, nodes, sent)
    typed, chosen = sent.get("text", "").strip(), sent.get("choice", "")
    text = chosen if chosen.startswith(f"{typed}, ") else typed or chosen
    try:
        if sent.get("step") == "preview":
            before = position_of(game, nodes, turn, node)
            preview, board = preview_turn(game, before, text, _side(game, request.user))
            return _page(
                request,
                analysis_tree(game, nodes, turn),
                node,
                request.user,
                {"preview": preview, "typed": preview["notation"], "board": board}
                | ({} if preview["complete"] else {"choices": _continuations(preview)}),
            )
        played = services.play_variation(
            game_id=pk,
            user=request.user,
            turn=turn,
            parent_id=node.pk if node else None,
            text=text,
            now=server_now(),
        )
    except (errors.MoveRefused, errors.TurnTooLong) as refusal:
        refused = {"refusal": refusal, "typed": text[:MAX_TEXT]}
        # htmx would not put an error into the page.
        status = HTTPStatus.OK if asked_by_htmx(request) else refusal.status
        tree = analysis_tree(game, nodes, turn)
        return _page(request, tree, node, request.user, refused, status=status)
    return _shown(request, game, turn, played)


@login_required
@require_POST
def write_note(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Write the note on a position. The page saves what is typed by itself, too."""
    game, sent = _own_game(request, pk), request.POST
    turn, node = _position_asked(game, nodes_of(game, request.user), sent)
    node = services.write_note(
        game_id=pk,
        user=request.user,
        turn=turn,
        node_id=node.pk if node else None,
        text=sent.get("note", ""),
        now=server_now(),
    )
    said = _("Your note is saved.")
    if asked_by_htmx(request) and "HX-Boosted" not in request.headers:
        return render(request, "games/_said_here.html", {"said": said, "swapped": True})
    if not asked_by_htmx(request):
        messages.success(request, said)
    return _shown(request, game, turn, node, said)


@login_required
@require_POST
def delete_variation(request: AuthenticatedRequest, pk: int, node: int) -> HttpResponse:
    """Delete a position of the user's analysis with all that follows it."""
    game = _own_game(request, pk)
    found = nodes_of(game, request.user).get(node)
    before = services.delete_variation(
        game_id=pk, user=request.user, node_id=node, now=server_now()
    )
    return _shown(request, game, found.turn if found else game.turn_number, before)


@login_required
@require_POST
def share_analysis(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Share the user's analysis of a game that is over, or stop when `do` is "stop"."""
    game = _own_game(request, pk)
    if request.POST.get("do") == "stop":
        services.stop_sharing(game_id=pk, user=request.user, now=server_now())
        said = _("Only you see your analysis now.")
    else:
        services.share_analysis(game_id=pk, user=request.user, now=server_now())
        said = _("Everybody who may see this game can read your analysis now.")
    turn = parse_int_or_none(request.POST.get("root", "")) or 0
    node = nodes_of(game, request.user).get(parse_int_or_none(request.POST.get("node", "")) or 0)
    if not asked_by_htmx(request):
        messages.success(request, said)  # an open page shows it above the board
    return _shown(request, game, min(turn, game.turn_number), node)


def _own_game(request: AuthenticatedRequest, pk: int) -> Game:
    """Return a game that the user may analyse.

    Raises NoSuchGame, AnalysisForPlayers, GuestsDoNotAnalyse.
    """
    game = visible_game(request, pk)
    services.check_may_analyse(game, request.user)
    return game


def _shown(
    request: AuthenticatedRequest,
    game: Game,
    turn: int,
    node: AnalysisNode | None,
    said: str = "",
) -> HttpResponse:
    """Go to a position of the user's analysis; an open page gets it at once, with its URL.

    What is `said` is shown there beside the note.
    """
    address = _address(game, turn, node)
    if not asked_by_htmx(request):
        return redirect(address)
    tree = analysis_tree(game, nodes_of(game, request.user), turn)
    return replace_url(_page(request, tree, node, request.user, {"said": said}), address)


def _read_number(text: str) -> int:
    number = parse_int_or_none(text)
    if number is None:
        raise planning_errors.NoSuchPosition
    return number


def _position_asked(game: Game, nodes: Nodes, sent: Any) -> tuple[int, AnalysisNode | None]:
    """Return the position that `node` or, without one, `root` names: its entry and its node.

    Raises NoSuchPosition.
    """
    if sent.get("node"):
        node = nodes.get(_read_number(sent["node"]))
        if node is None:
            raise planning_errors.NoSuchPosition
        return node.turn, node
    turn = _read_number(sent.get("root", ""))
    if turn > game.turn_number:
        raise planning_errors.NoSuchPosition
    return turn, None


def _continuations(preview: dict[str, Any]) -> tuple[Choice, ...]:
    """Return what can follow the beginning of a turn: each choice is the turn with one more."""
    return tuple(
        Choice(**choice | {"text": f"{preview['notation']}, {choice['text']}"})
        for choice in preview["actions"]
    )


def _side(game: Game, user: Any) -> int | None:
    """Return the seat from which a user sees the board."""
    seat = seat_played(game, user)
    return seat.number if seat else None


def _address(game: Game, turn: int, node: AnalysisNode | None) -> str:
    """Return the URL of a position: of the game's own after entry `turn` if the node is None."""
    if node is None:
        return f"{reverse('analysis', args=[game.pk])}?turn={turn}"
    return reverse("analysis_node", args=[game.pk, node.pk])


def _starts(game: Game, nodes: Nodes) -> list[dict[str, Any]]:
    """Return the game's own positions that an analysis begins at, with the number of its turns."""
    counts = Counter(node.turn for node in nodes.values())
    roots = [node for node in nodes.values() if node.parent_id is None]
    return [
        {"turn": one.turn, "address": _address(game, one.turn, one), "count": counts[one.turn] - 1}
        for one in sorted(roots, key=lambda root: root.turn)
    ]


def _planned(tree: AnalysisTree, line: list[str], author: User) -> list[str]:
    """Return the turns of a line that its author can plan: from the newest position, to an answer.

    Empty: the line answers nobody, or the game is over or elsewhere.
    """
    game = tree.game
    if game.status != Game.Status.ACTIVE or tree.turn != game.turn_number or not line:
        return []
    return [step.text for step in plan_of_line(game, author, line)]


def _page(
    request: HttpRequest,
    tree: AnalysisTree,
    node: AnalysisNode | None,
    author: User,
    more: dict[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """Show a position of an analysis; to anybody but its author without what changes it."""
    game, nodes = tree.game, tree.nodes
    rules, is_author = game.rules, author == request.user
    shown = tree.turns.get(node.pk) if node else None
    moment = shown.moment if shown else tree.start
    following = tree.children().get(node.pk, []) if node else []
    line = line_to(nodes, node)
    address = _address(game, tree.turn, node)
    board = rules.board(moment.position, _side(game, request.user), moment.actions)
    next_seat, outcome = rules.to_move(moment.position), rules.outcome(moment.position)
    first = _address(game, tree.turn, tree.root)
    previous = _address(game, tree.turn, nodes[node.parent_id or 0]) if shown and node else ""
    shared = shared_analyses(game)
    context = {
        "game": game,
        "author": author,
        "is_author": is_author,
        "is_shared": author in [one.user for one in shared],
        "others_share": any(one.user != request.user for one in shared),
        "tree": tree,
        "node": node,
        "shown": shown,
        "note": node.note if node else "",
        "longest_note": LONGEST_NOTE,
        "board": board.turned(game.turned_by),
        "last_words": shown.words if shown else tree.start_words,
        "to_play": name_at(game, next_seat) if next_seat is not None else "",
        "ending": rules.reason(outcome.reason).translated(_) if outcome else "",
        "choices": shown_choices_at(rules, moment.position) if is_author else (),
        "hides_choices": rules.hides_legal_actions(moment.position),
        "address": address,
        "first": first if shown else "",
        "previous": previous,
        "next": _address(game, tree.turn, following[0].node) if following else "",
        "others": [one for one in _starts(game, nodes) if one["turn"] != tree.turn],
        "planned": _planned(tree, [one.notation for one in line], author) if is_author else [],
        "turned_address": f"{address}{'&' if '?' in address else '?'}side={next_side(game)}",
    }
    page = render(request, "games/analysis.html", context | (more or {}), status=status)
    return keep_side(request, page, game)
