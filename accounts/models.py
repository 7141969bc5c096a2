"""A person who plays (or a program that does)."""

from zoneinfo import ZoneInfo, available_timezones

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.names import username_validators


class Language(models.TextChoices):
    """The languages that pages and mails speak."""

    ENGLISH = "en", _("English")
    FRENCH = "fr", _("French")


def check_time_zone(name: str) -> None:
    """Raise ValidationError unless `name` is a zone of the time zone database."""
    if name not in available_timezones():
        raise ValidationError(_("There is no time zone “%(name)s”."), params={"name": name[:80]})


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
        max_length=60,
        blank=True,
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
        return self.display_name or self.username

    def get_absolute_url(self) -> str:
        """Return the address of the public profile."""
        return reverse("profile", args=[self.username])

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which this person reads times."""
        return ZoneInfo(self.time_zone)
