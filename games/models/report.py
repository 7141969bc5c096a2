"""Reports to the moderators, and mutes of one player by another."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

WAITING = ["open", "taken"]
"""The states of reports that are not closed."""


class Report(models.Model):
    """A report about a game, a player or a message, and the answer to it.

    If it is about a message, `game` is the message's game and `person` its author. About a player
    it has no game, about a game no person. `answer` is for the reporter; `told_at` is when they
    were told that the report is closed.
    """

    class Reason(models.TextChoices):
        """What is reported."""

        ABUSE = "abuse", _("insults or harassment")
        CHEATING = "cheating", _("cheating, or several accounts")
        STALLING = "stalling", _("stalling")
        SPAM = "spam", _("advertising")
        OTHER = "other", _("something else")

    class State(models.TextChoices):
        """Whether a moderator has taken or closed it."""

        OPEN = "open", _("open")
        TAKEN = "taken", _("in progress")
        UPHELD = "upheld", _("action taken")
        DISMISSED = "dismissed", _("no action taken")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports"
    )
    game = models.ForeignKey(
        "games.Game", on_delete=models.CASCADE, null=True, blank=True, related_name="reports"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="reports_about",
        verbose_name=_("about"),
    )
    message = models.ForeignKey(
        "games.Message",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="reports",
        verbose_name=_("message"),
    )
    reason = models.CharField(_("reason"), max_length=12, choices=Reason)
    text = models.TextField(_("description"), max_length=2000)
    made_at = models.DateTimeField(_("made"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("assigned to"),
    )
    answer = models.TextField(_("answer to the reporter"), blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    told_at = models.DateTimeField(_("reporter notified"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="report_is_about_something",
                condition=Q(game__isnull=False) | Q(person__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["reporter", "message"],
                name="one_waiting_report_of_a_message",
                condition=Q(state__in=WAITING, message__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["reporter", "person"],
                name="one_waiting_report_of_a_person",
                condition=Q(state__in=WAITING, message__isnull=True, person__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["reporter", "game"],
                name="one_waiting_report_of_a_game",
                condition=Q(state__in=WAITING, message__isnull=True, person__isnull=True),
            ),
        ]
        indexes = [
            models.Index(
                fields=["made_at"], name="report_waits", condition=Q(state__in=["open", "taken"])
            ),
            models.Index(
                fields=["game"],
                name="report_of_a_game_waits",
                condition=Q(state__in=["open", "taken"], game__isnull=False),
            ),
            models.Index(fields=["state", "-id"], name="report_by_state"),
            models.Index(fields=["reason", "-id"], name="report_by_reason"),
            models.Index(fields=["assignee", "-id"], name="report_by_assignee"),
            models.Index(fields=["reporter", "made_at"], name="report_by_reporter"),
            models.Index(
                fields=["closed_at"],
                name="report_answer_untold",
                condition=Q(closed_at__isnull=False, told_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}: {self.reason}"

    @property
    def is_closed(self) -> bool:
        """Whether a moderator has closed it."""
        return self.state not in WAITING


class Mute(models.Model):
    """`user` does not see the messages of `seat` in its game."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mutes"
    )
    seat = models.ForeignKey("games.Seat", on_delete=models.CASCADE, related_name="mutes")
    at = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("mute")
        verbose_name_plural = _("mutes")
        constraints = [
            models.UniqueConstraint(fields=["user", "seat"], name="one_mute_a_seat_and_player"),
        ]

    def __str__(self) -> str:
        return f"{self.user} – {self.seat}"
