"""What the admin's lists share: quick however long, found by few things, changed by nobody."""

from datetime import datetime
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.text import capfirst

from accounts.models import User
from games.models import Seat

MOST_LISTED = 1000
"""How many rows a list shows in all: counting a million takes longer than reading a page of it."""

MOST_PEOPLE = 50
"""How many people a search by the beginning of a name takes up."""

NO_BREAK = "\u00a0"
"""Keeps a date together in a narrow column."""

GREATEST_NUMBER = 2**63 - 1

ASKED = ("exact", "isempty", "isnull")
"""What the filters of Django ask of a field."""


class CappedPaginator(Paginator):
    """Pages over the first `MOST_LISTED` rows; no more are counted."""

    @cached_property
    def count(self) -> int:
        """How many rows there are, at most MOST_LISTED."""
        rows: Any = self.object_list
        return rows[:MOST_LISTED].count()


class PrefetchUsersChangeList(ChangeList):
    """One page of a list, and the people its rows name: asked for at once, after the page.

    Joined to the people, the last page of many rows would cost a look at all people.
    """

    def get_ordering_field(self, field_name: Any) -> Any:
        """Return what a column is ordered by: nothing, unless the list says that it can be.

        Django asks `sortable_by` for the column's heading only, not for the address `?o=1`.
        """
        if field_name not in (self.sortable_by or ()):
            return None
        return super().get_ordering_field(field_name)

    def get_results(self, request: HttpRequest) -> None:
        """Fetch the rows of the page, then whom their fields `names_people` name."""
        super().get_results(request)
        fields = cast("LargeTableAdmin", self.model_admin).names_people
        if not fields:
            return
        rows = self.result_list = list(self.result_list)
        named = [(row, field, getattr(row, f"{field}_id")) for row in rows for field in fields]
        people = User.objects.in_bulk({key for _, _, key in named if key is not None})
        for row, field, key in named:
            setattr(row, field, people.get(key))


class LargeTableAdmin(admin.ModelAdmin):
    """A list of many rows, newest first: each filter and search it offers has an index.

    It answers no other: an address of `?email__startswith=a` would tell letter by letter what the
    page does not show.
    """

    change_list_template = "admin/games/change_list.html"
    list_per_page = 50
    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by: ClassVar[Any] = ()
    ordering: ClassVar[Any] = ["-pk"]
    actions: Any = None
    names_people: ClassVar[Any] = ()
    """The fields whose people are looked up together, once the rows of a page are known."""
    found_by_number = ""
    """The field in which a number that is searched for is looked up, if there is one."""
    found_by_name = ""
    """The field that names whose name's beginning is searched for, if there is one."""

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Show pages whose people are known."""
        return PrefetchUsersChangeList

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list under the name of what it lists."""
        title = {"title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, title | (extra_context or {}))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show one under the name of what it is."""
        title = {"title": capfirst(self.opts.verbose_name)} if object_id else {}
        more = title | (extra_context or {})
        return super().changeform_view(request, object_id, form_url, more)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the list's own actions: none deletes what is chosen."""
        actions: dict[str, Any] = super().get_actions(request)
        return {name: action for name, action in actions.items() if name != "delete_selected"}

    def lookup_allowed(self, lookup: str, value: Any, request: Any = None) -> bool:
        """Allow what the list's own filters ask, and nothing else."""
        filters = [_asked_by(each) for each in self.get_list_filter(request)]
        field, _, how = lookup.rpartition("__")
        return lookup in filters or (how in ASKED and field in filters)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find rows by the number of a game, or by the beginning of somebody's name."""
        if not search_term.strip() or not self.found_by_name:
            return super().get_search_results(request, queryset, search_term)
        number = parse_int_or_none(search_term)
        if number is not None and self.found_by_number:
            return queryset.filter(**{self.found_by_number: number}), False
        return self.of_people(queryset, people_called(search_term)), False

    def of_people(self, queryset: QuerySet, people: list[int]) -> QuerySet:
        """Keep the newest thousand rows that are about one of these people."""
        return queryset.filter(pk__in=newest_of(self.model, **{self.found_by_name: people}))


def _asked_by(each: Any) -> str:
    """Return the parameter, or the field, that one entry of `list_filter` asks for."""
    if isinstance(each, tuple):
        return str(each[0])
    return each if isinstance(each, str) else str(each.parameter_name)


class ReadOnlyAdmin(LargeTableAdmin):
    """A list of rows that only the services write."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody adds one by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody changes one by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody deletes one by hand."""
        return False


def short(moment: datetime | None) -> str:
    """Return a moment in the reader's zone as lists show it: briefly, with its year."""
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    day = date_format(local, "SHORT_DATE_FORMAT").replace(" ", NO_BREAK)
    return f"{day} {date_format(local, 'TIME_FORMAT')}"


def key_in(text: str) -> int:
    """Return the primary key that an address names, 0 (which no row has) where it names none."""
    if not (text.isascii() and text.isdigit()) or int(text[:30]) > GREATEST_NUMBER:
        return 0
    return int(text)


def parse_int_or_none(words: str) -> int | None:
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


def games_with(people: list[int]) -> list[int]:
    """Return the numbers of the newest games at which any of these people sits.

    Looked up first: joined to the games, who plays in very many would cost a look at all of them.
    """
    if not people:
        return []
    theirs = Seat.objects.filter(user__in=people).order_by("-game_id")
    return list(theirs.values_list("game_id", flat=True)[:MOST_LISTED])


def newest_of(model: type[Model], **of: Any) -> list[int]:
    """Return the keys of the newest rows that name any of these people, as `author=[...]`.

    Looked up first: asked for fifty rows only, PostgreSQL reads from the newest on and hopes to
    come across them soon.
    """
    ((name, people),) = of.items()
    if not people:
        return []
    rows = model._default_manager.filter(**{f"{name}__in": people}).order_by("-pk")
    return list(rows.values_list("pk", flat=True)[:MOST_LISTED])
