"""What a player shows to others."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Audience(models.TextChoices):
    """Who sees a part of a profile, besides the player."""

    EVERYBODY = "everybody", _("everybody")
    MEMBERS = "members", _("players who are signed in")
    NOBODY = "nobody", _("only me")


class PublicProfile(models.Model):
    """A player's choices about their profile."""

    results_shown_to = models.CharField(
        _("my results"),
        max_length=10,
        choices=Audience,
        default=Audience.EVERYBODY,
        db_default=Audience.EVERYBODY,
    )
    times_shown_to = models.CharField(
        _("how fast I answer"),
        max_length=10,
        choices=Audience,
        default=Audience.MEMBERS,
        db_default=Audience.MEMBERS,
    )
    games_shown_to = models.CharField(
        _("the list of my games"),
        max_length=10,
        choices=Audience,
        default=Audience.EVERYBODY,
        db_default=Audience.EVERYBODY,
    )
    is_findable = models.BooleanField(
        _("can be found by name"),
        default=True,
        db_default=True,
    )
    takes_strangers = models.BooleanField(
        _("can be challenged by strangers"),
        default=True,
        db_default=True,
    )

    class Meta:
        abstract = True
