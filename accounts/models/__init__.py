"""Users, their vacations, and what they may not do."""

from accounts.models.public_profile import Audience
from accounts.models.sanction import Sanction
from accounts.models.security_event import SecurityEvent
from accounts.models.user import (
    Block,
    Follow,
    Language,
    NameTaken,
    SearchWord,
    TakenName,
    User,
    check_name_is_free,
)
from accounts.models.vacation import Vacation

__all__ = [
    "Audience",
    "Block",
    "Follow",
    "Language",
    "NameTaken",
    "Sanction",
    "SearchWord",
    "SecurityEvent",
    "TakenName",
    "User",
    "Vacation",
    "check_name_is_free",
]
