"""Ladders, their places and their challenges: read only."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.models import Ladder, LadderChallenge, LadderPlace
from games.moderation.admin.base import ModerationAdmin
from games.moderation.admin.games import Choices
from games.moderation.admin.large_tables import newest_of, parse_key, short_moment


class LadderFilter(admin.SimpleListFilter):
    """The places of a ladder that are taken, or its challenges that go on."""

    title = _("ladder")
    parameter_name = "ladder"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        return [(str(one.pk), str(one)) for one in Ladder.objects.all()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if not self.value():
            return queryset
        of_ladder = queryset.filter(ladder=parse_key(self.value() or ""))
        if queryset.model is LadderPlace:
            return of_ladder.exclude(place=None)
        return of_ladder.exclude(state=LadderChallenge.State.OVER)


@admin.register(Ladder)
class LadderAdmin(ModerationAdmin):
    list_display = ["name", "made"]

    @admin.display(description=_("game"))
    def name(self, ladder: Ladder) -> str:
        return ladder.name

    @admin.display(description=_("made"))
    def made(self, ladder: Ladder) -> str:
        return short_moment(ladder.made_at)


@admin.register(LadderPlace)
class LadderPlaceAdmin(ModerationAdmin):
    list_display = ["ladder", "place", "user", "joined", "idle", "sunk", "has_declined", "left"]
    list_display_links = ["place", "user"]
    list_filter = [LadderFilter]
    list_select_related = ["ladder"]
    ordering = ["ladder", "place"]
    prefetch_users = ["user"]
    search_fields = ["user"]  # shows the field; `get_search_results` does it
    search_help_text = _("The beginning of a player’s name.")
    user_field = "user"

    @admin.display(description=_("joined"))
    def joined(self, own: LadderPlace) -> str:
        return short_moment(own.joined_at)

    @admin.display(description=_("idle since"))
    def idle(self, own: LadderPlace) -> str:
        return short_moment(own.idle_from)

    @admin.display(description=_("left"))
    def left(self, own: LadderPlace) -> str:
        return own.get_left_because_display()


@admin.register(LadderChallenge)
class LadderChallengeAdmin(ModerationAdmin):
    list_display = ["made", "ladder", "challenger", "challenged", "state", "outcome", "number"]
    list_filter = [LadderFilter]
    list_select_related = ["ladder"]
    prefetch_users = ["challenger", "challenged"]
    search_fields = ["game", "player"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or the beginning of a player’s name.")
    number_field = "game_id"
    user_field = "challenger"

    def about_users(self, queryset: QuerySet, users: list[int]) -> QuerySet:
        """Return the newest challenges that any of these users has made or been sent."""
        sides = (newest_of(LadderChallenge, side, users) for side in ("challenger", "challenged"))
        return queryset.filter(pk__in={key for keys in sides for key in keys})

    @admin.display(description=_("made"))
    def made(self, challenge: LadderChallenge) -> str:
        return short_moment(challenge.made_at)

    @admin.display(description=_("game"))
    def number(self, challenge: LadderChallenge) -> str:
        return f"#{challenge.game_id}" if challenge.game_id is not None else ""
