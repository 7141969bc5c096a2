"""The roles of those who look after a house: what a moderator may do, and a host besides.

Kept in groups of these names, which every migration brings up to date. What neither may do is not
here: nobody sees an account's secrets, and settings come from the environment.
"""

from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig
from django.apps import apps as installed
from django.contrib.auth.management import create_permissions

MODERATORS, HOSTS = "Moderators", "Hosts"

_LOOKS_AT = [
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
    "notifications.view_notice",
    "notifications.view_incomingmail",
    "notifications.view_addressstate",
]

PERMISSIONS: Mapping[str, tuple[str, ...]] = {
    MODERATORS: (*_LOOKS_AT, "games.moderate", "games.change_message", "games.change_report"),
    HOSTS: (
        *_LOOKS_AT,
        "games.moderate",
        "games.change_message",
        "games.change_report",
        "games.add_outage",
        "games.add_announcement",
        "games.change_announcement",
        "games.delete_announcement",
        "accounts.add_user",
        "accounts.change_user",
        "notifications.change_notice",
        "notifications.change_incomingmail",
        "notifications.change_addressstate",
        "notifications.view_mailpreference",
    ),
}


def grant(sender: AppConfig, using: str, **rest: Any) -> None:
    """Give each role its permissions, and no others, once all tables are there."""
    if sender.label != "accounts":
        return
    for label in ("accounts", "games", "notifications"):
        create_permissions(installed.get_app_config(label), verbosity=0, using=using)
    group_model = installed.get_model("auth", "Group").objects.using(using)
    for name, codes in PERMISSIONS.items():
        group, _ = group_model.get_or_create(name=name)
        group.permissions.set(_permissions(codes, using))


def _permissions(codes: tuple[str, ...], using: str) -> list[Any]:
    known = installed.get_model("auth", "Permission").objects.using(using)
    found = {
        f"{permission.content_type.app_label}.{permission.codename}": permission
        for permission in known.select_related("content_type")
    }
    return [found[code] for code in codes]
