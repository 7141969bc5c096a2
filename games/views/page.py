"""The context of a game's page, and what all pages about a game read from a request."""

from collections import Counter
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.paths import page_path
from accounts.server_time import server_now
from accounts.sql import time_from_sql
from accounts.staff import has_staff_powers
from games.clock.clock import StopReason
from games.clock.durations import pace_in_words, span_in_words
from games.clock.snoozes import active_snooze, snooze_ends, snooze_words
from games.forms.game_page import PaceForm, PauseForm, empty_field
from games.forms.tables import InviteForm
from games.models import Game, Offer, TableLink, Turn
from games.models.message import LONGEST_MESSAGE
from games.moderation.access import log_read
from games.queries import conversations
from games.queries.clock_display import ClockView, clock_view
from games.queries.conversations import (
    latest_moderation,
    other_participants,
    page_fingerprint,
)
from games.queries.deadline_explanation import explain_deadline
from games.queries.lessons import lesson_context
from games.queries.lists import vacant_seats
from games.queries.page_reads import PageReads, read_page
from games.queries.plans import plan_rows, played_as_planned
from games.queries.positions import (
    drawn_position,
    load_position,
    moment_at,
    position_at,
    shown_choices_at,
    thumbnail_of,
    words_of_moment,
)
from games.queries.programs import program_note
from games.queries.ratings import changes_at, ratings_at
from games.queries.seats import (
    Viewer,
    game_for,
    invitation_of,
    is_mover,
    open_invitations,
    player_at,
    seat_of,
    seat_played,
)
from games.rules.entries import effective_entries
from games.services.clock.added_time import added_time_for, is_given_enough, is_opponents_turn
from games.services.clock.timeouts import is_substitute_enough
from games.services.conduct.messages import can_talk, note_presence
from games.services.endings import can_abort, may_abort_again_at, may_end_wait
from games.services.invitations import has_asked_for_rematch
from games.services.levels import name_of_level
from games.services.offers import offered_already, pace_in, turn_to_take_back
from games.services.tables import free_seats, token_of_link
from games.templatetags.boards import result_words, winning_seats
from games.views.sides import next_side, quarters_turned

LONGEST_KEY = 18
"""Digits that a key of the database can have."""


def parse_int_or_none(text: str, longest: int = LONGEST_KEY) -> int | None:
    """Return the number in a text of digits, None for any other text or a longer one."""
    if text.isascii() and text.isdigit() and len(text) <= longest:
        return int(text)
    return None


def asked_by_htmx(request: HttpRequest) -> bool:
    """Return whether a script of the page asks, which takes parts of it."""
    return "HX-Request" in request.headers


def visible_game(request: HttpRequest, pk: int) -> Game:
    """Return a game that the viewer may see, with its players, turned as they want its board.

    Raises NoSuchGame. If staff see it only because of their powers, that is logged.
    """
    game = game_for(pk, request.user)
    log_read(game, by=request.user, page=request.path, now=server_now())
    game.turned_by = quarters_turned(request, game)
    return game


def note_look(request: HttpRequest, game: Game) -> None:
    """Remember that a player has the game's page open, unless the page says it is hidden."""
    seat = seat_of(game, request.user)
    if seat is not None and seat.user is not None and request.GET.get("looking") != "0":
        seen_at = time_from_sql(game.seen_at)
        note_presence(game.pk, seat.user.pk, now=server_now(), seen_at=seen_at)


def page_context(
    game: Game, viewer: Viewer, number: int | None = None, before: int | None = None
) -> dict[str, Any]:
    """Return the context of games/game.html, with the conversation, as `viewer` sees it."""
    return game_context(game, viewer, number) | conversation_context(game, viewer, before)


