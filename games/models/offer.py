"""Something one seat proposes and the others answer."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game
from games.models.seat import Seat


class Offer(models.Model):
    """A proposal that takes effect when every other seat has accepted it."""

    class Kind(models.TextChoices):
        """What is proposed."""

        AGREED_END = "agreed-end", _("to end the game by agreement")
        PAUSE = "pause", _("to stop the clock for a while")
        PACE = "pace", _("to play at another pace")

    class State(models.TextChoices):
        """What became of it."""

        OPEN = "open", _("not answered yet")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        LAPSED = "lapsed", _("lapsed")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="offers")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="offers")
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    details = models.JSONField(
        _("details"),
        default=dict,
        blank=True,
        db_default=models.Value({}, models.JSONField()),
        help_text=_("A pause's days, or a pace's times."),
    )
    turn_number = models.PositiveIntegerField(_("turns played"))
    made_at = models.DateTimeField(_("made"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("offer")
        verbose_name_plural = _("offers")
        constraints = [
            models.UniqueConstraint(
                fields=["game", "kind"], name="one_open_offer_a_kind", condition=Q(state="open")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.kind}"


class OfferAnswer(models.Model):
    """A seat's consent to an offer; a refusal closes the offer instead."""

    offer = models.ForeignKey(Offer, on_delete=models.CASCADE, related_name="answers")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT)
    answered_at = models.DateTimeField(_("answered"))

    class Meta:
        verbose_name = _("consent")
        verbose_name_plural = _("consents")
        constraints = [
            models.UniqueConstraint(fields=["offer", "seat"], name="one_answer_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.offer}: {self.seat}"
