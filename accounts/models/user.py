"""The user model, and the names that users have taken."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from accounts.addresses import InvalidAddress, normalize_address
from accounts.models.public_profile import Audience, PublicProfile
from accounts.names import (
    DISPLAY_NAME_LENGTH,
    FORMER_USERNAME,
    LONGEST_KEY,
    LONGEST_SEARCH_WORDS,
    check_display_name,
    name_keys,
    refuse_reserved,
    search_words,
    shown_name,
    tidy_display_name,
    username_validators,
)
from accounts.paths import page_path
from accounts.staff import has_staff_powers
from accounts.zones import check_time_zone


class Language(models.TextChoices):
    """The languages that pages and mails speak."""

    ENGLISH = "en", _("English")
    FRENCH = "fr", _("French")


FOR_GOOD = datetime(9999, 12, 31, tzinfo=UTC)
"""The end of a sanction that has none."""


def first_reminders() -> list[str]:
    """Default reminders: one, when a quarter of the time is left."""
    return ["quarter"]


_NO_NAMES: Mapping[str, str] = {"username": "", "display_name": ""}
"""The stored names of a user without a row."""


class NameTaken(ValidationError):
    """The name looks like the user name or display name of another user."""

    def __init__(self) -> None:
        sentence = _("Somebody has this name, or one that looks like it. Choose another one.")
        super().__init__(sentence, code="taken")


class TakenName(models.Model):
    """One key (`accounts.names.name_keys`) of a user's user name or display name.

    The unique key keeps two users from names that look alike, also when both choose theirs at the
    same moment. Names from before there were keys: the first user to have one owns its key, the
    others keep their names without it.
    """

    key = models.CharField(_("key"), max_length=LONGEST_KEY, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="taken_names",
        verbose_name=_("person"),
    )

    class Meta:
        verbose_name = _("taken name")
        verbose_name_plural = _("taken names")

    def __str__(self) -> str:
        return self.key


def check_name_is_free(name: str, user: "User | None" = None) -> None:
    """Raise NameTaken if a name looks like one of another user than `user`."""
    others = TakenName.objects.filter(key__in=name_keys(name))
    if user is not None and user.pk is not None:
        others = others.exclude(user=user)
    if others.exists():
        raise NameTaken


class SearchWord(models.Model):
    """A user's name from the beginning of one of its words on (`accounts.names.search_words`).

    Names are searched in an index over these rows. Guests have none.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="search_words",
        verbose_name=_("person"),
    )
    words = models.CharField(_("words"), max_length=LONGEST_SEARCH_WORDS)

    class Meta:
        verbose_name = _("words of a name")
        verbose_name_plural = _("words of names")

    def __str__(self) -> str:
        return self.words