def game_context(game: Game, viewer: Viewer, number: int | None = None) -> dict[str, Any]:
    """Return the context of games/table.html, and of games/game.html without the conversation.

    `number` looks back at the position after that many turns.
    """
    seat, now = seat_of(game, viewer), server_now()
    is_staff = isinstance(viewer, User) and has_staff_powers(viewer)
    reads = read_page(game, viewer, is_staff=is_staff, now=now)
    times = clock_view(game, now=now, interruptions=reads.interruptions)
    away = reads.away(game, now)
    can_undo = game.may_undo(viewer.pk, now=now)
    context: dict[str, Any] = {
        "game": game,
        "seat": seat,
        "seats": named_seats(game, times),
        "times": times,
        "away": away,
        "awaiting_count": game.awaiting_count,
        "state": page_fingerprint(game, reads.open_offers(), away, can_undo=can_undo),
    }
    if game.started_at is not None:
        context |= _board_context(game, viewer, number, reads)
        context |= _actions_context(game, viewer, number, reads)
        context |= _plans_context(game, viewer, number, reads)
        context["rating_changes"] = changes_at(game, viewer)
        context["lesson"] = lesson_context(game, viewer, context["shown"])
        if number is None:
            context["program"] = program_note(game, viewer, now=now)
        counts_here = is_mover(game, viewer) and not context["snooze"]
        can_play = "plays" if context["to_move"] else "waits"
        return context | {
            "verdict": verdict_of(game, viewer, context["mover"], context["plays_for"]),
            "waiting_elsewhere": game.awaiting_count - counts_here,
            "can_undo": can_undo and number is None,
            "undoes_end": game.is_over or game.undoes_departure,
            "can_change": number is None and (not game.is_over or can_talk(game, seat, now=now)),
            "board_state": f"{game.turn_number}-{game.status}-{can_play}",
        }
    free = free_seats(game)
    return context | {
        "invitations": open_invitations(game),
        "asked": invitation_of(game, viewer),
        "free_seats": free,
        "can_join": game.is_public and free > 0 and seat is None,
        "is_creator": viewer.pk == game.creator_id,
        "link": _link_of(game) if viewer.pk == game.creator_id else "",
        "invite_form": InviteForm(game.rules_slug),
        "board": thumbnail_of(game, viewer),
        "ratings": ratings_at([game], viewer, now=now),
    }


def _link_of(game: Game) -> str:
    """Return the address of the link to an open table; empty if it has none."""
    link = TableLink.objects.filter(game=game).first()
    if link is None or game.status != Game.Status.OPEN:
        return ""
    return settings.SITE_URL + reverse("table_link", args=[token_of_link(link)])


def named_seats(game: Game, times: ClockView | None = None) -> list[dict[str, Any]]:
    """Return the seats with their names in the game, their times, points and partners."""
    points = running_points(game)
    time_of = {time.seat.number: time for time in times.seats} if times else {}
    seats, sides = game.all_seats, game.rules.sides(game.options)
    winners = winning_seats(game)
    return [
        {
            "time": time_of.get(seat.number),
            "seat": seat,
            "level": name_of_level(game.rules_slug, seat.level),
            "side": game.rules.seat_colour(game.options, seat.number),
            "name": game.rules.seat_name(game.options, seat.number).translated(gettext),
            "to_move": seat.number == game.seat_to_move,
            "points": seat.points if points is None else points[seat.number],
            "side_points": None
            if points is None
            else sum(
                one for one, side in zip(points, sides, strict=True) if side == sides[seat.number]
            ),
            "won": seat in winners,
            "partners": [
                other.user
                for other in seats
                if other != seat and other.user and sides[other.number] == sides[seat.number]
            ],
        }
        for seat in seats
    ]


def running_points(game: Game) -> tuple[int, ...] | None:
    """Return each seat's points in a running game; None without points or when it is over."""
    if game.status != Game.Status.ACTIVE:
        return None
    return game.rules.points(load_position(game.rules, game.position))


