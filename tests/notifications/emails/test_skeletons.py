"""Letters that are filled into what another letter gave are what the templates give for them."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import translation

from notifications.emails import skeletons
from notifications.emails.skeletons import letter_bodies, rendered_bodies
from notifications.emails.wire import wire_bytes
from notifications.kinds import base
from tests.factories import PersonFactory
from tests.notifications.replies.every_mail import letters_to

ODD = "<b>&amp; \"quoted\" 'too' 100 % {{ now }}\u00a0\u202f\u200f é ]]> --> %(name)s {0} \\1"
"""What a name or a message may contain."""

MANY = "\ue0001\ue001\ue00099\ue001"
"""What marks look like."""


@pytest.fixture(params=["en", "fr"])
def people(request, db, settings):
    settings.LANGUAGE_CODE = request.param
    return PersonFactory.create_batch(4, language=request.param)


def without_boundaries(raw):
    """Return the lines of a mail with names for its boundaries, which are random."""
    found = dict.fromkeys(re.findall(rb'boundary="([^"]+)"', raw))
    for number, boundary in enumerate(found):
        raw = raw.replace(boundary, b"boundary %d" % number)
    return raw.split(b"\r\n")


def test_every_mail_is_what_its_templates_and_the_email_package_give(people, now, monkeypatch):
    compared, filled = [], []
    real = skeletons.filled_page

    def compare(template, context):
        found = letter_bodies(template, context)
        assert found == rendered_bodies(template, context)
        compared.append(context["headline"])
        return found

    monkeypatch.setattr(base, "letter_bodies", compare)
    monkeypatch.setattr(
        skeletons, "filled_page", lambda *given: filled.append(given) or real(*given)
    )
    letters_to(people, now)
    assert len(compared) > 10
    assert len(filled) > 0.8 * len(compared)
    assert len(mail.outbox) > len(compared)
    for email in mail.outbox:
        wanted = email.message().as_bytes(linesep="\r\n")
        assert without_boundaries(wire_bytes(email)) == without_boundaries(wanted)


def letter(**given):
    """Return the context of a letter like that of a turn."""
    context = {
        "site_name": "Pli",
        "site_url": "https://pli.example",
        "language": "en",
        "can_reply": True,
        "picture": "cid:board@pli",
        "picture_width": 360,
        "picture_text": "Cross: 1, 2.",
        "subject": "A game",
        "headline": "It is your turn",
        "reader": "ann",
        "paragraphs": ["bob played 5."],
        "times": ["ann: 3 days", "bob: 4 days"],
        "my_turn": True,
        "deadline": "Sunday",
        "left": "in 3 days",
        "board_text": "X O\n. .",
        "messages": [],
        "reply_help": "Reply.",
        "button": "Play",
        "button_url": "https://pli.example/games/1?a=1&b=2",
        "number": 12345,
        "unsubscribe_url": "https://pli.example/stop/a:b?c&d",
        "preferences_url": "https://pli.example/wishes",
    }
    return context | given


def message(text):
    return {"author": "bob", "when": "today", "turn": 3, "text": text, "lines": text.splitlines()}


@pytest.mark.parametrize(
    "given",
    [
        {"reader": ODD},
        {"reader": MANY},
        {"headline": ODD, "subject": ODD},
        {"picture_text": ODD},
        {"picture_text": 'a"b<c>d&e'},
        {"picture_text": "two\nlines"},
        {"paragraphs": ["one\ntwo", ODD]},
        {"paragraphs": ["one\r\ntwo"]},
        {"paragraphs": []},
        {"reader": "a\0b"},
        {"reader": "\x7f\x80"},
        {"reader": " "},
        {"picture": ""},
        {"picture": "", "board_text": "\n X"},
        {"deadline": ODD, "left": ODD},
        {"times": [ODD]},
        {"messages": [message("one\n\n two"), message(ODD)], "messages_left_out": 1},
        {"messages": [message("one")], "messages_left_out": 2},
        {"button_url": 'https://pli.example/?q="x"<y>'},
        {"number": 1234567},
        {"away": ["bob is away"], "remark": ODD, "stop_sentence": "Stopped.", "my_turn": False},
    ],
    ids="-".join,
)
def test_odd_texts_are_written_as_the_templates_write_them(given, now):
    usual = letter(now=now)
    letter_bodies("mails/letter", usual)
    odd = usual | given
    assert letter_bodies("mails/letter", odd) == rendered_bodies("mails/letter", odd)
    # Whatever was remembered of it, the usual one is as it was.
    assert letter_bodies("mails/letter", usual) == rendered_bodies("mails/letter", usual)


def test_a_letter_of_another_day_or_language_has_its_own_skeleton(now):
    seen = set()
    for when in (now, now + timedelta(days=1)):
        for language in ("en", "fr"):
            with translation.override(language):
                given = letter(now=when, language=language)
                found = letter_bodies("mails/letter", given)
                assert found == rendered_bodies("mails/letter", given)
                seen.add(found)
    assert len(seen) == 4


def test_templates_are_rendered_once_a_form(now, monkeypatch):
    letter_bodies("mails/letter", letter(now=now))
    monkeypatch.setattr(skeletons, "render_to_string", None)
    text, page = letter_bodies("mails/letter", letter(now=now, reader="cat", number=7))
    assert "cat" in text
    assert "cat" in page
