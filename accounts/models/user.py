"""A person who plays (or a program that does)."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from accounts.names import (
    DISPLAY_NAME_LENGTH,
    check_display_name,
    name_as_seen,
    refuse_reserved,
    tidy_display_name,
    username_validators,
)
from accounts.zones import check_time_zone

PROGRAMS = (
    gettext_noop("Practice partner"),
    gettext_noop("Second practice partner"),
    gettext_noop("Third practice partner"),
)
"""The names of the house's own programs: they are said in the reader's language."""


class Language(models.TextChoices):
    """The languages that pages and mails speak."""

    ENGLISH = "en", _("English")
    FRENCH = "fr", _("French")


FOR_GOOD = datetime(9999, 12, 31, tzinfo=UTC)
"""Until when something lasts that does not end."""


def first_reminders() -> list[str]:
    """Return the reminders of who has not chosen any: when a quarter of the time is left."""
    return ["quarter"]


class User(AbstractUser):
    """Somebody with an account. Addresses and their verification are allauth's EmailAddress.

    `barred_until`, `muted_until` and `is_warned` say what this person's sanctions come to, so that
    no page has to look for them; FOR_GOOD is for good. `clocks_changed_at` is set while the
    deadlines of this person's turns must be computed anew; `unreachable_since` while a turn of
    theirs stands still because no mail reached them.
    """

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]

    username = models.CharField(
        _("user name"),
        max_length=30,
        unique=True,
        validators=username_validators,
        error_messages={"unique": _("This name is taken.")},
    )
    display_name = models.CharField(
        _("display name"),
        max_length=DISPLAY_NAME_LENGTH,
        blank=True,
        validators=[check_display_name],
        help_text=_("What others see instead of your user name."),
    )
    language = models.CharField(
        _("language"), max_length=5, choices=Language.choices, default=Language.ENGLISH
    )
    time_zone = models.CharField(
        _("time zone"), max_length=60, default="UTC", validators=[check_time_zone]
    )
    days_off = models.JSONField(
        _("days off"),
        default=list,
        blank=True,
        db_default=models.Value([], models.JSONField()),
        help_text=_("Days of the week on which the clock stands, Monday being 0."),
    )
    quiet_from = models.TimeField(_("quiet hours from"), null=True, blank=True)
    quiet_until = models.TimeField(_("quiet hours until"), null=True, blank=True)
    automatic_vacation = models.BooleanField(
        _("vacation instead of running out of time"),
        default=False,
        db_default=False,
        help_text=_("Begins a vacation, while days are left, when a game would be lost on time."),
    )
    reminders = models.JSONField(
        _("reminders"),
        default=first_reminders,
        blank=True,
        db_default=models.Value(["quarter"], models.JSONField()),
    )
    reminders_at_night = models.BooleanField(
        _("reminders at night too"), default=True, db_default=True
    )
    clocks_changed_at = models.DateTimeField(
        _("clocks to be computed anew since"), null=True, blank=True, editable=False
    )
    unreachable_since = models.DateTimeField(
        _("not reached by mail since"), null=True, blank=True, editable=False
    )
    barred_until = models.DateTimeField(_("kept out until"), null=True, blank=True, editable=False)
    muted_until = models.DateTimeField(_("silent until"), null=True, blank=True, editable=False)
    is_warned = models.BooleanField(
        _("has a warning to read"), default=False, db_default=False, editable=False
    )
    is_program = models.BooleanField(
        _("is a program"),
        default=False,
        help_text=_("Plays by itself and gets no mail."),
    )

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [
            models.UniqueConstraint(Lower("username"), name="username_unique_whatever_the_case"),
        ]
        indexes = [
            # Beginnings of names, as a moderator types them. The one over LOWER(username) is in a
            # migration: only PostgreSQL has a name for its kind.
            models.Index(
                fields=["display_name"],
                name="user_by_display_name",
                opclasses=["varchar_pattern_ops"],
            ),
            # What moderators filter people by: the few, newest first.
            models.Index(
                fields=["-id"], name="user_barred", condition=models.Q(barred_until__isnull=False)
            ),
            models.Index(
                fields=["-id"], name="user_muted", condition=models.Q(muted_until__isnull=False)
            ),
            models.Index(fields=["-id"], name="user_warned", condition=models.Q(is_warned=True)),
            models.Index(fields=["-id"], name="user_staff", condition=models.Q(is_staff=True)),
            models.Index(fields=["-id"], name="user_program", condition=models.Q(is_program=True)),
            models.Index(fields=["-id"], name="user_closed", condition=models.Q(is_active=False)),
            models.Index(
                fields=["clocks_changed_at"],
                name="user_clocks_changed",
                condition=models.Q(clocks_changed_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        if self.is_program and self.display_name in PROGRAMS:
            return gettext(self.display_name)
        return self.display_name or self.username

    def get_absolute_url(self) -> str:
        """Return the address of the public profile."""
        return reverse("profile", args=[self.username])

    def clean(self) -> None:
        """Tidy the display name, and refuse one that others would take for somebody else."""
        super().clean()
        self.display_name = tidy_display_name(self.display_name)
        if len(self.display_name) > DISPLAY_NAME_LENGTH:
            raise ValidationError({"display_name": _("This name is too long.")})
        try:
            self._refuse_borrowed_name()
        except ValidationError as refusal:
            raise ValidationError({"display_name": refusal}) from refusal

    def _refuse_borrowed_name(self) -> None:
        seen = name_as_seen(self.display_name)
        refuse_reserved(seen)
        if seen and User.objects.filter(username__iexact=seen).exclude(pk=self.pk).exists():
            raise ValidationError(_("This is the name of somebody else."), code="borrowed")

    def ask_to_count_clocks(self, now: datetime) -> None:
        """Set `clocks_changed_at`, always later than it was: who clears it can tell the two."""
        before = self.clocks_changed_at
        self.clocks_changed_at = max(now, before + timedelta.resolution) if before else now

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which this person reads times (UTC if theirs was abolished)."""
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")

    def is_barred(self, now: datetime) -> bool:
        """Tell whether a moderator keeps this person out."""
        return self.barred_until is not None and now < self.barred_until

    def unread_warnings(self) -> models.QuerySet:
        """Return the warnings that this person has not read yet."""
        return self.sanctions.filter(kind="warning", seen_at=None)

    def is_muted(self, now: datetime) -> bool:
        """Tell whether a moderator keeps this person from writing messages."""
        return self.muted_until is not None and now < self.muted_until
