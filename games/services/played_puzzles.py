"""Puzzles from finished games. Nobody is named: a puzzle keeps turns only, and no link to the game.

Only public games that ended a while ago are read, and nothing a moderator has dealt with. No
position that stands in a running game is asked, nor one that its next turn can lead to.
"""

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import takewhile

from django.db.models import Exists, OuterRef, Q

from games.models import Game, Puzzle, Report, Turn
from games.models.ending import Ending
from games.rules.entries import effective_entries, replay, withdrawn_seat
from games.rules.puzzle_lines import AnySolvedProgram, keys_near
from games.rules.puzzles import PLAYED, PLAYED_DAYS, PuzzlePosition, puzzles_in
from games.rules.registry import program_for
from games.rules.solved import SolvedProgram

REST = timedelta(days=7)
"""A game is left alone for so long after its end: its players may still play the same line."""

WINDOW = timedelta(days=60)
"""Games whose end is longer ago are not looked at."""

MOST_GAMES = 20
"""So many games are looked through at most for the puzzle of a day."""

NEWEST_GAMES = 500
"""They are drawn by lot from so many, the newest."""

MOST_RUNNING = 2000
"""With more running games of a kind than this, no finished game of that kind is used: to compare a
puzzle with all of them would take too long."""


def played_puzzle(day: date) -> Puzzle | None:
    """Return a puzzle from a finished game for a day, which is not saved.

    None on days that have none, and if no game fits. The day and the games that ended REST before
    it decide.
    """
    if day.weekday() not in PLAYED_DAYS:
        return None
    chance = random.Random(day.toordinal())  # noqa: S311  (the same puzzle each time)
    known = dict[str, set[int] | None]()
    for slug, moves in _games(day, chance):
        program = program_for(slug)
        if not isinstance(program, SolvedProgram):
            raise TypeError(slug)
        found = puzzles_in(program, PLAYED[slug], moves)
        chance.shuffle(found)
        for made in found:
            if slug not in known:
                known[slug] = running_keys(program, slug)
            if _is_hint(program, made, known[slug]):
                continue
            turns = " ".join(made.moves)
            if Puzzle.objects.filter(rules_slug=slug, moves=turns).exclude(day=day).exists():
                continue
            return Puzzle(
                day=day,
                rules_slug=slug,
                moves=turns,
                solution=" ".join(made.solution),
                is_win=True,
                choices=made.choices,
                is_played=True,
            )
    return None


def _games(day: date, chance: random.Random) -> Iterator[tuple[str, list[str]]]:
    """Yield the slug and the turns of games that may be used, in an order that `chance` draws."""
    until = datetime.combine(day, time(), tzinfo=UTC) - REST
    reported = Report.objects.filter(game=OuterRef("pk")).exclude(state=Report.State.DISMISSED)
    usable = Game.objects.filter(
        Q(league_game=None) | Q(league_game__annulled_at=None),
        ~Exists(reported),
        status=Game.Status.FINISHED,
        rules_slug__in=PLAYED,
        options={},
        is_public=True,
        is_lesson=False,
        log_entries=None,
        ended_at__lt=until,
        ended_at__gte=until - WINDOW,
    ).exclude(ending__in=[Ending.ADJUDICATED, Ending.BROKEN_OFF, Ending.REMOVED])
    newest = usable.order_by("-ended_at", "-pk")[:NEWEST_GAMES]
    slugs = dict(newest.values_list("pk", "rules_slug"))
    drawn = chance.sample(sorted(slugs), min(MOST_GAMES, len(slugs)))
    entries: dict[int, list[str]] = {pk: [] for pk in drawn}
    turns = Turn.objects.filter(game__in=drawn).order_by("game", "number")
    for pk, notation in turns.values_list("game", "notation"):
        entries[pk].append(notation)
    for pk in drawn:
        kept = [entries[pk][number - 1] for number in effective_entries(entries[pk])]
        turns_only = takewhile(lambda entry: withdrawn_seat(entry) is None, kept)
        yield slugs[pk], [notation.replace(" ", "") for notation in turns_only]


def running_keys(program: AnySolvedProgram, slug: str) -> set[int] | None:
    """Return the keys of the positions of all running games of a kind, and of those a turn later.

    A key is the same for what is only turned or mirrored. None if there are too many games.
    """
    running = Game.objects.running().filter(rules_slug=slug)
    texts = list(running.values_list("position", flat=True)[: MOST_RUNNING + 1])
    return keys_near(program, texts) if len(texts) <= MOST_RUNNING else None


def _is_hint(program: AnySolvedProgram, made: PuzzlePosition, running: set[int] | None) -> bool:
    """Return whether a position of the puzzle, or of its solution, helps in a running game."""
    if running is None:
        return True
    position = replay(program.rules, {}, made.moves)
    for turn in made.solution:
        if program.key(position) in running:
            return True
        position = program.rules.play_turn(position, program.rules.parse_turn(position, turn))
    return False
