"""What waits for a user: a mark that changes when it does, and the offers to answer."""

from hashlib import sha256

from django.db.models import Exists, OuterRef

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

    It changes with each turn to play, its deadline and its opponents' names, with each challenge,
    and with each offer that the user can answer and others' answers to it. A turn is known by its
    number only, so that nothing here ends the time in which it can be undone.
    """
    games = Game.objects.awaiting(user.pk).order_by("pk")
    turns = games.values_list("pk", "turn_number", "deadline", "stop_reason").distinct()
    names = Seat.objects.filter(game__in=games.values("pk")).exclude(user=user)
    challenges = Invitation.objects.open_to(user).order_by("pk")
    shown = (
        list(turns),
        list(names.order_by("game", "number").values_list("game", "number", "user__username")),
        list(challenges.values_list("pk", "by__username")),
        [
            (offer.pk, sorted(answer.seat.number for answer in offer.answers.all()))
            for offer in offers_to(user)
        ],
    )
    return sha256(repr((user.pk, shown)).encode()).hexdigest()[:32]
