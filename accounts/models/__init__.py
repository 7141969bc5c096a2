"""Users, their vacations, what they may not do, and the programs that act for them."""

from accounts.models.api import ApiAnswer, ApiToken, Program, Scope
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
    "ApiAnswer",
    "ApiToken",
    "Audience",
    "Block",
    "Follow",
    "Language",
    "NameTaken",
    "Program",
    "Sanction",
    "Scope",
    "SearchWord",
    "SecurityEvent",
    "TakenName",
    "User",
    "Vacation",
    "check_name_is_free",
]
