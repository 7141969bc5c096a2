"""Mails about an event at a game: the board, the clock, one button.

Below the class: recipients and reasons not to send that several kinds share.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, TypedDict, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import prefetch_related_objects
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Event, Game, Invitation
from games.queries.seats import player_at
from games.queries.turn_bounds import turn_bounds
from games.record_text import record_name, record_text
from games.render.text import board_text
from games.services.conduct.blocks import is_from_blocked_user
from games.services.invitations import link_token
from games.services.record import numbers_of_turn
from notifications.emails.base import InlineImageEmail, split_paragraphs
from notifications.emails.formatting import format_moment, game_subject, plain, turn_help
from notifications.emails.game_context import game_context
from notifications.emails.pictures import board_image, picture_text
from notifications.kinds.base import LETTER, Context, MailKind, Purpose
from notifications.models import Notice, SkipReason

PICTURE_ID = "board@pli"


class EventDetails(TypedDict, total=False):
    """What kinds of mail read of `Event.details`; each kind of event has some of it.

    Users, messages and offers are keys.
    """

    message: int
    offer: int
    ending: str  # Ending of a table that was closed
    closed: bool  # the table was closed, because an invitation was declined
    because: str  # Ending by which a player left
    former: int  # the player who left
    stand_in: int  # the player who takes a seat over
    user: int  # the player whom no mail reaches, or who is reminded
    games: list[list[int]]  # what one reminder tells of: [number, game, turns played] each
    told_with: int  # the game with whose reminder it is told
    seconds: float  # time that was given
    until: str  # ISO 8601
    what: str  # GameAction of a moderator, with their reason `why` and whom it concerns
    why: str
    turn: int
    player: int
    substitute: int
    by_wish: bool  # the players had wished for opponents


def details_of(event: Event | None) -> EventDetails:
    """Return an event's details; none without an event."""
    return cast(EventDetails, event.details) if event else {}


