"""Reads the mails that people answer with: from bytes to what a person wrote, and to orders.

Pure: no Django, no database, no clock. Every step is bounded by the limits in `raw`; nothing that
anybody can send makes it slow.
"""

from notifications.reading.automatic import AWAY
from notifications.reading.bounces import Bounce
from notifications.reading.commands import conditions, numbered, orders
from notifications.reading.marker import MARKERS, is_marker
from notifications.reading.orders import (
    Command,
    Condition,
    Later,
    NotUnderstood,
    Numbered,
    Order,
    Say,
    Turn,
    Vacation,
)
from notifications.reading.raw import Mail, read
from notifications.reading.refused import Unreadable

__all__ = [
    "AWAY",
    "MARKERS",
    "Bounce",
    "Command",
    "Condition",
    "Later",
    "Mail",
    "NotUnderstood",
    "Numbered",
    "Order",
    "Say",
    "Turn",
    "Unreadable",
    "Vacation",
    "conditions",
    "is_marker",
    "numbered",
    "orders",
    "read",
]
