"""Attachments are left out of what is kept of a mail; what a person wrote is read as before."""

import base64
import os
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from django.conf import settings

from notifications.incoming.receiving import MAX_SIZE
from notifications.mail_parser import UnreadableMail, parse
from notifications.mail_parser.attachments import without_attachments
from notifications.mail_parser.mime import MOST_BYTES
from tests.notifications.replies.hostile import FROM, HOSTILE

CORPUS = sorted((settings.BASE_DIR / "tests" / "corpus").glob("*.eml"))


def reading(raw):
    try:
        return parse(raw, domain="pli.example.org")
    except UnreadableMail as error:
        return error.reason


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["unix", "smtp"])
def test_what_is_left_reads_as_the_whole_mail(path, end):
    raw = path.read_bytes().replace(b"\n", end)
    assert reading(without_attachments(raw)) == reading(raw)


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_so_does_what_is_left_of_a_hostile_mail(name):
    raw = HOSTILE[name]
    if len(raw) <= MOST_BYTES:
        assert reading(without_attachments(raw)) == reading(raw)


def answer_with_pictures(count, size):
    """Return an answer that quotes a digest with its pictures, as Outlook sends it."""
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"] = "ann@example.org", "reply-x@play.example.org"
    mail.set_content("1. 57\n\n-----Original Message-----\nFrom: Pli\n\nYour games\n")
    pictures = "".join(f'<img src="cid:p{n}">' for n in range(count))
    mail.add_alternative(f"<p>1. 57</p><hr><p>From: Pli</p>{pictures}", subtype="html")
    html = mail.get_payload()[1]
    for n in range(count):
        html.add_related(os.urandom(size), "image", "png", cid=f"<p{n}>", filename=f"p{n}.png")
    mail.add_attachment(b"%PDF" + os.urandom(size), "application", "pdf", filename="a.pdf")
    mail.add_attachment("57 is not my turn", filename="notes.txt")
    return mail.as_bytes()


def test_pictures_are_not_kept_and_the_turn_is_read():
    raw = answer_with_pictures(30, 200_000)
    assert 6_000_000 < len(raw) < MAX_SIZE
    left = without_attachments(raw)
    assert len(left) < 20_000
    assert b"not my turn" not in left
    assert reading(left).lines == ("1. 57",)


def test_a_picture_that_is_the_whole_mail_is_not_kept():
    body = base64.encodebytes(b"x" * 300_000)
    raw = FROM + b"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + body
    assert without_attachments(raw) == raw[: -len(body)]


def test_of_a_long_text_the_beginning_is_kept():
    raw = FROM + b"\n57\n\n" + b"> quoted\n" * 200_000
    left = without_attachments(raw)
    assert left == raw[:MOST_BYTES]
    assert reading(left).lines == ("57",)


@pytest.mark.parametrize(
    "body",
    [
        b"\n",
        b"--",
        b"\n--",
        b"\n--b",
        b"--b\n\n",
        b"--b--\n",
        b"--b\nContent-Type: image/png\n\n\n",
    ],
    ids=repr,
)
def test_a_mail_of_ten_megabytes_is_cut_in_bounded_steps(body):
    head = FROM + b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png\n\n"
    raw = head + body * ((MAX_SIZE - len(head)) // len(body))
    assert len(without_attachments(raw)) <= MOST_BYTES
    reading(without_attachments(raw))
