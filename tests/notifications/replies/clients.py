"""How mail programs answer: the headers, encodings and quotes that each of them makes.

Each takes a letter, what its person typed, a language, and where the person typed it.
"""

import base64
import html
import quopri
import re
import textwrap
from dataclasses import dataclass

BOUNDARY = "000000000000a1b2c3"


@dataclass(frozen=True)
class Letter:
    """What the mail program shows: the text of a letter, its HTML, and who it is from."""

    text: str
    html: str
    subject: str = "Your turn: Morpion with bob (game 12)"
    sender: str = "reply-abcdefghijklmnopqrstuvwxyz@pli.example.org"


# Mails ---------------------------------------------------------------------------------------


def mail(letter, body, *, ids="mail.example.org", **headers):
    """Return a reply's bytes: `body` begins with its own headers."""
    found = {
        "Return-Path": "<ann@example.org>",
        "MIME-Version": "1.0",
        "From": "Ann Other <ann@example.org>",
        "To": f"Pli <{letter.sender}>",
        "Subject": f"Re: {letter.subject}",
        "Date": "Tue, 10 Mar 2026 14:05:00 +0100",
        "Message-ID": f"<a1b2c3d4@{ids}>",
        "In-Reply-To": "<notice.0123456789abcdef01234567@pli.example.org>",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = "".join(f"{name}: {value}\n" for name, value in found.items() if value)
    return lines.encode() + body


def part(kind, text, *, charset="utf-8", how="quoted-printable", **parameters):
    """Return a part of a mail, with its headers."""
    more = "".join(f"; {name}={value}" for name, value in parameters.items())
    head = f'Content-Type: {kind}; charset="{charset}"{more}\nContent-Transfer-Encoding: {how}\n\n'
    data = text.encode(charset)
    if how == "quoted-printable":
        data = quopri.encodestring(data)
    elif how == "base64":
        data = base64.encodebytes(data)
    return head.encode() + data


def several(kind, *parts, boundary=BOUNDARY):
    """Return a multipart of parts."""
    edge = f"--{boundary}".encode()
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n'.encode()
    return head + b"".join(edge + b"\n" + one + b"\n" for one in parts) + edge + b"--\n"


def both(text, page, *, how="quoted-printable", charset="utf-8"):
    """Return a body of text and HTML."""
    plain = part("text/plain", text, how=how, charset=charset)
    return several("alternative", plain, part("text/html", page, how=how, charset=charset))


# Text ----------------------------------------------------------------------------------------


def quoted(text, mark="> "):
    """Return a text with marks of quoting."""
    return "\n".join((mark + line).rstrip() if line else mark.strip() for line in text.split("\n"))


def filled(text, width):
    """Return a text broken at blanks, as mail programs break it."""
    return textwrap.fill(text, width, break_on_hyphens=False, break_long_words=False)


def shown(page):
    """Return the text of HTML as a mail program shows it, broken at 76 characters."""
    page = re.sub(r"(?s)<(style|title|head)\b.*?</\1>", "", page)
    page = re.sub(r"\s+", " ", page)
    page = re.sub(r"<img[^>]*>", "[image: The board.]", page)
    page = re.sub(r"</?strong>", "*", page)
    text = html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"</(p|h1|div)>|<br>", "\n", page)))
    lines = [filled(line.strip(), 74) for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def placed(own, above, quote, where):
    """Return a text that answers at the top, at the bottom, or between the lines of the quote."""
    if where == "bottom":
        return f"{above}\n{quote}\n\n{own}\n"
    if where == "inline":
        head, tail = quote.split("\n")[:4], quote.split("\n")[4:]
        return "\n".join([above, *head, "", own, "", *tail]) + "\n"
    return f"{own}\n\n{above}\n{quote}\n"


def divs(own):
    """Return lines as HTML that has a div for each."""
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in own.split("\n"))


# Programs ------------------------------------------------------------------------------------

GMAIL = {
    "en": "On Tue, Mar 10, 2026 at 1:00\u202fPM Pli <{}> wrote:",
    "fr": "Le mar. 10 mars 2026 à 13:00, Pli <{}> a écrit :",
    "de": "Am Di., 10. März 2026 um 13:00 Uhr schrieb Pli <{}>:",
    "es": "El mar, 10 mar 2026 a las 13:00, Pli (<{}>) escribió:",
}


def gmail(letter, own, language="en", where="top", *, how="quoted-printable", only_html=False):
    """Gmail in a browser: a text made of the HTML, and HTML with a gmail_quote."""
    said = GMAIL[language].format(letter.sender)
    text = placed(own, filled(said, 74) + "\n", quoted(shown(letter.html)), where)
    attribution = f'<div dir="ltr" class="gmail_attr">{html.escape(said)}<br></div>'
    quote = (
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid '
        f'rgb(204,204,204);padding-left:1ex">{letter.html}</blockquote>'
    )
    after = "" if where == "top" else divs(own)
    before = f'<div dir="ltr">{divs(own)}</div><br>' if where == "top" else '<div dir="ltr"></div>'
    page = (
        f'{before}<div class="gmail_quote gmail_quote_container">{attribution}{quote}{after}</div>'
    )
    body = part("text/html", page, how=how) if only_html else both(text, page, how=how)
    return mail(letter, body, ids="mail.gmail.com")


