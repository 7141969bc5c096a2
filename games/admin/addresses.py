"""Mail addresses in the admin: hosts read them, moderators see that there is one."""

import re
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import label_for_field
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model
from django.http import HttpRequest

from games.admin.reasons import person_of
from games.services.moderation.permissions import is_administrator

_ADDRESS = re.compile(r"""[^\s@<>()\[\]",;:]+@[^\s@<>()\[\]",;]+""")


def sees_addresses(request: HttpRequest) -> bool:
    """Return whether the viewer may read mail addresses."""
    return is_administrator(person_of(request))


def masked(text: str) -> str:
    """Return a text with the first letter of each mail address in it, and no more of them."""
    return _ADDRESS.sub(lambda found: f"{found[0][0]}…@…", text)


class HidesAddresses(admin.ModelAdmin):
    """Shows moderators no address: neither in columns and fields, nor by what a search finds.

    Subclasses must keep addresses out of `__str__` of what they list: titles, histories and
    suggestions show it to everybody.
    """

    may_hold_addresses: ClassVar[tuple[str, ...]] = ()
    """The columns and fields whose text is masked for moderators."""
    help_without_addresses: ClassVar[Any] = ""
    """What the search field says to moderators; empty: as it says to hosts."""

    def get_list_display(self, request: HttpRequest) -> Any:
        """Return the columns."""
        return self._for(request, super().get_list_display(request))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of the page of one."""
        return self._for(request, super().get_fields(request, obj))

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Return a page of the list; its search offers what it finds for the viewer."""
        listed = super().get_changelist_instance(request)
        if self.help_without_addresses and not sees_addresses(request):
            listed.search_help_text = self.help_without_addresses
        return listed

    def _for(self, request: HttpRequest, names: Iterable[Any]) -> list[Any]:
        if sees_addresses(request):
            return list(names)
        return [self._masked(name) if name in self.may_hold_addresses else name for name in names]

    def _masked(self, name: str) -> Callable[[Model], str]:
        """Return what shows a column or field without its addresses, under the same label."""
        own: Callable[[Model], Any] = getattr(self, name, lambda row: getattr(row, name))

        @admin.display(description=str(label_for_field(name, self.model, self)))
        def shown(row: Model) -> str:
            return masked(str(own(row) or ""))

        shown.__name__ = name
        return shown
