"""The admin of mail: to look at, and for hosts to mend with a reason; never to edit."""

from notifications.admin import addresses, incoming, notices, preferences

__all__ = ["addresses", "incoming", "notices", "preferences"]
