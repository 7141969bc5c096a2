"""What stands below a message and belongs to nobody but its sender."""

import pytest

from notifications.mail_parser import Command, SayCommand, TurnCommand, parse_command
from notifications.mail_parser.signatures import is_signature, without_signature

SIGNATURES = [
    ["Ann Smith", "+33 6 12 34 56 78"],
    ["Ann Smith", "Tel. 0612345678"],
    ["Ann Smith", "Head of Sales", "ACME Corp.", "12 High Street", "London"],
    ["Ann Smith | ACME Corp. | +1 (555) 010-9999"],
    ["Ann Smith", "ann.smith@acme.example"],
    ["Ann Smith", "https://acme.example"],
    ["Best regards,", "Ann Smith"],
    ["Kind regards", "Ann Smith", "ACME Corp."],
    ["Cordialement,", "Anne Dupont", "Directrice"],
    ["Anne Dupont", "12 rue de la Paix", "75002 Paris"],
    ["Bien cordialement", "Anne DUPONT", "Tél : 01 23 45 67 89", "Port. : 06 12 34 56 78"],
    ["Dr. Jan van der Berg", "Mobile: +31-6-12345678", "www.berg.example"],
    ["Salutations", "Anne Dupont", "Paris"],
]


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda lines: lines[0])
@pytest.mark.parametrize("said", [[], ["Well played, see you tomorrow."]])
def test_a_signature_directly_below_a_turn_is_not_passed_on(signature, said):
    assert parse_command(["c3", *said, *signature]) == (TurnCommand("c3"), "\n".join(said))


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda lines: lines[0])
def test_a_signature_below_a_message_is_not_part_of_it(signature):
    assert parse_command(["say Hello Bob!", *signature]) == (SayCommand("Hello Bob!"), "")


@pytest.mark.parametrize(
    "message",
    [
        ["Ann"],
        ["Cheers,", "Ann"],
        ["Amicalement,", "Anne"],
        ["Call me at 0612345678 when you are back from the sea."],
        ["I read it on https://example.org this morning, and you should too."],
        ["Best move so far!"],
        ["We won 3-1 on 12.10.2026!"],
        ["Paris is lovely in spring."],
    ],
)
def test_what_is_said_is_kept(message):
    assert without_signature(message) == message


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Sent from my Zenfone Max",
        "Sent from Outlook for Android",
        "Sent from Yahoo Mail on Android",
        "Sent with Proton Mail secure email.",
        "(Sent from my phone, please excuse typos)",
        "Envoyé de mon iPhone",
        "Envoyé depuis mon mobile Orange",
        "Envoyé à partir de Outlook",
        "Von meinem Samsung gesendet",
        "Enviado desde mi iPad",
        "--",
    ],
)
def test_what_mail_programs_write_ends_a_mail(line):
    assert is_signature(line)


@pytest.mark.parametrize(
    "line",
    [
        "Sent from the train, sorry",
        "Sent from a café in Rome",
        "Sent with love",
        "Envoyé depuis le train, désolé",
        "Envoyé avec amour",
    ],
)
def test_what_people_write_does_not(line):
    assert not is_signature(line)


@pytest.mark.parametrize(
    ("greeting", "below", "command"),
    [
        ("Hello Bob,", ["c3"], TurnCommand("c3")),
        ("Hi!", ["", "c3"], TurnCommand("c3")),
        ("Bonjour à tous,", ["c3"], TurnCommand("c3")),
        ("Chère Anne,", ["", "abandonner"], Command.RESIGN),
        ("Salut", ["board"], Command.BOARD),
    ],
)
def test_a_greeting_above_is_passed_over(greeting, below, command):
    assert parse_command([greeting, *below]) == (command, "")


@pytest.mark.parametrize("line", ["Dear Bob I play c3 now", "Hiking tomorrow", "Cherbourg"])
def test_other_lines_are_no_greeting_above(line):
    assert parse_command([line, "resign"])[0] == TurnCommand(line)


def test_a_mere_greeting_is_no_command():
    assert parse_command(["Hello"]) == (TurnCommand("Hello"), "")
