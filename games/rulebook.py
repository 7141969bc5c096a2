"""The rulebooks: Markdown with drawn examples, as HTML with a table of contents.

An example is a fenced block named `board` whose lines are `moves:` (turns from the start,
separated by spaces; the actions of one turn by commas), `options:` (`key=value`, if any) and
`caption:`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, count, pairwise

from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

from games.rules.base import AnyRules, RulesError
from games.rules.board import Board
from games.rules.entries import replay
from games.rules.registry import app_for

TAKEN_ANCHORS = ("main", "try-it")
"""What the page of a rulebook names by itself."""


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

    @property
    def line(self) -> str:
        """The turns as one text, separated by spaces."""
        return " ".join(self.turns)

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


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a rulebook: its level (2 or 3), its text, and its place in the page."""

    level: int
    title: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A rulebook as HTML: `opening` is the title and the introduction, `body` the rest."""

    opening: SafeString
    body: SafeString
    headings: tuple[Heading, ...]


Figure = Callable[[Example, SafeString], str]
"""Turns an example and its caption, which is HTML, into markup that is safe to put into a page."""


def read_rulebook(slug: str, language: str, figure: Figure) -> Rulebook:
    """Return a game's rulebook in `language`, its examples made by `figure`.

    What stands before an example, up to the heading or example above it, is one part with it, so
    that a wide page can put the board beside its words. Raises UnknownGame. The rulebook's own
    HTML, if it had any, would be shown as text.
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(app_for(slug).rulebook(language))
    headings = _name_headings(tokens)
    opening, body, words, boards = "", "", "", ""
    has_begun = False

    def part() -> str:
        """Return the words since the last part, in one block with their boards if there are any."""
        if not boards:
            return words
        kind = "rules-part" if words else "rules-part rules-boards"
        return f'<div class="{kind}"><div class="rules-words">{words}</div>{boards}</div>\n'

    for block in _blocks(tokens):
        first = block[0]
        has_begun = has_begun or first.tag == "h2" or _is_board(first)
        if _is_board(first):
            example = Example.read(first.content)
            boards += figure(example, SafeString(reader.renderInline(example.caption)))
            continue
        html = reader.renderer.render(block, reader.options, {})
        if boards or first.type == "heading_open":
            body += part()
            words, boards = "", ""
        if not has_begun:
            opening += html
        elif first.tag == "h2":
            body += html
        else:
            words += html
    return Rulebook(SafeString(opening), SafeString(body + part()), headings)


def _name_headings(tokens: list[Token]) -> tuple[Heading, ...]:
    """Give each heading below the title a place of its own in the page, and return them."""
    found, taken = [], set(TAKEN_ANCHORS)
    for start, inline in pairwise(tokens):
        if start.type != "heading_open" or start.tag not in ("h2", "h3"):
            continue
        title = "".join(one.content for one in inline.children or [])
        name = slugify(title) or "part"
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        anchor = next(one for one in names if one not in taken)
        taken.add(anchor)
        start.attrSet("id", anchor)
        found.append(Heading(int(start.tag[1]), title, anchor))
    return tuple(found)


def _blocks(tokens: list[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each block: a heading, a paragraph, a list, an example."""
    block, depth = [], 0
    for token in tokens:
        block.append(token)
        depth += token.nesting
        if depth == 0:
            yield block
            block = []


def _is_board(token: Token) -> bool:
    return token.type == "fence" and token.info.strip() == "board"
