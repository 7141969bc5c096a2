"""The puzzle of the day, to those who wish. A reply with a turn is the answer."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import cast

from django.conf import settings
from django.utils.translation import gettext as _

from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzle_lines import question_of, start_of
from games.queries.puzzles import streak_of, task_of
from games.render.text import board_text
from notifications.emails.base import InlineImageEmail
from notifications.emails.formatting import format_moment, plain
from notifications.emails.pictures import board_image, picture_text
from notifications.kinds.base import Content, MailKind, Purpose
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason

PICTURE_ID = "board@pli"


class PuzzleContent(Content, total=False):
    """The key of the puzzle."""

    puzzle: int


class PuzzleMail(MailKind):
    """Brings the puzzle of a day (`outbox.puzzle_letters` writes the notices)."""

    kind = Kind.PUZZLE
    can_be_switched_off = True
    cadences = ()
    can_wait = False
    can_be_sent_again = False
    reply_purpose = Purpose.PUZZLE

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason where the puzzle was answered elsewhere, or is gone."""
        puzzle = cast(PuzzleContent, notice.content).get("puzzle", 0)
        if PuzzleAttempt.objects.filter(puzzle=puzzle, user=notice.user).exists():
            return SkipReason.ANSWERED
        is_there = Puzzle.objects.filter(pk=puzzle).exists()
        return None if is_there else SkipReason.NOTHING_TO_TELL

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        puzzle = Puzzle.objects.get(pk=cast(PuzzleContent, notice.content)["puzzle"])
        board, start = puzzle.rules.board(puzzle.position, None, ()), start_of(puzzle)
        picture = board_image(board, notice.user)
        last_moment = datetime.combine(puzzle.day + timedelta(days=1), time(), tzinfo=UTC)
        context = {
            **self.base_context(notice, now),
            "reader": plain(notice.user),
            "subject": _("Puzzle of the day: %(task)s (%(game)s)")
            % {"task": task_of(puzzle), "game": _(puzzle.rules.name)},
            "question": question_of(start),
            "goes_on": puzzle.is_win,
            "turns": start.legal,
            "board_text": board_text(board, translate=_),
            "picture": PICTURE_ID if picture else "",
            "picture_text": picture_text(board) if picture else "",
            "until": format_moment(last_moment),
            "streak": streak_of(notice.user, now=now) if notice.user else 0,
            "url": settings.SITE_URL + puzzle.get_absolute_url(),
        }
        pictures = [(PICTURE_ID, picture)] if picture else []
        return self.render_email(notice, self.template("letter"), context, pictures)


KIND = PuzzleMail()
