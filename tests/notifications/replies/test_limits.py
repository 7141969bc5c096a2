"""Whatever the bytes are, they are read or refused, at a bounded price."""

import sys

import pytest

from notifications.mail_parser import (
    UnreadableMail,
    parse,
    parse_command,
    parse_conditions,
    parse_numbered,
)
from notifications.mail_parser.html_text import MOST_TAGS
from notifications.mail_parser.lines import MOST_LINES
from notifications.mail_parser.mime import MOST_BYTES, MOST_HEADER_BYTES
from tests.notifications.replies.hostile import FROM, HOSTILE, filled

STEPS = 4
"""Calls of functions, Python's and C's, for each byte of a mail."""
SECONDS = 30
"""No call is counted while a single one runs on: a search that begins again at every byte. Such a
mail takes minutes; any of these takes less than a second, even on a busy machine."""


def reason_of(raw):
    """Return why a mail is refused; nothing if it is read, and its commands too."""
    try:
        lines = parse(raw).lines
    except UnreadableMail as refused:
        return refused.reason
    parse_command(lines)
    parse_conditions(lines)
    parse_numbered(lines)
    return ""


# At the edge ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "reason"), [(-1, ""), (0, ""), (1, "too-big")])
def test_a_mail_may_have_256_kilobytes(more, reason):
    raw = filled(FROM + b"\n57\n", b"\n", size=MOST_BYTES + more)
    assert len(raw) == 256 * 1024 + more
    assert reason_of(raw) == reason


@pytest.mark.parametrize(("more", "reason"), [(-1, ""), (0, ""), (1, "headers-too-big")])
@pytest.mark.parametrize("end", [b"\n\n57\n", b""], ids=["with a body", "without"])
def test_its_headers_may_have_64_kilobytes(more, reason, end):
    head = filled(FROM + b"Subject: ", b"a", size=MOST_HEADER_BYTES + more)
    assert len(head) == 64 * 1024 + more
    assert reason_of(head + end) == reason


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_twenty_parts_are_looked_at_and_no_more(more):
    head = FROM + b"Content-Type: multipart/mixed; boundary=b\n\n"
    parts = b"--b\n\n\n" * (19 + more) + b"--b\n\n57\n"
    mail = parse(head + parts + b"--b--\n")
    assert (mail.lines, mail.is_cut) == (((), True) if more == 1 else (("57",), False))


def test_what_was_written_counts_before_what_was_attached():
    """Parts within the first part are taken out before the second."""
    picture = b"--o\nContent-Type: image/png\nContent-Disposition: attachment\n\nabc\n"
    words = b"Content-Type: multipart/alternative; boundary=i\n\n--i\n\n57\n--i--\n"
    outer = b"--o\n" + words + picture * 40 + b"--o--\n"
    mail = parse(FROM + b"Content-Type: multipart/mixed; boundary=o\n\n" + outer)
    assert (mail.lines, mail.is_cut) == (("57",), True)


@pytest.mark.parametrize(("more", "is_cut"), [(0, False), (1, True)])
def test_parts_within_parts_count_too(more, is_cut):
    inner = b"Content-Type: multipart/mixed; boundary=i\n\n" + b"--i\n\n57\n" * 19 + b"--i--\n"
    outer = b"--o\n" + inner + b"--o\n\n57\n" * more + b"--o--\n"
    raw = FROM + b"Content-Type: multipart/mixed; boundary=o\n\n" + outer
    mail = parse(raw)
    assert (mail.lines, mail.is_cut) == (("57",) * 19, is_cut)


@pytest.mark.parametrize("raw", [b"", b" \r\n \n", b"\n\n\n"])
def test_nothing_is_refused(raw):
    assert reason_of(raw) == "empty"


@pytest.mark.parametrize("raw", [b"\x00\xff" * 100, b"GET / HTTP/1.1", b"only words\n\nresign"])
def test_what_has_no_headers_is_no_mail(raw):
    assert reason_of(raw) == "no-headers"


def test_only_so_many_lines_are_looked_at():
    quote = b"> a\n" * (MOST_LINES - 2)
    assert parse(FROM + b"\n" + quote + b"\nresign\n").lines == ("resign",)
    assert parse(FROM + b"\n" + quote + b">\n\nresign\n").lines == ()


def test_only_so_many_tags_are_looked_at():
    head = FROM + b"Content-Type: text/html\n\n"
    assert parse(head + b"<b>" * (MOST_TAGS - 1) + b"resign").lines == ("resign",)
    assert parse(head + b"<b>" * MOST_TAGS + b"resign").lines == ()


# At full size --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.slow
@pytest.mark.timeout(SECONDS)
def test_a_costly_mail_takes_no_more_steps_than_it_has_bytes(name):
    reason_of(HOSTILE[name])  # what is imported and compiled once is not its own
    assert calls_of(HOSTILE[name]) <= STEPS * len(HOSTILE[name])


def calls_of(raw):
    """Return the number of calls, of Python's functions and C's, that reading a mail takes."""
    count = 0

    def counted(frame, event, argument):
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(counted)
    try:
        reason_of(raw)
    finally:
        sys.setprofile(None)
    return count


def test_a_line_of_any_length_is_a_turn_and_is_not_cut():
    text = "a1-a5, " * 30_000 + "b2-b6"
    mail = parse(FROM + b"\n" + text.encode())
    assert parse_command(mail.lines)[0].text == text
