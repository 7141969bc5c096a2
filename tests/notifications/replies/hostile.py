"""Mails made to cost much: each as large as a mail may be, or larger."""

import base64

FULL = 256 * 1024
HEADERS = 64 * 1024
FROM = b"From: ann@example.org\n"


def filled(head, unit, tail=b"", size=FULL):
    """Return head, as many units as fit, and tail."""
    return head + unit * ((size - len(head) - len(tail)) // len(unit)) + tail


def text(unit, *, kind=b"text/plain", size=FULL):
    """Return a mail whose body repeats a unit."""
    return filled(FROM + b"Content-Type: " + kind + b"\n\n", unit, size=size)


def page(unit, *, size=FULL):
    return text(unit, kind=b"text/html", size=size)


def nested(depth):
    """Return parts within parts."""
    parts = b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(depth)
    )
    return (FROM + parts + b"\n57\n")[:FULL]


def encoded(body, how=b"base64"):
    data = base64.encodebytes(body)
    return FROM + b"Content-Transfer-Encoding: " + how + b"\n\n" + data[: FULL - 200]


def report(status):
    """Return a delivery report whose status repeats."""
    head = FROM + b"Content-Type: multipart/report; boundary=b\n\n--b\n\nhm\n--b\n"
    return filled(head + b"Content-Type: message/delivery-status\n\n", status)


def daemon(unit):
    """Return a bounce in words."""
    return filled(b"Return-Path: <>\nFrom: mailer-daemon@example.org\n\n", unit)


ADDRESS = b"person%05d@example.org, "

