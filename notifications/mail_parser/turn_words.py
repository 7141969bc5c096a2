"""Words around a turn on its line: those that leave it certain, and those that may change it.

"ok b3", "b3, nice move" and "1. c3" are turns with words; "c3?", "81 or 82" and "2 more days
please" may not be meant. The words are compared without case and accents.
"""

from __future__ import annotations

import re

from notifications.mail_parser.phrases import fold

_LETTERS = re.compile(r"[a-z]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COURTESY = _words(
    "thanks thank thx ty please pls plz nice good great well gg gl glhf wow cool hello hi hey "
    "cheers bravo congrats congratulations haha hehe lol ouch yay ok okay sorry enjoy greetings "
    "regards love best have your over hope happy go fun merci svp stp joli jolie beau belle "
    "bien bon bonne bons super genial salut bonjour bonsoir coucou felicitations ahah mdr ptdr "
    "desole desolee pardon amicalement amities cordialement bises bisous bizz allez voila hop "
    "tiens aie chapeau sry mrc dsl slt"
)
"""What is said to an opponent right behind a turn: it changes nothing of it."""
_OPENINGS = ("et voila", "a toi", "a vous", "a ton", "a bientot")
"""The same in two words."""
_ONLY_POLITE = _words(
    "then alors donc please pls plz thanks thank thx ty you gg gl lol good luck nice to meet have "
    "fun well played enjoy hello hi cheers sorry your turn merci svp stp s il te vous plait mdr "
    "voila et hop allez bonne chance journee soiree nuit bien joue beau joli coup salut bonjour "
    "bonsoir desole desolee a toi ton tour move ok okay xd bises bisous bizz mrc"
)
"""All that may stand behind a number or a word without a comma: more could count something."""
_DOUBTS = _words(
    "or no not nope nah never wait instead rather actually correction mean meant maybe perhaps "
    "probably if unless but except kidding joking joke oops whoops typo mistake wrong cancel "
    "stop undo else should could would might was dont cant wont isnt doesnt undecided unsure hmm "
    "think guess suppose considering dunno idk hang hold versus vs what which why later forget "
    "ignore scratch take resign abort ou non pas jamais attends attendez attend plutot sinon peut "
    "si sauf mais "
    "blague rigole plaisante oups erreur trompe trompee faux annule annuler euh hesite pense "
    "crois dire voulais aurais devrais pourrais quoi quel quelle lequel laquelle pourquoi ne "
    "rien lieu reflexion finalement contre dis oublie abandonne abandonner jsp chais sais "
    "jk nvm nvmd prob probs lemme gimme gonna shld nan ptet ptetre chepa att jcrois jpense jsais "
    "jhesite jreflechis jrigole jdeconne deconne enfait enfaite"
)
"""Words that may take a turn back, put another in its place, or ask about it."""
_HARMLESS = re.compile(
    r"\b(?:no (?:rush|hurry|worries|problem|stress)|not bad|pas (?:mal|presse|de (?:souci|probleme|"
    r"stress))|why not|pourquoi pas|prends? ton temps|take your time|take care|for the wait|"
    r"s'il (?:te|vous) plait|on the other hand|see (?:you|ya)(?: soon| around)?|"
    r"have an? (?:nice|good|great|lovely) (?:day|evening|night|weekend|week|one))\b"
    r"|(?<!\w)(?:\^_?\^|<3+|8-?\)|\\o/)(?!\w)"
)
"""Phrases and smileys with such a word or sign in them that are none."""
_NEGATED = re.compile(r"n't\b|\bn'")
_COUNTED = _words(
    "more less other extra day days week weeks month months hour hours minute minutes min mins "
    "second seconds moment moments sec time times point points game games move moves turn turns "
    "of jour jours semaine semaines mois heure heures minutes seconde secondes instant fois "
    "coup coups tour tours partie parties de autre autres plus encore"
)
"""What a number counts, right behind it."""
_WHEN = re.compile(
    r"\W*(?:today|tonight|tomorrow|later|next|aujourd'hui|demain|ce soir|plus tard|bientot)\b"
)
"""A turn for another day."""
_LISTED = re.compile(r"(?:\)|\.(?!\.)|:(?=\s))\s*(?=[^\W\d_])")
"""How the first of several points is numbered: "1) hello", "1. I am away"."""
_QUESTIONS = "?\uff1f\u00bf\u203d\u2048\u2049\u2753\u2754\U0001f914\U0001f937"
_REFUSALS = "\U0001f44e\u274c\U0001f6ab\u26d4"
_SIGNS = "%€$£°=+/*<>|^~&@#"
_COUNT_SIGNS = frozenset("%€$£°=+*/~&@")
_SEPARATORS = ",;.!…(:-)"
_CLAUSE = re.compile(r"[,;.!…]")

