"""Of two moderators at once the second sees what the first did."""

from django.db.models import QuerySet

from games import errors
from games.models import Act
from games.services.moderation.action_names import Access, action_label


def changes(acts: QuerySet[Act]) -> QuerySet[Act]:
    """Return the acts that changed something."""
    return acts.exclude(what__in=Access.values)


def check_not_stale(acts: QuerySet[Act], seen: int | None) -> None:
    """Raise ActedMeanwhile when there is a newer act than the moderator knew of.

    `seen` is the number of the newest act that they knew of (0: of none; None: whatever it is).
    """
    if seen is None:
        return
    newer = changes(acts).select_related("by").filter(number__gt=seen)
    newest = newer.order_by("-number").first()
    if newest is not None:
        raise errors.ActedMeanwhile(name=newest.by, what=action_label(newest.what))
