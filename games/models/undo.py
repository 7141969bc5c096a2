"""The columns of a game that say until when its newest turn, end or departure can be undone."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

UNDO_COLUMNS = ("undo_until", "undo_by", "before_turn")

MARGIN = timedelta(seconds=5)
"""How long before the mails about a turn its undoing ends: what is asked for just before the end is
done before a mail leaves."""


class Undoable(models.Model):
    """A game whose newest turn can be undone for a while: `games.services.undo_window` says when.

    `before_turn` is what undoing restores. If a player left, `departed` in it is the number of
    entries that the record had then.
    """

    undo_until = models.DateTimeField(_("newest turn can be undone until"), null=True, blank=True)
    undo_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("who can undo it"),
        db_index=False,
        db_constraint=False,  # to add one would check the whole table under a lock
    )
    before_turn = models.JSONField(_("clock before the newest turn"), null=True, blank=True)

    class Meta:
        abstract = True

    def clear_undo(self) -> None:
        """Make the newest turn final. Does not save the game."""
        self.undo_until = self.undo_by = self.before_turn = None

    @property
    def undoes_departure(self) -> bool:
        """Whether what can be undone is that a player left."""
        return self.before_turn is not None and "departed" in self.before_turn

    def may_undo(self, user_id: int | None, *, now: datetime) -> bool:
        """Return whether a user can undo the newest turn."""
        is_theirs = user_id is not None and self.undo_by_id == user_id
        return is_theirs and self.undo_until is not None and now < self.undo_until


def showing_ends_undo(
    undo_until: datetime | None, undo_by: int | None, user_id: int | None, *, now: datetime
) -> bool:
    """Return whether showing a game with these columns to this user ends undoing its turn."""
    return undo_until is not None and undo_by != user_id and now < undo_until + MARGIN
