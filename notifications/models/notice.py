"""The outbox: who must be told what, and what became of it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Language
from games.models import Event, Game


class Kind(models.TextChoices):
    """What a notice tells."""

    YOUR_TURN = "your-turn", _("It is your turn")
    REMINDER = "reminder", _("Your time runs low")
    VACATION = "vacation", _("A vacation begins by itself")
    GAME_BEGUN = "game-begun", _("A game begins")
    GAME_OVER = "game-over", _("A game is over")
    PLAYER_LEFT = "player-left", _("A player leaves a game of several")
    CHALLENGE = "challenge", _("Somebody challenges you")
    OFFER = "offer", _("An offer is made or answered")
    MESSAGE = "message", _("Somebody says something")
    CLOCK = "clock", _("A clock stops, goes on or gets more time")
    TABLE_NEWS = "table-news", _("News of your tables")
    DIGEST = "digest", _("The digest")
    INVITATION = "invitation", _("Invitation")
    ANSWER = "answer", _("Answer to your mail")
    MODERATED = "moderated", _("A moderator acts on your game")
    ACCOUNT = "account", _("Your account")
    STAFF_DIGEST = "staff-digest", _("What awaits the moderators")


class Notice(models.Model):
    """One mail to one person, from the moment it must be sent to what became of it.

    `content` holds what cannot be looked up again (a sign-in code, what the numbers of a digest
    mean) and is emptied once sent.
    `reason` says why a notice failed or was dropped. Times are UTC.
    """

    class State(models.TextChoices):
        """Where a notice is on its way."""

        WAITING = "waiting", _("waiting")
        CLAIMED = "claimed", _("being sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("failed")
        DROPPED = "dropped", _("not sent")

    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="notices",
        null=True,
        blank=True,
        verbose_name=_("person"),
        db_index=False,  # `notice_by_person` is one
    )
    address = models.EmailField(_("address"), blank=True)
    language = models.CharField(
        _("language"), max_length=5, choices=Language, default=Language.ENGLISH
    )
    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="notices", null=True, blank=True
    )
    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="notices", null=True, blank=True
    )
    turn_number = models.PositiveIntegerField(_("turns played"), null=True, blank=True)
    content = models.JSONField(_("content"), default=dict, blank=True)
    message_id = models.CharField(_("Message-ID"), max_length=120, unique=True)

    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    created_at = models.DateTimeField(_("made"))
    due_at = models.DateTimeField(_("due"))
    claimed_at = models.DateTimeField(_("claimed"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    reason = models.TextField(_("reason"), blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints = [
            models.UniqueConstraint(
                fields=["event", "kind", "user"],
                name="one_notice_an_event_and_person",
                condition=Q(event__isnull=False, user__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["event", "kind", "address"],
                name="one_notice_an_event_and_address",
                condition=Q(event__isnull=False, user__isnull=True),
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="notice_due", condition=Q(state="waiting")),
            models.Index(
                fields=["claimed_at"], name="notice_claimed", condition=Q(state="claimed")
            ),
            # What the list in the admin is filtered by, newest first.
            models.Index(fields=["state", "-id"], name="notice_by_state"),
            models.Index(fields=["kind", "-id"], name="notice_by_kind"),
            models.Index(fields=["address"], name="notice_by_address"),
            models.Index(fields=["user", "-id"], name="notice_by_person"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} → {self.user or self.address}"
