"""The admin of games, for moderators: to look at, and to act on with a reason; never to edit."""

from games.admin import (
    announcements,
    auth_admin,
    events,
    games,
    groups,
    log,
    messages,
    outages,
    people,
    reports,
)
from games.admin.base import LargeTableAdmin, ReadOnlyAdmin

__all__ = [
    "LargeTableAdmin",
    "ReadOnlyAdmin",
    "announcements",
    "auth_admin",
    "events",
    "games",
    "groups",
    "log",
    "messages",
    "outages",
    "people",
    "reports",
]
