"""The outbox, what comes in, and what people chose about their mail and their calendar."""

from notifications.kinds.registry import Kind
from notifications.models.address import AccountMailCount, AddressState, ErrorAnswer
from notifications.models.feed import CalendarFeed
from notifications.models.incoming import IncomingMail
from notifications.models.notice import Notice, SkipReason
from notifications.models.plan import MailPlan
from notifications.models.preference import Cadence, MailPreference
from notifications.models.reply import ReplyAddress
from notifications.models.staff_digest import StaffDigest
from notifications.models.told import MessagesTold

__all__ = [
    "AccountMailCount",
    "AddressState",
    "Cadence",
    "CalendarFeed",
    "ErrorAnswer",
    "IncomingMail",
    "Kind",
    "MailPlan",
    "MailPreference",
    "MessagesTold",
    "Notice",
    "ReplyAddress",
    "SkipReason",
    "StaffDigest",
]
