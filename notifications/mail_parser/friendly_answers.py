"""A yes or a no to an invitation, in whatever friendly words it comes."""

from __future__ import annotations

import re

from notifications.mail_parser.phrases import fold

_LONGEST = 120

_YES = re.compile(
    r"(?:oh |ah |well |hell |eh bien |ben |mais )*"
    r"(?:yes|yep|yeah|yea|yup|yess+|ya|ok|okay|okey|oki|sure|gladly|absolutely|definitely|"
    r"certainly|totally|of course|with pleasure|my pleasure|great|perfect|excellent|awesome|"
    r"sounds (?:good|great|fun)|count me in|i'?m (?:in|game)|let'?s (?:play|go|do (?:it|this))|"
    r"i accept|accept|accepted|i agree|agreed|deal|(?:i'd )?love to|happy to|glad to|"
    r"i(?:'d| would|'ll| will) (?:love|like|be (?:happy|glad|delighted))|i(?:'ll| will)? play|"
    r"i'?m (?:happy|glad|delighted|up for)|game on|bring it on|challenge accepted|"
    r"fine|alright|all right|thanks for (?:the invitation|inviting)|"
    r"oui|ouais|ouaip|wi|dac|dacc?ord|d'accord|volontiers|avec (?:grand )?(?:plaisir|joie)|"
    r"bien (?:sur|entendu|volontiers)|carrement|j'?accepte|accepter|partante?|"
    r"je (?:veux|voudrais|serais) bien|je (?:suis )?(?:partante?|ravie?|d'accord|joue|marche|veux)|"
    r"c'?est (?:parti|bon|ok|oui)|allons-?y|allez|bonne idee|ca (?:marche|roule|me va)|entendu|"
    r"parfait|evidemment|absolument|vas-?y|top|super|chouette|genial|on (?:joue|y va)|jouons|"
    r"merci pour l'invitation)\b"
)
_NO = re.compile(
    r"(?:(?:oh |ah |well |sorry|desolee?|pardon|merci|thanks?|thank you|unfortunately|"
    r"malheureusement|helas|but|mais)[\s,.!;:-]*)*"
    # "No, sorry" declines; "No idea what this is" does not.
    r"(?:(?:no|nope|nah|non|nan)(?=\W*$|\s*[,.!;:-]| (?:thanks?|thank|i|we|sorry|please|not|je|"
    r"j'ai|on|pas|merci|desolee?|svp)\b)|"
    r"(?:no (?:thanks?|thank you|time|way)|not (?:now|today|this time|interested|really|for me)|"
    r"i (?:can'?t|cannot|don'?t (?:want|play|have)|won'?t|decline|refuse)|i'?m (?:not|afraid)|"
    r"can'?t|another time|some other time|maybe (?:another|next|some other) time|"
    r"(?:i'd |i would )?rather not|i'?ll pass|i pass|declined?|"
    r"pas (?:cette fois|maintenant|aujourd'hui|pour moi|interessee?|le temps|envie|possible|trop)|"
    r"une autre fois|peut-etre une autre fois|je (?:ne )?(?:peux|veux|joue|suis) pas|"
    r"je n'ai pas|j'ai pas|sans moi|je (?:refuse|decline|passe)|refuser?|decliner?)\b)"
)
_SECOND_THOUGHT = re.compile(r"\b(?:wait|yes|oui|attends?|actually|finalement)\b")
_HARMLESS = re.compile(
    r"\b(?:why not|pourquoi pas|no (?:problem|worries)|(?:pas de|sans) (?:probleme|souci)|"
    r"can'?t wait|i'?d not miss it|ne demande pas mieux)\b"
)
_DOUBTS = re.compile(
    r"\b(?:not?|never|but|if|when|who|what|how|which|why|where|wait|maybe|perhaps|unless|can'?t|"
    r"cannot|don'?t|later|non|pas|jamais|mais|si|quand|qui|quoi|comment|pourquoi|combien|attends?|"
    r"peut-etre|sauf|plus tard|apres|aucune?)\b|n't\b|\bn'"
)
_THUMBS = {"\U0001f44d": True, "\U0001f44c": True, "\U0001f44e": False, "\u2705": True}


_WORDS_OF = {
    "fr": re.compile(
        r"\b(?:oui|ouais|d'accord|dac|volontiers|plaisir|joie|j'accepte|accepter?|bien sur|"
        r"partante?|entendu|allons-y|jouons|merci|parfait|bonjour|salut)\b"
    ),
    "en": re.compile(
        r"\b(?:yes|yep|yeah|sure|gladly|i|accept|accepted|love|happy|glad|pleasure|thanks|thank|"
        r"let's|hello|hi)\b"
    ),
}


def language_of_answer(line: str) -> str:
    """Return the code of the language that an answer is written in; empty if that is unclear."""
    text = fold(line[:_LONGEST])
    found = [code for code, words in _WORDS_OF.items() if words.search(text)]
    return found[0] if len(found) == 1 else ""


_LANGUAGE = re.compile(
    r"(?:(?:in|en) )?(?:(?P<fr>francais|french)|anglais|english)(?:,? please|,? svp)?"
)
_NEVER = re.compile(
    r"never(?: again)?|no more (?:invitations?|mails?)|(?:plus )?jamais|plus d'invitations?"
)
_AROUND = " \t*_\"'.!,;:«»“”-"


def language_asked_for(line: str) -> str:
    """Return the code of the language that a line asks for and nothing else; empty: none."""
    found = _LANGUAGE.fullmatch(fold(line[:_LONGEST]).strip(_AROUND))
    return ("fr" if found["fr"] else "en") if found else ""


def refuses_all(line: str) -> bool:
    """Tell whether a line asks for no more invitations, from anybody."""
    return _NEVER.fullmatch(fold(line[:_LONGEST]).strip(_AROUND)) is not None


def read_friendly_answer(line: str) -> bool | None:
    """Tell whether a line accepts an invitation; None if it asks something or is unclear."""
    if len(line) > _LONGEST or any(mark in line for mark in "?\uff1f\u2753\U0001f914"):
        return None
    text = fold(line).strip(_AROUND)
    plain = _HARMLESS.sub("sure", text)
    if no := _NO.match(plain):
        # "No problem" is a yes; "no, wait" is neither.
        rest = plain[no.end() :]
        return (
            None if re.search(r"\b(?:wait|yes|oui|attends?|actually|finalement)\b", rest) else False
        )
    if yes := _YES.match(plain):
        return None if _DOUBTS.search(plain[yes.end() :]) else True
    found = {says for thumb, says in _THUMBS.items() if thumb in line}
    return found.pop() if len(found) == 1 and not any(map(str.isalnum, line)) else None
