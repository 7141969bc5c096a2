"""Ladders, their places and their challenges: read only.

A moderator can remove a player from a ladder, also of a club, with a reason.
"""

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Ladder, LadderChallenge, LadderPlace
from games.moderation.admin.actions import ObjectAction, calls
from games.moderation.admin.base import ModerationAdmin
from games.moderation.admin.games import Choices
from games.moderation.admin.large_tables import newest_of, parse_key, short_moment
from games.moderation.competition import remove_from_ladder

LADDERS_LISTED = 100
"""How many ladders can be chosen above a list: those of the site, then those of clubs."""


class LadderFilter(admin.SimpleListFilter):
    """The places of a ladder that are taken, or its challenges that go on."""

    title = _("ladder")
    parameter_name = "ladder"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        ladders = Ladder.objects.select_related("club").filter(club__closed_at=None)
        ladders = ladders.order_by(F("club").asc(nulls_first=True), "pk")
        return [(str(one.pk), str(one)) for one in ladders[:LADDERS_LISTED]]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if not self.value():
            return queryset
        of_ladder = queryset.filter(ladder=parse_key(self.value() or ""))
        if queryset.model is LadderPlace:
            return of_ladder.exclude(place=None)
        return of_ladder.exclude(state=LadderChallenge.State.OVER)


@admin.register(Ladder)
class LadderAdmin(ModerationAdmin):
    list_display = ["name", "club", "made"]
    list_select_related = ["club"]

    @admin.display(description=_("game"))
    def name(self, ladder: Ladder) -> str:
        return ladder.name

    @admin.display(description=_("made"))
    def made(self, ladder: Ladder) -> str:
        return short_moment(ladder.made_at)


def _is_on_it(own: LadderPlace, viewer: User) -> bool:
    return own.place is not None


@admin.register(LadderPlace)
class LadderPlaceAdmin(ModerationAdmin):
    list_display = ["ladder", "place", "user", "joined", "idle", "sunk", "has_declined", "left"]
    list_display_links = ["place", "user"]
    list_filter = [LadderFilter]
    list_select_related = ["ladder__club"]
    ordering = ["ladder", "place"]
    prefetch_users = ["user"]
    search_fields = ["user"]  # shows the field; `get_search_results` does it
    search_help_text = _("The beginning of a player’s name.")
    user_field = "user"
    change_form_template = "admin/games/message/change_form.html"
    object_actions = [
        ObjectAction(
            "remove",
            _("Remove from the ladder"),
            _("Their challenges there end; games go on. The player is told the reason."),
            _("The player is removed from the ladder."),
            calls("place_id", remove_from_ladder),
            is_available=_is_on_it,
            is_destructive=True,
        )
    ]

    def get_subject(self, key: str) -> LadderPlace | None:
        found = LadderPlace.objects.select_related("user", "ladder__club")
        return found.filter(pk=parse_key(key)).first()

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
    list_select_related = ["ladder__club"]
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