OUTLOOK = {
    "en": ("From", "Sent", "To", "Subject", "Tuesday, March 10, 2026 1:00 PM"),
    "fr": ("De ", "Envoyé ", "À ", "Objet ", "mardi 10 mars 2026 13:00"),
    "de": ("Von", "Gesendet", "An", "Betreff", "Dienstag, 10. März 2026 13:00"),
    "es": ("De", "Enviado el", "Para", "Asunto", "martes, 10 de marzo de 2026 13:00"),
}
OUTLOOK_SIGNED = {
    "en": "Get Outlook for Android<https://aka.ms/AAb9ysg>",
    "fr": "Télécharger Outlook pour Android<https://aka.ms/AAb9ysg>",
    "de": "Outlook für Android beziehen<https://aka.ms/AAb9ysg>",
    "es": "Obtener Outlook para Android<https://aka.ms/AAb9ysg>",
}


def headers_of(letter, language, line="{}: {}"):
    """Return the lines that Outlook puts above what it quotes."""
    who, when, to, what, date = OUTLOOK[language]
    values = (f"Pli <{letter.sender}>", date, "Ann Other <ann@example.org>", letter.subject)
    return [line.format(*pair) for pair in zip((who, when, to, what), values, strict=True)]


def outlook(letter, own, language="en", *, charset="cp1252", only_html=False):
    """Outlook on a desk: no marks of quoting, and Word's HTML."""
    text = "\n".join([own, "", *headers_of(letter, language), "", letter.text])
    rows = "<br>".join(
        f"<b>{html.escape(row.split(':')[0])}:</b>{html.escape(row.partition(':')[2])}"
        for row in headers_of(letter, language)
    )
    typed = "".join(
        f'<p class="MsoNormal">{html.escape(line) or "&nbsp;"}<o:p></o:p></p>'
        for line in own.split("\n")
    )
    page = (
        "<html><head><style><!-- p.MsoNormal {margin:0cm;} --></style></head>"
        f'<body lang="EN-GB"><div class="WordSection1">{typed}<p class="MsoNormal"><o:p>&nbsp;'
        '</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm">'
        f'<p class="MsoNormal">{rows}<o:p></o:p></p></div></div>{letter.html}</div></body></html>'
    )
    text, page = (t.encode(charset, "replace").decode(charset) for t in (text, page))
    body = (
        part("text/html", page, charset=charset) if only_html else both(text, page, charset=charset)
    )
    return mail(letter, body, ids="AM6PR01MB1234.eurprd01.prod.exchangelabs.com")


def outlook_web(letter, own, language="en", *, signed="", how="quoted-printable"):
    """Outlook in a browser or on a phone (then signed): appendonsend, a rule, divRplyFwdMsg."""
    rule = "_" * 32
    sign = ["", signed] if signed else []
    text = "\n".join([own, *sign, rule, *headers_of(letter, language), "", shown(letter.html)])
    rows = "<br>".join(html.escape(row) for row in headers_of(letter, language))
    mark = f'<div id="ms-outlook-mobile-signature">{html.escape(signed)}</div>' if signed else ""
    page = (
        f'<html><body dir="ltr"><div class="elementToProof">{divs(own)}</div>{mark}'
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
        f'<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">{rows}</font></div>'
        f"{letter.html}</body></html>"
    )
    return mail(letter, both(text, page, how=how), ids="DB9PR02MB7000.eurprd02.prod.outlook.com")


def outlook_phone(letter, own, language="en"):
    """Outlook on a phone."""
    return outlook_web(letter, own, language, signed=OUTLOOK_SIGNED[language], how="base64")


APPLE = {
    "en": "On 10 Mar 2026, at 13:00, Pli <{}> wrote:",
    "fr": "Le 10 mars 2026 à 13:00, Pli <{}> a écrit\u00a0:",
    "de": "Am 10.03.2026 um 13:00 schrieb Pli <{}>:",
    "es": "El 10 mar 2026, a las 13:00, Pli <{}> escribió:",
}
IPHONE = {
    "en": "Sent from my iPhone",
    "fr": "Envoyé de mon iPhone",
    "de": "Von meinem iPhone gesendet",
    "es": "Enviado desde mi iPhone",
}


def apple(letter, own, language="en", where="top"):
    """Apple Mail on a desk: one text, flowed."""
    said = APPLE[language].format(letter.sender)
    quote = quoted(said + "\n\n" + letter.text) if where == "inline" else quoted(letter.text)
    above = "" if where == "inline" else said + "\n"
    text = placed(own, above, quote, where)
    body = part("text/plain", text, format="flowed", delsp="yes")
    return mail(letter, body, ids="icloud.com", X_Mailer="Apple Mail (2.3774.300.61.1.2)")


def iphone(letter, own, language="en"):
    """Mail on an iPhone: its signature is between the words and the quote."""
    said = APPLE[language].format(letter.sender)
    text = f"{own}\n\n{IPHONE[language]}\n\n{quoted(said + chr(10) + chr(10) + letter.text)}\n"
    page = (
        f'<html><body dir="auto">{divs(own)}<br id="lineBreakAtBeginningOfSignature">'
        f'<div dir="ltr">{IPHONE[language]}</div><div dir="ltr"><br><blockquote type="cite">'
        f"{html.escape(said)}<br><br></blockquote></div>"
        f'<blockquote type="cite"><div dir="ltr">\ufeff{letter.html}</div></blockquote></body>'
    )
    return mail(letter, both(text, page), ids="me.com", X_Mailer="iPhone Mail (22D72)")
