"""What a teacher said of a game's turns, for those who may know it.

In a running game between people nobody may: neither players nor staff, on no page and by no mail.
Nor may who plays such a game read what is said of its positions elsewhere. Every reader of
judgements asks `judgements_of`.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.server_time import server_now
from games.models import Ending, Game, Judgement, Seat
from games.queries.seats import Viewer, seat_of
from games.rules.entries import positions
from games.rules.puzzle_lines import keys_near
from games.rules.registry import program_for
from games.rules.solved import SolvedProgram
from games.services.thinking_time import next_day

_WON, _DRAWN = 1.0, 0.0


def may_be_judged(game: Game) -> bool:
    """Return whether a teacher may judge a game: it is over, or a lesson against programs alone."""
    if game.started_at is None:
        return False
    if game.is_over:
        return True
    people = [seat for seat in game.all_seats if seat.level is None]
    return game.is_lesson and len(people) <= 1


def waits_for_new_day(game: Game, now: datetime) -> bool:
    """Return whether the teacher has stopped because today's thinking time is used up."""
    return game.judge_due_at == next_day(now)


def judgements_of(game: Game, viewer: Viewer) -> Mapping[int, Judgement]:
    """Return the judgements that may be shown to somebody, by the number of the entry.

    Costs queries only where a game has judgements that may be shown.
    """
    if not game.judged_turns or not may_be_judged(game):
        return {}
    found = Judgement.objects.filter(game=game).order_by("number")
    until = first_entry_that_helps(game, viewer)
    return {one.number: one for one in found if until is None or one.number < until}


def first_entry_that_helps(game: Game, viewer: Viewer) -> int | None:
    """Return the first entry of a game whose judgement would help a viewer in a running game.

    That game stands, after two turns or more, at the position before the entry or after it, or can
    come to it with its next turn. The viewer plays it, or their program, or its owner. Lessons are
    left out, which a teacher may judge. Positions are compared as the tables know them where the
    game is solved; elsewhere with all the turns that led to them.
    """
    if not isinstance(viewer, User):
        return None
    whose = Q(user__in=[viewer.pk, viewer.owner_id or viewer.pk]) | Q(user__owner=viewer)
    partners = Q(played_by_partner__in=[viewer.pk, viewer.owner_id or viewer.pk])
    seats = Seat.objects.filter(whose | partners, game=OuterRef("pk"))
    others = Game.objects.running().filter(Exists(seats), rules_slug=game.rules_slug)
    others = others.filter(is_lesson=False, turn_number__gte=2).exclude(pk=game.pk)
    texts = list(others.values_list("position", flat=True))
    if not texts:
        return None
    entries = list(game.turns.order_by("number").values_list("notation", flat=True))
    reached = positions(game.rules, game.options, entries)
    program = program_for(game.rules_slug)
    if isinstance(program, SolvedProgram):
        near = keys_near(program, texts)
        helping = (program.key(position) in near for position in reached)
    else:
        turns = {game.rules.turn(game.rules.load(text)) for text in texts}
        helping = (
            game.rules.turn(position) in turns and game.rules.dump(position) in texts
            for position in reached
        )
    return next((max(1, number) for number, helps in enumerate(helping) if helps), None)


def words_of_judgement(one: Judgement) -> str:
    """Return what a teacher says of a turn, in the active language."""
    words = _words_of_exact(one) if one.is_exact else _words_of_search(one)
    if one.holding is not None and one.choices:
        if one.choices == 1:
            held = _("No other turn was possible.")
        elif one.holding == 1:
            held = _("Only one of the %(all)s possible turns kept the result.")
        else:
            held = _("%(held)s of the %(all)s possible turns kept the result.")
        words = f"{words} {held % {'held': one.holding, 'all': one.choices}}"
    return words


def _words_of_exact(one: Judgement) -> str:
    left, missed = one.distance_after, one.distance_before
    is_counted = missed is not None  # in some games turns are not
    if one.kept and one.value_after == _WON:
        words = _("It kept the win: %(turns)s more with best play.") if left else _("It won.")
        words = _("It kept the win.") if left is None else words
    elif one.kept and one.value_after == _DRAWN:
        words = _("It kept the draw.")
    elif one.kept:
        words = _("The game was lost already.")
        if left:
            words = _("The game was lost already: %(turns)s more with best play.")
    elif one.value_before == _WON and one.value_after == _DRAWN:
        words = _("It gave the win away: a draw with best play. “%(best)s” won.")
        if is_counted:
            words = _("It gave the win away: a draw with best play. “%(best)s” won in %(missed)s.")
    elif one.value_before == _WON:
        words = _("It turned a won game into a lost one. “%(best)s” won.")
        if is_counted:
            words = _("It turned a won game into a lost one. “%(best)s” won in %(missed)s.")
    else:
        words = _("It lost a drawn game. “%(best)s” kept the draw.")
    return words % {"best": one.best, "turns": _turns(left), "missed": _turns(missed)}


def _words_of_search(one: Judgement) -> str:
    values = {"best": one.best, "depth": one.depth}
    if one.kept:
        words = _("A good turn: the program found no better one.")
    else:
        words = _("The program prefers “%(best)s”.") % values
    if one.depth:
        ahead = ngettext(
            "It looked %(depth)s action ahead.", "It looked %(depth)s actions ahead.", one.depth
        )
        words = f"{words} {ahead % values}"
    return words


def _turns(distance: int | None) -> str:
    count = distance or 0
    return ngettext("%(count)s turn", "%(count)s turns", count) % {"count": count}


def lesson_context(game: Game, viewer: Viewer, shown: int) -> dict[str, Any] | None:
    """Return the context of games/_lesson.html; None in a game that nobody may have judged.

    In a game without judgements it costs no query.
    """
    if not may_be_judged(game):
        return None
    found = judgements_of(game, viewer)
    at = found.get(shown)
    may_ask = seat_of(game, viewer) is not None and game.is_over
    waits = waits_for_new_day(game, server_now())
    # Somebody else's time is used up. In a lesson nobody has asked: it is the player's own time.
    can_help = waits and game.judge_asked_by_id not in (None, viewer.pk)
    is_free = game.judge_due_at is None or can_help
    # Where the rules ended the game, nothing is left to play after the last turn.
    again_until = game.turn_number - (game.is_over and game.ending not in Ending.values)
    return {
        "rows": [(number, one.kept, words_of_judgement(one)) for number, one in found.items()],
        "kept": sum(one.kept for one in found.values()),
        "words": words_of_judgement(at) if at else "",
        "is_kept_back": len(found) < game.judged_turns
        and first_entry_that_helps(game, viewer) is not None,
        "is_running": not game.is_over,
        "is_judging": game.judge_due_at is not None,
        "goes_on_at": game.judge_due_at if waits else None,
        "can_ask": may_ask and game.judged_turns < game.turn_number and is_free,
        "can_play_again": viewer.is_authenticated,
        "again_until": again_until,
        "again_from": min(shown, again_until),
    }
