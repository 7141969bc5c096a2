"""Games, positions and offers as the API gives them."""

import base64
import binascii
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext

from accounts.models import User
from accounts.server_time import server_now
from games import models
from games.api import schemas as api
from games.api.errors import BadCursor, NoSuchPositionYet
from games.clock.time_control import TimeControl
from games.moderation.access import log_read
from games.queries.legal_turns import legal_turns
from games.queries.positions import moment_at
from games.queries.seats import game_for, is_mover, seat_of, seat_played
from games.rules import board


def visible_game(request: HttpRequest, pk: int) -> models.Game:
    """Return a game that the token's user may see. Raises NoSuchGame.

    If staff see it only because of their powers, that is logged, as on pages.
    """
    user = cast(User, request.user)
    game = game_for(pk, user)
    log_read(game, by=user, page=request.path, now=server_now())
    return game


def player(user: User | None) -> api.Player | None:
    """Return a player; None for nobody. Reads the owner of a program."""
    return None if user is None else person(user)


def person(user: User) -> api.Player:
    """Return a user as a player. Makes one query more for a program: its owner."""
    return api.Player(
        username=user.username,
        name=str(user),
        is_program=user.is_bot,
        owner=user.owner.username if user.owner is not None else None,
    )


def pace(time: TimeControl) -> api.Pace:
    """Return how much time a seat has, in seconds."""
    return api.Pace(
        kind=time.kind.value,
        allowance=time.allowance.total_seconds(),
        bank=time.bank.total_seconds(),
        cap=time.cap.total_seconds(),
    )


def game_as_data(game: models.Game, viewer: User) -> api.Game:
    """Return a game with its players (`with_players` or `game_for`) as `viewer` sees it."""
    rules, seat = game.rules, seat_of(game, viewer)
    is_running = game.status == models.Game.Status.ACTIVE
    sides = rules.sides(game.options)
    return api.Game(
        id=game.pk,
        url=settings.SITE_URL + game.get_absolute_url(),
        game=game.rules_slug,
        game_name=game.name,
        options=game.options,
        status=cast(Any, game.status),
        ending=game.ending,
        is_public=game.is_public,
        is_rated=game.is_rated,
        created_at=game.created_at,
        started_at=game.started_at,
        ended_at=game.ended_at,
        expires_at=game.expires_at,
        pace=pace(game.time_control),
        turns_played=game.turn_number,
        next_turn=game.turn_number + 1 if is_running else None,
        seat_to_move=game.seat_to_move,
        deadline=game.deadline,
        clock_stopped=game.stop_reason,
        seats=[
            api.Seat(
                number=one.number,
                name=rules.seat_name(game.options, one.number).translated(gettext),
                side=sides[one.number],
                player=player(one.user),
                level=one.level,
                is_to_move=one.number == game.seat_to_move,
                has_left=one.left_at is not None,
                time_left=one.time_left.total_seconds() if is_running else None,
                place=one.place,
                points=one.points,
            )
            for one in game.all_seats
        ],
        your_seat=seat.number if seat else None,
        is_your_turn=is_mover(game, viewer),
        record_hash=game.head_hash,
    )


def board_as_data(drawing: board.Board) -> api.Board:
    """Return a drawing, with names in the active language."""
    pieces = [asdict(piece) | {"name": gettext(piece.name)} for piece in drawing.pieces]
    data = asdict(drawing)
    for tray in data["trays"]:
        label = tray["label"]
        tray["label"] = gettext(label) if label else ""
        for heap in tray["heaps"]:
            words = heap["name"]
            heap["name"] = gettext(words)
    return api.Board.model_validate(data | {"pieces": pieces})


def position_as_data(game: models.Game, viewer: User, after: int | None) -> api.Position:
    """Return the position after so many entries, None: the newest. Raises NoSuchPositionYet."""
    number = game.turn_number if after is None else after
    if number > game.turn_number:
        raise NoSuchPositionYet(most=game.turn_number)
    rules, moment, seat = game.rules, moment_at(game, number), seat_played(game, viewer)
    position = moment.position
    legal = None
    is_due = number == game.turn_number and is_mover(game, viewer)
    if is_due and (viewer.is_bot or not rules.hides_legal_actions(position)):
        found = legal_turns(rules, position)
        legal = api.Legal(turns=list(found.turns), is_complete=found.is_complete)
    points = rules.points(position)
    return api.Position(
        after=number,
        next_turn=number + 1 if is_due else None,
        seat_to_move=rules.to_move(position),
        text=rules.dump(position),
        board=board_as_data(rules.board(position, seat.number if seat else None, moment.actions)),
        points=None if points is None else list(points),
        legal=legal,
    )


def entry_as_data(turn: models.Turn) -> api.Entry:
    """Return an entry of the record; reads its player."""
    return api.Entry(
        turn=turn.number,
        seat=turn.seat,
        player=turn.player.username,
        notation=turn.notation,
        played_at=turn.played_at,
        via=turn.via,
        hash=turn.hash,
    )


def offers_as_data(offers: Iterable[models.Offer], viewer: User) -> list[api.Offer]:
    """Return offers that were read with their seats and answers."""
    return [
        api.Offer(
            id=offer.pk,
            game=offer.game_id,
            kind=cast(Any, offer.kind),
            seat=offer.seat.number,
            details=offer.details,
            made_at=offer.made_at,
            is_yours=offer.seat.user_id == viewer.pk,
            accepted_by=[answer.seat.number for answer in offer.answers.all()],
        )
        for offer in offers
    ]


def challenges_as_data(invitations: Iterable[models.Invitation]) -> list[api.Challenge]:
    """Return invitations whose tables and inviters are loaded."""
    return [
        api.Challenge(
            id=one.pk,
            game=one.game_id,
            rules=one.game.rules_slug,
            options=one.game.options,
            pace=pace(one.game.time_control),
            by=cast(api.Player, player(one.by)),
            seat=one.seat_number,
            is_rated=one.game.is_rated,
            created_at=one.created_at,
            expires_at=one.game.expires_at,
        )
        for one in invitations
    ]


def cursor_of(pk: int) -> str:
    """Return the cursor of what comes after a row. Programs must not look into it."""
    return base64.urlsafe_b64encode(f"v1:{pk}".encode()).decode().rstrip("=")


def key_of(cursor: str) -> int:
    """Return the key in a cursor. Raises BadCursor."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        text = base64.b64decode(padded, altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeError, ValueError):
        raise BadCursor from None
    kind, _, key = text.partition(":")
    if kind != "v1" or not (key.isascii() and key.isdigit()) or len(key) > LONGEST_KEY:
        raise BadCursor
    return int(key)


LONGEST_KEY = 18
"""Digits that a key of the database can have."""
