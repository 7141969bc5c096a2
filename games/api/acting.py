"""Routes that act in a game: turns, resigning, offers, plans and notes."""

from datetime import timedelta
from typing import Annotated, Any

from ninja import Path, Router
from pydantic import Field

from accounts.models import Scope
from accounts.server_time import server_now
from games import errors, models
from games.api import requests
from games.api import schemas as api
from games.api.access import acting, reading
from games.api.auth import ApiRequest
from games.api.once import answer_once
from games.api.output import (
    board_as_data,
    entry_as_data,
    game_as_data,
    offers_as_data,
    visible_game,
)
from games.clock.time_control import PaceKind, TimeControl
from games.plan_text import parse_plan
from games.queries.analysis import nodes_of
from games.queries.plans import plan_rows
from games.queries.positions import notations, position_at, words_of
from games.queries.seats import is_mover, seat_of
from games.rules.base import MoveError, is_too_long
from games.services import analysis, endings, offers, plans, takebacks, turns
from games.services.analysis import check_may_analyse

router = Router(tags=["playing"])

Key = Annotated[int, Field(ge=1, le=2**62), Path()]


@router.post("/games/{int:id}/turns", url_name="turns", **acting(Scope.PLAY, api.PlayedTurn))
def play(request: ApiRequest, id: int, given: requests.NewTurn) -> api.PlayedTurn:
    """Play a whole turn.

    `turn` is the guard: the same turn sent again is answered as the first time, with `already`;
    another text for a number that is played is 409 StaleTurn with the present state. A turn that
    the rules refuse is 422 MoveRefused.
    """
    visible_game(request, id)
    played = turns.play_turn(
        game_id=id,
        user=request.user,
        text=given.text,
        expected_turn=given.turn - 1,
        via=models.Turn.Via.API,
        now=server_now(),
    )
    return api.PlayedTurn(
        turn=played.turn.number,
        notation=played.turn.notation,
        hash=played.turn.hash,
        already=played.already,
        answers=[entry_as_data(answer) for answer in played.answers],
        game=game_as_data(visible_game(request, id), request.user),
    )


@router.post("/games/{int:id}/check", url_name="check", **acting(Scope.PLAY, api.CheckedTurn))
def check(request: ApiRequest, id: int, given: requests.NewTurn) -> api.CheckedTurn:
    """Return what a turn, or its beginning, would do. Nothing is played.

    Only for the player to move, else 409 NotYourTurn; `turn` must be the number of the next turn,
    else 409 StaleTurn. A turn that the rules refuse is 422 MoveRefused.
    """
    game = visible_game(request, id)
    if game.status != models.Game.Status.ACTIVE:
        raise errors.GameNotRunning
    if not is_mover(game, request.user):
        raise errors.NotYourTurn
    if given.turn != game.turn_number + 1:
        raise errors.StaleTurn
    if is_too_long(given.text):
        raise errors.TurnTooLong
    rules, before = game.rules, position_at(game)
    try:
        actions, after = rules.parse_actions(before, given.text)
    except MoveError as error:
        raise errors.MoveRefused(error) from error
    is_complete = rules.to_move(after) is None or rules.turn(after) != rules.turn(before)
    is_shown = request.user.is_bot or not rules.hides_legal_actions(after)
    following = [] if is_complete else rules.legal_actions(after)
    return api.CheckedTurn(
        notation=rules.format_turn(before, actions),
        words=words_of(rules, before, actions),
        is_complete=is_complete,
        continuations=[rules.format(after, one) for one in following] if is_shown else None,
        board=board_as_data(rules.board(after, game.seat_to_move, actions)),
    )


@router.post("/games/{int:id}/undo", url_name="undo", **acting(Scope.PLAY, api.Game))
def undo(request: ApiRequest, id: int) -> api.Game:
    """Undo your newest turn, if nobody else can have seen it yet; return the game after it.

    Never possible in a game among programs. Too late is a 409.
    """
    visible_game(request, id)
    takebacks.undo_turn(game_id=id, user=request.user, now=server_now())
    return _game(request, id)


@router.post("/games/{int:id}/resign", url_name="resign", **acting(Scope.PLAY, api.Game))
def resign(request: ApiRequest, id: int) -> api.Game:
    """Resign a game of two, or leave a larger one; return the game after it.

    Only for a player, else 403 NotAPlayer. A game that is over is 409 GameNotRunning.
    """
    visible_game(request, id)
    endings.resign(game_id=id, user=request.user, now=server_now())
    # Also where a program took the seat over, and the game is hidden from now on.
    return game_as_data(models.Game.objects.with_players().get(pk=id), request.user)


@router.post("/games/{int:id}/abort", url_name="abort", **acting(Scope.PLAY, api.Game))
def abort(request: ApiRequest, id: int) -> api.Game:
    """End a game without a result, and return it. Only for a player, else 403 NotAPlayer.

    Possible until everybody has played a turn; later it is a 409.
    """
    visible_game(request, id)
    endings.abort(game_id=id, user=request.user, now=server_now())
    return _game(request, id)


def _game(request: ApiRequest, id: int) -> api.Game:
    return game_as_data(visible_game(request, id), request.user)


# Offers ------------------------------------------------------------------------------------------


@router.get("/games/{int:id}/offers", url_name="offers", **reading(Scope.GAMES_READ, api.Offers))
def list_offers(request: ApiRequest, id: int) -> api.Offers:
    """Return the open offers at a game. Only for its players, else 403 NotAPlayer."""
    game = visible_game(request, id)
    if seat_of(game, request.user) is None:
        raise errors.NotAPlayer
    found = game.offers.open().select_related("seat").prefetch_related("answers__seat")
    return api.Offers(offers=offers_as_data(found.order_by("pk"), request.user))


