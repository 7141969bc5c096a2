"""The admin of games, for moderators: to look at, and to act on with a reason; never to edit."""

from games.admin import (
    announcements,
    events,
    games,
    log,
    messages,
    outages,
    people,
    reports,
    sign_in,
)
from games.admin.looking import OnlyToLookAt, QuickList

__all__ = [
    "OnlyToLookAt",
    "QuickList",
    "announcements",
    "events",
    "games",
    "log",
    "messages",
    "outages",
    "people",
    "reports",
    "sign_in",
]
