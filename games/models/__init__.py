"""What is kept of games. Every write goes through `games.services`."""

from games.models.announcement import Announcement
from games.models.event import Event
from games.models.game import Game, Terms
from games.models.invitation import Invitation
from games.models.message import Message
from games.models.moderation_log import ModerationLogEntry
from games.models.offer import Offer, OfferAnswer
from games.models.outage import Heartbeat, Outage
from games.models.presence import GamePresence
from games.models.report import Mute, Report
from games.models.seat import Seat
from games.models.takeover import Takeover
from games.models.turn import Turn

__all__ = [
    "Announcement",
    "Event",
    "Game",
    "GamePresence",
    "Heartbeat",
    "Invitation",
    "Message",
    "ModerationLogEntry",
    "Mute",
    "Offer",
    "OfferAnswer",
    "Outage",
    "Report",
    "Seat",
    "Takeover",
    "Terms",
    "Turn",
]
