"""What happened in a game, for those who must be told."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from accounts.models.user import User


class EventQuerySet(models.QuerySet["Event"]):
    """Events of one or many games."""

    def done_since(self, actor: "User", since: datetime) -> "EventQuerySet":
        """Keep what a user has done since then; their earlier events are not read."""
        own = self.filter(actor=actor)
        earlier = own.filter(at__lte=since).order_by("-pk").values_list("pk", flat=True).first()
        return own.filter(pk__gt=earlier or 0)


class Event(models.Model):
    """Something that happened, written in the transaction that made it happen.

    `actor` is the user who did it, null if the clock did. `turn_number` is the number of turns
    played just after it. `noticed_at` is set once the notices about it are written.
    """

    class Kind(models.TextChoices):
        OPENED = "opened", _("table opened")
        CHALLENGED = "challenged", _("player challenged")
        INVITED = "invited", _("address invited")
        JOINED = "joined", _("seat taken")
        LEFT = "left", _("seat left")
        DECLINED = "declined", _("invitation declined")
        CLOSED = "closed", _("table closed")
        STARTED = "started", _("game begun")
        TURN_PLAYED = "turn-played", _("turn played")
        TURN_UNDONE = "turn-undone", _("turn undone")
        TAKEN_BACK = "taken-back", _("turns taken back")
        REMINDER_DUE = "reminder-due", _("time runs low")
        OFFER_MADE = "offer-made", _("offer made")
        OFFER_DECLINED = "offer-declined", _("offer declined")
        OFFER_WITHDRAWN = "offer-withdrawn", _("offer withdrawn")
        OFFER_ACCEPTED = "offer-accepted", _("offer accepted")
        TIME_GRANTED = "time-granted", _("more time given")
        CLOCK_STOPPED = "clock-stopped", _("clock stopped")
        CLOCK_STARTED = "clock-started", _("clock resumes")
        VACATION_BEGUN = "vacation-begun", _("vacation begun instead of a time-out")
        SEAT_VACANT = "seat-sought", _("looking for a substitute")
        SEAT_TAKEN_OVER = "seat-taken-over", _("seat taken over")
        DEPARTED = "departed", _("player left the game")
        DEPARTURE_UNDONE = "departure-undone", _("departure undone")
        ENDED = "ended", _("game over")
        END_UNDONE = "end-undone", _("end undone")
        MESSAGE_SAID = "message-said", _("message written")
        MODERATED = "moderated", _("a moderator acted")

    game = models.ForeignKey(
        "games.Game", on_delete=models.CASCADE, related_name="events", verbose_name=_("game")
    )
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    at = models.DateTimeField(_("when"))
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("who"),
        db_index=False,  # `event_by_actor` is one
    )
    turn_number = models.PositiveIntegerField(_("turns played"))
    invitation = models.ForeignKey(
        "games.Invitation", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    details = models.JSONField(_("details"), default=dict, blank=True)
    noticed_at = models.DateTimeField(_("noticed"), null=True, blank=True)

    objects = EventQuerySet.as_manager()

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["id"], name="event_unnoticed", condition=Q(noticed_at__isnull=True)
            ),
            models.Index(fields=["kind", "-id"], name="event_by_kind"),
            models.Index(fields=["actor", "-id"], name="event_by_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.get_kind_display()}"
