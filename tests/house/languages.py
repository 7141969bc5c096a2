"""Our sentences in both languages, and games that make them appear."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

from babel.messages.catalog import Message
from django.conf import settings
from django.core import mail

from config import translations
from games.models import Game
from games.services import tables
from tests.factories import PersonFactory
from tests.games.play import fresh, table
from tests.notifications.outgoing_mail import html_of, tell

LANGUAGES = ("en", "fr")
FEWEST_WORDS = 3
"""Shorter sentences ("Taquet", "on time") may stand in the other language by chance."""
CATALOG = translations.read_catalog(
    settings.LOCALE_PATHS[0] / "fr" / "LC_MESSAGES" / "django.po", "fr"
)


def forms(of):
    """Return a sentence, or its singular and plural."""
    return [of] if isinstance(of, str) else list(of)


class Sentence:
    """Finds a sentence in a text, whatever stands for its placeholders."""

    def __init__(self, pieces):
        # Nearly all texts hold nearly no sentence: its longest piece is missing at once.
        self.longest = max(pieces, key=len)
        inside = ".{0,120}?".join(re.escape(piece) for piece in pieces)
        inside = inside.removeprefix(".{0,120}?").removesuffix(".{0,120}?")
        self.pattern = rf"(?<!\w){inside}(?!\w)"

    def is_in(self, text):
        return self.longest in text and re.search(self.pattern, text) is not None


def sentence_of(sentence):
    """Return what finds a sentence; None where it is too short to be told from others."""
    plain = " ".join(re.sub("<[^>]+>", "", sentence).split())
    pieces = re.split(r"%\(\w+\)[sd]|%[sd]", plain)
    if len(re.findall(r"[^\W\d_]+", " ".join(pieces))) < FEWEST_WORDS:
        return None
    return Sentence(pieces)


def is_translated(message: Message) -> bool:
    return bool(message.id) and not set(forms(message.id)) & set(forms(message.string))


def sentences_of(sentences):
    return [found for found in map(sentence_of, sentences) if found]


TRANSLATED = [message for message in CATALOG if is_translated(message)]
OF = {
    "en": sentences_of(text for message in TRANSLATED for text in forms(message.id)),
    "fr": sentences_of(text for message in TRANSLATED for text in forms(message.string)),
}
COMMON = {
    "en": re.compile(
        r"\b(?:the|your|you|with|this|that|turn|is|are|not|has|days?|name)\b", re.IGNORECASE
    ),
    "fr": re.compile(r"\b(?:les|votre|vous|avec|une|des|dans|coup|est|pas|pour)\b", re.IGNORECASE),
}
"""Words that no text can do without: they also give away what nobody has marked."""


class _Seen(HTMLParser):
    """Collects what a page shows or says."""

    UNSEEN = ("style", "script")
    INLINE = ("a", "bdi", "em", "span", "strong", "time")
    SPOKEN = ("alt", "aria-label", "data-label", "placeholder", "title")

    def __init__(self):
        super().__init__()
        self.parts, self.hidden = [], 0

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in self.UNSEEN
        spoken = [v for k, v in attrs if v and (k in self.SPOKEN or k.startswith("data-say-"))]
        self.parts += [f"\n{value}\n" for value in spoken]
        self.parts += [] if tag in self.INLINE else ["\n"]

    def handle_endtag(self, tag):
        self.hidden -= tag in self.UNSEEN
        self.parts += [] if tag in self.INLINE else ["\n"]

    def handle_data(self, data):
        self.parts += [] if self.hidden else [data]


def seen(html):
    parser = _Seen()
    parser.feed(html)
    parser.close()
    return "".join(parser.parts)


def assert_speaks(language, text):
    """Assert that a text holds sentences of this language and none of the other."""
    (other,) = {*LANGUAGES} - {language}
    words = " ".join(re.sub(r"https?://\S+", " ", text).split())
    found = [one.pattern for one in OF[other] if one.is_in(words)] + COMMON[other].findall(words)
    assert not found, f"{found} in: {words}"
    assert any(one.is_in(words) for one in OF[language]), words


@dataclass
class House:
    """Two people who read one language; `mine` is a game at which `reader` is to move."""

    language: str
    reader: object
    other: object
    client: object
    now: object
    mine: Game

    def get(self, path):
        return self.client.get(path, follow=True)

    def post(self, path, **sent):
        return self.client.post(path, sent, follow=True)


def full_table(house, rules, **options):
    """Begin a game at a table with as many people as it takes: `reader` is to move."""
    options = rules.check_options(options)
    game = table(house.reader, now=house.now, slug=rules.slug, options=options)
    guests = [house.other]
    guests += PersonFactory.create_batch(rules.seats(options) - 2, language=house.language)
    for guest in guests:
        tables.join_table(game_id=game.pk, user=guest, now=house.now)
    return fresh(game)


def sent(now):
    """Return the mails that leave for what has happened: kind, subject and what they say."""
    mail.outbox.clear()
    tell(now)
    return [
        (m.extra_headers["X-Pli-Kind"], f"{m.subject}\n{m.body}\n{seen(html_of(m))}")
        for m in mail.outbox
    ]
