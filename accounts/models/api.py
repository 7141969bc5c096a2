"""What lets programs in: tokens, the accounts of programs, and answers that can be given again."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User


class Scope(models.TextChoices):
    """What a token allows."""

    GAMES_READ = "games:read", _("read games, positions and what is due")
    PLAY = "play", _("play turns, plan them, resign, make and answer offers")
    TABLES = "tables", _("open and join tables, send and answer challenges")
    MESSAGES = "messages", _("read and write messages")
    ACCOUNT_READ = "account:read", _("read the account and its settings")


class ApiToken(models.Model):
    """A secret with which a program acts for `user`, a person or the account of a program.

    Only the secret's SHA-256 is kept. `scopes` is a list of `Scope`. `expires_at` is null for a
    token that holds until it is revoked, which deletes the row. `last_used_at` may lag by
    `accounts.api_tokens.NOTED_EVERY`.
    """

    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="api_tokens", verbose_name=_("acts for")
    )
    name = models.CharField(_("name"), max_length=60)
    hash = models.CharField(_("hash"), max_length=64, unique=True)
    scopes = models.JSONField(_("scopes"), default=list)
    created_at = models.DateTimeField(_("made"))
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")

    def __str__(self) -> str:
        return f"{self.user}: {self.name}"

    def is_expired(self, now: datetime) -> bool:
        """Return whether the token's time is over."""
        return self.expires_at is not None and self.expires_at <= now


class Program(models.Model):
    """What the account of somebody's program accepts; the owner is `user.owner`.

    `games` lists slugs, and an empty list stands for every game. `options` maps a slug to the
    values that are accepted of an option: {slug: {key: [value]}}; what is not named
    is accepted. A game's first turn must have between `shortest` and `longest` of time.
    `most_games` and `most_per_person` count games, tables and open invitations together.
    """

    user = models.OneToOneField(
        User, on_delete=models.CASCADE, related_name="program", verbose_name=_("account")
    )
    is_open = models.BooleanField(_("accepts new games"), default=True)
    games = models.JSONField(_("games"), default=list, blank=True)
    options = models.JSONField(_("options"), default=dict, blank=True)
    shortest = models.DurationField(_("shortest time a turn"), default=timedelta(minutes=5))
    longest = models.DurationField(_("longest time a turn"), default=timedelta(days=30))
    most_games = models.PositiveSmallIntegerField(_("games at once"), default=20)
    most_per_person = models.PositiveSmallIntegerField(_("games at once per person"), default=3)

    class Meta:
        verbose_name = _("program")
        verbose_name_plural = _("programs")
        constraints = [
            models.CheckConstraint(
                name="program_time_has_an_order",
                condition=Q(shortest__lte=models.F("longest")),
            ),
        ]

    def __str__(self) -> str:
        return str(self.user)


class ApiAnswer(models.Model):
    """The answer to a request with an Idempotency-Key, given again when the request is repeated.

    `request_hash` is the SHA-256 of method, path and body: another request must have another key.
    Kept for `accounts.api_tokens.ANSWERS_KEPT`.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_answers")
    key = models.CharField(_("key"), max_length=100)
    request_hash = models.CharField(_("hash of the request"), max_length=64)
    status = models.PositiveSmallIntegerField(_("status"))
    body = models.JSONField(_("answer"), default=dict)
    created_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("answer to a program")
        verbose_name_plural = _("answers to programs")
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="one_answer_a_key"),
        ]
        indexes = [models.Index(fields=["created_at"], name="api_answer_by_time")]

    def __str__(self) -> str:
        return f"{self.user}: {self.key}"
