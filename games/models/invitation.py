"""Somebody asked to sit at a table."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class Invitation(models.Model):
    """A seat kept for a player (a challenge) or for whoever reads mail at an address."""

    class State(models.TextChoices):
        """What became of it."""

        OPEN = "open", _("not answered yet")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        LAPSED = "lapsed", _("lapsed")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invitations")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="invitations_sent"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="invitations",
        null=True,
        blank=True,
    )
    seat_number = models.PositiveSmallIntegerField(
        _("seat"),
        null=True,
        blank=True,
        help_text=_("The seat kept for them; empty: any."),
    )
    email = models.EmailField(_("address"), blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(_("made"))
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [
            models.CheckConstraint(
                name="invitation_is_to_somebody",
                condition=Q(user__isnull=False) | ~Q(email=""),
            ),
            models.UniqueConstraint(
                fields=["game", "user"],
                name="one_open_invitation_a_player",
                condition=Q(state="open", user__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["game", "email"],
                name="one_open_invitation_an_address",
                condition=Q(state="open") & ~Q(email=""),
            ),
        ]
        indexes = [
            models.Index(
                fields=["email"],
                name="invitation_by_address",
                condition=Q(state="open", user__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.user or _('by mail')}"
