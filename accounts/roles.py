"""The roles of staff: what moderators may do, and what administrators may do.

Each role is a group whose permissions are set after every migration. Nobody may see an account's
secrets, and settings come from the environment.
"""

from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig
from django.apps import apps as installed
from django.contrib.auth.management import create_permissions

MODERATORS, ADMINISTRATORS = "Moderators", "Hosts"
"""The groups' names. They are stored, so that administrators are still called Hosts there."""

_VIEW = [
    "accounts.view_user",
    "accounts.view_sanction",
    "accounts.view_vacation",
    "games.view_game",
    "games.view_seat",
    "games.view_turn",
    "games.view_event",
    "games.view_offer",
    "games.view_invitation",
    "games.view_message",
    "games.view_act",
    "games.view_report",
    "games.view_outage",
    "games.view_announcement",
    "games.view_sitepage",
    "games.view_wish",
    "games.view_rating",
    "games.view_seasonentry",
    "games.view_leaguegame",
    "games.view_ladder",
    "games.view_ladderplace",
    "games.view_ladderchallenge",
    "games.view_tournament",
    "games.view_entrant",
    "games.view_round",
    "games.view_tournamentgame",
    "games.view_club",
    "games.view_clubmatch",
    "notifications.view_notice",
    "notifications.view_incomingmail",
    "notifications.view_addressstate",
]

_MODERATE = ["games.moderate", "games.change_message", "games.change_report"]

PERMISSIONS: Mapping[str, tuple[str, ...]] = {
    MODERATORS: (*_VIEW, *_MODERATE),
    ADMINISTRATORS: (
        *_VIEW,
        *_MODERATE,
        "games.add_outage",
        "games.add_announcement",
        "games.change_announcement",
        "games.delete_announcement",
        "games.add_sitepage",
        "games.change_sitepage",
        "games.delete_sitepage",
        "accounts.add_user",
        "accounts.change_user",
        "notifications.change_notice",
        "notifications.change_incomingmail",
        "notifications.change_addressstate",
        "notifications.view_mailpreference",
    ),
}


def set_group_permissions(sender: AppConfig, using: str, **rest: Any) -> None:
    """Give each role's group its permissions and no others, once all tables have been migrated."""
    if sender.label != "accounts":
        return
    for label in ("accounts", "games", "notifications"):
        create_permissions(installed.get_app_config(label), verbosity=0, using=using)
    permissions = installed.get_model("auth", "Permission").objects.using(using)
    by_code = {
        f"{permission.content_type.app_label}.{permission.codename}": permission
        for permission in permissions.select_related("content_type")
    }
    groups = installed.get_model("auth", "Group").objects.using(using)
    for name, codes in PERMISSIONS.items():
        group, _ = groups.get_or_create(name=name)
        group.permissions.set(by_code[code] for code in codes)
