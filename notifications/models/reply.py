"""Addresses for replies, one for every mail that goes out."""

from typing import NotRequired, TypedDict

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Language


class Question(TypedDict):
    """What a mail asked before doing it, or the first part of a turn that it keeps.

    `number` is its line in an answer to a digest; `command` is resign, abort, win, accept (`offer`
    is the offer's key), turn or part (`text` is its notation), or order (`text` is any other
    command line; `game` is 0 if it is about none; `reported` is the message that it reports).
    `message` is for the other players. `turn_number` is how many turns the game had when it was
    asked; `answer` is empty, yes or no.
    """

    number: int | None
    command: str
    text: str
    message: str
    game: int
    turn_number: int
    offer: int | None
    answer: str
    reported: NotRequired[int]


class ReplyAddress(models.Model):
    """What a reply to one mail is about, and who may send it.

    The address holds a random token; only its SHA-256 (hex) is kept here. Bounces come to an
    address with a token of its own (`bounce_hash`; null: an older one, with the same token).
    `user` may reply; for an invited address without an account it is empty, and `address` may. A
    turn's address is for the turn after `turn_number` only. `content` is what the numbers of a
    digest mean: [[number, game, turns played], ...]; `questions` is what the mail asked;
    `puzzle_line` are the reader's own turns in the puzzle before the one that it asked for, with
    spaces between.
    """

    class Purpose(models.TextChoices):
        """What a reply is about."""

        TURN = "turn", _("a turn")
        GAME = "game", _("a game")
        INVITATION = "invitation", _("an invitation")
        DIGEST = "digest", _("a digest")
        PUZZLE = "puzzle", _("a puzzle")
        NOTHING = "nothing", _("nothing: only bounces come here")

    token_hash = models.CharField(_("hash of the token"), max_length=64, unique=True)
    bounce_hash = models.CharField(
        _("hash of the token for bounces"), max_length=64, unique=True, null=True, blank=True
    )
    purpose = models.CharField(_("purpose"), max_length=10, choices=Purpose)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="reply_addresses",
        null=True,
        blank=True,
        verbose_name=_("person"),
    )
    address = models.EmailField(_("address"), blank=True)
    notice = models.ForeignKey(
        "notifications.Notice",
        on_delete=models.SET_NULL,
        related_name="reply_addresses",
        null=True,
        blank=True,
    )
    game = models.ForeignKey(
        "games.Game",
        on_delete=models.CASCADE,
        related_name="reply_addresses",
        null=True,
        blank=True,
    )
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    turn_number = models.PositiveIntegerField(_("turns played"), null=True, blank=True)
    invitation = models.ForeignKey(
        "games.Invitation",
        on_delete=models.CASCADE,
        related_name="reply_addresses",
        null=True,
        blank=True,
    )
    puzzle = models.ForeignKey(
        "games.Puzzle",
        on_delete=models.CASCADE,
        related_name="reply_addresses",
        null=True,
        blank=True,
    )
    ladder_challenge = models.ForeignKey(
        "games.LadderChallenge",
        on_delete=models.CASCADE,
        related_name="reply_addresses",
        null=True,
        blank=True,
    )
    puzzle_line = models.TextField(
        _("own turns in the puzzle"), blank=True, default="", db_default=""
    )
    content = models.JSONField(_("content"), default=list, blank=True)
    questions = models.JSONField(
        _("questions"),
        default=list,
        blank=True,
        db_default=models.Value([], models.JSONField()),
    )
    created_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("reply address")
        verbose_name_plural = _("reply addresses")

    def __str__(self) -> str:
        return f"{self.purpose}: {self.user or f'#{self.pk}'}"

    @property
    def language(self) -> str:
        """The language of the person who may reply."""
        if self.user is not None:
            return self.user.language
        return self.notice.language if self.notice is not None else Language.ENGLISH
