"""What the lists of mail share: quick, however many there are."""

from datetime import datetime
from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format

from games.admin import FirstThousand, OnlyToLookAt
from games.admin.reasons import AsksWhy


def short(moment: datetime | None) -> str:
    """Return a moment as narrow lists show it."""
    return date_format(timezone.localtime(moment), "SHORT_DATETIME_FORMAT") if moment else ""


class MailList(OnlyToLookAt, AsksWhy):
    """The newest first, and at most a thousand; every filter has an index."""

    change_list_template = "admin/games/change_list.html"
    list_per_page = 50
    paginator = FirstThousand
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by: ClassVar[Any] = ()
    ordering: ClassVar[Any] = ["-pk"]
    changes: ClassVar[str]
    """The permission that lets hosts mend what is listed."""

    def has_mend_permission(self, request: HttpRequest) -> bool:
        """Moderators look, hosts mend."""
        return request.user.has_perm(self.changes)
