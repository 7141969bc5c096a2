"""The outbox, incoming mail, and what users chose about their mail and their calendar."""

from notifications.kinds.registry import Kind
from notifications.models.address import AccountMailCount, AddressState, ErrorReply
from notifications.models.data_export import DataExport, DataExportPart
from notifications.models.incoming import IncomingMail
from notifications.models.notice import MailedMessages, Notice, SkipReason, StaffDigest
from notifications.models.preferences import (
    DAILY,
    Cadence,
    CalendarFeed,
    DigestSchedule,
    MailPreference,
    PuzzleSubscription,
)
from notifications.models.push import Push, PushSubscription
from notifications.models.reply import ReplyAddress
from notifications.models.webhook import Webhook, WebhookMessage

__all__ = [
    "DAILY",
    "AccountMailCount",
    "AddressState",
    "Cadence",
    "CalendarFeed",
    "DataExport",
    "DataExportPart",
    "DigestSchedule",
    "ErrorReply",
    "IncomingMail",
    "Kind",
    "MailPreference",
    "MailedMessages",
    "Notice",
    "Push",
    "PushSubscription",
    "PuzzleSubscription",
    "ReplyAddress",
    "SkipReason",
    "StaffDigest",
    "Webhook",
    "WebhookMessage",
]
