"""HTML as lines: a scan from left to right, however broken the HTML is.

Python's own HTML parser takes time that grows with the square for some broken HTML.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from notifications.mail_parser.lines import MOST_LINES, MailLine, plain_spaces

MOST_TAGS = 20_000
"""Tags of a mail that are looked at."""
_LABELLED = 4000
"""Characters of a tag in which its classes are looked for."""

_BREAKS = frozenset({
    "address", "article", "aside", "blockquote", "br", "center", "dd", "div", "dl", "dt",
    "fieldset", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li",
    "main", "nav", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
})  # fmt: skip
_VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
    "source", "track", "wbr",
})  # fmt: skip
_UNSEEN = frozenset({
    "head", "script", "style", "title", "template", "svg", "object",
})  # fmt: skip
_INSIDE = re.compile(r"""(?:[^>"']++|"[^"]*+"|'[^']*+')*+""")
"""What stands in a tag, up to its end or to a quotation mark that is never closed."""
_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9:_-]*)")
_LABELS = re.compile(r"""\b(?:class|id)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_NBSP = "\u00a0"
_BLANKS = re.compile(r"\s+")

_QUOTES = frozenset({
    "gmail_attr", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote", "tutanota_quote",
    "zmail_extra", "outlookmessageheader", "reply-intro",
})  # fmt: skip
"""Classes and ids of elements in which nothing is the person's own."""
_AROUND = frozenset({"gmail_quote", "gmail_quote_container", "gmail_extra"})
"""Those in which nothing is before a blockquote has ended: people answer between quotes there."""
_DIVIDERS = frozenset(
    {"divrplyfwdmsg", "appendonsend", "stopspelling", "mail-editor-reference-message-container"}
)
"""Those below which nothing is the person's own."""
_SIGNATURES = frozenset({
    "gmail_signature", "gmail_signature_prefix", "moz-signature", "ms-outlook-mobile-signature",
    "protonmail_signature_block", "applemailsignature", "signature",
})  # fmt: skip


class _Piece(NamedTuple):
    """A tag, or the text between two."""

    text: str
    name: str = ""
    closes: bool = False


def lines_of_html(source: str) -> list[MailLine]:
    """Return the lines that a reader of this HTML sees, up to a mail program's divider."""
    page = _Page()
    for piece in _pieces(source):
        if page.is_over:
            break
        page.take(piece)
    return page.finished()


def _pieces(source: str) -> Iterator[_Piece]:
    at = tags = 0
    while tags < MOST_TAGS:
        begin = source.find("<", at)
        yield _Piece(source[at : begin if begin >= 0 else len(source)])
        if begin < 0:
            return
        piece, at = _tag(source, begin)
        tags += 1
        yield piece


def _tag(source: str, begin: int) -> tuple[_Piece, int]:
    """Return the tag that begins here, and where the text goes on."""
    if source.startswith("<!--", begin):
        return _Piece(""), _behind(source, "-->", begin)
    name = _NAME.match(source, begin + 1)
    if name is None and source[begin + 1 : begin + 2] not in {"!", "?", "/"}:
        return _Piece("<"), begin + 1
    inside = _INSIDE.match(source, begin + 1)
    after = _behind(source, ">", inside.end() if inside else begin)
    if name is None:
        return _Piece(""), after
    text = source[begin + 1 : after - 1]
    return _Piece(text, name[1].lower(), text.startswith("/")), after


def _behind(source: str, what: str, at: int) -> int:
    """Return where the text goes on behind the next `what`; what never ends goes on to the end."""
    found = source.find(what, at)
    return len(source) if found < 0 else found + len(what)


class _Page:
    """What has been read so far."""

    def __init__(self) -> None:
        self.lines: list[MailLine] = []
        self.words: list[str] = []
        self.open: list[tuple[str, str]] = []
        self.count: Counter[str] = Counter()
        self.states: Counter[str] = Counter()
        self.is_over = False
        self.quote_has_ended = False

    def take(self, piece: _Piece) -> None:
        if not piece.name:
            self.say(piece.text)
        elif piece.closes:
            self.close(piece.name)
        else:
            self.begin(piece)
        self.is_over = self.is_over or len(self.lines) >= MOST_LINES

    def say(self, text: str) -> None:
        """Take what is to be read; lines are meant only in a `<pre>`."""
        if self.states["unseen"]:
            return
        first, *more = text.split("\n", MOST_LINES) if self.count["pre"] else [text]
        self.words.append(first)
        for line in more:
            self.break_line(kept=True)
            self.words.append(line)

    def begin(self, piece: _Piece) -> None:
        if piece.name in _BREAKS:
            self.break_line(kept=piece.name == "br")
        state = _state(piece)
        if state == "divider":
            self.is_over = True
        elif piece.name not in _VOID and not piece.text.endswith("/"):
            if self.words and state:
                self.break_line(kept=False)
            self.open.append((piece.name, state))
            self.count[piece.name] += 1
            self.states[state] += 1

    def close(self, name: str) -> None:
        """Close an element and all that is open within it."""
        if name in _BREAKS:
            self.break_line(kept=False)
        if not self.count[name]:
            return
        closed = ""
        while closed != name:
            closed, state = self.open.pop()
            self.count[closed] -= 1
            if state:
                self.break_line(kept=False)
            self.states[state] -= 1
            self.quote_has_ended = self.quote_has_ended or closed == "blockquote"

    def break_line(self, *, kept: bool) -> None:
        """End the line; an empty one is kept only for a `<br>`."""
        source = "".join(self.words)
        self.words.clear()
        text = _unescaped(source)
        shown = _BLANKS.sub(" ", plain_spaces(text)).strip()
        if shown or kept or _NBSP in text:
            self.lines.append(MailLine(shown, self.is_quoted))

    @property
    def is_quoted(self) -> bool:
        if self.states["around"] and not self.quote_has_ended:
            return True
        return bool(self.states["quote"] or self.states["signature"])

    def finished(self) -> list[MailLine]:
        self.break_line(kept=False)
        return self.lines[:MOST_LINES]


def _unescaped(source: str) -> str:
    try:
        return html.unescape(source)
    except ValueError:  # a number of thousands of digits
        return source


def _state(piece: _Piece) -> str:
    """Return what an element makes of what stands in it."""
    if piece.name in _UNSEEN:
        return "unseen"
    if piece.name == "blockquote":
        return "quote"
    for found in _LABELS.finditer(piece.text[:_LABELLED]):
        for label in (found[1] or found[2] or found[3] or "").lower().split():
            for state, labels in _STATES:
                if label in labels:
                    return state
    return ""


_STATES = (
    ("quote", _QUOTES),
    ("divider", _DIVIDERS),
    ("signature", _SIGNATURES),
    ("around", _AROUND),
)
