"""Django looks here for the pages of the admin. They are in games/moderation/admin."""

from games.moderation.admin import (
    announcements,
    auth,
    clubs,
    competition,
    events,
    games,
    ladders,
    log,
    messages,
    outages,
    reports,
    site_pages,
    tournaments,
    users,
)

__all__ = [
    "announcements",
    "auth",
    "clubs",
    "competition",
    "events",
    "games",
    "ladders",
    "log",
    "messages",
    "outages",
    "reports",
    "site_pages",
    "tournaments",
    "users",
]
