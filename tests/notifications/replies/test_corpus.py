"""Raw mails as mail programs and servers make them, each with its expected reading beside it."""

import json

import pytest
from django.conf import settings

from notifications.mail_parser import parse, parse_command, parse_numbered

CORPUS = settings.BASE_DIR / "tests" / "corpus"
MAILS = sorted(CORPUS.glob("*.eml"))
FEWEST = 60

KNOWN = {
    "senders": lambda mail: list(mail.senders),
    "name": lambda mail: mail.sender_name,
    "subject": lambda mail: mail.subject,
    "automatic": lambda mail: mail.automatic,
    "bounce": lambda mail: mail.bounce and _told(mail.bounce),
    "lines": lambda mail: list(mail.lines),
    "order": lambda mail: str(parse_command(mail.lines)[0]),
    "message": lambda mail: parse_command(mail.lines)[1],
    "parse_numbered": lambda mail: [
        [n.number, str(n.command), n.message] for n in parse_numbered(mail.lines)
    ],
}
"""What the file beside a mail may say of it."""


def _told(bounce):
    return {
        "addresses": list(bounce.addresses),
        "hard": bounce.hard,
        "returned": bounce.returned,
        "diagnostic": bounce.diagnostic,
    }


def expected_of(path):
    return json.loads(path.with_suffix(".json").read_text())


def reading_of(raw, expected):
    mail = parse(raw, domain="pli.example.org")
    return {what: KNOWN[what](mail) for what in expected}


def test_the_corpus_is_whole():
    assert len(MAILS) >= FEWEST
    assert {path.stem for path in MAILS} == {path.stem for path in CORPUS.glob("*.json")}


@pytest.mark.parametrize("path", MAILS, ids=lambda path: path.stem)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["unix", "smtp"])
def test_a_mail_is_read_as_expected(path, end):
    expected = expected_of(path)
    raw = path.read_bytes().replace(b"\n", end)
    assert reading_of(raw, expected) == expected
