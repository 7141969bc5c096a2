"""Verify a game's record: its hash chain, and the cached position. Which entries were no news."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from games.models import Game, Turn
from games.rules.base import BadPosition, BadRecord
from games.rules.entries import positions, taken_back_to

Said = str | Promise


def opening_hash(rules_slug: str, options: Mapping[str, object]) -> str:
    """Return what the first turn's hash builds on: SHA-256 (hex) of the game and its options."""
    return _sha256([rules_slug, options])


def turn_hash(previous: str, seat: int, notation: str, played_at: datetime) -> str:
    """Return a turn's SHA-256 (hex) over the previous hash, seat, notation and time.

    The text that is hashed is the JSON array of the four, without spaces, in UTF-8, the time as
    ISO 8601 in UTC with microseconds, so that anybody can verify a record that is shown to them.
    """
    instant = played_at.astimezone(UTC).isoformat(timespec="microseconds")
    return _sha256([previous, seat, notation, instant])


def _sha256(content: list[object]) -> str:
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Fault:
    """Something wrong with a game's record, in words for an administrator."""

    game_id: int
    what: Said


def faults_of(game: Game) -> list[Fault]:
    """Return what is wrong with a game's hashes, turns or cached position: nothing, normally."""
    return faults_in(game, list(game.turns.order_by("number")))


def faults_in(game: Game, turns: list[Turn]) -> list[Fault]:
    """Return what is wrong with a game, given its whole record."""
    faults = (*_chain_faults(game, turns), *_cache_faults(game, turns))
    return [Fault(game.pk, what) for what in faults]


def _chain_faults(game: Game, turns: Iterable[Turn]) -> Iterable[Said]:
    expected = opening_hash(game.rules_slug, game.options)
    count, before = 0, None
    for count, turn in enumerate(turns, start=1):
        if turn.number != count:
            yield format_lazy(_("turn {number} is missing"), number=count)
            return
        expected = turn_hash(expected, turn.seat, turn.notation, turn.played_at)
        if turn.hash != expected:
            yield format_lazy(_("turn {number} does not match its hash"), number=count)
            return
        if before is not None and turn.played_at < before:
            yield format_lazy(_("turn {number} is earlier than the one before it"), number=count)
        before = turn.played_at
    if count != game.turn_number:
        counts = {"recorded": count, "counted": game.turn_number}
        yield format_lazy(_("{recorded} turns are recorded, {counted} are counted"), **counts)
    elif game.head_hash != expected:
        yield _("the newest hash is not the game's")


def _cache_faults(game: Game, turns: list[Turn]) -> Iterable[Said]:
    if game.started_at is None:
        return
    try:
        before, true = _positions(game, [turn.notation for turn in turns])
        if game.rules.load(game.position) != true:
            yield _("the cached position is not the record's")
        if game.previous_position and game.rules.load(game.previous_position) != before:
            yield _("the cached position before the newest turn is not the record's")
    except (BadRecord, BadPosition) as error:
        yield str(error)
        return
    if game.status == Game.Status.ACTIVE and game.seat_to_move != game.rules.to_move(true):
        yield _("the seat to move is not the record's")


def _positions(game: Game, entries: list[str]) -> tuple[Any, Any]:
    """Return the positions before the newest entry (None without one) and after all of them."""
    found = positions(game.rules, game.options, entries)
    return found[-2] if entries else None, found[-1]


def rebuild(game: Game) -> None:
    """Recompute the cached positions from the record. Raises BadRecord; changes nothing then."""
    entries = list(game.turns.order_by("number").values_list("notation", flat=True))
    before, newest = _positions(game, entries)
    game.position = game.rules.dump(newest)
    game.previous_position = game.rules.dump(before) if entries else ""
    game.save(update_fields=["position", "previous_position"])


def numbers_of_turn(game_id: int, number: int) -> list[int]:
    """Return all numbers of entries after which the turn after `number` of them was to be played.

    The first is `number`. They are several after a player has left and undone that: nothing was
    played and nobody was told in between, so a turn, a mail or an offer that was meant for one of
    them is meant for each.
    """
    found = [number]
    special = Turn.objects.filter(game=game_id, via__in=(Turn.Via.LEFT, Turn.Via.TAKEBACK))
    entries = {turn.number: turn for turn in special}
    while number in entries:
        back = taken_back_to(entries[number].notation)
        if back is None:
            break
        left = [entries.get(between) for between in range(back + 1, number)]
        players = [entry.player_id if entry and entry.via == Turn.Via.LEFT else 0 for entry in left]
        if 0 in players or players[-1:] != [entries[number].player_id]:
            break
        found.append(number := back)
    return found
