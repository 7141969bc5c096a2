"""The admin of mail: moderators can read it, administrators can try it again with a reason."""

from notifications.admin import incoming, outgoing

__all__ = ["incoming", "outgoing"]
