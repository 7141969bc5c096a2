"""When a player is away."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User
from accounts.sql import columns_of, select_rows, time_to_sql


class Vacation(models.Model):
    """A period in which a player's time does not run.

    It is announced before it begins, or as it begins, and may be ended early; the part of it that
    is past never changes.
    """

    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="vacations", verbose_name=_("person")
    )
    begins_at = models.DateTimeField(_("begins"))
    ends_at = models.DateTimeField(_("ends"))
    announced_at = models.DateTimeField(_("announced"))
    ended_early_at = models.DateTimeField(_("ended early"), null=True, blank=True)
    zone = models.CharField(
        _("time zone"),
        max_length=60,
        default="UTC",
        db_default="UTC",
        help_text=_(
            "The time zone in which its days are counted. A later change of zone does not affect "
            "it."
        ),
    )
    is_automatic = models.BooleanField(_("automatic"), default=False)

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
        ordering = ["begins_at"]
        constraints = [
            models.CheckConstraint(
                name="vacation_ends_after_it_began", condition=Q(ends_at__gte=F("begins_at"))
            ),
        ]
        indexes = [models.Index(fields=["user", "ends_at"], name="vacation_of_user")]

    def __str__(self) -> str:
        return f"{self.user}: {self.begins_at} – {self.ends_at}"


def away_until(user_ids: Iterable[int | None], now: datetime) -> dict[int, datetime]:
    """Return when users who are away now come back, by user id. Makes at most one query.

    Vacations that follow each other without a gap are one absence.
    """
    ids = {pk for pk in user_ids if pk is not None}
    if not ids:
        return {}
    marks = ", ".join(["%s"] * len(ids))
    # In SQL, because every home page asks it: the ORM takes several times as long.
    statement = (
        f"SELECT {columns_of(Vacation)} FROM accounts_vacation"  # noqa: S608
        f" WHERE user_id IN ({marks}) AND ends_at > %s ORDER BY begins_at"
    )
    times: defaultdict[int, list[tuple[datetime, datetime]]] = defaultdict(list)
    for vacation in select_rows(Vacation, statement, [*ids, time_to_sql(now)]):
        times[vacation.user_id].append((vacation.begins_at, vacation.ends_at))
    back = {user_id: absence_end(spans, now) for user_id, spans in times.items()}
    return {user_id: end for user_id, end in back.items() if end is not None}


def absence_end(times: Iterable[tuple[datetime, datetime]], now: datetime) -> datetime | None:
    """Return when the absence that goes on now ends; None if there is none.

    `times` are one user's vacations in order: when each begins and ends.
    """
    end = now
    for begins_at, ends_at in times:
        if begins_at <= end < ends_at:
            end = ends_at
    return end if end > now else None
