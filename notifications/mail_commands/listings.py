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
from notifications.emails.formatting import example_turns, plain

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


def list_commands(game: Game | None) -> str:
    """Return what can be answered by mail, a line each, with a turn of this game as an example."""
    runs = game is not None and game.started_at is not None and not game.is_over
    examples = _(" or ").join(example_turns(game)) if game is not None and runs else ""
    turn = _("a turn, such as %(examples)s") if examples else _("a turn")
    known = [
        (turn % {"examples": examples}, _("plays it; text below it is sent to your opponents")),
        (_("resign"), _("resigns the game")),
        (_("offer"), _("offers to end the game by agreement")),
        (_("accept, decline"), _("answers an offer or an invitation")),
        (_("yes, no"), _("answers what we asked you before doing it")),
        (_("abort"), _("ends the game without a result, while that is possible")),
        (_("win"), _("wins when no mail has reached your opponent for 14 days")),
        (_("say …"), _("says something to your opponents")),
        (_("board, history, rules"), _("sends you the board, the turns so far or the rules")),
        (_("clock"), _("sends you why the deadline is when it is")),
        (
            _("if … then …"),
            _("plays the second turn at once if the first is played; nobody else sees it"),
        ),
        (_("plans, drop plans"), _("sends you what you have planned, drops it")),
        (_("later 8h"), _("reminds you in eight hours")),
        (_("vacation 10"), _("stops your clocks for ten days; or from 2026-12-20 2027-01-03")),
        (_("rematch"), _("asks for another game when this one is over")),
        (_("tables"), _("sends you the open tables")),
        (_("join 12"), _("sits down at that table, after you have confirmed it")),
        (_("new"), _("opens a table, after you have confirmed it; “new” explains more")),
        (_("find opponent"), _("joins the table that has waited longest, or opens one")),
        (_("quiet, loud"), _("fewer mails, all mails")),
        (_("help"), _("sends you this list")),
    ]
    return "\n".join(f"{word} – {meaning}" for word, meaning in known)
