"""HTML as lines: a scan from left to right, however broken the HTML is.

Python's own HTML parser needs time that grows with the square of the length for some broken HTML.
"""

from __future__ import annotations

import html
import re
from collections import Counter

from notifications.mail_parser.lines import MOST_LINES, MailLine, plain_spaces

MOST_TAGS = 20_000
"""Tags of a mail that are read."""
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
_INVISIBLE = frozenset({
    "head", "script", "style", "title", "template", "svg", "object",
})  # fmt: skip
_INSIDE_TAG = re.compile(r"""(?:[^>"']++|"[^"]*+"|'[^']*+')*+""")
"""The content of a tag, up to its end or to a quotation mark that is never closed."""
_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9:_-]*)")
_LABELS = re.compile(r"""\b(?:class|id)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_HIDDEN = re.compile(r"\bdisplay\s*:\s*none\b", re.IGNORECASE)
"""In the style of an element that no reader sees, such as the preview text of our own mails."""
_NBSP = "\u00a0"
_BLANKS = re.compile(r"\s+")

_QUOTES = frozenset({
    "gmail_attr", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote", "tutanota_quote",
    "zmail_extra", "outlookmessageheader", "reply-intro",
})  # fmt: skip
"""Classes and ids of elements in which nothing is the person's own."""
_QUOTE_WRAPPERS = frozenset({"gmail_quote", "gmail_quote_container", "gmail_extra"})
"""Those in which all is quoted until a blockquote ends: people answer between quotes there."""
_DIVIDERS = frozenset(
    {"divrplyfwdmsg", "appendonsend", "stopspelling", "mail-editor-reference-message-container"}
)
"""Those below which nothing is the person's own."""
_SIGNATURES = frozenset({
    "gmail_signature", "gmail_signature_prefix", "moz-signature", "ms-outlook-mobile-signature",
    "protonmail_signature_block", "applemailsignature", "signature",
})  # fmt: skip


_STATES = (
    ("quote", _QUOTES),
    ("divider", _DIVIDERS),
    ("signature", _SIGNATURES),
    ("wrapper", _QUOTE_WRAPPERS),
)
"""What each class or id makes of the text in its element."""


def lines_of_html(source: str) -> list[MailLine]:
    """Return the lines that a reader of this HTML sees, up to a mail program's divider."""
    page = _Page()
    at = tags = 0
    while tags < MOST_TAGS and not page.is_over:
        begin = source.find("<", at)
        page.add_text(source[at : begin if begin >= 0 else len(source)])
        if begin < 0 or page.is_over:
            break
        tags += 1
        at = begin + 1
        name = _NAME.match(source, at)
        if source.startswith("<!--", begin):
            at = _end_of(source, "-->", begin)
        elif name is not None or source[at : at + 1] in {"!", "?", "/"}:
            inside = _INSIDE_TAG.match(source, at)
            at = _end_of(source, ">", inside.end() if inside else begin)
            if name is not None:
                page.add_tag(name[1].lower(), source[begin + 1 : at - 1])
        else:  # a mere "<"
            page.add_text("<")
    page.break_line(kept=False)
    return page.lines[:MOST_LINES]


def _end_of(source: str, mark: str, at: int) -> int:
    """Return the index behind the next `mark`; the end of the source if there is none."""
    found = source.find(mark, at)
    return len(source) if found < 0 else found + len(mark)


class _Page:
    """The lines that were read so far, and the elements that are open."""

    def __init__(self) -> None:
        self.lines: list[MailLine] = []
        self.words: list[str] = []
        self.open: list[tuple[str, str]] = []
        self.count: Counter[str] = Counter()
        self.states: Counter[str] = Counter()
        self.is_over = False
        self.quote_has_ended = False

    def add_text(self, text: str) -> None:
        """Add visible text; its line ends count only inside a `<pre>`."""
        if not self.states["invisible"]:
            first, *more = text.split("\n", MOST_LINES) if self.count["pre"] else [text]
            self.words.append(first)
            for line in more:
                self.break_line(kept=True)
                self.words.append(line)
        self.is_over = self.is_over or len(self.lines) >= MOST_LINES

    def add_tag(self, name: str, text: str) -> None:
        """Open or close an element; `text` is all that is between < and >."""
        if text.startswith("/"):
            self.close(name)
        else:
            if name in _BREAKS:
                self.break_line(kept=name == "br")
            state = _state_of(name, text)
            if state == "divider":
                self.is_over = True
            elif name not in _VOID and not text.endswith("/"):
                if self.words and state:
                    self.break_line(kept=False)
                self.open.append((name, state))
                self.count[name] += 1
                self.states[state] += 1
        self.is_over = self.is_over or len(self.lines) >= MOST_LINES

    def close(self, name: str) -> None:
        """Close an element and everything that is open inside it."""
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
        try:
            text = html.unescape(source)
        except ValueError:  # a number of thousands of digits
            text = source
        shown = _BLANKS.sub(" ", plain_spaces(text)).strip()
        if shown or kept or _NBSP in text:
            is_quoted = bool(self.states["quote"] or self.states["signature"]) or bool(
                self.states["wrapper"] and not self.quote_has_ended
            )
            self.lines.append(MailLine(shown, is_quoted))


def _state_of(name: str, text: str) -> str:
    """Return what an element makes of the text in it."""
    if name in _INVISIBLE:
        return "invisible"
    if name == "blockquote":
        return "quote"
    if _HIDDEN.search(text[:_LABELLED]):
        return "invisible"
    for found in _LABELS.finditer(text[:_LABELLED]):
        for label in (found[1] or found[2] or found[3] or "").lower().split():
            for state, labels in _STATES:
                if label in labels:
                    return state
    return ""
