"""Clubs and their matches: read only. A moderator can close a club, with a reason."""

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.clock.durations import pace_in_words
from games.models import Club, ClubMatch, ClubMember
from games.moderation.admin.actions import ObjectAction, calls
from games.moderation.admin.base import ModerationAdmin
from games.moderation.admin.large_tables import parse_key, short_moment
from games.moderation.clubs import close_club_as_moderator


def _is_open(club: Club, viewer: User) -> bool:
    return club.closed_at is None


@admin.register(Club)
class ClubAdmin(ModerationAdmin):
    list_display = ["opened", "name", "slug", "owner", "closed"]
    fields = ["name", "slug", "owner", "description", "opened_at", "closed_at"]
    readonly_fields = ["owner"]
    change_form_template = "admin/games/message/change_form.html"
    object_actions = [
        ObjectAction(
            "close",
            _("Close the club"),
            _("Its members are told the reason. Games that have begun go on."),
            _("The club is closed."),
            calls("club_id", close_club_as_moderator),
            is_available=_is_open,
            is_destructive=True,
        )
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return _with_owners(super().get_queryset(request))

    def get_subject(self, key: str) -> Club | None:
        found: Club | None = _with_owners(Club.objects.all()).filter(pk=parse_key(key)).first()
        return found

    @admin.display(description=_("opened"))
    def opened(self, club: Club) -> str:
        return short_moment(club.opened_at)

    @admin.display(description=_("owner"))
    def owner(self, club: Club) -> str:
        return getattr(club, "owner_name", None) or ""

    @admin.display(description=_("closed"))
    def closed(self, club: Club) -> str:
        return short_moment(club.closed_at)


def _with_owners(clubs: QuerySet) -> QuerySet:
    owners = ClubMember.objects.filter(club=OuterRef("pk"), role=ClubMember.Role.OWNER)
    return clubs.annotate(owner_name=Subquery(owners.values("user__username")[:1]))


@admin.register(ClubMatch)
class ClubMatchAdmin(ModerationAdmin):
    list_display = ["challenged", "home", "away", "game", "time", "boards", "started", "ended"]
    list_select_related = ["home", "away"]

    @admin.display(description=_("challenged"))
    def challenged(self, match: ClubMatch) -> str:
        return short_moment(match.challenged_at)

    @admin.display(description=_("game"))
    def game(self, match: ClubMatch) -> str:
        return match.game_name

    @admin.display(description=_("pace"))
    def time(self, match: ClubMatch) -> str:
        return pace_in_words(match.terms.pace)

    @admin.display(description=_("most boards"))
    def boards(self, match: ClubMatch) -> str:
        return str(match.most_boards)

    @admin.display(description=_("started"))
    def started(self, match: ClubMatch) -> str:
        return short_moment(match.started_at)

    @admin.display(description=_("ended"))
    def ended(self, match: ClubMatch) -> str:
        return short_moment(match.ended_at) or match.get_not_played_because_display()
