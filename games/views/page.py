"""What the page of a game knows."""

from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from games import queries
from games.forms import InviteForm
from games.models import Game, Invitation
from games.queries import Viewer
from games.services.endings import can_abort
from games.services.tables import free_seats


def game_context(game: Game, viewer: Viewer, number: int | None = None) -> dict[str, Any]:
    """Return the context of games/game.html and games/table.html, as `viewer` sees the game.

    `number` looks back at the position after that many turns.
    """
    seat = queries.seat_of(game, viewer)
    context = {"game": game, "seat": seat, "seats": named_seats(game)}
    if game.started_at is None:
        return context | _table_context(game, viewer)
    return context | _board_context(game, viewer, number) | _actions_context(game, viewer, number)


def named_seats(game: Game) -> list[dict[str, Any]]:
    """Return the seats with their names in the game's own words."""
    return [
        {
            "seat": seat,
            "side": game.rules.seat_colour(game.options, seat.number),
            "name": game.rules.seat_name(game.options, seat.number).translated(gettext),
            "to_move": seat.number == game.seat_to_move,
        }
        for seat in game.seats.all()
    ]


def _table_context(game: Game, viewer: Viewer) -> dict[str, Any]:
    asked = [
        invitation.pk
        for invitation in queries.open_invitations(game)
        if viewer.is_authenticated and invitation.user_id == viewer.pk
    ]
    free = free_seats(game)
    return {
        "invitations": queries.open_invitations(game),
        "asked": Invitation.objects.filter(pk__in=asked).first(),
        "free_seats": free,
        "can_join": game.is_public and free > 0 and queries.seat_of(game, viewer) is None,
        "is_maker": viewer.pk == game.maker_id,
        "invite_form": InviteForm(),
        "board": queries.thumbnail_of(game, viewer),
    }


def _board_context(game: Game, viewer: Viewer, number: int | None) -> dict[str, Any]:
    shown = game.turn_number if number is None else number
    moment = queries.moment_at(game, shown)
    seat = queries.seat_of(game, viewer)
    turns = list(queries.turns_of(game))
    last = turns[shown - 1] if shown else None
    words = queries.words_of_moment(game, moment)
    return {
        "board": game.rules.board(moment.position, seat.number if seat else None, moment.actions),
        "turns": turns,
        "shown": shown,
        "looking_back": shown < game.turn_number,
        "previous": shown - 1 if shown else None,
        "next": shown + 1 if shown < game.turn_number else None,
        "last": last,
        "last_words": _("%(player)s %(words)s") % {"player": last.player, "words": words}
        if last
        else "",
        "result": result_words(game),
    }


def _actions_context(game: Game, viewer: Viewer, number: int | None) -> dict[str, Any]:
    seat = queries.seat_of(game, viewer)
    running = game.status == Game.Status.ACTIVE and number is None
    to_move = running and seat is not None and seat.number == game.seat_to_move
    offer = queries.standing_offer(game) if running and seat else None
    answered = offer is not None and seat is not None and _has_answered(offer, seat)
    return {
        "to_move": to_move,
        "actions": _legal_actions(game) if to_move else None,
        "offer": offer,
        "offer_is_mine": offer is not None and offer.seat == seat,
        "offer_to_answer": offer is not None and offer.seat != seat and not answered,
        "can_abort": running and seat is not None and can_abort(game),
        "can_rematch": seat is not None and game.is_over and number is None,
        "mover": queries.player_at(game, game.seat_to_move)
        if game.seat_to_move is not None
        else None,
    }


def _has_answered(offer: Any, seat: Any) -> bool:
    return any(answer.seat_id == seat.pk for answer in offer.answers.all())


def _legal_actions(game: Game) -> dict[str, Any]:
    position = queries.position_at(game)
    hidden = game.rules.hides_legal_actions(position)
    return {"actions": queries.shown_choices_at(game, position), "hidden": hidden}


def result_words(game: Game) -> str:
    """Return how the game ended, in the active language; empty while it goes on."""
    if game.status == Game.Status.ABORTED:
        return _("Aborted: this game does not count.")
    if game.status != Game.Status.FINISHED:
        return ""
    winners = [seat.user for seat in game.seats.all() if seat.place == 1]
    if len(winners) == game.seats.count():
        return _("A draw.")
    names = _(" and ").join(str(winner) for winner in winners)
    return ngettext("%(names)s won.", "%(names)s won.", len(winners)) % {"names": names}
