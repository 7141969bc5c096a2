"""What is stored of games. Only `games.services` writes."""

from games.models.act import Act
from games.models.announcement import Announcement
from games.models.event import Event
from games.models.game import Game, Terms
from games.models.invitation import Invitation
from games.models.message import Message
from games.models.offer import Offer, OfferAnswer
from games.models.outage import Heartbeat, Outage
from games.models.report import Mute, Report
from games.models.seat import GamePresence, Seat, Substitution
from games.models.turn import Turn

__all__ = [
    "Act",
    "Announcement",
    "Event",
    "Game",
    "GamePresence",
    "Heartbeat",
    "Invitation",
    "Message",
    "Mute",
    "Offer",
    "OfferAnswer",
    "Outage",
    "Report",
    "Seat",
    "Substitution",
    "Terms",
    "Turn",
]
