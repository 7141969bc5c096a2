"""Users, their vacations, and what they may not do."""

from accounts.models.sanction import Sanction
from accounts.models.security_event import SecurityEvent
from accounts.models.user import Block, Language, NameTaken, TakenName, User, check_name_is_free
from accounts.models.vacation import Vacation

__all__ = [
    "Block",
    "Language",
    "NameTaken",
    "Sanction",
    "SecurityEvent",
    "TakenName",
    "User",
    "Vacation",
    "check_name_is_free",
]
