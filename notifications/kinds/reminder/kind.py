"""The mail that reminds a player of their turns before their time is over."""

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User, Vacation
from games.clock.calendar_days import days_later
from games.models import Event, Game
from games.services.clock.game_clock import is_absent_too_long, overdrawn_year
from notifications.emails.base import InlineImageEmail
from notifications.emails.formatting import format_moment, plain
from notifications.kinds.base import Context, Purpose, kind_of
from notifications.kinds.digest.kind import (
    WIDTH,
    is_awaiting,
    numbered_items,
    reply_example,
)
from notifications.kinds.game_mail import (
    GameMail,
    details_of,
    player_to_move,
    skip_unless_their_turn,
)
from notifications.kinds.registry import Kind
from notifications.models import Cadence, Notice, SkipReason

VACATIONS = (3, 2, 1)
"""How many days of vacation the last reminder suggests: the first number that is still free."""


class ReminderMail(GameMail):
    """Tells the player to move that little time is left. Later it would be of no use.

    Of several games it tells as a digest does; its notice belongs to no game then, and the event
    says which games they are.
    """

    kind = Kind.REMINDER
    events = frozenset({Event.Kind.REMINDER_DUE})
    tells_to_move = True
    can_be_switched_off = True
    cadences = (Cadence.AT_ONCE, Cadence.OFF)
    is_needed_to_play = True
    lead_rank = 30
    is_in_every_mail = True
    reply_purpose = Purpose.TURN

    def recipients(self, event: Event) -> list[User]:
        """Return the player to move; nobody if another game's reminder tells of this one."""
        details = details_of(event)
        if "told_with" in details:
            return []
        if "games" in details:
            return list(User.objects.filter(pk=details["user"]))
        return player_to_move(event)

    def numbered_games(self, notice: Notice) -> Sequence[tuple[int, int, int]]:
        numbered = details_of(notice.event).get("games", ())
        return [(number, game, turns) for number, game, turns in numbered]

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        numbered = self.numbered_games(notice)
        if not numbered:
            return skip_unless_their_turn(notice)
        awaits = any(is_awaiting(notice, game, turns) for _, game, turns in numbered)
        return None if awaits else SkipReason.NOT_THEIR_TURN

    def context(self, notice: Notice) -> Context:
        game = notice.game
        return {"last_call": last_call(notice, game) if game is not None else ""}

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        """Return the mail: of one game with its board, of several as a digest shows them."""
        numbered = self.numbered_games(notice)
        if not numbered:
            return super().compose(notice, other_news, now=now)
        games, pictures = numbered_items(notice, numbered, (), now)
        for item in games:
            game = Game.objects.get(pk=item["number"])
            item["paragraphs"] = list(filter(None, [last_call(notice, game, item["index"])]))
        context = {
            **self.base_context(notice, now),
            "reader": plain(notice.user),
            "games": games,
            "others": [],
            "home_url": settings.SITE_URL + reverse("home"),
            "board_width": WIDTH,
            "example": reply_example(games),
        }
        subject = render_to_string(self.template("subject_of_several.txt"), context)
        context["subject"] = plain(subject)
        letter = kind_of(Kind.DIGEST).template("letter")
        email = self.render_email(notice, letter, context, pictures)
        email.newest_messages = {
            item["number"]: item["newest_message"] for item in games if item["newest_message"]
        }
        return email


KIND = ReminderMail()


def last_call(notice: Notice, game: Game, number: int | None = None) -> str:
    """Return when the time is over and what to do, if no other reminder of the turn follows.

    `number` is that of the game in a mail about several.
    """
    reader, deadline = notice.user, game.deadline
    if reader is None or deadline is None or game.reminder_at is not None:
        return ""
    sentences = [
        _("This is the last reminder: your time ends on %(moment)s. Play before then.")
        % {"moment": format_moment(deadline)}
    ]
    prefix = "" if number is None else f"{number} "
    days = game.allows_vacations and days_of_vacation(reader, notice.created_at)
    if days:
        command = _("vacation %(days)s") % {"days": days}
        asks = _("If you cannot, begin a vacation: reply with “%(command)s”.")
    else:
        command = _("say …")
        asks = _("If you cannot, ask for more time: reply with “%(command)s” and your words.")
    sentences.append(asks % {"command": prefix + command.rstrip(" …")})
    return " ".join(sentences)


def days_of_vacation(reader: User, moment: datetime) -> int | None:
    """Return how many days of vacation a player could begin then; None: not even one."""
    for days in VACATIONS:
        times = (moment, days_later(moment, days, reader.zone.key))
        is_free = not Vacation.objects.filter(
            user=reader, begins_at__lt=times[1], ends_at__gt=times[0]
        ).exists()
        if (
            is_free
            and not overdrawn_year(reader, *times)
            and not is_absent_too_long(reader, *times)
        ):
            return days
    return None
