"""Header lines above a quote in many languages, and PGP's lines around a text."""

import pytest

from notifications.mail_parser import parse
from notifications.mail_parser.lines import MailLine
from notifications.mail_parser.pgp import without_pgp_lines

# Above the quoted mail, as Outlook and others put them without a blank line or a quote mark.
HEADERS = {
    "Hungarian": ["Feladó: Pli", "Elküldve: 2026. március 10., kedd 14:05", "Címzett: Ann",
                  "Tárgy: Te jössz"],
    "Turkish": ["Kimden: Pli", "Gönderildi: 10 Mart 2026 Salı 14:05", "Kime: Ann", "Konu: Sıra"],
    "Turkish, newer": ["Gönderen: Pli", "Tarih: 10 Mart 2026", "Kime: Ann", "Konu: Sıra sizde"],
    "Chinese": ["发件人: Pli", "发送时间: 2026年3月10日 14:05", "收件人: Ann", "主题: 轮到你了"],
    "Chinese, wide colons": ["发件人：Pli", "日期：2026年3月10日", "收件人：Ann", "主题：轮到你了"],
    "Chinese, Taiwan": ["寄件者: Pli", "寄件日期: 2026年3月10日", "收件者: Ann", "主旨: 輪到你"],
    "Japanese": ["差出人: Pli", "送信日時: 2026年3月10日 14:05", "宛先: Ann", "件名: あなたの番"],
    "Korean": ["보낸 사람: Pli", "보낸 날짜: 2026년 3월 10일", "받는 사람: Ann", "제목: 차례"],
    "Greek": ["Από: Pli", "Στάλθηκε: Τρίτη, 10 Μαρτίου 2026", "Προς: Ann", "Θέμα: Σειρά σου"],
    "Romanian": ["De la: Pli", "Trimis: marți, 10 martie 2026", "Către: Ann", "Subiect: Rândul"],
    "Ukrainian": ["Від: Pli", "Надіслано: 10 березня 2026 р.", "Кому: Ann", "Тема: Ваш хід"],
    "Russian": ["От: Pli", "Отправлено: 10 марта 2026 г.", "Кому: Ann", "Тема: Ваш ход"],
    "Polish": ["Od: Pli", "Wysłano: wtorek, 10 marca 2026", "Do: Ann", "Temat: Twoja kolej"],
    "Czech": ["Od: Pli", "Odesláno: úterý 10. března 2026", "Komu: Ann", "Předmět: Jsi na tahu"],
    "Vietnamese": ["Từ: Pli", "Đã gửi: 10 tháng 3 2026", "Đến: Ann", "Chủ đề: Lượt của bạn"],
    "Hebrew": ["מאת: Pli", "נשלח: יום שלישי 10 מרץ 2026", "אל: Ann", "נושא: תורך"],
    "Arabic": ["من: Pli", "مرسل: 10 مارس 2026", "إلى: Ann", "الموضوع: دورك"],
    "Finnish": ["Lähettäjä: Pli", "Lähetetty: tiistai 10. maaliskuuta 2026",
                "Vastaanottaja: Ann", "Aihe: Sinun vuorosi"],
}  # fmt: skip


def mail_of(*lines):
    head = "From: ann@example.org\nMessage-ID: <a@example.org>\nDate: Tue, 10 Mar 2026 14:05 +0100"
    body = "\n".join(lines)
    return f"{head}\nContent-Type: text/plain; charset=utf-8\n\n{body}\n".encode()


@pytest.mark.parametrize("headers", HEADERS.values(), ids=list(HEADERS))
def test_quoted_headers_directly_below_a_turn_end_the_mail(headers):
    found = parse(mail_of("c3", "Well played", *headers, "", "Your turn ends tomorrow."))
    assert found.lines == ("c3", "Well played")


def test_a_line_that_looks_like_one_header_is_a_persons():
    assert parse(mail_of("c3", "From: the bottom of my heart", "thanks")).lines == (
        "c3",
        "From: the bottom of my heart",
        "thanks",
    )


# Shaped after the example in RFC 9580, section 7.1, as Enigmail and K-9 Mail sign in the text.
SIGNED = [
    "-----BEGIN PGP SIGNED MESSAGE-----",
    "Hash: SHA512",
    "",
    "c3",
    "- -- said Ann",
    "",
    "On Tue, 10 Mar 2026, Pli wrote:",
    "> Your turn",
    "-----BEGIN PGP SIGNATURE-----",
    "Version: GnuPG v2",
    "",
    "iHUEARYKAB0WIQRBo2t5xk3q8w0gQ3u2bXkqkQUCZAAAAAAKCRC2bXkqkQ",
    "=AbCd",
    "-----END PGP SIGNATURE-----",
]


def test_a_text_signed_by_pgp_is_read():
    assert parse(mail_of(*SIGNED)).lines == ("c3", "-- said Ann")


def test_a_signed_text_below_the_quote_is_read_too():
    assert parse(mail_of("> Your turn", *SIGNED[:4], *SIGNED[8:])).lines == ("c3",)


def test_pgp_lines_in_a_quote_stay():
    quoted = [MailLine(text, quoted=True) for text in SIGNED]
    assert without_pgp_lines(quoted) == quoted
