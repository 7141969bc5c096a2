"""From the parts of a mail to the lines that its sender wrote: one scan, from top to bottom.

What is quoted never counts. Words above the quote are the sender's; only where there are none,
those between and below quoted lines are.
"""

from __future__ import annotations

from notifications.mail_parser.html_text import lines_of_html
from notifications.mail_parser.lines import MOST_LINES, MailLine, lines_of_text
from notifications.mail_parser.mime import Part, parameter, text_of
from notifications.mail_parser.phrases import (
    is_attribution,
    is_divider,
    is_header,
    is_signature,
    may_be_attribution,
    names_sender,
    names_us,
    opens_attribution,
    says_when,
)
from notifications.mail_parser.reply_marker import marker_at

_MOST_BROKEN = 4
"""Lines into which a mail program may break the one that says who wrote what is quoted."""
_HEADERS_WITHIN = 6
_FEWEST_HEADERS = 2
_MOST_OWN = 400
"""Lines of their own that anybody needs for orders and a message."""
_WRAPPED = 66
"""Characters of a line that some mail programs make of a longer one when they quote."""


def written(mail: Part) -> tuple[str, ...]:
    """Return the lines that the sender wrote, in order, without signature and quotes.

    Blank lines stand where the sender left some, never first or last.
    """
    return own_lines(_readable(mail)[:MOST_LINES])


# The parts ---------------------------------------------------------------------------------------


def _readable(part: Part) -> list[MailLine]:
    """Return the lines of what a mail program shows of a part."""
    if part.is_attached or "filename" in part.get("content-disposition").lower():
        return []
    if part.type == "text/html":
        return lines_of_html(text_of(part))
    if part.type == "text/plain":
        return _plain(part)
    if part.type in {"multipart/alternative", "multipart/related", "multipart/signed"}:
        return _one_of(part.children, alternative=part.type == "multipart/alternative")
    if part.type == "multipart/report":
        return []
    return [line for child in part.children for line in _readable(child)]


def _plain(part: Part) -> list[MailLine]:
    kind = part.get("content-type")
    flowed = parameter(kind, "format").lower() == "flowed"
    joined = parameter(kind, "delsp").lower() == "yes"
    return lines_of_text(text_of(part), flowed=flowed, joined=joined)


def _one_of(parts: tuple[Part, ...], *, alternative: bool) -> list[MailLine]:
    """Return the plain text if there is one with anything in it, else the first other part."""
    ordered = sorted(parts, key=lambda part: part.type != "text/plain") if alternative else parts
    for part in ordered:
        lines = _readable(part)
        if any(line.text for line in lines):
            return lines
    return []


# The scan ----------------------------------------------------------------------------------------


def own_lines(lines: list[MailLine]) -> tuple[str, ...]:
    """Return what the sender wrote among these lines."""
    return _Scan(lines).result()


class _Scan:
    """Goes through the lines once; whatever looks ahead looks at most a few lines ahead."""

    def __init__(self, lines: list[MailLine]) -> None:
        self.lines = lines
        self.above: list[str] = []
        self.below: list[str] = []
        self.in_signature = False
        self.past_quote = False
        self.wrapped = -2
        """The index of the last line that was the end of a quoted one."""

    def result(self) -> tuple[str, ...]:
        at = 0
        while at < len(self.lines) and len(self.above) + len(self.below) < _MOST_OWN:
            at = self.step(at)
        return _trimmed(self.above) or _trimmed(self.below)

    def step(self, at: int) -> int:
        """Take the line at an index; return the index of the next to take."""
        line = self.lines[at]
        if line.quoted:
            self.past_quote, self.in_signature = True, False
            return at + 1
        if marker_at(self._texts(at, 2), 0):
            return len(self.lines)
        after = self.boundary(at)
        if after > at:
            return self.beyond(after)
        if is_signature(line.text):
            self.in_signature = True
        elif not self.in_signature and not self.is_wrapped(at):
            (self.below if self.past_quote else self.above).append(line.text)
        return at + 1

    def boundary(self, at: int) -> int:
        """Return the index behind what announces a quote here, or `at` if nothing does."""
        text = self.lines[at].text
        if not text:
            return at
        if is_divider(text):
            return at + 1
        return self.header_block(at) or at + (self.attribution(at) or self.address_of_ours(at))

    def beyond(self, at: int) -> int:
        """Return where to go on behind the announcement of a quote: nowhere if it has no marks."""
        while at < len(self.lines):
            if self.lines[at].quoted:
                return at
            after = self.boundary(at) if self.lines[at].text else at + 1
            if after == at:
                break
            at = after
        return len(self.lines)

    def header_block(self, at: int) -> int:
        """Return the index behind the header lines that begin here; 0 if none do.

        One of them says who wrote; if that is not the first, there must be more.
        """
        if not names_sender(self.lines[at].text) and not is_header(self.lines[at].text):
            return 0
        texts = self._texts(at, _HEADERS_WITHIN)
        senders = [index for index, text in enumerate(texts) if names_sender(text)]
        found = sorted(senders + [index for index, text in enumerate(texts) if is_header(text)])
        enough = _FEWEST_HEADERS if senders[:1] == [0] else _FEWEST_HEADERS + 1
        return at + found[-1] + 1 if senders and len(found) >= enough else 0

    def attribution(self, at: int) -> int:
        """Return the number of lines here that say who wrote what is quoted below, or 0."""
        texts = self._texts(at, _MOST_BROKEN)
        most = len(texts) if opens_attribution(texts[0]) else 1
        for count in range(1, most + 1):
            if not texts[count - 1]:
                break
            joined = " ".join(texts[:count])
            if is_attribution(joined):
                return count
            if self.is_right_above_quote(at + count) and may_be_attribution(joined):
                return count
        return 0

    def address_of_ours(self, at: int) -> int:
        """Return the number of lines here that show whom the quoted mail is from, or 0.

        In whatever language: the reply address is on the first or, below the time, on the second;
        a last one may only hold the verb.
        """
        here, below, last = [*(line.text for line in self.lines[at : at + 3]), "", ""][:3]
        if "@" not in here and "@" not in below:
            return 0
        if names_us(here):
            return 1 + below.endswith(":")
        return 2 + last.endswith(":") if names_us(below) and says_when(here) else 0

    def is_right_above_quote(self, at: int) -> bool:
        """Tell whether the line at this index, or the one behind a blank one there, is quoted."""
        ahead = [line for line in self.lines[at : at + 2] if line.quoted or line.text]
        return bool(ahead) and ahead[0].quoted

    def is_wrapped(self, at: int) -> bool:
        """Tell whether a line is the end of the quoted one above it, which lost its mark."""
        before = self.lines[at - 1] if at else MailLine("")
        first, _, _ = self.lines[at].text.partition(" ")
        if not first or not (before.quoted or self.wrapped == at - 1):
            return False
        if before.length + len(first) >= _WRAPPED:
            self.wrapped = at
        return self.wrapped == at

    def _texts(self, at: int, most: int) -> list[str]:
        """Return the texts from an index on, up to the next quoted line."""
        texts = []
        for line in self.lines[at : at + most]:
            if line.quoted:
                break
            texts.append(line.text)
        return texts


def _trimmed(lines: list[str]) -> tuple[str, ...]:
    """Return the lines from the first to the last that has a letter or a digit."""
    full = [index for index, text in enumerate(lines) if any(c.isalnum() for c in text)]
    return tuple(lines[full[0] : full[-1] + 1]) if full else ()