class GameMail(MailKind):
    """A mail about an event at a game.

    Its folder has `body.txt` with the headline and, each after an empty line, the paragraphs, and
    `subject.txt` if it can be about a table that has not begun, or go to somebody else than a
    player. They get the game (`game_context`), `actor`, `event` (its kind), what `context` adds,
    and `is_other_news` where they are part of another mail.
    """

    reply_purpose: ClassVar[Purpose] = Purpose.GAME

    is_in_every_mail: ClassVar[bool] = False
    """Every mail about a game says the same: another mail needs no paragraph for it."""

    def context(self, notice: Notice) -> Context:
        """Return what the templates may say beyond the game, in the active language and zone."""
        return {}

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        """Return label and address of the mail's one button."""
        label = _("Play your turn") if context["my_turn"] else _("Look at the game")
        return label, context["url"]

    def reply_help(self, context: Mapping[str, Any], game: Game) -> str:
        """Return what a reply may say, in the active language; empty: nothing is said of it."""
        return turn_help(context, game)

    def full_context(self, notice: Notice, now: datetime) -> Context:
        """Return what the templates may say, in the active language and zone."""
        game, event = notice.game, notice.event
        assert game is not None and event is not None  # noqa: S101, PT018  (made for an event)
        prefetch_related_objects([game], "seats__user")
        return {
            **game_context(game, notice.user, now),
            "actor": plain(event.actor) if event.actor else "",
            "event": str(event.kind),
            **self.context(notice),
        }

    def paragraph(self, notice: Notice, *, now: datetime) -> str:
        """Return headline and paragraphs in one."""
        if self.is_in_every_mail:
            return ""
        context = {**self.full_context(notice, now), "is_other_news": True}
        headline, *paragraphs = self.body_paragraphs(context)
        return " ".join([f"{headline}.", *paragraphs])

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        """Return the mail; the record of a game that is over is attached for the reader to keep."""
        assert notice.game is not None  # noqa: S101  (made for an event)
        context = self.letter_context(notice, other_news, now=now)
        picture = board_image(context["board"], notice.user) if context["board"] else None
        context["picture"] = f"cid:{PICTURE_ID}" if picture else ""
        if picture:
            context["picture_text"] = picture_text(context["board"])
        pictures = [(PICTURE_ID, picture)] if picture else []
        email = self.render_email(notice, LETTER, context, pictures)
        if context.get("entries"):
            record = record_text(notice.game, context["entries"], url=context["url"])
            email.attach(record_name(notice.game), record, "text/plain")
        if context["newest_message"]:
            email.newest_messages = {notice.game.pk: context["newest_message"]}
        return email

    def letter_context(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> Context:
        """Return all that the mail's templates show, but the picture of the board."""
        assert notice.game is not None  # noqa: S101  (made for an event)
        context = {**self.base_context(notice, now), **self.full_context(notice, now)}
        headline, *paragraphs = self.body_paragraphs(context)
        button, button_url = self.button(context)
        return context | {
            "subject": self.subject(notice, context),
            "headline": headline,
            "paragraphs": [*paragraphs, *context["planned"], *other_news],
            "button": button,
            "button_url": button_url,
            "reply_help": self.reply_help(context, notice.game) if context["can_reply"] else "",
        }

    def subject(self, notice: Notice, context: Mapping[str, Any]) -> str:
        """Return the subject: to a player of a game that has begun the same in every mail.

        Mail programs make one thread only of mails with one subject; the news stands first in the
        mail, and so in an inbox.
        """
        if notice.user is None or notice.game is None or notice.game.started_at is None:
            return plain(render_to_string(self.template("subject.txt"), context))
        return game_subject(context["game_name"], context["opponents"], context["number"])

    def body_paragraphs(self, context: Mapping[str, Any]) -> list[str]:
        """Return the headline and the paragraphs."""
        return split_paragraphs(render_to_string(self.template("body.txt"), context))


# Recipients of an event ------------------------------------------------------------------------


def players(event: Event) -> list[User]:
    """Return everybody at the table."""
    prefetch_related_objects([event.game], "seats__user")
    return [seat.user for seat in event.game.seats.all() if seat.user is not None]


def other_players(event: Event) -> list[User]:
    """Return everybody at the table but the event's actor."""
    return [user for user in players(event) if user.pk != event.actor_id]


def still_playing(event: Event) -> list[User]:
    """Return everybody who plays on, but the event's actor."""
    others = other_players(event)
    left = {seat.user_id for seat in event.game.seats.all() if seat.left_at is not None}
    return [user for user in others if user.pk not in left]


def player_to_move(event: Event) -> list[User]:
    """Return the player to move, unless they are the actor or the game has moved on since."""
    game = event.game
    if game.seat_to_move is None or not _is_turn_after(game, event.turn_number):
        return []
    user = player_at(game, game.seat_to_move)
    return [user] if user and user.pk != event.actor_id else []


def invited(event: Event) -> list[User | str]:
    """Return the invited player or address; nobody if they have blocked the inviter."""
    if event.invitation is None or is_from_blocked_user(event.invitation):
        return []
    return [event.invitation.user or event.invitation.email]


# Reasons not to send a notice ------------------------------------------------------------------


def skip_unless_their_turn(notice: Notice) -> SkipReason | None:
    """Return a reason unless the reader is still to play the turn that the notice is about."""
    game = notice.game
    if game is None or game.seat_to_move is None or not _is_turn_after(game, notice.turn_number):
        return SkipReason.NOT_THEIR_TURN
    return None if player_at(game, game.seat_to_move) == notice.user else SkipReason.NOT_THEIR_TURN


def _is_turn_after(game: Game, number: int | None) -> bool:
    """Return whether the newest turn is the one that was to be played after so many entries."""
    return number == game.turn_number or number in numbers_of_turn(game.pk, game.turn_number)


def skip_unless_running(notice: Notice) -> SkipReason | None:
    """Return a reason unless the game is running."""
    is_running = notice.game is not None and notice.game.status == Game.Status.ACTIVE
    return None if is_running else SkipReason.GAME_OVER


def skip_unless_invited(notice: Notice) -> SkipReason | None:
    """Return a reason unless the invitation can still be answered."""
    invitation = notice.event.invitation if notice.event else None
    if invitation is None or invitation.state != Invitation.State.OPEN:
        return SkipReason.INVITATION_CLOSED
    return SkipReason.INVITATION_CLOSED if is_from_blocked_user(invitation) else None


# The context of invitations and challenges -----------------------------------------------------


def invitation_context(notice: Notice) -> Context:
    """Return the inviter, the board at the start, until when one can answer, and the link for it.

    `bounds` says how long a turn lasts at most. The users of the game's seats are loaded.
    """
    invitation: Invitation | None = notice.event.invitation if notice.event else None
    game = notice.game
    if invitation is None or game is None:
        return {}
    expires = game.expires_at
    bounds = turn_bounds(game, notice.user or AnonymousUser(), now=notice.created_at)
    path = reverse("invitation", args=[link_token(invitation)])
    board = game.rules.board(game.rules.initial(game.options), None, ())
    return {
        "inviter": plain(invitation.by),
        "username": invitation.by.username,
        "board": board,
        "board_text": board_text(board, translate=_),
        "invitation_url": settings.SITE_URL + path,
        "until": format_moment(expires) if expires else "",
        "bounds": plain(" ".join(bounds)),
        "is_rated": game.is_rated,
    }
