"""Any bytes are read or refused as Unreadable; nothing quoted is ever an order."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from notifications.mail_parser import (
    UnreadableMail,
    parse,
    parse_command,
    parse_conditions,
    parse_numbered,
)
from notifications.mail_parser.commands import MOST_NUMBERED

unhurried = settings(deadline=None)
"""What a mail may cost is measured in `test_limits`, whatever else this machine does."""

PIECES = [
    b"From: ", b"ann@example.org", b"Subject: ", b"=?utf-8?q?", b"?=", b"Return-Path: <>", b"\n",
    b"\n\n", b"\r\n", b" ", b"> ", b">> ", b"-- ", b"--b", b"--b--", b"--c", b"57",
    b"if 1 then 2", b"Content-Type: ", b"text/plain", b"text/html",
    b"multipart/alternative; boundary=b", b"multipart/mixed; boundary=c",
    b"multipart/report; boundary=b", b"message/delivery-status", b"; charset=", b"utf-16",
    b"idna", b"format=flowed", b"Content-Transfer-Encoding: ", b"base64", b"quoted-printable",
    b"=E9", b"=", b"MTIz", b"<", b">", b"</", b"<!--", b"-->", b"&#", b"9" * 99,
    b"<div class=gmail_quote>", b"<blockquote>", b"</blockquote>", b"<pre>", b"<br>", b'"', b"'",
    b"On 1:00 a@b.cd", b" wrote:", b"From: a\nSent: b\n", b"Reply above this line.",
    b"Action: failed", b"Status: 5.1.1", b"Final-Recipient: rfc822; a@b.cd", b"mailer-daemon@",
    b"\xe9", b"\x00", b"\xff", "\u2013\u00a0".encode(), b"1 57", b"later 8h", b"vacation 2026-",
    b"say ", b"\t", b",", b"(", b"\\",
]  # fmt: skip


def taken_in(raw):
    """Read a mail as far as it can be read, and all commands in it."""
    try:
        mail = parse(raw, domain="pli.example.org")
    except UnreadableMail as refused:
        assert refused.reason in {
            "empty",
            "too-big",
            "headers-too-big",
            "no-headers",
        }
        return None
    parse_command(mail.lines)
    parse_conditions(mail.lines)
    assert len(parse_numbered(mail.lines)) <= MOST_NUMBERED
    return mail


@unhurried
@given(st.binary(max_size=2000))
@example(b"From: a@b.cd\n\n&#" + b"9" * 5000)
@example(b"From: a@b.cd\nContent-Type: text/html\n\n&#" + b"9" * 5000)
@example(b"From: a@b.cd\nDate: Mon, 99 Feb 99999 25:61:61 +9999\n\n57")
@example(b"From: a@b.cd\nDate: 1 Jan 1 00:00 +2300\n\n57")
@example(b"From: a@b.cd\nContent-Type: text/plain; charset=a\x00b\n\n57")
@example(b"From: a@b.cd\nSubject: =?utf-8?b?a?= =?x?q?=?=\n\n57")
def test_any_bytes_are_read_or_refused(raw):
    taken_in(raw)


@unhurried
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_anything_made_of_the_pieces_of_mails_is_read_or_refused(pieces):
    taken_in(b"From: ann@example.org\n" + b"".join(pieces))


@unhurried
@given(st.lists(st.text(max_size=100), max_size=20))
def test_any_lines_are_orders_or_not_understood(lines):
    parse_command(lines)
    parse_numbered(lines)
    parse_conditions(lines)


words = st.text("abc57 ,-", min_size=1, max_size=20).filter(lambda text: text.strip(" ,-"))
own = st.lists(words.map(lambda text: f"mine {text}"), max_size=5)
theirs = st.lists(words.map(lambda text: f"> theirs {text}"), min_size=1, max_size=8)


@unhurried
@given(above=own, quote=theirs, below=own)
def test_nothing_quoted_is_ever_among_the_lines_that_the_sender_wrote(above, quote, below):
    text = "\n".join([*above, "", "On 10/03/2026 13:00, Pli wrote:", *quote, "", *below])
    lines = taken_in(b"From: ann@example.org\n\n" + text.encode()).lines
    assert list(lines) == [line.strip() for line in above or below]


@unhurried
@given(st.text("abcdefghijklmnop123456789-x=,", min_size=1, max_size=60))
def test_a_turn_comes_out_of_its_mail_as_it_went_in(text):
    turn = f"a1{text}9"
    mail = taken_in(b"From: ann@example.org\n\n" + turn.encode() + b"\n\n-- \nAnn\n")
    assert mail.lines == (turn,)


@unhurried
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_a_mail_reads_alike_with_either_end_of_line(pieces):
    raw = b"From: ann@example.org\n" + b"".join(pieces).replace(b"\r\n", b"\n")
    assert taken_in(raw) == taken_in(raw.replace(b"\n", b"\r\n"))
