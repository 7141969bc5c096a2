"""Invitations to a table."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from accounts.models.user import User


HAS_INVITATION = """
(EXISTS (
  SELECT 1 FROM games_invitation AS asked
  WHERE asked.state = 'open' AND asked.user_id = accounts_user.id
) OR EXISTS (
  SELECT 1 FROM games_invitation AS asked
  JOIN account_emailaddress AS own ON own.email = asked.email
  WHERE asked.state = 'open' AND asked.user_id IS NULL
    AND own.user_id = accounts_user.id AND own.verified
))"""
"""Whether a row of accounts_user may have an invitation that `open_to` finds."""


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Invitations, open or answered."""

    def open(self) -> "InvitationQuerySet":
        """Keep the invitations that wait for an answer."""
        return self.filter(state=Invitation.State.OPEN)

    def lapse(self, now: datetime) -> None:
        """Close the invitations without an answer."""
        self.update(state=Invitation.State.LAPSED, answered_at=now)

    def open_to(self, user: "User") -> "InvitationQuerySet":
        """Keep the open invitations to a user, by name or to a verified address of theirs.

        Those from users whom they blocked are left out.
        """
        addresses = user.emailaddress_set.filter(  # type: ignore[attr-defined]
            verified=True
        ).values("email")
        open_keys = Invitation.objects.open().values("pk")
        by_name = open_keys.filter(user=user)
        by_address = open_keys.filter(user=None, email__in=addresses)
        # One list of keys: with OR, PostgreSQL scans all open invitations.
        return self.filter(pk__in=by_name.union(by_address), game__status="open").exclude(
            by__blocked_by__by=user
        )


class Invitation(models.Model):
    """A seat reserved for a player (a challenge) or for the reader of an e-mail address."""

    class State(models.TextChoices):
        OPEN = "open", _("not answered yet")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        LAPSED = "lapsed", _("lapsed")

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="invitations")
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
    level = models.PositiveSmallIntegerField(_("level of the program"), null=True, blank=True)
    email = models.EmailField(_("address"), blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(_("made"))
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

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


class TableLink(models.Model):
    """A link with which anybody may sit down at a table, as long as it is open.

    A new link of a table replaces the old one. The address carries `key`, signed.
    """

    game = models.OneToOneField(
        "games.Game", on_delete=models.CASCADE, related_name="link", verbose_name=_("game")
    )
    key = models.CharField(_("key"), max_length=32)
    created_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("link to a table")
        verbose_name_plural = _("links to tables")

    def __str__(self) -> str:
        return str(self.game)
