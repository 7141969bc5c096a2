"""Who plays, when they are away, and what they may not do."""

from accounts.models.block import Block
from accounts.models.sanction import Sanction
from accounts.models.security_event import SecurityEvent
from accounts.models.taken_name import TakenName
from accounts.models.user import Language, User
from accounts.models.vacation import Vacation

__all__ = ["Block", "Language", "Sanction", "SecurityEvent", "TakenName", "User", "Vacation"]