HOSTILE = {
    "20,000 senders": b"From: " + b"".join(ADDRESS % n for n in range(20_000))[: FULL - 100],
    "senders as fit": filled(b"From: ", b"a@b.cd, ", b"\n\n57", size=HEADERS),
    "a sender without end": filled(b"From: ", b"a", b"@b.cd\n\n57", size=HEADERS),
    "comments in comments": filled(b"From: ", b"(", b"\n\n57", size=HEADERS),
    "open quotation marks": filled(b"From: ", b'"\\', b"\n\n57", size=HEADERS),
    "recipients in every header": filled(FROM, b"Cc: a@b.cd\n", b"\n57", size=HEADERS),
    "senders in every header": filled(b"", b"From: a@b.cd\n", b"\n57", size=HEADERS),
    "a header folded for ever": filled(FROM + b"Subject: a\n", b" a\n", b"\n57", size=HEADERS),
    "encoded words": filled(FROM + b"Subject: ", b"=?utf-8?q?a?= ", b"\n\n57", size=HEADERS),
    "encoded words never closed": filled(FROM + b"Subject: ", b"=?a?b?", b"\n\n57", size=HEADERS),
    "encoded words in punycode": filled(
        FROM + b"Subject: =?punycode?q?", b"a-9", b"?=\n\n57", size=HEADERS
    ),
    "identifiers": filled(FROM + b"References: ", b"<a@b> ", b"\n\n57", size=HEADERS),
    "identifiers never closed": filled(FROM + b"References: ", b"<", b"\n\n57", size=HEADERS),
    "a date": filled(FROM + b"Date: ", b"1 ", b"\n\n57", size=HEADERS),
    "parameters": filled(FROM + b"Content-Type: multipart/x", b";a=b", b"\n\n57", size=HEADERS),
    "parameters of blanks": filled(FROM + b"Content-Type: a/b", b"; ", b"\n\n57", size=HEADERS),
    "20,000 nested parts": nested(20_000),
    "19 nested parts around much": filled(nested(19), b"\n--1x", b"\n57"),
    "20,000 parts": filled(FROM + b"Content-Type: multipart/mixed; boundary=b\n\n", b"--b\n\n"),
    "boundaries that are none": filled(
        FROM + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n", b"--bb\n"
    ),
    "lines that are quoted": text(b">\n"),
    "marks of quoting": text(b">"),
    "marks of quoting and blanks": text(b"> > >   >\n"),
    "lines": text(b"\n"),
    "short lines": text(b"a\n"),
    "long lines": text(b"a b " * 100 + b"\n"),
    "long lines with accents": text("é à ".encode() * 60 + b"\n"),
    "one line": text(b"a"),
    "blanks": text(b" "),
    "invisible characters": text("\u200b".encode()),
    "flowed lines": text(b"a \n", kind=b"text/plain; format=flowed"),
    "flowed quotes": text(b">a \n>>b \n", kind=b"text/plain; format=flowed; delsp=yes"),
    "attributions that never end": text(b"On Tuesday, 10 March 2026 at 13:00 a@b.cd\n"),
    "attributions": text(b"On Tuesday, 10 March 2026 at 13:00 a@b.cd wrote:\n"),
    "attributions in one line": text(b"On 13:00 wrote: "),
    "header lines": text(b"From: a\nSent: b\n"),
    "dividers": text(b"-----Original Message-----\n"),
    "signatures": text(b"-- \n> a\n"),
    "half markers": text(b"Reply above\n"),
    "wrapped quotes": text(b"> " + b"a " * 40 + b"\n" + b"b" * 70 + b"\n"),
    "pathological quotes of 20 kB": text(b"> On a wrote:\nOn b wrote:\n>> ", size=20_000),
    "deep HTML": page(b"<div>"),
    "deep quotes": page(b"<blockquote>a"),
    "deep elements of all names": page(b"<a><b><i><u></p>"),
    "elements closed in the wrong order": page(b"<div><b></div></b>"),
    "elements never opened": page(b"</div>"),
    "signs of less": page(b"<"),
    "tags never closed": page(b"<a "),
    "attributes never closed": page(b'<a b="'),
    "attributes never closed, two kinds": page(b"<a b=\"'"),
    "classes": page(b"<a class='b' "),
    "one tag of classes": filled(
        FROM + b"Content-Type: text/html\n\n<a ", b'class="b c d" id=e ', b">57"
    ),
    "one tag of quotation marks": filled(FROM + b"Content-Type: text/html\n\n<a ", b'""', b">57"),
    "quotation marks in turn": page(b"<a \"'>' b=\">"),
    "comments never closed": page(b"<!--"),
    "declarations never closed": page(b"<!"),
    "entities": page(b"&amp;"),
    "entities never closed": page(b"&a"),
    "an entity of digits": page(b"1").replace(b"111", b"&#1", 1),
    "lines of HTML": page(b"<br>"),
    "preformatted lines": filled(FROM + b"Content-Type: text/html\n\n<pre>", b"\n"),
    "lists": page(b"<ul><li>a<li>b</ul>"),
    "base64": encoded(b"57\n> a\n" * 26_000),
    "base64 of nothing": text(b"=", kind=b"text/plain\nContent-Transfer-Encoding: base64"),
    "quoted-printable": text(
        b"=E9=", kind=b"text/plain\nContent-Transfer-Encoding: quoted-printable"
    ),
    "punycode": text(b"a-9", kind=b"text/plain; charset=punycode"),
    "idna": text(b"a.", kind=b"text/plain; charset=idna"),
    "utf-7": text(b"+AAA-", kind=b"text/plain; charset=utf-7"),
    "hz": text(b"~{", kind=b"text/plain; charset=hz"),
    "status blocks": report(b"Action: failed\n\n"),
    "status fields": report(b"Action: failed\n"),
    "one status": report(b"Action: failed; 5.1.1 "),
    "a daemon's brackets": daemon(b"<"),
    "a daemon's blanks": daemon(b" \n"),
    "a daemon's addresses": daemon(b"  a@b.cd\n"),
    "a daemon's words": daemon(b"Unable to deliver message to "),
    "a daemon's lines": daemon(b"Your message\nbecause:\n  a@\n"),
}
"""Each costs a careless reader seconds, or breaks it."""