class User(PublicProfile, AbstractUser):
    """An account. Addresses and their verification are allauth's EmailAddress.

    `barred_until`, `muted_until` and `is_warned` sum up the user's sanctions, so that no page has
    to query them; FOR_GOOD stands for no end. `clocks_changed_at` is set while the deadlines of
    the user's turns must be recomputed; `unreachable_since` while a clock is stopped because no
    mail reached the user. `guest_until` is set while the user has not signed up (`is_guest`): the
    account is closed then. `deletion_due_at` is set once the user has asked to delete the account:
    it is when the next step is due, first the deletion itself. `deletion_reminded_at` is when a
    mail reminded them of it. `owner` is set for the account of somebody's program (a bot too),
    which acts by the API.
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
        help_text=_("Days of the week on which the clock does not run. Monday is 0."),
    )
    quiet_from = models.TimeField(_("quiet hours from"), null=True, blank=True)
    quiet_until = models.TimeField(_("quiet hours until"), null=True, blank=True)
    automatic_vacation = models.BooleanField(
        _("vacation instead of running out of time"),
        default=True,
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
        _("reminders at night too"), default=False, db_default=False
    )
    mail_pictures = models.BooleanField(
        _("pictures in mails"),
        default=True,
        db_default=True,
        help_text=_("Without them, mails show boards as text."),
    )
    mail_confirmations = models.BooleanField(
        _("a mail that my turn was played"),
        default=True,
        db_default=True,
        help_text=_("When you play by mail. What could not be done is answered in any case."),
    )
    clocks_changed_at = models.DateTimeField(
        _("clocks waiting to be recomputed since"), null=True, blank=True, editable=False
    )
    unreachable_since = models.DateTimeField(
        _("not reached by mail since"), null=True, blank=True, editable=False
    )
    barred_until = models.DateTimeField(_("suspended until"), null=True, blank=True, editable=False)
    muted_until = models.DateTimeField(_("muted until"), null=True, blank=True, editable=False)
    is_warned = models.BooleanField(
        _("has a warning to read"), default=False, db_default=False, editable=False
    )
    is_bot = models.BooleanField(
        _("is a bot"),
        default=False,
        db_column="is_program",
        help_text=_("A program plays. It gets no mail."),
    )
    owner = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="programs",
        editable=False,
        verbose_name=_("person whose program this is"),
    )

    guest_until = models.DateTimeField(_("guest until"), null=True, blank=True, editable=False)
    deletion_due_at = models.DateTimeField(
        _("to be deleted at"), null=True, blank=True, editable=False
    )
    deletion_reminded_at = models.DateTimeField(
        _("reminded of the deletion at"), null=True, blank=True, editable=False
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
            models.Index(fields=["-id"], name="user_program", condition=models.Q(is_bot=True)),
            models.Index(fields=["-id"], name="user_closed", condition=models.Q(is_active=False)),
            models.Index(
                fields=["guest_until"],
                name="user_guest",
                condition=models.Q(guest_until__isnull=False),
            ),
            models.Index(
                fields=["deletion_due_at"],
                name="user_deletion_due",
                condition=models.Q(deletion_due_at__isnull=False),
            ),
            models.Index(
                fields=["clocks_changed_at"],
                name="user_clocks_changed",
                condition=models.Q(clocks_changed_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return shown_name(self.username, self.display_name, is_bot=self.is_bot)

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Return whether the user has a permission. Every permission is a staff power."""
        return has_staff_powers(self) and super().has_perm(perm, obj)

    def has_module_perms(self, app_label: str) -> bool:
        """Return whether the user has any permission of an app."""
        return has_staff_powers(self) and super().has_module_perms(app_label)

    def get_absolute_url(self) -> str:
        """Return the URL of the public profile."""
        return page_path("profile", self.username)

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **more: Any
    ) -> Self:
        """Remember the stored names, so that `save` knows which have changed."""
        user = super().from_db(db, field_names, values, **more)
        loaded = user.__dict__  # attributes would load what was deferred
        user._stored_names = {name: loaded.get(name, "") for name in _NO_NAMES}
        return user

    def clean(self) -> None:
        """Normalise the address, tidy the display name, and check names that have changed.

        Raises InvalidAddress (for `email`), NameTaken, and ValidationError for a display name that
        is reserved or too long. A name that was there before the rules stays.
        """
        super().clean()
        try:
            self.email = normalize_address(self.email) if self.email else ""
        except InvalidAddress as error:
            raise ValidationError({"email": error}) from error
        self.display_name = tidy_display_name(self.display_name)
        if len(self.display_name) > DISPLAY_NAME_LENGTH:
            raise ValidationError({"display_name": _("This name is too long.")})
        for field, name in self._changed_names().items():
            try:
                if field == "display_name":
                    refuse_reserved(name)  # a user name has it among its validators
                check_name_is_free(name, self)
            except ValidationError as error:
                raise ValidationError({field: error}) from error

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save with a normal address, and take the keys of names that have changed.

        Raises InvalidAddress or NameTaken; nothing is saved then.
        """
        fields = kwargs.get("update_fields")
        if self.email and (fields is None or "email" in fields):
            self.email = normalize_address(self.email)
        changed = self._changed_names(fields)
        if not changed:
            super().save(*args, **kwargs)
            return
        with transaction.atomic():
            super().save(*args, **kwargs)
            # What is stored, not what this object has: not all of it may have been saved.
            stored = User.objects.values_list("username", "display_name").get(pk=self.pk)
            wanted = {key for name in changed.values() for key in name_keys(name)}
            missing = wanted - set(self.taken_names.values_list("key", flat=True))
            try:
                with transaction.atomic():
                    # In one order for everybody, so that two users never wait for each other.
                    TakenName.objects.bulk_create(
                        TakenName(user=self, key=key) for key in sorted(missing)
                    )
            except IntegrityError:
                raise NameTaken from None
            kept = {key for name in stored for key in name_keys(name)}
            self.taken_names.exclude(key__in=kept).delete()
            if not self.is_guest:
                self.write_search_words(*stored)
        self._stored_names = {**self._stored_names, **changed}

    def write_search_words(self, *names: str) -> None:
        """Let a search find the user by these names, and by no others."""
        wanted = search_words(*names)
        self.search_words.exclude(words__in=wanted).delete()
        missing = wanted.difference(self.search_words.values_list("words", flat=True))
        SearchWord.objects.bulk_create(SearchWord(user=self, words=one) for one in sorted(missing))

    _stored_names: Mapping[str, str] = _NO_NAMES

    def _changed_names(self, fields: Collection[str] | None = None) -> dict[str, str]:
        """Return the names among `fields` (None: all) that differ from the stored ones."""
        loaded = self.__dict__
        return {
            name: loaded[name]
            for name, stored in self._stored_names.items()
            if name in loaded and (fields is None or name in fields) and loaded[name] != stored
        }

    def mark_clocks_changed(self, now: datetime) -> None:
        """Set `clocks_changed_at`, always later than before.

        `recount` clears it only if it is still the value that it read.
        """
        before = self.clocks_changed_at
        self.clocks_changed_at = max(now, before + timedelta.resolution) if before else now

    @property
    def zone(self) -> ZoneInfo:
        """The user's time zone; UTC if it no longer exists."""
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")

    @property
    def is_guest(self) -> bool:
        """Whether this user plays without having signed up."""
        return self.guest_until is not None

    @property
    def is_played_here(self) -> bool:
        """Whether this server chooses the turns of this user, a bot that belongs to nobody."""
        return self.is_bot and self.owner_id is None

    @property
    def is_former(self) -> bool:
        """Whether the account was deleted: only the records of its games are left."""
        return self.username.startswith(FORMER_USERNAME)

    @property
    def can_get_mail(self) -> bool:
        """Whether mail may be sent to this user, if there is an address."""
        return self.is_active and not self.is_bot and not self.is_guest

    def shows(self, audience: str, viewer: "User | AnonymousUser") -> bool:
        """Return whether `viewer` sees what the user shows to an `Audience`."""
        if viewer.pk == self.pk or audience == Audience.EVERYBODY:
            return True
        is_member = isinstance(viewer, User) and not viewer.is_guest
        return is_member and audience == Audience.MEMBERS

    def is_barred(self, now: datetime) -> bool:
        """Return whether the user is suspended or banned."""
        return self.barred_until is not None and now < self.barred_until

    def unread_warnings(self) -> models.QuerySet:
        """Return the warnings that the user has not read yet."""
        return self.sanctions.filter(kind="warning", seen_at=None)

    def is_muted(self, now: datetime) -> bool:
        """Return whether the user may not write messages now."""
        return self.muted_until is not None and now < self.muted_until


class Block(models.Model):
    """A user (`by`) refuses challenges and messages from another (`of`), who is not told."""

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks")
    of = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocked_by")
    at = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["by", "of"], name="one_block_a_pair"),
            models.CheckConstraint(
                name="nobody_blocks_themselves", condition=~models.Q(by=models.F("of"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.by} – {self.of}"


class Follow(models.Model):
    """A user (`by`) follows another (`of`), who is not told. Nobody else sees it."""

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="follows")
    of = models.ForeignKey(User, on_delete=models.CASCADE, related_name="followed_by")
    at = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("player who is followed")
        verbose_name_plural = _("players who are followed")
        constraints = [
            models.UniqueConstraint(fields=["by", "of"], name="one_follow_a_pair"),
            models.CheckConstraint(
                name="nobody_follows_themselves", condition=~models.Q(by=models.F("of"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.by} – {self.of}"
