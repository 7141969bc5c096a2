"""Every kind of mail, a line each. Its folder here has the member's name in lower case."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    """What a notice tells: its value in the database, and its name in settings and the admin.

    The page of settings lists the kinds in this order.
    """

    YOUR_TURN = "your-turn", _("It is your turn")
    REMINDER = "reminder", _("Your time runs low")
    VACATION = "vacation", _("A vacation begins automatically")
    GAME_BEGUN = "game-begun", _("A game begins")
    GAME_OVER = "game-over", _("A game is over")
    PLAYER_LEFT = "player-left", _("A player leaves a game of three or more")
    CHALLENGE = "challenge", _("Somebody challenges you")
    OFFER = "offer", _("An offer is made or answered")
    MESSAGE = "message", _("Somebody writes a message")
    CLOCK = "clock", _("A clock stops, resumes or gets more time")
    TABLE_NEWS = "table-news", _("News of your tables")
    LEAGUE = "league", _("A season of your league begins or ends")
    LADDER = "ladder", _("A challenge on a ladder")
    TOURNAMENT = "tournament", _("A tournament of yours begins, goes on or ends")
    CLUB = "club", _("News of your clubs")
    PUZZLE = "puzzle", _("The puzzle of the day")
    DIGEST = "digest", _("The digest")
    INVITATION = "invitation", _("Invitation")
    ANSWER = "answer", _("Answer to your mail")
    MODERATED = "moderated", _("A moderator acts on your game")
    ACCOUNT = "account", _("Your account")
    STAFF_DIGEST = "staff-digest", _("Open tasks for moderators")


def choices() -> list[tuple[str, Any]]:
    """Return the kinds for a field. A function, so that a new kind needs no migration."""
    return list(Kind.choices)
