"""What is stored of games. Only `games.services` writes."""

from games.models.analysis import AnalysisNode, SharedAnalysis
from games.models.announcement import Announcement
from games.models.club import (
    Club,
    ClubAnnouncement,
    ClubMember,
    ClubNews,
    ClubRequest,
    ClubTable,
)
from games.models.club_match import ClubMatch, ClubMatchGame, MatchPlayer
from games.models.ending import Ending
from games.models.event import Event
from games.models.game import Game
from games.models.invitation import Invitation, TableLink
from games.models.judgement import Judgement
from games.models.ladder import Ladder, LadderChallenge, LadderPlace
from games.models.league import (
    Division,
    League,
    LeagueGame,
    Season,
    SeasonEntry,
    TeamInvitation,
)
from games.models.message import Message
from games.models.moderation_log import ModerationLogEntry
from games.models.offer import Offer, OfferAnswer
from games.models.outage import Heartbeat, Outage
from games.models.planned_turn import PlannedTurn
from games.models.puzzle import Puzzle, PuzzleAttempt
from games.models.rating import Rating, RatingChange, RatingMark, RatingProgress
from games.models.report import Mute, Report
from games.models.results import KindResults, OpponentResults
from games.models.seat import GamePresence, Seat, Substitution
from games.models.site_page import SitePage
from games.models.terms import Terms
from games.models.thinking_time import ThinkingTime
from games.models.tournament import Entrant, Round, Tournament, TournamentGame
from games.models.turn import Turn
from games.models.wish import Wish, WishGame

__all__ = [
    "AnalysisNode",
    "Announcement",
    "Club",
    "ClubAnnouncement",
    "ClubMatch",
    "ClubMatchGame",
    "ClubMember",
    "ClubNews",
    "ClubRequest",
    "ClubTable",
    "Division",
    "Ending",
    "Entrant",
    "Event",
    "Game",
    "GamePresence",
    "Heartbeat",
    "Invitation",
    "Judgement",
    "KindResults",
    "Ladder",
    "LadderChallenge",
    "LadderPlace",
    "League",
    "LeagueGame",
    "MatchPlayer",
    "Message",
    "ModerationLogEntry",
    "Mute",
    "Offer",
    "OfferAnswer",
    "OpponentResults",
    "Outage",
    "PlannedTurn",
    "Puzzle",
    "PuzzleAttempt",
    "Rating",
    "RatingChange",
    "RatingMark",
    "RatingProgress",
    "Report",
    "Round",
    "Season",
    "SeasonEntry",
    "Seat",
    "SharedAnalysis",
    "SitePage",
    "Substitution",
    "TableLink",
    "TeamInvitation",
    "Terms",
    "ThinkingTime",
    "Tournament",
    "TournamentGame",
    "Turn",
    "Wish",
    "WishGame",
]
