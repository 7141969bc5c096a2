"""Of two moderators at once the second sees what the first did."""

from django.db.models import QuerySet

from games.models import Act
from games.services.errors.moderation import ActedMeanwhile
from games.services.moderation.names import words_of


def check_seen(acts: QuerySet[Act], seen: int | None) -> None:
    """Raise ActedMeanwhile when there is a newer act than the moderator knew of.

    `seen` is the number of the newest act that they knew of (0: of none; None: whatever it is).
    """
    if seen is None:
        return
    newest = acts.select_related("by").filter(number__gt=seen).order_by("-number").first()
    if newest is not None:
        raise ActedMeanwhile(name=newest.by, what=words_of(newest.what))
