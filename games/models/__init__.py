"""What is kept of games. Every write goes through `games.services`."""

from games.models.event import Event
from games.models.game import Game
from games.models.invitation import Invitation
from games.models.offer import Offer, OfferAnswer
from games.models.seat import Seat
from games.models.turn import Turn

__all__ = ["Event", "Game", "Invitation", "Offer", "OfferAnswer", "Seat", "Turn"]
