"""Every letter, quoted back by every mail program."""

import pytest
from django.utils import translation
from django.utils.translation import gettext

from notifications.kinds.base import MailKind, Purpose, all_kinds
from notifications.mail_parser import MARKERS, TurnCommand, parse, parse_command
from tests.factories import PersonFactory
from tests.notifications.replies.every_mail import letters_to
from tests.notifications.replies.more_clients import BELOW, BETWEEN, PROGRAMS

OWN = "5\nthank you: I like 7 better"
LANGUAGES = ("en", "fr", "de", "es")
KINDS = {kind.kind.value for kind in all_kinds() if kind.reply_purpose != Purpose.NOTHING}
"""Every kind of mail that takes answers."""


@pytest.fixture(
    params=[
        pytest.param(("en", True), id="en", marks=pytest.mark.long),
        pytest.param(("fr", True), id="fr"),
        pytest.param(("fr", False), id="unmarked"),
    ]
)
def sort(request):
    """The language of letters, and whether they are marked: those that went out before were not."""
    return request.param


@pytest.fixture
def people(sort, db):
    """Four people who read the same language."""
    return [
        PersonFactory(username=name, language=sort[0], time_zone="Europe/Paris")
        for name in ("dora", "emil", "fay", "gus")
    ]


@pytest.fixture
def is_marked(sort, monkeypatch):
    """Whether letters bear our marker."""
    if not sort[1]:
        marked = MailKind.base_context
        monkeypatch.setattr(
            MailKind, "base_context", lambda *args: marked(*args) | {"can_reply": False}
        )
    return sort[1]


@pytest.fixture
def letters(people, is_marked, now):
    """Every letter that can be answered."""
    return letters_to(people, now)


def html_alone(raw):
    """Return a reply of text and HTML without its text."""
    return raw.replace(b"Content-Type: text/plain", b"Content-Type: application/nothing", 1)


def replies(letters, programs, own, **how):
    """Yield each letter answered by each program in each language: whole, and as HTML alone."""
    for kind, letter in letters.items():
        for name, program in programs.items():
            for language in LANGUAGES:
                raw = program(letter, own, language, **how)
                yield (kind, name, language), raw
                if b"text/html" in raw and b"text/plain" in raw:
                    yield (kind, name, language, "html alone"), html_alone(raw)


def unlike(answers, expected):
    """Return what was read otherwise, so that a failure says where."""
    read_as = {case: parse(raw).lines for case, raw in answers}
    assert len(read_as) >= len(KINDS) * len(LANGUAGES)
    return {case: lines for case, lines in read_as.items() if lines != expected}


@pytest.mark.slow
def test_only_what_was_typed_is_read_in_an_answer_that_quotes_our_mail(letters, is_marked):
    assert {kind.partition(":")[0] for kind in letters} == KINDS
    for letter in letters.values():
        assert any(marker in letter.text for marker in MARKERS) is is_marked
        assert any(marker in letter.html for marker in MARKERS) is is_marked
    assert unlike(replies(letters, PROGRAMS, ""), ()) == {}
    assert unlike(replies(letters, BELOW, "", where="bottom"), ()) == {}
    typed = tuple(OWN.split("\n"))
    assert parse_command(typed) == (TurnCommand("5"), "thank you: I like 7 better")
    assert unlike(replies(letters, PROGRAMS, OWN), typed) == {}
    assert unlike(replies(letters, BELOW, OWN, where="bottom"), typed) == {}
    assert unlike(replies(letters, BETWEEN, OWN, where="inline"), typed) == {}


def test_the_marker_in_the_templates_is_the_one_that_is_recognised():
    said = set()
    for language in ("en", "fr"):
        with translation.override(language):
            said.add(gettext("Reply above this line."))
    assert said == set(MARKERS)
