"""A person who plays (or a program that does)."""

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

PROGRAMS = (gettext_noop("Practice partner"),)
"""The names of the house's own programs: they are said in the reader's language."""


class Language(models.TextChoices):
    """The languages that pages and mails speak."""

    ENGLISH = "en", _("English")
    FRENCH = "fr", _("French")


class User(AbstractUser):
    """Somebody with an account. Addresses and their verification are allauth's EmailAddress."""

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

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which this person reads times (UTC if theirs was abolished)."""
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")
