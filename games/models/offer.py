"""What one player proposes and the others answer."""

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class OfferQuerySet(models.QuerySet["Offer"]):
    """Offers, open or closed."""

    def open(self) -> "OfferQuerySet":
        """Keep the offers that wait for an answer."""
        return self.filter(state=Offer.State.OPEN)

    def awaiting(self, seat_id: int) -> "OfferQuerySet":
        """Keep the open offers of others that a seat has not accepted yet."""
        return self.open().exclude(seat=seat_id).exclude(answers__seat=seat_id)

    def answered_by_turn(self, seat_id: int) -> "OfferQuerySet":
        """Keep the open offers that lapse when a seat plays: those that await it, and takebacks."""
        answers = OfferAnswer.objects.filter(offer=models.OuterRef("pk"), seat=seat_id)
        awaiting = ~Q(seat=seat_id) & ~models.Exists(answers)
        return self.open().filter(awaiting | Q(kind=Offer.Kind.TAKEBACK))

    def with_answers(self, seat_id: int) -> "OfferQuerySet":
        """Load how many have accepted, and whether that seat has."""
        accepted = OfferAnswer.objects.filter(offer=models.OuterRef("pk"), seat=seat_id)
        return self.annotate(
            answer_count=models.Count("answers"), is_accepted=models.Exists(accepted)
        )

    def lapse(self, now: datetime) -> None:
        """Close the offers: something else has happened instead of an answer."""
        self.update(state=Offer.State.LAPSED, closed_at=now)


class Offer(models.Model):
    """A proposal that takes effect when every other seat has accepted it."""

    class Kind(models.TextChoices):
        AGREED_END = "agreed-end", _("to end the game by agreement")
        PAUSE = "pause", _("to stop the clock for a while")
        PACE = "pace", _("to play at another pace")
        TAKEBACK = "takeback", _("to take turns back")

    class State(models.TextChoices):
        OPEN = "open", _("not answered yet")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        LAPSED = "lapsed", _("lapsed")

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="offers")
    seat = models.ForeignKey("games.Seat", on_delete=models.PROTECT, related_name="offers")
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    details = models.JSONField(
        _("details"),
        default=dict,
        blank=True,
        db_default=models.Value({}, models.JSONField()),
        help_text=_("A pause's days, a pace's times, or a takeback's turn."),
    )
    turn_number = models.PositiveIntegerField(_("turns played"))
    made_at = models.DateTimeField(_("made"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    # Only offers loaded `with_answers` have these two.
    answer_count: int
    is_accepted: bool

    objects = OfferQuerySet.as_manager()

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
    """A seat's consent to an offer. There is none for a refusal: that closes the offer."""

    offer = models.ForeignKey(Offer, on_delete=models.CASCADE, related_name="answers")
    seat = models.ForeignKey("games.Seat", on_delete=models.PROTECT)
    answered_at = models.DateTimeField(_("answered"))

    class Meta:
        verbose_name = _("consent")
        verbose_name_plural = _("consents")
        constraints = [
            models.UniqueConstraint(fields=["offer", "seat"], name="one_answer_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.offer}: {self.seat}"
