"""Reads the mails that people answer with: from bytes to what a person wrote, and to orders.

Pure: no Django, no database, no clock. Every step is bounded by the limits in `raw`; nothing that
anybody can send makes it slow.
"""

from notifications.mail_parser.authentication import Authentication, Verdict, authenticate
from notifications.mail_parser.automatic import AWAY
from notifications.mail_parser.bounces import Bounce
from notifications.mail_parser.commands import conditions, numbered, orders
from notifications.mail_parser.errors import UnreadableMail
from notifications.mail_parser.orders import (
    Command,
    Condition,
    LaterCommand,
    MailCommand,
    NotUnderstood,
    Numbered,
    SayCommand,
    TurnCommand,
    VacationCommand,
)
from notifications.mail_parser.raw import ParsedMail, parse
from notifications.mail_parser.reply_marker import MARKERS, is_marker

__all__ = [
    "AWAY",
    "MARKERS",
    "Authentication",
    "Bounce",
    "Command",
    "Condition",
    "LaterCommand",
    "MailCommand",
    "NotUnderstood",
    "Numbered",
    "ParsedMail",
    "SayCommand",
    "TurnCommand",
    "UnreadableMail",
    "VacationCommand",
    "Verdict",
    "authenticate",
    "conditions",
    "is_marker",
    "numbered",
    "orders",
    "parse",
]