_INTERJECTION = (
    r"(?:ok(?:ay|i)?|k(?=\s*[,;:.!…-])|bah|d'accord|alright|all right|well|so|then|and|now|"
    r"right|fine|yes|yep|please|pls|definitely|alors|bon|donc|allez|allons-y|go|"
    r"let'?s go(?: (?:with|for))?|et|puis|oui|hop|et hop|"
    r"voil[aà]|voici|tiens|ah+|oh+|hm+|merci|thanks|thx|haha|lol)"
)
_GREETING = (
    r"(?:hello|hi(?:ya)?|hey|dear|good (?:morning|evening|afternoon)|greetings|salut|bonjour|"
    r"bonsoir|coucou|ch[eè]re?|hallo|slt|bjr|bsr|cc)"
)
_PRAISE = (
    r"(?:(?:very )?(?:nice|good|great|strong) (?:move|one|turn|game)|nice|great|well played|gg|"
    r"cool|(?:tr[eè]s )?bien (?:jou[eé]|vu)|(?:joli|beau|bon) coup|bravo|super|g[eé]nial)"
)
_I = (
    r"(?:i|we)(?:'?ll| will|(?:'?d| would) like(?: to)?|'?m going to| am going to|'?m| am|"
    r" want to)?"
)
_PHRASE = (
    rf"(?:(?:{_I} )?"
    r"(?:play(?:s|ing)?|move|go(?:ing)?(?: (?:to|for|with))?|choose|pick|place|put(?: it)?)"
    r"(?: (?:on|in|to|at))?|"
    r"(?:here(?:'s| is|s)? )?my (?:(?:next|first|last) )?(?:move|turn|reply|answer|pick|choice)"
    r"(?: is)?|here(?:'s| is|s) mine|(?:this|next) (?:move|turn)|(?:move|turn)|"
    r"(?:alors )?(?:(?:je|on) |j)(?:joue|(?:me )?(?:place|pose|mets)|choisis|tente|"
    r"vais (?:jouer|en)|(?:veux|voudrais) jouer|continue)(?: (?:en|sur|à|a|avec|le|la))?|"
    r"j'?(?:irai|opte|y vais|aimerais jouer)(?: (?:en|sur|pour|avec))?|"
    r"va pour(?: (?:le|la))?|(?:voici )?mon (?:prochain )?(?:coup|tour|choix)(?: (?:est|sera))?|"
    r"(?:le )?coup|(?:i|je)(?= passe?\b)|(?:pour moi )?(?:ce|ça) sera(?: (?:le|la))?|jouer|"
    r"(?:ma )?r[eé]ponse|pour moi)"
)
_TAKES = r"(?:i(?:'?ll| will)? take|i'?d like|je? ?prends?)"
_PLACE = (
    r"(?:(?:(?:to|on|at|in|en|sur|dans|[aà]|au|vers)(?: (?:the|la|le))?|the|la|le)? ?"
    r"(?:square|cell|field|box|position|center|centre|number|case|num[eé]ro|pion)"
    r"(?: (?:in|on|en|sur|at|is|est))?\s*[:,]?\s*(?:n°|#)?(?=[a-z]? ?\d)"
    r"|(?:(?:to|on|en|sur)(?: (?:the|la|le))?|the|la|le|n°|#|[-=]*>)\s*(?=[a-z]? ?\d{1,2}\W*$))"
)
_LEAD_IN = re.compile(
    rf"(?:{_GREETING}(?: [^\W\d_]{{1,20}}(?:-[^\W\d_]{{1,20}})?){{0,2}}\s*[,;:.!…-]+\s*"
    rf"|(?P<named>{_GREETING} (?!(?:all|everybody|tous) )[^\W\d_]{{1,20}}\s+(?=[a-z]\d))"
    rf"|(?P<greeting>{_GREETING}(?: (?:all|everybody|tous))?)\s+)?"
    rf"(?:{_PRAISE}\s*[,;:.!…-]+\s*)?"
    rf"(?:{_INTERJECTION}(?:\s*[,;:.!…-]+\s*|\s+)){{0,2}}"
    rf"(?:(?:{_PHRASE}|(?P<takes>{_TAKES}))(?:\s*[:=,-]\s*|\s+)(?:(?:from|de|du)\s+(?=[a-z]\d))?)?"
    rf"(?P<number>(?:n°|#)?\d{{1,3}}\s*(?:\.{{1,3}}|[):])\s*(?=(?:t(?:aquet)?\W*)?[a-z] ?\d))?"
    rf"(?P<place>{_PLACE})?",
    re.IGNORECASE,
)
_FROM_TO = re.compile(r"\b([a-z]\d{1,2})\s+(?:to|vers|à|a|en|jusqu'[aàe]n?)\s+(?=[a-z]\d)", re.I)
_TAKES_PIECE = re.compile(r"\b([a-z]\d{1,2})\s+(?:takes|prend)\s+(?=[a-z]\d)", re.I)
_FROM = re.compile(r"(?:from|de|du)\s+(?=[a-z]\d{1,2}\s+(?:to|vers|à|a|en)\s)", re.IGNORECASE)

