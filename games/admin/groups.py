"""Groups and their permissions, for superusers: every change of them is in the moderators' log."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangosGroupAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest

from accounts.server_time import server_now
from games.admin.base import LargeTableAdmin
from games.admin.reasons import person_of
from games.services import log
from games.services.moderation.action_names import SiteAction

admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(LargeTableAdmin, DjangosGroupAdmin):
    """Groups, by name. They are deleted one at a time, on a page of their own."""

    ordering = ["name"]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save a group; remember what it was like before."""
        before = Group.objects.filter(pk=obj.pk).first()
        obj.name_before = before.name if before else obj.name
        obj.permissions_before = _codes(before) if before else []
        super().save_model(request, obj, form, change)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Log which permissions a new group has."""
        _log(SiteAction.MAKE_GROUP, request, obj.name, [], _codes(obj))
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Log which permissions a group has got and lost, and its new name."""
        renamed = {"renamed": obj.name} if obj.name != obj.name_before else {}
        before, after = obj.permissions_before, _codes(obj)
        if renamed or before != after:
            _log(SiteAction.CHANGE_GROUP, request, obj.name_before, before, after, **renamed)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Log which permissions are lost with a group."""
        for group in queryset:
            _log(SiteAction.DELETE_GROUP, request, group.name, _codes(group), [])
        return super().log_deletions(request, queryset)


def _codes(group: Group) -> list[str]:
    """Return a group's permissions as ["games.moderate", ...], in order."""
    names = group.permissions.values_list("content_type__app_label", "codename")
    return sorted(f"{label}.{code}" for label, code in names)


def _log(
    deed: SiteAction,
    request: HttpRequest,
    name: str,
    before: list[str],
    after: list[str],
    **more: object,
) -> None:
    details: dict[str, object] = {
        "group": name,
        "granted": [code for code in after if code not in before],
        "revoked": [code for code in before if code not in after],
        **more,
    }
    log.write_entry(
        by=person_of(request),
        what=deed.value,
        why="in the admin",  # its form asks for no reason
        now=server_now(),
        details=details,
    )
