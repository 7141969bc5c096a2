"""Signatures: lines that belong to no message, because a mail program wrote them or about a person.

What is below the first of them is neither a command nor passed on to anybody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from notifications.mail_parser.phrases import LONGEST, fold

_SENT = re.compile(
    r"(?:sent (?:from|with|via|using)|envoye (?:de(?:puis)?|a partir de|avec|via|par)|"
    r"enviado (?:desde|de|do|con|a partir d[eo]|por))\b(?P<what>.*)"
)
_PROGRAMS = re.compile(
    r"phone|ipad|ipod|android|samsung|galaxy|outlook|mail|yahoo|proton|tuta|huawei|xiaomi|redmi|"
    r"oneplus|pixel|nokia|xperia|\bhtc\b|motorola|\bmoto\b|blackberry|windows|\bmac|tablet|device|"
    r"mobile|telefon|portable|ordinateur|appareil|dispositivo|movil|telemovel|celular|"
    r"\bspark\b|bluewin|canary|newton|thunderbird|\bk-?9\b|superhuman|\bzoho\b|\baol\b|orange|"
    r"\bfree\b|\bsfr\b|laposte|\bgmx\b|web\.de|telekom|\bapp\b|\bios\b|postbox|notion|front\b"
)
_MINE = re.compile(r" (?:my|mon|ma|mi|meu)(?: [\w'-]+){1,3}\.?")
_BY_PROGRAMS = (
    "get outlook for", "get bluemail",
    "envoye de l'",
    "telecharger outlook pour", "telechargez outlook pour",
    "obtenir outlook pour", "obtenez outlook pour", "provenance : ",
    "telecharger bluemail", "telechargez bluemail", "obtenez bluemail", "obtenir bluemail",
    "gesendet von", "gesendet mit", "gesendet uber", "gesendet aus",
    "diese nachricht wurde von mein", "holen sie sich outlook fur", "laden sie outlook fur",
    "outlook fur android", "outlook fur ios", "von outlook fur",
    "obtener outlook para",
    "obten outlook para", "descargar outlook para", "inviato da", "verstuurd vanaf", "verzonden",
    "skickat fran", "sendt fra", "lahetetty ", "wysłane z", "poslano z", "odoslane z",
    "отправлено с", "отправлено из",
    "virus-free", "virenfrei", "garanti sans virus", "sans virus", "libre de virus",
    "this email has been checked for viruses", "cet e-mail a ete verifie", "yahoo mail: ",
)  # fmt: skip
_DISCLAIMER = re.compile(
    r"(?:this|the|ce|cet|le|les|any) .{0,60}\b(?:e-?mails?|messages?|information|informations|"
    r"courriel|contenu|attachments?)\b.{0,120}\b(?:confidential|confidentiel(?:le)?s?|privileged|"
    r"intended (?:solely|only|for the)|(?:exclusive|stricte|unique)ment|destinataires?)\b.{10}"
)
"""How a notice about confidentiality begins, of a whole sentence: "This message is confidential"
may be a person's."""
_FROM_MY_DEVICE = re.compile(r"von meine[mr] .{1,40} (gesendet|verschickt)\b")


def is_signature(text: str) -> bool:
    """Tell whether a mail program's signature begins on this line; text below is no command.

    "Sent from the train, sorry" is a person's: no program is named.
    """
    if text == "--":
        return True
    if len(text) > LONGEST:
        return False
    plain = fold(text).lstrip("*_[(<- ")
    if _DISCLAIMER.match(plain):
        return True
    if sent := _SENT.match(plain):
        what = sent["what"].rstrip(" )]>*_")
        return _PROGRAMS.search(what) is not None or _MINE.fullmatch(what) is not None
    return plain.startswith(_BY_PROGRAMS) or _FROM_MY_DEVICE.match(plain) is not None


# What people write about themselves ---------------------------------------------------------------