_GREETING_LINE = re.compile(
    rf"{_GREETING}(?:\s+[^\W\d_]+(?:[-'][^\W\d_]+)?){{0,2}}\s*[,;:.!…]*",
    re.IGNORECASE,
)
_LONGEST_GREETING = 40
_CORRECTION = re.compile(
    r"\W*(?:no|not|nope|wait|sorry|oops|or|actually|rather|i mean|i meant|correction|instead|"
    r"better|hmm+|edit|make (?:it|that)|non|pardon|desolee?|ou|plutot|attends?|enfin|oups|"
    r"je voulais|erreur|finalement|euh)\b"
)


_SECOND_THOUGHTS = _words(
    "no nope nah wait hold hang not don ignore scratch forget cancel undo mistake typo wrong oops "
    "whoops stop non attends attendez attend oublie oubliez annule annuler erreur trompe trompee "
    "oups pas resign abandonne nvm jk nan att jdeconne"
)
_WITH_THOUGHTS = _SECOND_THOUGHTS | _words(
    "on sorry actually hmm hm maybe or t do play that it this my the a an one move turn me let "
    "think sec second moment minute please pls i made was is to euh pardon desole desolee en fait "
    "finalement plutot ca cela je j ne me suis ai fait une un instant laisse laissez moi "
    "reflechir svp stp ou bien peut etre c est mon coup ce oh ah"
)
_MOST_THOUGHTS = 8


def is_second_thought(line: str) -> bool:
    """Tell whether a line below a turn takes it back in so many words: "no wait", "oups non"."""
    words = _LETTERS.findall(_HARMLESS.sub(" ok ", fold(line)))
    return (
        len(words) <= _MOST_THOUGHTS
        and not _SECOND_THOUGHTS.isdisjoint(words)
        and _WITH_THOUGHTS.issuperset(words)
    )


def is_greeting(line: str) -> bool:
    """Tell whether a line is plainly a greeting: "Hello Bob,", "Bonjour à tous !"."""
    text = line.strip()
    return len(text) <= _LONGEST_GREETING and _GREETING_LINE.fullmatch(text) is not None


def without_lead_in(text: str) -> tuple[str, bool]:
    """Return what stands behind "ok", "I play" or "1." on a line, and whether that is doubtful.

    "a3 to a2" becomes "a3-a2". A number behind a mere "hi" or "I take" is doubtful, and so is all
    behind a mere place: "square 5", "to c3".
    """
    text = text.replace("’", "'")
    found = _LEAD_IN.match(text)
    rest = text[found.end() :] if found else text
    rest = _FROM.sub("", rest, count=1) if _FROM.match(rest) else rest
    rest = _TAKES_PIECE.sub(r"\1x", _FROM_TO.sub(r"\1-", rest))
    if found and (found["place"] or found["named"]):
        return rest, True
    is_open = bool(found and (found["takes"] or found["greeting"]))
    return rest, is_open and rest[:1].isdigit()


def is_doubtful(turn: str, behind: str) -> bool:
    """Tell whether the words behind a turn on its line may change it.

    Words are certain only behind a comma, a dash or the like, or if they are plain courtesy, and
    only if nothing among them asks, corrects or names another turn. What stands behind a number
    may be what the number counts: only the politest words need no comma there.
    """
    said = _HARMLESS.sub(" ok ", fold(behind))
    words = _LETTERS.findall(said)
    marks = _QUESTIONS + _REFUSALS + ("" if words else _SIGNS)
    is_count = turn.isalpha() or not any(map(str.isalpha, turn))
    may_change = (
        any(mark in said for mark in marks)
        or (is_count and said.lstrip()[:1] in _COUNT_SIGNS)
        or _WHEN.match(said) is not None
        or any(map(str.isdigit, said))
        or _NEGATED.search(said) is not None
        or not _DOUBTS.isdisjoint(words)
    )
    if may_change or not words:
        return may_change
    if is_count and words[0] in _COUNTED:
        return True
    said = said.strip()
    # "5 cheers, Ann": what stands up to a comma must be polite.
    polite = _LETTERS.findall(_CLAUSE.split(said, maxsplit=1)[0])
    if is_count and _LISTED.match(said):
        return not said.startswith(".") or not _ONLY_POLITE.issuperset(words)
    if said[:1] in _SEPARATORS or not said[:1].isalnum():
        return False
    if is_count:
        return not _ONLY_POLITE.issuperset(polite)
    return words[0] not in _COURTESY and " ".join(words[:2]) not in _OPENINGS


def begins_correction(line: str) -> bool:
    """Tell whether a line below a turn begins as one does that puts another in its place."""
    return _CORRECTION.match(fold(line.strip())) is not None
