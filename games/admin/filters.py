"""What the list of games can be filtered by. Each filter has an index (see `Game.Meta`)."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.server_time import server_now
from games.clock.clock import StopReason
from games.models import Report
from games.rules.registry import all_rules

LATE = timedelta(days=1)
"""A deadline that passed so long ago should have ended its turn: something is wrong."""

LONG = timedelta(days=14)
"""A clock that stands so long deserves a look."""

Lookup = tuple[str, Any]


class RulesFilter(admin.SimpleListFilter):
    """One game's name instead of its slug."""

    title = _("game")
    parameter_name = "rules_slug"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[Lookup]:
        """Return the games of this house."""
        return [(rules.slug, gettext(rules.name)) for rules in all_rules()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the games that were chosen."""
        return queryset.filter(rules_slug=self.value()) if self.value() else queryset


class StalledFilter(admin.SimpleListFilter):
    """Games that do not move on, though they should."""

    title = _("stalled")
    parameter_name = "stalled"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[Lookup]:
        """Return the ways to be stalled."""
        return [
            ("late", _("deadline passed a day ago")),
            ("stands", _("clock stopped for two weeks")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the games that were chosen."""
        kept = _STALLED.get(self.value() or "")
        return kept(queryset) if kept else queryset


_STALLED: Mapping[str, Callable[[QuerySet], QuerySet]] = {
    "late": lambda games: games.filter(deadline__lt=server_now() - LATE),
    "stands": lambda games: games.filter(stopped_at__lt=server_now() - LONG),
}


class FrozenFilter(admin.SimpleListFilter):
    """Games whose clock stands, and why."""

    title = _("clock stopped")
    parameter_name = "frozen"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[Lookup]:
        """Return the reasons for which a clock stands."""
        return [("any", _("for any reason")), *StopReason.choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the games that were chosen."""
        if self.value() == "any":
            return queryset.exclude(stop_reason="")
        return queryset.filter(stop_reason=self.value()) if self.value() else queryset


class ReportedFilter(admin.SimpleListFilter):
    """Games with a report that nobody has closed."""

    title = _("reported")
    parameter_name = "reported"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[Lookup]:
        """Return the one choice."""
        return [("yes", _("with an open report"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the games that were chosen."""
        if self.value() != "yes":
            return queryset
        waiting: Any = [Report.State.OPEN, Report.State.TAKEN]
        reports = Report.objects.filter(state__in=waiting, game__isnull=False)
        return queryset.filter(pk__in=reports.values("game"))
