"""Longer texts that a person can ask for by mail."""

import re

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Game
from games.queries.plans import plan_rows
from games.queries.positions import notations, turns_of
from games.record_text import entries_of
from games.rules.registry import app_for
from notifications.emails.formatting import plain

MOST_SINCE = 10
"""Turns that an answer to a stale turn lists."""

_HEADING = re.compile(r"^(#{1,3}) +(.+)$", re.MULTILINE)
_UNDERLINES = {1: "=", 2: "-", 3: ""}
_RULE = re.compile(r"^\|[-| ]+\|\n", re.MULTILINE)
_ROW = re.compile(r"^\| *(.*?) *\| *(.*?) *\|$", re.MULTILINE)
_EMPHASIS = re.compile(r"(\*{1,2}|`)(?=\S)((?:[^*`\n]|\n(?!\n))+)(?<=\S)\1")


def record_of(game: Game) -> str:
    """Return the record of a game, a line for each turn."""
    lines = [
        f"{entry.number}. {entry.notation}  –  {entry.player} {entry.words}".rstrip()
        for entry in entries_of(game)
    ]
    return "\n".join(lines) or _("No turn has been played yet.")


def turns_since(game: Game, number: int) -> str:
    """Return the turns played after turn `number`, the newest MOST_SINCE, a line each."""
    turns = list(turns_of(game).filter(number__gt=number))[-MOST_SINCE:]
    return "\n".join(f"{turn.number}. {plain(turn.player)}: {turn.notation}" for turn in turns)


def list_plans(game: Game, user: User) -> str:
    """Return what a player has planned and what can still come, a line each; empty: nothing."""
    rows = plan_rows(game, user, notations(game))
    return "\n".join(f"{'  ' * row.depth}{row.step}" for row in rows)


def rulebook_of(game: Game) -> str:
    """Return the rulebook of a game as plain text: no drawings, headings underlined."""
    markdown = app_for(game.rules_slug).rulebook(get_language() or "en")
    blocks = markdown.split("```")
    text = "\n\n".join(block.strip("\n") for block in blocks[::2])
    text = _ROW.sub(lambda row: " – ".join(row.groups()), _RULE.sub("", text))

    def underlined(found: re.Match[str]) -> str:
        heading, stroke = found[2], _UNDERLINES[len(found[1])]
        return f"{heading}\n{stroke * len(heading)}".rstrip("\n")

    return _EMPHASIS.sub(r"\2", _HEADING.sub(underlined, text))
