"""What a player has planned in a game, for their own page and mails."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.models import Game, Turn
from games.plan_text import format_plan
from games.queries.positions import words_of
from games.queries.seats import Viewer
from games.rules.entries import effective_entries
from games.services.planned_turns import turns_in_reach


@dataclass(frozen=True)
class PlanRow:
    """One planned turn. `depth` is how many planned turns must be played before it.

    `step` is what is missing since the one before it, and the answer: “if 74 then 43”. `words` say
    what the turns of `step` do, in the active language.
    """

    pk: int
    depth: int
    step: str
    words: str


def plan_rows(game: Game, viewer: Viewer, entries: Sequence[str]) -> list[PlanRow]:
    """Return what `viewer` has planned and what can still come, each turn after the one before it.

    `entries` is the whole record.
    """
    counted = [entries[number - 1] for number in effective_entries(entries)]
    planned = game.planned_turns.filter(user=viewer.pk)
    found = sorted(
        (tuple(missing), turn.notation, turn.pk)
        for missing, turn in turns_in_reach(counted, planned)
    )
    lines = [(*missing, answer) for missing, answer, _ in found]
    rows = []
    for missing, answer, pk in found:
        before = [line for line in lines if missing[: len(line)] == line]
        begun = max(map(len, before), default=0)
        step = format_plan(missing[begun:], answer)
        words = _words_of_line(game, (*missing, answer), begun)
        rows.append(PlanRow(pk, len(before), step, words))
    return rows


def _words_of_line(game: Game, line: Sequence[str], begun: int) -> str:
    """Return what the turns of a line from number `begun` on do; the rules have read them all."""
    rules, position = game.rules, game.rules.load(game.position)
    said = []
    for number, notation in enumerate(line):
        actions = rules.parse_turn(position, notation)
        seat = rules.to_move(position)
        if number >= begun and seat is not None:
            player = game.all_seats[seat].player
            words = words_of(rules, position, actions)
            said.append(_("%(player)s %(words)s") % {"player": player, "words": words})
        position = rules.play_turn(position, actions)
    return "; ".join(said)


def played_as_planned(turns: Iterable[Turn], viewer: Viewer) -> list[tuple[Turn, Turn]]:
    """Return the turns that were planned by `viewer` since they last played one by themselves.

    Each stands behind the turn that it answered. `turns` is the whole record.
    """
    found: list[tuple[Turn, Turn]] = []
    before = None
    for turn in turns:
        if turn.player_id == viewer.pk and turn.via == Turn.Via.PLAN and before is not None:
            found.append((before, turn))
        elif turn.player_id == viewer.pk and turn.via != Turn.Via.TAKEBACK:
            found = []
        before = turn
    return found
