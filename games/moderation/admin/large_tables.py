"""Lists and searches that stay quick in tables of a million rows: nothing is counted or scanned."""

from datetime import datetime
from typing import Any

from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import Model
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property

from accounts.models import User
from games.models import Seat

MOST_LISTED = 1000
"""How many rows a list shows in all: to count a million takes longer than to read a page of it."""

NO_BREAK = "\u00a0"
"""Keeps a date together in a narrow column."""

GREATEST_NUMBER = 2**63 - 1


class CappedPaginator(Paginator):
    """Pages over the first `MOST_LISTED` rows; no more are counted."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return rows[:MOST_LISTED].count()


class PrefetchUsersChangeList(ChangeList):
    """A page of a list. The users that its rows name are looked up together, after the page.

    With a JOIN, the last page of many rows would cost a look at all users.
    """

    def get_ordering_field(self, field_name: Any) -> Any:
        """Return a column's ordering field, None unless the list can be sorted by it.

        Django asks `sortable_by` for the column's heading only, not for the address `?o=1`.
        """
        if field_name not in (self.sortable_by or ()):
            return None
        return super().get_ordering_field(field_name)

    def get_results(self, request: HttpRequest) -> None:
        """Fetch the rows of the page, then the users in the fields `prefetch_users`."""
        super().get_results(request)
        model_admin: Any = self.model_admin
        if not model_admin.prefetch_users:
            return
        rows = self.result_list = list(self.result_list)
        named = [
            (row, field, getattr(row, f"{field}_id"))
            for row in rows
            for field in model_admin.prefetch_users
        ]
        users = User.objects.in_bulk({key for _, _, key in named if key is not None})
        for row, field, key in named:
            setattr(row, field, users.get(key))


def short_moment(moment: datetime | None) -> str:
    """Return a moment in the reader's zone as lists show it; "" for None."""
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    day = date_format(local, "SHORT_DATE_FORMAT").replace(" ", NO_BREAK)
    return f"{day} {date_format(local, 'TIME_FORMAT')}"


def parse_key(text: str) -> int:
    """Return the primary key in a URL, 0 (which no row has) if it is not one."""
    if not (text.isascii() and text.isdigit()) or int(text[:30]) > GREATEST_NUMBER:
        return 0
    return int(text)


def parse_int_or_none(words: str) -> int | None:
    """Return the number of a game that was searched for ("12", "#12"), None if it is none."""
    digits = words.strip().removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        return None
    return min(int(digits[:30]), GREATEST_NUMBER)


def game_numbers_of(users: list[int]) -> list[int]:
    """Return the numbers of the newest games in which any of these users has a seat.

    Resolved in a separate query: with a JOIN, PostgreSQL scans all games of very active players.
    """
    if not users:
        return []
    theirs = Seat.objects.filter(user__in=users).order_by("-game_id")
    return list(theirs.values_list("game_id", flat=True)[:MOST_LISTED])


def newest_of(
    model: type[Model], field: str, users: list[int], key: str | Coalesce = "pk"
) -> list[int]:
    """Return the keys (or `key`) of the newest rows whose `field` names any of these users.

    Resolved in a separate query: asked for one page only, PostgreSQL would read the table from the
    newest row on and hope to come across them soon.
    """
    if not users:
        return []
    rows = model._default_manager.filter(**{f"{field}__in": users}).order_by("-pk")
    return list(rows.values_list(key, flat=True)[:MOST_LISTED])
