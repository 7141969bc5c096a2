"""What mail programs write by themselves, in English, French, German, Spanish and a few more.

Texts are compared fold: small letters without accents, and only letters where that is enough.
"""

import re
import unicodedata
from functools import lru_cache

LONGEST = 400
"""Characters of a line that a mail program may have written by itself."""


@lru_cache(maxsize=8)
def fold(text: str) -> str:
    """Return a text in lower case without accents, with plain apostrophes."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    return "".join(c for c in apart if not unicodedata.combining(c))


def letters(text: str) -> str:
    """Return only the letters of a text, fold."""
    return "".join(c for c in fold(text) if c.isalpha())


# Above a quote ---------------------------------------------------------------------------------

_OPENERS = (
    "on ", "at ", "in message ", "--- on ", "---- on ", "le ", "am ", "vom ", "el ", "en ", "il ",
    "em ", "op ", "den ", "dne ", "w dniu ", "dnia ", "pa ",
)  # fmt: skip
_VERBS = (
    "wrote", "writes", "a ecrit", "ecrivait", "schrieb", "geschrieben", "escribio", "ha escrito",
    "ha scritto", "escreveu", "schreef", "skrev", "napisal", "napisal(a)", "kirjoitti",
)  # fmt: skip
_TIME = re.compile(r"\d[:.hH]\d\d|\b\d{4}\b|\d[./-]\d")


def may_open_attribution(text: str) -> bool:
    """Tell whether a line may begin "On Tuesday, Pli wrote:" in one of the languages."""
    return len(text) <= LONGEST and ("@" in text or fold(text).startswith(_OPENERS))


def is_attribution(text: str) -> bool:
    """Tell whether a line, put together if it was broken, says who wrote what is quoted below."""
    if len(text) > LONGEST or not text.rstrip(" *_").endswith(":"):
        return False
    plain = fold(text).rstrip(" :*_")
    dated = _TIME.search(plain) is not None or "@" in plain
    if plain.endswith(_VERBS):
        return dated or plain.startswith(_OPENERS)
    has_verb = any(f" {verb} " in plain for verb in _VERBS)
    return dated and (plain.startswith(_OPENERS) or has_verb)


def looks_like_attribution(text: str) -> bool:
    """Tell whether a line right above a quote is about the quote, in whatever language."""
    if len(text) > LONGEST or not text.rstrip(" *_").endswith(":"):
        return False
    plain = fold(text).rstrip(" :*_")
    return plain.endswith(_VERBS) or "@" in plain or _TIME.search(plain) is not None


_OUR_ADDRESS = re.compile(r"\breply-[a-z0-9]{26}@", re.IGNORECASE)
_DAY_AND_TIME = re.compile(r"(?=.*(?<!\d)\d{4}(?!\d)).*\d[:.h]\d\d", re.IGNORECASE)


def has_reply_address(text: str) -> bool:
    """Tell whether a line has a reply address of ours: no person writes one, in any language."""
    return len(text) <= LONGEST and _OUR_ADDRESS.search(text) is not None


def has_date_and_time(text: str) -> bool:
    """Tell whether a line has a year and a time of day, as the line above a quote has."""
    return len(text) <= LONGEST and _DAY_AND_TIME.match(text) is not None


_DIVIDERS = frozenset(
    letters(phrase)
    for phrase in (
        "Original Message", "Original E-mail", "Message d'origine", "Message original",
        "Message initial", "Courriel original", "E-mail d'origine", "Mail original",
        "Ursprüngliche Nachricht", "Originalnachricht", "Original-Nachricht", "Ursprüngliche Mail",
        "Ursprüngliche E-Mail", "Mensaje original", "Correo original", "Messaggio originale",
        "Mensagem original", "Oorspronkelijk bericht", "Oorspronkelijke bericht",
        "Forwarded message", "Forwarded Mail", "Begin forwarded message", "Message transféré",
        "Message réexpédié", "Début du message transféré", "Début du message réexpédié",
        "E-mail transféré", "Weitergeleitete Nachricht", "Weitergeleitete Mail",
        "Anfang der weitergeleiteten Nachricht", "Anfang der weitergeleiteten E-Mail",
        "Mensaje reenviado", "Inicio del mensaje reenviado", "Inizio messaggio inoltrato",
        "Messaggio inoltrato", "Mensagem encaminhada", "Reply message", "Original Nachricht",
    )
)  # fmt: skip


def is_divider(text: str) -> bool:
    """Tell whether a line is "-----Original Message-----" or its like."""
    return len(text) <= LONGEST and letters(text) in _DIVIDERS


def _header_names(names: str) -> re.Pattern[str]:
    """Return a pattern for these header names, folded as the lines are, up to the colon."""
    known = "|".join(re.escape(fold(name)) for name in names.split("|"))
    return re.compile(rf"\W{{0,3}}(?:{known})\W{{0,3}}:")


_FROM = _header_names(
    "from|de|von|da|van|expéditeur|absender|remitente|fra|från|od|lähettäjä|от|від|feladó|kimden|"
    "gönderen|发件人|寄件者|寄件人|差出人|送信者|보낸 사람|보낸사람|από|αποστολέας|de la|dari|từ|"
    "จาก|odosielateľ|odesílatel|nadawca|saatja|nuo|no|afsender|avsändare|mittente|מאת|من|pošiljatelj"
)
_OTHERS = _header_names(
    "sent|date|to|cc|subject|reply-to|envoyé|envoyé le|à|objet|répondre à|gesendet|datum"
    "|an|betreff|antwort an|kopie|enviado|enviado el|fecha|para|asunto|responder a|inviato|oggetto"
    "|data|verzonden|aan|onderwerp|assunto|enviada em|sendt|dato|til|emne|skickat|till|ämne"
    "|wysłano|do|temat|odesláno|komu|předmět|lähetetty|vastaanottaja|aihe|отправлено|дата|кому"
    "|тема|надіслано|дата|кому|копія|küldve|elküldve|dátum|címzett|másolatot kap|tárgy"
    "|gönderildi|gönderme tarihi|tarih|kime|bilgi|konu|发送时间|发送日期|日期|时间|收件人|抄送|主题"
    "|寄件日期|傳送時間|收件者|副本|主旨|送信日時|日時|宛先|件名|보낸 날짜|날짜|받는 사람"
    "|받는사람|참조|제목|στάλθηκε|ημερομηνία|προς|κοιν.|θέμα|trimis|către|catre|subiect|dikirim"
    "|kepada|subjek|đã gửi"
    "|tới|đến|chủ đề|ส่ง|ถึง|เรื่อง|odoslané|predmet|poslano|za|zadeva|naslov|saadetud|kellele|teema"
    "|išsiųsta|kam|tema|nosūtīts|נשלח|אל|נושא|مرسل|إلى|الموضوع|התאריך"
)


def is_from_header(text: str) -> bool:
    """Tell whether a line is the From among the header lines that Outlook puts above a quote."""
    return len(text) <= LONGEST and _FROM.match(fold(text)) is not None


def is_quoted_header(text: str) -> bool:
    """Tell whether a line is another of those header lines."""
    return len(text) <= LONGEST and _OTHERS.match(fold(text)) is not None


# Subjects --------------------------------------------------------------------------------------

_AWAY = (
    "out of office", "out of the office", "out-of-office", "automatic reply", "automatic response",
    "auto-reply", "autoreply", "auto reply", "auto:", "auto response", "auto-response",
    "autoresponse", "vacation reply", "on vacation", "away from", "i am away",
    "reponse automatique", "absence du bureau", "absent du bureau", "absence :", "absence:",
    "message d'absence", "notification d'absence", "je suis absent", "en conges",
    "automatische antwort", "abwesenheitsnotiz", "abwesenheitsnachricht", "abwesenheit",
    "abwesend", "automatisch", "nicht im buro", "respuesta automatica", "fuera de la oficina",
    "fuera de oficina", "ausente", "ausencia", "risposta automatica", "fuori ufficio",
    "resposta automatica", "automatisch antwoord", "afwezig", "autosvar",
)  # fmt: skip
_REPLY = re.compile(r"^(?:\s*(?:re|aw|rep|rv|sv|antw)\s*:)+\s*")


def is_away_subject(subject: str) -> bool:
    """Tell whether a subject is that of an autoresponder for somebody who is away."""
    plain = fold(subject[:LONGEST]).strip().lstrip("[(")
    return plain.startswith(_AWAY) or _REPLY.sub("", plain).startswith(_AWAY[:3])
