"""More mail programs, and the table of all."""

import html
import textwrap

from tests.notifications.replies.clients import (
    apple,
    both,
    divs,
    filled,
    gmail,
    iphone,
    mail,
    outlook,
    outlook_phone,
    outlook_web,
    part,
    placed,
    quoted,
    shown,
)

THUNDERBIRD = {
    "en": "On 10/03/2026 13:00, Pli wrote:",
    "fr": "Le 10/03/2026 à 13:00, Pli a écrit\u00a0:",
    "de": "Am 10.03.26 um 13:00 schrieb Pli:",
    "es": "El 10/3/26 a las 13:00, Pli escribió:",
}


def thunderbird(letter, own, language="en", where="bottom"):
    """Thunderbird in plain text: flowed, below the quote unless told otherwise."""
    text = placed(own, THUNDERBIRD[language], quoted(letter.text), where)
    body = part("text/plain", text, charset="UTF-8", how="8bit", format="flowed")
    return mail(letter, body, ids="example.org", User_Agent="Mozilla Thunderbird")


def thunderbird_html(letter, own, language="en", where="top"):
    """Thunderbird in HTML alone, as it sends when the text would lose something."""
    typed = "".join(f"<p>{html.escape(line)}</p>" for line in own.split("\n"))
    prefix = f'<div class="moz-cite-prefix">{html.escape(THUNDERBIRD[language])}<br></div>'
    quote = f'<blockquote type="cite" cite="mid:x@pli">{letter.html}</blockquote>'
    rows = [typed, prefix, quote] if where == "top" else [prefix, quote, typed]
    page = f"<!DOCTYPE html><html><head></head><body>{''.join(rows)}</body></html>"
    return mail(letter, part("text/html", page, charset="UTF-8", how="8bit"), ids="example.org")


PROTON = {
    "en": "On Tuesday, March 10th, 2026 at 1:00 PM, Pli <{}> wrote:",
    "fr": "Le mardi 10 mars 2026 à 13:00, Pli <{}> a écrit :",
    "de": "Am Dienstag, 10. März 2026 um 13:00, Pli <{}> schrieb:",
    "es": "El martes, 10 de marzo de 2026 a las 13:00, Pli <{}> escribió:",
}


def proton(letter, own, language="en"):
    """Proton: a signature of its own, then a quote with marks."""
    said = PROTON[language].format(letter.sender)
    text = f"{own}\n\nSent with [Proton Mail](https://proton.me/) secure email.\n\n{said}\n\n"
    page = (
        f'{divs(own)}<div class="protonmail_signature_block"><div class="protonmail_signature_'
        'block-proton">Sent with <a href="https://proton.me/">Proton Mail</a> secure email.</div>'
        f'</div><div class="protonmail_quote">{html.escape(said)}<br>'
        f'<blockquote class="protonmail_quote" type="cite">{letter.html}</blockquote><br></div>'
    )
    return mail(
        letter, both(text + quoted(shown(letter.html)), page, how="base64"), ids="proton.me"
    )


YAHOO = {
    "en": "On Tuesday, March 10, 2026 at 01:00:00 PM GMT+1, Pli <{}> wrote:",
    "fr": "Le mardi 10 mars 2026 à 13:00:00 UTC+1, Pli <{}> a écrit :",
    "de": "Am Dienstag, 10. März 2026 um 13:00:00 MEZ hat Pli <{}> Folgendes geschrieben:",
    "es": "En martes, 10 de marzo de 2026, 13:00:00 CET, Pli <{}> escribió:",
}


def yahoo(letter, own, language="en"):
    """Yahoo in a browser: an indented quote without marks."""
    said = YAHOO[language].format(letter.sender)
    text = f" {own}\n    {said}  \n \n {textwrap.indent(shown(letter.html), ' ')}\n  "
    page = (
        f'<html><body><div class="yahoo-style-wrap">{divs(own)}<div><br></div></div>'
        f'<div id="ydp1yahoo_quoted_1" class="yahoo_quoted"><div><div>{html.escape(said)}</div>'
        f"<div><br></div><div>{letter.html}</div></div></div></body></html>"
    )
    return mail(letter, both(text, page), ids="mail.yahoo.com")


K9 = {
    "en": "On 10 March 2026 13:00:00 CET, Pli <{}> wrote:",
    "fr": "Le 10 mars 2026 13:00:00 GMT+01:00, Pli <{}> a écrit :",
    "de": "Am 10. März 2026 13:00:00 MEZ schrieb Pli <{}>:",
    "es": "El 10 de marzo de 2026 13:00:00 CET, Pli <{}> escribió:",
}


def k9(letter, own, language="en", where="top"):
    """K-9: the signature is below the quote."""
    text = placed(own, K9[language].format(letter.sender), quoted(letter.text, ">"), where)
    text += "-- \nSent from my Android device with K-9 Mail. Please excuse my brevity."
    return mail(letter, part("text/plain", text), ids="example.org", User_Agent="K-9 Mail")


def mutt(letter, own, language="en", where="bottom"):
    """Mutt: below the quote, or between its lines; the signature comes last."""
    said = "On Tue, Mar 10, 2026 at 01:00:00PM +0100, Pli wrote:"
    text = placed(own, said, quoted(letter.text), where) + "\n-- \nAnn Other\nLondon\n"
    return mail(letter, part("text/plain", text, how="8bit"), ids="ann.example.org")


def careless(letter, own, language="en"):
    """A webmail that breaks the lines of what it has quoted, and loses its marks there."""
    quote = "\n".join(filled(line, 72) for line in quoted(letter.text).split("\n"))
    said = {"en": "On 2026-03-10 13:00, Pli wrote:", "fr": "Le 2026-03-10 13:00, Pli a écrit :"}
    text = f"{own}\n\n{said.get(language, said['en'])}\n{quote}\n"
    return mail(letter, part("text/plain", text, how="8bit"), ids="webmail.example.org")


def samsung(letter, own, language="en"):
    """Mail on a Samsung telephone: a dashed line and a header block."""
    text = f"{own}\n\n\nSent from my Galaxy\n\n\n-------- Original message --------\n"
    text += f"From: Pli <{letter.sender}> \nDate: 10/03/2026  13:00  (GMT+00:00) \n"
    text += f"To: ann@example.org \nSubject: {letter.subject} \n\n{shown(letter.html)}\n"
    return mail(letter, part("text/plain", text, how="base64"), ids="email.android.com")


PROGRAMS = {
    "gmail": gmail,
    "gmail, HTML only": lambda *a: gmail(*a, only_html=True),
    "outlook": outlook,
    "outlook, HTML only": lambda *a: outlook(*a, only_html=True),
    "outlook web": outlook_web,
    "outlook phone": outlook_phone,
    "apple": apple,
    "iphone": iphone,
    "thunderbird": lambda *a: thunderbird(*a, where="top"),
    "thunderbird HTML": thunderbird_html,
    "proton": proton,
    "yahoo": yahoo,
    "k9": k9,
    "mutt": lambda *a: mutt(*a, where="top"),
    "samsung": samsung,
    "careless": careless,
}
"""Programs that answer above the quote, by name."""

BELOW = {
    "gmail": gmail,
    "apple": apple,
    "thunderbird": thunderbird,
    "thunderbird HTML": thunderbird_html,
    "k9": k9,
    "mutt": mutt,
}
"""Programs in which one can answer below the quote."""

BETWEEN = {name: BELOW[name] for name in ("gmail", "apple", "thunderbird", "k9", "mutt")}
"""Programs in which one can answer between the lines of the quote."""