@router.post(
    "/games/{int:id}/offers", url_name="offers", **acting(Scope.PLAY, api.Offer, takes_key=True)
)
def make_offer(request: ApiRequest, id: int, given: requests.NewOffer) -> Any:
    """Make an offer to everybody else at a game, and return it. Takes an Idempotency-Key.

    Only for a player, else 403 NotAPlayer. What cannot be offered is 422 BadPause or BadPace.
    """
    visible_game(request, id)

    def act() -> api.Offer:
        who: dict[str, Any] = {"game_id": id, "user": request.user, "now": server_now()}
        match given.kind:
            case "agreed-end":
                made = offers.offer_end(**who)
            case "takeback":
                made = offers.offer_takeback(**who)
            case "pause":
                if given.days not in offers.PAUSES:
                    raise errors.BadPause
                made = offers.offer_pause(days=given.days, **who)
            case "pace":
                if given.pace is None:
                    raise errors.BadPace
                made = offers.offer_pace(pace=pace_given(given.pace), **who)
        return offers_as_data([made], request.user)[0]

    return answer_once(request, act)


def pace_given(given: requests.NewPace) -> TimeControl:
    """Return the pace that a request asks for; whether it is possible, the services say."""
    allowance, bank, cap = given.allowance, given.bank, given.cap
    return TimeControl(
        PaceKind(given.kind),
        *(timedelta(seconds=seconds) for seconds in (allowance, bank, cap)),
    )


@router.post(
    "/games/{int:id}/offers/{int:offer_id}/answer",
    url_name="offer_answer",
    **acting(Scope.PLAY, api.Game),
)
def answer_offer(
    request: ApiRequest, id: int, offer_id: int, given: requests.OfferAnswer
) -> api.Game:
    """Accept, decline or withdraw an offer; return the game after it.

    The other players accept or decline it, and who made it withdraws it. Only for players, else 403
    NotAPlayer.
    """
    visible_game(request, id)
    services = {
        "accept": offers.accept_offer,
        "decline": offers.decline_offer,
        "withdraw": offers.withdraw_offer,
    }
    services[given.answer](game_id=id, user=request.user, now=server_now(), offer_id=offer_id)
    return _game(request, id)


# Plans and notes, which nobody else sees ---------------------------------------------------------


@router.get("/games/{int:id}/plans", url_name="plans", **reading(Scope.PLAY, api.Plans))
def list_plans(request: ApiRequest, id: int) -> api.Plans:
    """Return your planned turns that can still come. Only for players, else 403 NotAPlayer."""
    return _plans(request, _played(request, id))


@router.post("/games/{int:id}/plans", url_name="plans", **acting(Scope.PLAY, api.Plans))
def lay_plans(request: ApiRequest, id: int, given: requests.NewPlans) -> api.Plans:
    """Plan turns, all lines or none, and return all your plans. Only for players.

    `turn` must be the number of the next turn, else 409 StaleTurn. A line that cannot be read or
    played is a 422. The same lines again change nothing.
    """
    _played(request, id)
    plans.lay_plans(
        game_id=id,
        user=request.user,
        lines=[parse_plan(line) for line in given.lines],
        expected_turn=given.turn - 1,
        now=server_now(),
    )
    return _plans(request, _played(request, id))


@router.post("/games/{int:id}/plans/drop", url_name="drop_plan", **acting(Scope.PLAY, api.Plans))
def drop_plan(request: ApiRequest, id: int, given: requests.DroppedPlan) -> api.Plans:
    """Drop a planned turn with what follows it, or all of them; return the plans that are left.

    Only for players, else 403 NotAPlayer. A plan that is not there is a 404.
    """
    _played(request, id)
    if given.id is None:
        plans.drop_plans(game_id=id, user=request.user, now=server_now())
    else:
        plans.drop_plan(game_id=id, user=request.user, planned_id=given.id, now=server_now())
    return _plans(request, _played(request, id))


def _played(request: ApiRequest, id: int) -> models.Game:
    """Return a running game that the user plays. Raises NoSuchGame, NotAPlayer, GameNotRunning."""
    game = visible_game(request, id)
    if seat_of(game, request.user) is None:
        raise errors.NotAPlayer
    if game.status != models.Game.Status.ACTIVE:
        raise errors.GameNotRunning
    return game


def _plans(request: ApiRequest, game: models.Game) -> api.Plans:
    rows = plan_rows(game, request.user, notations(game))
    return api.Plans(
        plans=[api.Plan(id=row.pk, depth=row.depth, step=row.step, words=row.words) for row in rows]
    )


@router.get("/games/{int:id}/notes", url_name="notes", **reading(Scope.PLAY, api.Notes))
def list_notes(request: ApiRequest, id: int) -> api.Notes:
    """List one's own private notes on the positions of a game."""
    game = visible_game(request, id)
    check_may_analyse(game, request.user)
    return _notes(request, game)


@router.post("/games/{int:id}/notes", url_name="notes", **acting(Scope.PLAY, api.Notes))
def write_note(request: ApiRequest, id: int, given: requests.NewNote) -> api.Notes:
    """Write, change or remove the private note on a position."""
    game = visible_game(request, id)
    analysis.write_note(
        game_id=id,
        user=request.user,
        turn=given.after,
        node_id=None,
        text=given.text,
        now=server_now(),
    )
    return _notes(request, game)


def _notes(request: ApiRequest, game: models.Game) -> api.Notes:
    roots = [node for node in nodes_of(game, request.user).values() if node.parent_id is None]
    noted = sorted((node.turn, node.note) for node in roots if node.note)
    return api.Notes(notes=[api.Note(after=turn, text=note) for turn, note in noted])
