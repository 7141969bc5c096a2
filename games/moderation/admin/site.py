"""The admin site: its registry, its sign-in, and its start page, the moderators' desk."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.urls.resolvers import RoutePattern
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from accounts.server_time import server_now
from games.clock.clock import StopReason
from games.models import Game, Outage, Report
from games.models.report import WAITING
from games.moderation.staff_stats import DAY, LONG

OUR_APPS = ("accounts", "games", "notifications")

GROUPS = (
    (
        gettext_lazy("Moderation"),
        ("games.Report", "accounts.User", "games.Message", "games.ModerationLogEntry"),
    ),
    (gettext_lazy("Games"), ("games.Game", "games.Event")),
    (
        gettext_lazy("Competition"),
        (
            *("games.Wish", "games.Rating", "games.SeasonEntry", "games.LeagueGame"),
            *("games.Ladder", "games.LadderPlace", "games.LadderChallenge"),
            *("games.Tournament", "games.Entrant", "games.Round", "games.TournamentGame"),
            *("games.Club", "games.ClubMatch"),
        ),
    ),
    (
        gettext_lazy("Mail"),
        (
            "notifications.IncomingMail",
            "notifications.Notice",
            "notifications.AddressState",
            "notifications.MailPreference",
        ),
    ),
    (gettext_lazy("This site"), ("games.Announcement", "games.Outage", "games.SitePage")),
    (
        gettext_lazy("Sign-in and permissions"),
        ("account.EmailAddress", "usersessions.UserSession", "mfa.Authenticator", "auth.Group"),
    ),
)
"""The lists of the start page and the sidebar, by what a moderator looks for: models by label."""


class ModerationSite(admin.AdminSite):
    """Django's admin with our pages only, allauth's sign-in, and the desk as its start page."""

    site_header = site_title = settings.SITE_NAME
    index_title = gettext_lazy("For moderators and administrators")

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register a page of ours; leave those of other packages out.

        Theirs count and search through whole tables, and show secrets (allauth shows what a second
        factor is made of).
        """
        if admin_class is not None and admin_class.__module__.split(".")[0] in OUR_APPS:
            super().register(model_or_iterable, admin_class, **options)

    def get_urls(self) -> list[Any]:
        """Keep the log's address from when its model was called Act: digests link to it."""
        urls: list[Any] = super().get_urls()
        for url in urls:
            if str(url.pattern) == "games/moderationlogentry/":
                url.pattern = RoutePattern("games/act/", is_endpoint=False)
        return urls

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Sign in through allauth, which asks for the second factor."""
        return secure_admin_login(super().login)(request, extra_context)

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Show the desk: what awaits the viewer, above the lists."""
        user: Any = request.user
        desk = [item for items in DESK for item in items(user) if item.count]
        return super().index(request, {"desk": desk, **(extra_context or {})})

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the lists that the viewer may open, in groups; those of one app under its name."""
        apps: list[Any] = super().get_app_list(request, app_label)
        if app_label is not None:
            return apps
        lists = {model["model"]._meta.label: model for app in apps for model in app["models"]}
        groups = (
            {"name": name, "models": [lists[label] for label in labels if label in lists]}
            for name, labels in GROUPS
        )
        return [group for group in groups if group["models"]]


@dataclass(frozen=True)
class DeskItem:
    """A line of the desk: how many things await a moderator, in words, and where they are."""

    count: int
    words: str
    url: str


def games_desk(user: User) -> Iterable[DeskItem]:
    """Yield what awaits moderators in the games."""
    now = server_now()
    if user.has_perm("games.view_report"):
        url = reverse("admin:games_report_changelist")
        mine = Count("pk", filter=Q(assignee=user))
        waiting = Report.objects.filter(state__in=WAITING).aggregate(all=Count("pk"), mine=mine)
        count = waiting["all"]
        words = ngettext(
            "%(count)s report waits for an answer", "%(count)s reports wait for an answer", count
        )
        yield DeskItem(count, words % {"count": count}, url)
        count = waiting["mine"]
        words = ngettext(
            "%(count)s of them is assigned to you", "%(count)s of them are assigned to you", count
        )
        yield DeskItem(count, words % {"count": count}, f"{url}?hands=mine")
    if user.has_perm("games.view_game"):
        url = reverse("admin:games_game_changelist")
        count = Game.objects.filter(stop_reason=StopReason.MODERATOR).count()
        words = ngettext(
            "%(count)s game is paused by a moderator",
            "%(count)s games are paused by a moderator",
            count,
        )
        yield DeskItem(count, words % {"count": count}, f"{url}?frozen={StopReason.MODERATOR}")
        count = Game.objects.filter(stopped_at__lt=now - LONG).count()
        words = ngettext(
            "%(count)s clock has been stopped for two weeks",
            "%(count)s clocks have been stopped for two weeks",
            count,
        )
        yield DeskItem(count, words % {"count": count}, f"{url}?stalled=stands")
    if user.has_perm("games.view_outage"):
        recent = Q(ended_at=None) | Q(ended_at__gt=now - DAY)
        count = Outage.objects.filter(recent).count()
        words = ngettext(
            "%(count)s outage in the last day", "%(count)s outages in the last day", count
        )
        yield DeskItem(count, words % {"count": count}, reverse("admin:games_outage_changelist"))


DESK: list[Callable[[User], Iterable[DeskItem]]] = [games_desk]
"""What the desk shows. Another app adds its own function, so that this one need not know it."""
