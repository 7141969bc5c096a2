"""What all of the admin's pages about games share: nothing is changed, nothing is counted out."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.utils.functional import cached_property

from accounts.models import User
from games.models import Seat

MOST_LISTED = 1000
"""How many rows a list shows in all: counting a million takes longer than reading a page of it."""

MOST_PEOPLE = 50
"""How many people a search by the beginning of a name takes up."""

GREATEST_NUMBER = 2**63 - 1


class OnlyToLookAt:
    """Rows that only the services write."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody adds one by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody changes one by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody deletes one by hand."""
        return False


class FirstThousand(Paginator):
    """Pages over the first `MOST_LISTED` rows; no more are counted."""

    @cached_property
    def count(self) -> int:
        """How many rows there are, at most MOST_LISTED."""
        rows: Any = self.object_list
        return rows[:MOST_LISTED].count()


def number_in(words: str) -> int | None:
    """Return the game's number that was typed ("12", "#12"), None where it is no number."""
    digits = words.strip().removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        return None
    return min(int(digits[:30]), GREATEST_NUMBER)


def people_called(words: str) -> list[int]:
    """Return the keys of whoever's user name, or display name, begins so.

    Each name is looked up in an index of its own; the user name whatever its case.
    """
    name = words.strip().removeprefix("@")
    people = User.objects.alias(low=Lower("username")).order_by()
    by_username = people.filter(low__startswith=name.lower())
    by_display_name = User.objects.filter(display_name__startswith=name).order_by()
    found = [
        *by_username.values_list("pk", flat=True)[:MOST_PEOPLE],
        *by_display_name.values_list("pk", flat=True)[:MOST_PEOPLE],
    ]
    return list(dict.fromkeys(found))[:MOST_PEOPLE]


def games_of(people: list[int]) -> list[int]:
    """Return the numbers of the newest games at which any of these people sits.

    Looked up first: joined to the games, who plays in very many would cost a look at all of them.
    """
    if not people:
        return []
    theirs = Seat.objects.filter(user__in=people).order_by("-game_id")
    return list(theirs.values_list("game_id", flat=True)[:MOST_LISTED])
