"""Taking notices in hand: those of one game to one reader together, so that they are one mail.

A claim is a compare-and-set under a lock: of two workers only one has a notice. A worker that
dies leaves its claim behind; it is taken up again after CLAIM_TIMEOUT.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from notifications.kinds.lookup import all_kinds
from notifications.models import Notice

BATCH = 100
"""How many notices one call takes up."""

CLAIM_TIMEOUT = timedelta(minutes=10)
"""After this a claim is taken for that of a dead worker."""

State = Notice.State


def due_notices(now: datetime) -> Iterable[int]:
    """Return what waits and is due, and what was claimed so long ago that its worker is dead."""
    waiting = Notice.objects.filter(state=State.WAITING, due_at__lte=now).order_by("due_at", "pk")
    stale = Notice.objects.filter(_stale(now))
    return [
        *waiting.values_list("pk", flat=True)[:BATCH],
        *stale.order_by("claimed_at").values_list("pk", flat=True)[:BATCH],
    ]


def _stale(now: datetime) -> Q:
    return Q(state=State.CLAIMED, claimed_at__lte=now - CLAIM_TIMEOUT)


def _free(now: datetime) -> Q:
    return Q(state=State.WAITING, due_at__lte=now) | _stale(now)


@transaction.atomic
def claim_notices(pk: int, now: datetime) -> list[Notice]:
    """Take a notice and all that is due with it, the one that leads first.

    With it come the other news of the same game for the same reader, those too whose hold has
    not ended yet; but what an error of our own held up goes alone, so that it holds up nothing
    else. Empty when another worker was faster.
    """
    one = Notice.objects.filter(pk=pk).first()
    if one is None:
        return []
    found = Notice.objects.filter(Q(_free(now), pk=pk) | _companions(one, now))
    taken = list(found.select_for_update(skip_locked=True).order_by("pk"))
    if pk not in {notice.pk for notice in taken}:
        return []
    keys = [notice.pk for notice in taken]
    Notice.objects.filter(pk__in=keys).update(state=State.CLAIMED, claimed_at=now)
    loaded = Notice.objects.select_related("user", "game__creator", "event__invitation__by")
    return sorted(loaded.filter(pk__in=keys), key=_rank)


def _companions(one: Notice, now: datetime) -> Q:
    together = list(_ranks())
    alone = one.user_id is None or one.game_id is None or one.kind not in together
    if alone or one.failing_since is not None:
        return Q(pk__in=[])
    soon = Q(state=State.WAITING, due_at__lte=now + settings.MAIL_HOLD) | _stale(now)
    of_reader = Q(user_id=one.user_id, game_id=one.game_id, kind__in=together)
    return soon & of_reader & Q(failing_since=None)


def _ranks() -> dict[str, int]:
    """Return the kinds that can be told in one mail, with their ranks.

    Not `kind_of`: a kind that only a newer release knows must not end the round.
    """
    return {kind.kind: kind.lead_rank for kind in all_kinds() if kind.lead_rank is not None}


def _rank(notice: Notice) -> tuple[int, int]:
    """Return what puts the kind that leads first, and of one kind the newest."""
    return (_ranks().get(notice.kind, 0), -notice.pk)
