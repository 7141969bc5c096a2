"""What waits for a user: a mark that changes when it does, and the offers to answer."""

from hashlib import sha256

from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games.models import Game, Invitation, Offer, OfferAnswer, Seat


def offers_to(user: User) -> list[Offer]:
    """Return the open offers in running games that a user has not answered, oldest first.

    They are read with their seats and answers.
    """
    seats = Seat.objects.still_playing().filter(
        user=user, game=OuterRef("game"), game__status=Game.Status.ACTIVE
    )
    answered = OfferAnswer.objects.filter(offer=OuterRef("pk"), seat__user=user)
    own_games = Seat.objects.filter(user=user, ended_at=None).values("game")
    open_offers = Offer.objects.open().filter(Exists(seats), game__in=own_games)
    found = open_offers.exclude(seat__user=user).exclude(Exists(answered)).order_by("pk")
    return list(found.select_related("seat").prefetch_related("answers__seat"))


def mark_of_due(user: User) -> str:
    """Return a mark of the turns, challenges and offers that wait for a user.

    It changes with each turn to play and its deadline, each challenge and each offer; a turn is
    known by its number only, so that nothing here ends the time in which it can be undone.
    """
    games = Game.objects.awaiting(user.pk).order_by("pk")
    turns = games.values_list("pk", "turn_number", "deadline", "stop_reason").distinct()
    challenges = Invitation.objects.open_to(user).order_by("pk").values_list("pk", flat=True)
    seats = Q(game__seats__user=user, game__seats__left_at=None, game__status=Game.Status.ACTIVE)
    offers = Offer.objects.open().filter(seats).order_by("pk")
    answers = OfferAnswer.objects.filter(seat__user=user, offer__state=Offer.State.OPEN)
    shown = (
        list(turns),
        list(challenges),
        list(offers.values_list("pk", flat=True)),
        sorted(answers.values_list("offer", flat=True)),
    )
    return sha256(repr((user.pk, shown)).encode()).hexdigest()[:32]