_CONTACT = re.compile(
    r"[^\s@<>]+@[^\s@<>]+\.\w{2,}"  # a mail address
    r"|(?:https?://|www\.)\S+"
    r"|(?<![\w/.-])\+?\(?\d[\d ()./-]{6,}\d(?![\w/])"  # a telephone number
)
_LABEL = re.compile(
    r"\b(?:tel|telephone|phone|mobile|mob|cell|fax|portable|fixe|bureau|office|home|direct|e-?mail|"
    r"mail|courriel|web|site|skype|t|m|p|f|e|w)\b"
)
_DATE = re.compile(r"\b(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{1,2}-\d{1,2})\b")
_STREET = re.compile(
    r"\d{1,4}(?: ?(?:bis|ter|[a-d]))?,? (?:rue|avenue|av|bd|boulevard|chemin|place|allee|impasse|"
    r"route|quai|cours)\b.*"
    r"|\d{1,5} (?:[\w'.-]+ ){1,4}(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|"
    r"court|ct|square|sq|way|close)\b.*"
    r"|(?:[a-z]{1,2}-)?\d{4,5} [a-z][a-z' -]+(?:cedex ?\d*)?"
)
_CLOSINGS = re.compile(
    r"(?:(?:best|kind|warm|with kind|with best) )?(?:regards|wishes)|best|cheers|sincerely|"
    r"yours(?: (?:sincerely|truly|faithfully))?|all the best|"
    r"(?:bien |tres )?cordialement|amicalement|amities|bien a (?:toi|vous)|bises|"
    r"(?:sinceres |meilleures )?salutations|mes salutations"
)
_LONGEST_NAME = 60
_MOST_WORDS = 7
_MOST_NAMES = 3
_LONGEST_PARTICLE = 3
"""Small letters that a name may have: "van", "de la"."""
_MOST_LINES = 12
"""Lines above one with a telephone number or the like that may belong to the same signature."""


def without_signature(lines: Sequence[str]) -> list[str]:
    """Return a message's lines without the signature at its end: opponents must not see it.

    A signature begins at a closing such as "Best regards", or at the name above the first line
    that is a telephone number, a mail or web address, or a street.
    """
    for index, line in enumerate(lines):
        below = [text for text in lines[index + 1 :] if text.strip()]
        if _is_closing(line) and all(map(_may_be_in_signature, below)):
            # "Cheers, Ann" is said to the opponent; a surname or a firm is not.
            return list(lines if len(" ".join(below).split()) <= 1 else lines[:index])
        if _is_contact(line):
            first = index
            while first > max(0, index - _MOST_LINES) and _is_name(lines[first - 1]):
                first -= 1
            if first and _is_closing(lines[first - 1]):
                first -= 1
            return list(lines[:first])
    return list(lines)


def without_sender_name(lines: Sequence[str], name: str) -> tuple[str, ...]:
    """Return lines up to the one below the first that is the sender's whole name, of several words.

    What follows there is a post and a firm: nobody signs a message to a friend so.
    """
    whole = " ".join(fold(name).split())
    if " " in whole:
        for index, line in enumerate(lines[1:], start=1):
            if " ".join(fold(line.strip(" ,.-–—*_|")).split()) == whole:
                return tuple(lines[:index])
    return tuple(lines)


def _is_closing(line: str) -> bool:
    plain = fold(line.strip(" ,.!–—-*_"))
    return len(line) <= _LONGEST_NAME and _CLOSINGS.fullmatch(plain) is not None


def _may_be_in_signature(line: str) -> bool:
    return _is_name(line) or _is_closing(line) or _is_contact(line)


def _is_contact(line: str) -> bool:
    """Tell whether a line has nothing but contact data, its labels and a name of three words."""
    if len(line) > LONGEST:
        return False
    plain = fold(line).strip()
    if _STREET.fullmatch(plain):
        return True
    rest, found = _CONTACT.subn(" ", _DATE.sub(" ", plain))
    most = _MOST_WORDS if re.search(r"[|•·]", line) else _MOST_NAMES
    return bool(found) and len(re.findall(r"[^\W\d_]+", _LABEL.sub(" ", rest))) <= most


def _is_name(line: str) -> bool:
    """Tell whether a line may be a name, a post or a firm: few words, hardly any in small letters.

    It does not end as a sentence does.
    """
    text = line.strip(" *_|-–—")
    words = re.findall(r"[^\W\d_][\w'’.-]*", text)
    if not 1 <= len(words) <= _MOST_WORDS or len(text) > _LONGEST_NAME or text[-1:] in "!?:…":
        return False
    small = [word for word in words if word[0].islower() and len(word) > _LONGEST_PARTICLE]
    return not small and words[0][0].isupper()
