"""From the parts of a mail to the lines that its sender wrote: one scan, from top to bottom.

What is quoted never counts. Words above the quote are the sender's; words between and below quoted
lines count only if there are none above.
"""

from __future__ import annotations

from notifications.mail_parser.html_text import lines_of_html
from notifications.mail_parser.lines import MOST_LINES, MailLine, lines_of_text
from notifications.mail_parser.mime import Part, header_parameter, part_text
from notifications.mail_parser.pgp import without_pgp_lines
from notifications.mail_parser.phrases import (
    has_date_and_time,
    has_reply_address,
    is_attribution,
    is_divider,
    is_from_header,
    is_quoted_header,
    looks_like_attribution,
    may_open_attribution,
)
from notifications.mail_parser.reply_marker import marker_at
from notifications.mail_parser.signatures import is_signature

_MOST_BROKEN = 4
"""Lines into which a mail program may break the one that says who wrote the quoted text."""
_HEADERS_WITHIN = 6
_FEWEST_HEADERS = 2
_MOST_OWN = 400
"""Lines of their own that anybody needs for commands and a message."""
_WRAPPED = 66
"""Length at which some mail programs wrap a longer line when they quote it."""


def own_lines(mail: Part) -> tuple[str, ...]:
    """Return the lines that the sender wrote, in order, without signature and quotes.

    Blank lines are kept where the sender left some, but never first or last.
    """
    scan = _Scan(without_pgp_lines(_shown_lines(mail)[:MOST_LINES]))
    at = 0
    while at < len(scan.lines) and len(scan.above) + len(scan.below) < _MOST_OWN:
        at = scan.step(at)
    return _trimmed(scan.above) or _trimmed(scan.below)


def _shown_lines(part: Part) -> list[MailLine]:
    """Return the lines that a mail program shows of a part."""
    disposition = part.get("content-disposition").strip().lower()
    if disposition.startswith("attachment") or "filename" in disposition:
        return []
    if part.type == "text/html":
        return lines_of_html(part_text(part))
    if part.type == "text/plain":
        content_type = part.get("content-type")
        flowed = header_parameter(content_type, "format").lower() == "flowed"
        joined = header_parameter(content_type, "delsp").lower() == "yes"
        return lines_of_text(part_text(part), flowed=flowed, joined=joined)
    children = part.children
    if part.type in {"multipart/alternative", "multipart/related", "multipart/signed"}:
        # The plain text if there is one with anything in it, else the first other part.
        if part.type == "multipart/alternative":
            children = tuple(sorted(children, key=lambda child: child.type != "text/plain"))
        shown = map(_shown_lines, children)
        return next((lines for lines in shown if any(line.text for line in lines)), [])
    if part.type == "multipart/report":
        return []
    return [line for child in children for line in _shown_lines(child)]


class _Scan:
    """Goes through the lines once; every step looks ahead a few lines at most."""

    def __init__(self, lines: list[MailLine]) -> None:
        self.lines = lines
        self.above: list[str] = []
        self.below: list[str] = []
        self.in_signature = False
        self.past_quote = False
        self.wrapped = -2
        """The index of the last line that was the end of a wrapped quoted one."""

    def step(self, at: int) -> int:
        """Read the line at an index; return the index of the next to read."""
        line = self.lines[at]
        if line.quoted:
            self.past_quote, self.in_signature = True, False
            return at + 1
        if marker_at(self._texts(at, 2), 0):
            return len(self.lines)
        after = self.announcement_end(at)
        if after > at:
            return self.skip_quote(after)
        if is_signature(line.text):
            self.in_signature = True
        elif not self.in_signature and not self.is_wrapped(at):
            (self.below if self.past_quote else self.above).append(line.text)
        return at + 1

    def announcement_end(self, at: int) -> int:
        """Return the index below the lines that announce a quote here, or `at` if none do."""
        text = self.lines[at].text
        if not text:
            return at
        if is_divider(text):
            return at + 1
        return self.header_block(at) or at + (self.attribution(at) or self.address_of_ours(at))

    def skip_quote(self, at: int) -> int:
        """Return the first quoted line below an announcement; the end if the quote has no marks."""
        while at < len(self.lines):
            if self.lines[at].quoted:
                return at
            after = self.announcement_end(at) if self.lines[at].text else at + 1
            if after == at:
                break
            at = after
        return len(self.lines)

    def header_block(self, at: int) -> int:
        """Return the index below the header lines that begin here; 0 if none do.

        One of them says who wrote; if that is not the first, there must be more.
        """
        if not is_from_header(self.lines[at].text) and not is_quoted_header(self.lines[at].text):
            return 0
        texts = self._texts(at, _HEADERS_WITHIN)
        senders = [index for index, text in enumerate(texts) if is_from_header(text)]
        found = sorted(
            senders + [index for index, text in enumerate(texts) if is_quoted_header(text)]
        )
        enough = _FEWEST_HEADERS if senders[:1] == [0] else _FEWEST_HEADERS + 1
        return at + found[-1] + 1 if senders and len(found) >= enough else 0

    def attribution(self, at: int) -> int:
        """Return the number of lines here that say who wrote the quoted text below, or 0."""
        texts = self._texts(at, _MOST_BROKEN)
        most = len(texts) if may_open_attribution(texts[0]) else 1
        for count in range(1, most + 1):
            if not texts[count - 1]:
                break
            joined = " ".join(texts[:count])
            if is_attribution(joined):
                return count
            if self.is_right_above_quote(at + count) and looks_like_attribution(joined):
                return count
        return 0

    def address_of_ours(self, at: int) -> int:
        """Return the number of lines here that name our address as the quoted mail's sender, or 0.

        In any language: the reply address is on the first line or, below the time, on the second;
        a last line may hold only the verb.
        """
        here, below, last = [*(line.text for line in self.lines[at : at + 3]), "", ""][:3]
        if "@" not in here and "@" not in below:
            return 0
        if has_reply_address(here):
            return 1 + below.endswith(":")
        return 2 + last.endswith(":") if has_reply_address(below) and has_date_and_time(here) else 0

    def is_right_above_quote(self, at: int) -> bool:
        """Tell whether the line at this index, or the one below a blank one there, is quoted."""
        ahead = [line for line in self.lines[at : at + 2] if line.quoted or line.text]
        return bool(ahead) and ahead[0].quoted

    def is_wrapped(self, at: int) -> bool:
        """Tell whether a line is the wrapped end of the quoted one above it, without its mark."""
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
