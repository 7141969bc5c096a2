"""What the page of a game knows."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from accounts.models.vacation import away_until
from accounts.server_time import server_now
from games import queries
from games.clock.clock import StopReason
from games.clock.durations import pace_in_words, span_in_words
from games.forms.agreements import PaceForm, PauseForm
from games.forms.tables import InviteForm
from games.models import Game, Offer, Seat, Turn
from games.queries import Viewer
from games.queries.clock_display import ClockView, clock_view
from games.rules.base import effective_entries
from games.services.agreements import pace_in
from games.services.clock.added_time import added_time_for, is_opponents_turn
from games.services.endings import can_abort
from games.services.tables import free_seats


def game_context(game: Game, viewer: Viewer, number: int | None = None) -> dict[str, Any]:
    """Return the context of games/game.html and games/table.html, as `viewer` sees the game.

    `number` looks back at the position after that many turns.
    """
    seat = queries.seat_of(game, viewer)
    times, away = clock_view(game, now=server_now()), away_now(game)
    context: dict[str, Any] = {"game": game, "seat": seat, "seats": named_seats(game, times)}
    offers = queries.offers_before(game, viewer)
    context |= {"times": times, "away": away, "state": queries.page_fingerprint(game, offers, away)}
    if game.started_at is None:
        return context | _table_context(game, viewer)
    context |= _board_context(game, viewer, number)
    return context | _actions_context(game, viewer, number, offers)


def away_now(game: Game) -> dict[int, datetime]:
    """Return when those at the game who are away now come back, by their number."""
    return away_until((seat.user_id for seat in game.seats.all()), server_now())


def named_seats(game: Game, times: ClockView | None = None) -> list[dict[str, Any]]:
    """Return the seats by their names in the game's words, the time each has, and partners."""
    had = {time.seat.number: time for time in times.seats} if times else {}
    seats, sides = list(game.seats.all()), game.rules.sides(game.options)
    return [
        {
            "time": had.get(seat.number),
            "seat": seat,
            "side": game.rules.seat_colour(game.options, seat.number),
            "name": game.rules.seat_name(game.options, seat.number).translated(gettext),
            "to_move": seat.number == game.seat_to_move,
            "partners": [
                other.user
                for other in seats
                if other != seat and other.user and sides[other.number] == sides[seat.number]
            ],
        }
        for seat in seats
    ]


def _table_context(game: Game, viewer: Viewer) -> dict[str, Any]:
    free = free_seats(game)
    return {
        "invitations": queries.open_invitations(game),
        "asked": queries.invitation_of(game, viewer),
        "free_seats": free,
        "can_join": game.is_public and free > 0 and queries.seat_of(game, viewer) is None,
        "is_maker": viewer.pk == game.maker_id,
        "invite_form": InviteForm(),
        "board": queries.thumbnail_of(game, viewer),
    }


def _board_context(game: Game, viewer: Viewer, number: int | None) -> dict[str, Any]:
    shown = game.turn_number if number is None else number
    moment = queries.moment_at(game, shown)
    seat = queries.seat_played(game, viewer)
    turns = list(queries.turns_of(game))
    last = turns[shown - 1] if shown else None
    words = queries.words_of_moment(game, moment)
    return {
        "board": game.rules.board(moment.position, seat.number if seat else None, moment.actions),
        "turns": turns,
        "taken_back": _taken_back(turns),
        "judgement": queries.latest_moderation(game, viewer),
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


def _taken_back(turns: Sequence[Turn]) -> set[int]:
    """Return the numbers of the entries that stand no more."""
    stand = effective_entries([turn.notation for turn in turns])
    played = {turn.number for turn in turns if turn.via != Turn.Via.TAKEBACK}
    return played - set(stand)


def _actions_context(
    game: Game, viewer: Viewer, number: int | None, offers: Sequence[Offer]
) -> dict[str, Any]:
    seat, played = queries.seat_of(game, viewer), queries.seat_played(game, viewer)
    held = game.stop_reason == StopReason.MODERATOR
    running = game.status == Game.Status.ACTIVE and number is None and not held
    to_move = running and queries.is_mover(game, viewer)
    return {
        "to_move": to_move,
        "plays_for": played.user if to_move and played and played != seat else None,
        "can_claim": running and _can_claim(game, viewer),
        "actions": _legal_actions(game) if to_move else None,
        "offers": _offers(offers, seat) if running and seat else [],
        **(_agreements(game, seat) if running and seat else {}),
        "can_abort": running and seat is not None and can_abort(game),
        "can_rematch": seat is not None and game.is_over and number is None,
        "mover": queries.player_at(game, game.seat_to_move)
        if game.seat_to_move is not None
        else None,
    }


def _offers(offers: Sequence[Offer], seat: Seat) -> list[dict[str, Any]]:
    """Return offers, and what the holder of `seat` can say to each."""
    return [
        {
            "offer": offer,
            "is_mine": offer.seat == seat,
            "is_accepted": any(answer.seat_id == seat.pk for answer in offer.answers.all()),
            "span": span_in_words(timedelta(days=offer.details.get("days", 0))),
            "pace": pace_in_words(pace_in(offer.details)) if offer.kind == "pace" else "",
        }
        for offer in offers
    ]


def _agreements(game: Game, seat: Seat) -> dict[str, Any]:
    """Return what the holder of `seat` can do about the clock."""
    there = seat.left_at is None
    is_sought = game.stop_reason == StopReason.SUBSTITUTE
    given = is_opponents_turn(game, seat) and not game.stop_reason and there
    return {
        "can_resume": there and game.stop_reason == StopReason.PAUSED,
        "gift": span_in_words(added_time_for(game.terms.pace)) if given else "",
        "pause_form": PauseForm() if there and not game.stop_reason else None,
        "pace_form": PaceForm() if there and not is_sought else None,
    }


def _can_claim(game: Game, viewer: Viewer) -> bool:
    """Tell whether the page should offer a sought seat; whoever must sign in first is asked to."""
    if game.stop_reason != StopReason.SUBSTITUTE:
        return False
    return queries.vacant_seats(viewer, now=server_now()).filter(pk=game.pk).exists()


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
