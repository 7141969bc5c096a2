"""Ladders, their places and challenges: what pages, mails and the API show of them."""

from datetime import datetime

from django.db.models import Q

from accounts.models import Block
from games.competition.ladders import REACH
from games.models import LadderPlace
from games.rules.registry import UnknownGame, rules_for

PAGE = 50
"""How many places a page of a ladder shows."""

NEWEST = 10
"""How many of the challenges that were over last a ladder's page shows."""


def has_ladder(rules_slug: str) -> bool:
    """Return whether a game has a ladder: those of two players have one."""
    try:
        rules = rules_for(rules_slug)
    except UnknownGame:
        return False
    return rules.seats(rules.check_options({})) == 2  # noqa: PLR2004  (a challenge is for two)


def needs_result(game_id: int) -> bool:
    """Return whether a game belongs to a league or a ladder: such a game is never aborted."""
    of_league = LeagueGame.objects.filter(game=game_id).order_by().values("pk")
    of_ladder = LadderChallenge.objects.filter(game=game_id).order_by().values("pk")
    return of_league.union(of_ladder).exists()


def nearest_above(own: LadderPlace, *, now: datetime) -> list[LadderPlace]:
    """Return the places that the player of a place can challenge, the nearest first.

    Not counted is who cannot play them: who is suspended or about to leave the site, and where one
    of the two has blocked the other. Whether somebody is away or has enough challenges is not asked
    here.
    """
    above = own.ladder.places.filter(
        Q(user__barred_until=None) | Q(user__barred_until__lte=now),
        place__lt=own.place,
        user__is_active=True,
        user__deletion_due_at=None,
    ).exclude(user__in=_at_odds_with(own.user_id))
    return list(above.select_related("user").order_by("-place")[:REACH])


def _at_odds_with(user_id: int) -> set[int]:
    """Return the users who have blocked a user, or whom they have blocked."""
    pairs = Block.objects.filter(Q(by=user_id) | Q(of=user_id)).values_list("by", "of")
    return {key for pair in pairs for key in pair} - {user_id}