def _board_context(
    game: Game, viewer: Viewer, number: int | None, reads: PageReads
) -> dict[str, Any]:
    """Return the board after `number` turns, and the record beside it."""
    shown = game.turn_number if number is None else number
    turns = reads.turns
    entries = [turn.notation for turn in turns]
    moment = moment_at(game, shown, entries)
    seat = seat_played(game, viewer)
    last = turns[shown - 1] if shown else None
    words = words_of_moment(game, moment)
    played = {turn.number for turn in turns if turn.via != Turn.Via.TAKEBACK}
    side = seat.number if seat else None
    address = game.get_absolute_url() if number is None else page_path("game_turn", game.pk, number)
    return {
        "board": drawn_position(
            game.rules, moment.position, side, tuple(moment.actions), game.turned_by
        ),
        "turned_address": f"{address}?side={next_side(game)}",
        "turns": turns,
        "taken_back": played - set(effective_entries(entries)),
        "judgement": latest_moderation(game, reads.events),
        "shown": shown,
        "looking_back": number is not None,
        "shown_words": _("Turn {number} of {all}").format(number=shown, all=game.turn_number)
        if shown
        else _("The start of the game"),
        "previous": max(shown - 1, 0),
        "next": min(shown + 1, game.turn_number),
        "last": last,
        "last_words": _("%(player)s %(words)s") % {"player": last.player, "words": words}
        if last
        else "",
    }


def _actions_context(
    game: Game, viewer: Viewer, number: int | None, reads: PageReads
) -> dict[str, Any]:
    """Return what `viewer` can do now. Nothing can be done while looking back."""
    seat, played = seat_of(game, viewer), seat_played(game, viewer)
    is_held = game.stop_reason == StopReason.MODERATOR
    can_end = game.status == Game.Status.ACTIVE and number is None
    is_running = can_end and not is_held
    to_move = is_running and is_mover(game, viewer)
    is_vacant = is_running and game.stop_reason == StopReason.SUBSTITUTE
    context: dict[str, Any] = {
        "to_move": to_move,
        "plays_for": played.user if to_move and played and played != seat else None,
        # A stranger is offered the seat too, and asked to sign in first.
        "can_claim": is_vacant
        and vacant_seats(viewer, now=server_now()).filter(pk=game.pk).exists()
        and not (viewer.is_authenticated and is_substitute_enough(viewer)),
        "choices": (),
        "snooze": "",
        "snoozes": [],
        "offers": [],
        "can_abort": is_running
        and seat is not None
        and seat.user is not None
        and can_abort(game, reads.turns)
        and may_abort_again_at(game, seat.user, server_now(), reads.turns) is None,
        "can_end_wait": is_running
        and seat is not None
        and seat.left_at is None
        and may_end_wait(game, seat, server_now()),
        "explanation": explain_deadline(
            game, now=server_now(), events=reads.events, interruptions=reads.interruptions
        )
        if can_end and seat is not None
        else [],
        "abort_limit": {
            "games": settings.ABORTS_BEFORE_PLAYING,
            "days": settings.ABORTS_COUNTED_FOR.days,
        },
        "can_rematch": seat is not None and game.is_over and number is None,
        "has_won": seat in winning_seats(game),
        "has_asked_for_rematch": viewer.is_authenticated
        and game.is_over
        and has_asked_for_rematch(game, viewer),
        "mover": player_at(game, game.seat_to_move) if game.seat_to_move is not None else None,
    }
    if to_move and played is not None and isinstance(viewer, User):
        now = server_now()
        until = active_snooze(played.snoozed_until, game.deadline, now=now)
        context["snooze"] = snooze_words(until, now) if until else ""
        ends = snooze_ends(game.deadline, game.reminder_at, viewer.zone, now=now)
        context["snoozes"] = [(choice, snooze_words(end, now)) for choice, end in ends.items()]
        position = position_at(game)
        context["choices"] = shown_choices_at(game.rules, position)
        context["hides_choices"] = game.rules.hides_legal_actions(position)
    if can_end and seat is not None and seat.user is not None:
        # While a moderator pauses the game, players can only end it.
        context["offers"] = [
            {
                "offer": offer,
                "is_mine": offer.seat == seat,
                "is_accepted": offer.is_accepted,
                "span": span_in_words(timedelta(days=offer.details.get("days", 0))),
                "pace": pace_in_words(pace_in(offer.details)) if offer.kind == "pace" else "",
                "turn": reads.turns[offer.details["turn"] - 1]
                if offer.kind == "takeback"
                else None,
            }
            for offer in reads.open_offers()
            if is_running or offer.kind == Offer.Kind.AGREED_END
        ]
        still_plays = is_running and seat.left_at is None
        language = get_language() or settings.LANGUAGE_CODE
        # An open offer of their own counts too: its card can withdraw it.
        offered = offered_already(game, seat, reads.offers)
        can_grant = still_plays and not game.stop_reason and is_opponents_turn(game, seat)
        can_grant = can_grant and not is_given_enough(game, seat.user, reads.grants(game))
        newest = turn_to_take_back(seat, reads.turns)
        can_take_back = still_plays and not is_vacant and Offer.Kind.TAKEBACK not in offered
        context |= {
            "turn_to_take_back": reads.turns[newest - 1] if newest and can_take_back else None,
            "can_resume": still_plays and game.stop_reason == StopReason.PAUSED,
            "gift": span_in_words(added_time_for(game.terms.pace)) if can_grant else "",
            "can_offer_end": not is_vacant and Offer.Kind.AGREED_END not in offered,
            "pause_field": empty_field(PauseForm, "days", language)
            if still_plays and not game.stop_reason and Offer.Kind.PAUSE not in offered
            else None,
            "pace_field": empty_field(PaceForm, "pace", language)
            if still_plays and not is_vacant and Offer.Kind.PACE not in offered
            else None,
        }
    return context


