"""The rulebooks: Markdown with drawn examples, as HTML.

An example is a fenced block named `board` whose lines are `moves:` (turns from the start,
separated by spaces; the actions of one turn by commas), `options:` (`key=value`, if any) and
`caption:`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from games.rules.base import AnyRules, RulesError
from games.rules.board import Board
from games.rules.entries import replay
from games.rules.registry import app_for

Draw = Callable[[Board], str]
"""Turns a board into markup that is safe to put into a page."""


@dataclass(frozen=True, slots=True)
class Example:
    """A position of a rulebook: the turns that lead to it, and its caption."""

    options: dict[str, str]
    turns: tuple[str, ...]
    caption: str

    @classmethod
    def read(cls, text: str) -> Example:
        """Return the example that a block's text describes. Raises ValueError."""
        lines = {}
        for line in text.strip().splitlines():
            key, colon, value = line.partition(":")
            if not colon:
                raise ValueError(f"a line of an example without a colon: {line}")
            lines[key.strip()] = value.strip()
        if not {"moves", "caption"} <= set(lines) <= {"moves", "caption", "options"}:
            raise ValueError(f"an example needs moves and a caption: {text!r}")
        options = dict(pair.split("=", 1) for pair in lines.get("options", "").split())
        return cls(options, tuple(lines["moves"].split()), lines["caption"])

    def board(self, rules: AnyRules) -> Board:
        """Return the drawing after the last turn. Raises RulesError if a turn is not legal."""
        before = replay(rules, rules.check_options(self.options), self.turns[:-1])
        last = tuple(a for turn in self.turns[-1:] for a in rules.parse_turn(before, turn))
        return rules.board(rules.play_turn(before, last), None, last)


def parse_examples(markdown: str) -> list[Example]:
    """Return the examples of a rulebook in their order. Raises ValueError for a bad one."""
    tokens = MarkdownIt("commonmark").parse(markdown)
    return [Example.read(token.content) for token in tokens if _is_board(token)]


def rulebook_faults(slug: str) -> Iterator[str]:
    """Yield a sentence for each fault in a game's rulebooks, for its author. Raises UnknownGame."""
    app, shown = app_for(slug), []
    for language, _ in settings.LANGUAGES:
        name = f"rulebook.{language}.md"
        try:
            text = app.rulebook(language)
            found = parse_examples(text)
            shown.append([(example.options, example.turns) for example in found])
            for example in found:
                example.board(app.rules)
        except FileNotFoundError:
            yield f"{name} is missing."
            continue
        except (ValueError, RulesError) as error:
            yield f"An example of {name} cannot be drawn: {error}"
            continue
        if not text.startswith("# "):
            yield f"{name} does not begin with a title (“# ” and the game's name)."
        if not found:
            yield f"{name} has no example: a block named “board”."
    if any(positions != shown[0] for positions in shown):
        yield "The rulebooks do not show the same examples."


def rulebook_html(slug: str, language: str, draw: Draw) -> SafeString:
    """Return a game's rulebook in `language` as HTML, its examples drawn by `draw`.

    Raises UnknownGame. The rulebook's own HTML, if it had any, would be shown as text.
    """
    app = app_for(slug)
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")

    def fence(
        renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
    ) -> str:
        if not _is_board(tokens[index]):
            return renderer.fence(tokens, index, options, env)
        example = Example.read(tokens[index].content)
        caption = reader.renderInline(example.caption)
        drawing = draw(example.board(app.rules))
        return (
            f'<figure class="board-figure">{drawing}<figcaption>{caption}</figcaption></figure>\n'
        )

    reader.add_render_rule("fence", fence)
    return SafeString(reader.render(app.rulebook(language)))


def _is_board(token: Token) -> bool:
    return token.type == "fence" and token.info.strip() == "board"