def _plans_context(
    game: Game, viewer: Viewer, number: int | None, reads: PageReads
) -> dict[str, Any]:
    """Return what `viewer` has planned, and what was played as they had planned."""
    seat = seat_of(game, viewer)
    can_plan = number is None and seat is not None and seat.left_at is None and not game.is_over
    if not can_plan:
        return {"can_plan": False}
    entries = [turn.notation for turn in reads.turns]
    return {
        "can_plan": True,
        "plans": plan_rows(game, viewer, entries) if game.has_plans else [],
        "planned": played_as_planned(reads.turns, viewer),
    }


def verdict_of(game: Game, viewer: Viewer, mover: User | None, plays_for: User | None) -> str:
    """Return in one sentence whose turn it is, or how the game ended."""
    if game.is_over:
        return result_words(game, viewer)
    if plays_for is not None:
        return _("It is your turn, for %(name)s.") % {"name": plays_for}
    if mover is None:
        return _("The game is looking for a substitute for the player to move.")
    if mover == viewer:
        return _("It is your turn.")
    return _("It is %(name)s’s turn.") % {"name": mover}


def conversation_context(game: Game, viewer: Viewer, before: int | None = None) -> dict[str, Any]:
    """Return the context of games/_conversation.html; only players and staff read messages.

    `before` looks back at what was said before that message.
    """
    seat = seat_of(game, viewer)
    conversation = conversations.conversation(game, viewer, before)
    said = conversation.said
    # A program of this site reads nothing.
    is_heard = any(other.level is None for other in game.all_seats if other != seat)
    return {
        "game": game,
        "said": said,
        "said_earlier": not conversation.is_whole,
        "said_later": before is not None,
        "newest_said": said[-1].pk if said else 0,
        "said_at_turn": dict(Counter(message.turn_number for message in said)),
        "can_talk": is_heard and can_talk(game, seat, now=server_now()),
        "longest_message": LONGEST_MESSAGE,
        "others": other_participants(game, viewer) if seat is not None else [],
    }
